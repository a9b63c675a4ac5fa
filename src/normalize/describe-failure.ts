import { messageOf } from '../errors.ts'
import { MAX_REASON_CHARS } from '../options.ts'
import { redactSecrets } from '../text/redact.ts'
import { cleanCharacters } from './clean-characters.ts'

/**
 * What a failure says, for an answer: one line without secrets, at most MAX_REASON_CHARS. Services repeat in their errors what was
 * sent to them, and whoever wraps an error repeats the service.
 */
export function describeFailure(error: unknown): string {
  const line = cleanCharacters(messageOf(error)).replace(/\s+/g, ' ').trim()
  const safe = redactSecrets(line).text
  return safe.length > MAX_REASON_CHARS ? `${safe.slice(0, MAX_REASON_CHARS - 1).toWellFormed()}…` : safe
}
