const UNIT = /(?<![\p{L}\p{N}])[\p{L}\p{N}][\p{L}\p{N}\p{M}'’_#/-]*/gu
/** A time, a date, a share or a decimal is a reading: it changes while the matter stays the same. */
const READING = /\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}|\d{1,2}:\d{2}(?::\d{2})?|\d+(?:[.,]\d+)?\s*(?:%|°)|\d+[.,]\d+/gu
const SENTENCE_START = /(?:^|[.!?:]\s+|\]\s*|[-*]\s+)$/u

/**
 * Whether two lines that sound alike name different things to be done: each has a number or a name that the other lacks ("invoice 1041",
 * "invoice 1042"). Times, dates and shares do not tell tasks apart.
 */
export function isOtherTask(a: string, b: string): boolean {
  const [first, second] = [marksOf(a), marksOf(b)]
  const hasOwn = (own: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
    [...own].some((mark) => !other.has(mark))
  return hasOwn(first, second) && hasOwn(second, first)
}

/** Numbers and names of a line, in lower case. */
function marksOf(text: string): Set<string> {
  const plain = text.replace(READING, ' ')
  const marks = new Set<string>()
  for (const { 0: word, index } of plain.matchAll(UNIT)) {
    const isName = /^\p{Lu}/u.test(word) && !SENTENCE_START.test(plain.slice(Math.max(0, index - 4), index))
    if (/\p{N}/u.test(word) || isName) marks.add(word.toLowerCase())
  }
  return marks
}
