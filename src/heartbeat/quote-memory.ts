import { cleanCharacters } from '../normalize/index.ts'
import { defuseTags } from '../recall/defuse-tags.ts'
import { shorten } from '../recall/format-context.ts'
import { redactSecrets } from '../text/redact.ts'

/** What could be read as an end of quotation. */
const QUOTES = /["“”„‟«»＂]/g

/**
 * Text that somebody else wrote, on one line: without hidden characters and secrets, and nothing in it that reads as a tag, a line of ours
 * or the end of the quotation.
 */
export function toPlainLine(text: string, maxChars: number): string {
  const line = cleanCharacters(text).replace(/\s+/g, ' ').trim()
  return defuseTags(cleanCharacters(shorten(redactSecrets(line).text, maxChars)))
}

/** The same for a name, such as a path, that stands beside quotations: without quotation marks and brackets. */
export function toLabel(text: string, maxChars: number): string {
  return toPlainLine(text, maxChars)
    .replace(QUOTES, "'")
    .replace(/[[\]\uff3b\uff3d]/g, ' ')
}

/** The same in quotation marks, which do not occur within. */
export function quoteMemory(text: string, maxChars: number): string {
  return `"${toPlainLine(text, maxChars).replace(QUOTES, "'")}"`
}
