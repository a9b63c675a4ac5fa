import { messageOf } from '../errors.ts'
import { ellipsize } from '../model/cut-graphemes.ts'
import { MAX_REASON_CHARS } from '../options.ts'
import { cleanCharacters } from '../text/clean-characters.ts'
import { redactSecrets } from '../text/redact.ts'

/**
 * What a failure says, for an answer: one line without secrets, at most MAX_REASON_CHARS. Services repeat in their errors what was
 * sent to them, and whoever wraps an error repeats the service.
 */
export function describeFailure(error: unknown): string {
  const line = cleanCharacters(messageOf(error)).replace(/\s+/g, ' ').trim()
  const safe = redactSecrets(line).text
  return ellipsize(safe, MAX_REASON_CHARS)
}
