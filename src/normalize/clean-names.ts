import { ellipsize } from '../model/cut-graphemes.ts'
import { MAX_NAME_CHARS } from '../options.ts'
import { cleanCharacters } from '../text/clean-characters.ts'
import { shortHash } from '../text/hash.ts'
import { redactSecrets } from '../text/redact.ts'

/** A name that others gave (of a person, a tool, a document) as it is kept: visible characters on one line, no secret, within MAX_NAME_CHARS. */
export function cleanName(name: string): string {
  const line = cleanCharacters(name).replace(/\s+/g, ' ').trim()
  const safe = redactSecrets(line).text
  return ellipsize(safe, MAX_NAME_CHARS)
}

/**
 * An id that others gave (of a session, a message) as it is kept and compared: itself where it is a plain name, else its hash,
 * so that different ids stay different and nothing that it hides is kept.
 */
export function cleanId(id: string): string {
  return cleanName(id) === id ? id : shortHash('id', id)
}
