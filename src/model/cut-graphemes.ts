/** Below this no character belongs to the one before it, save for a line feed behind a carriage return. */
const FIRST_COMBINING = 0x300
const LINE_END = '\r\n'
/** How far around a cut characters are looked at, UTF-16 units: longer than any that a person writes. */
const REACH = 128

let known: Intl.Segmenter | undefined

/** Made when it is first needed: most cuts are between letters of which none can belong to another. */
function segmenter(): Intl.Segmenter {
  known ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  return known
}

/**
 * The last offset up to `at` at which a text may be cut, so that every character as a reader sees it stays whole: a letter with its marks, a
 * flag, an emoji of several. Where one alone is longer than `at` or than any that a person writes, only surrogate pairs stay whole.
 */
export function graphemeBoundary(text: string, at: number): number {
  if (at <= 0) return 0
  if (at >= text.length) return text.length
  const [before, after] = [text.charCodeAt(at - 1), text.charCodeAt(at)]
  const isPlain = before < FIRST_COMBINING && after < FIRST_COMBINING
  if (isPlain && text.slice(at - 1, at + 1) !== LINE_END) return at
  const { from, isStart } = startOfReach(text, at)
  const found = segmenter()
    .segment(text.slice(from, at + REACH))
    .containing(at - from)
  const start = from + (found?.index ?? 0)
  if (start > from || (isStart && start > 0)) return start
  return isLowSurrogate(after) ? at - 1 : at
}

/** The beginning of a text: at most `maxChars` UTF-16 units, whole characters. */
export function cutGraphemes(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : text.slice(0, graphemeBoundary(text, maxChars)).toWellFormed()
}

/** The same, with an ellipsis within the `maxChars` where something is left out. */
export function ellipsize(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : `${cutGraphemes(text, maxChars - 1).trimEnd()}…`
}

/** The characters of a text as a reader sees them. */
export function graphemesOf(text: string): string[] {
  return Array.from(segmenter().segment(text), ({ segment }) => segment)
}

/** Where to begin to look, and whether a character starts there for certain: a plain one does. */
function startOfReach(text: string, at: number): { from: number; isStart: boolean } {
  const earliest = Math.max(0, at - REACH)
  for (let index = at - 1; index > earliest; index--) {
    const isPlain = text.charCodeAt(index) < FIRST_COMBINING && text.charAt(index) !== '\n'
    if (isPlain) return { from: index, isStart: true }
  }
  return { from: isLowSurrogate(text.charCodeAt(earliest)) ? earliest + 1 : earliest, isStart: false }
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}
