const sentences = new Intl.Segmenter('en', { granularity: 'sentence' })
const words = new Intl.Segmenter('en', { granularity: 'word' })
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Characters read past the window, so that its last segment ends where it really ends. */
const LOOK_AHEAD = 128
const EXTENDS_PREVIOUS = /^(?:\p{M}|\p{Emoji_Modifier}|\p{Join_Control})/u
const LOW_SURROGATE = /^[\udc00-\udfff]/

/** Whether a cut before `offset` leaves surrogate pairs and marks with what they belong to. */
export function keepsGraphemes(text: string, offset: number): boolean {
  const next = text.slice(offset, offset + 2)
  return !EXTENDS_PREVIOUS.test(next) && !LOW_SURROGATE.test(next)
}

function segmentStarts(
  segmenter: Intl.Segmenter,
  text: string,
  from: number,
  to: number,
  pieceStart: number,
): number[] {
  const starts: number[] = []
  for (const { index } of segmenter.segment(text.slice(pieceStart, to + LOOK_AHEAD))) {
    const start = pieceStart + index
    if (start > to) break
    if (start > from && keepsGraphemes(text, start)) starts.push(start)
  }
  return starts
}

/** Offsets in (from, to] at which a sentence starts, in any script. */
export function sentenceStarts(text: string, from: number, to: number, pieceStart: number): number[] {
  return segmentStarts(sentences, text, from, to, pieceStart)
}

/** Offsets in (from, to] at which a word starts, in scripts with and without spaces. */
export function wordStarts(text: string, from: number, to: number, pieceStart: number): number[] {
  return segmentStarts(words, text, from, to, pieceStart)
}

/** Offsets in (from, to] at which a character, as a reader sees it, starts. */
export function graphemeStarts(text: string, from: number, to: number, pieceStart: number): number[] {
  return segmentStarts(graphemes, text, from, to, pieceStart)
}

/** The last cut in (pieceStart, to] that leaves graphemes whole, or, where one alone is longer, surrogate pairs. */
export function endOfLastGrapheme(text: string, pieceStart: number, to: number): number {
  const last = graphemeStarts(text, pieceStart, to, pieceStart).at(-1)
  if (last !== undefined) return last
  const splitsPair =
    to - pieceStart > 1 && LOW_SURROGATE.test(text.charAt(to)) && /[\ud800-\udbff]/.test(text.charAt(to - 1))
  return splitsPair ? to - 1 : to
}

/** Lone surrogates become U+FFFD: half a pair breaks JSON, databases and embedding services. */
export function toWellFormed(text: string): string {
  return text.toWellFormed()
}

/** The end of a text on one line: at most `maxChars` UTF-16 units, whole words, in scripts without spaces whole characters. */
export function tailOf(text: string, maxChars: number): string {
  // Only the end counts: the rest of a long text need not be looked at.
  const line = text
    .slice(-maxChars * 4)
    .replace(/\s+/g, ' ')
    .trim()
  if (line.length <= maxChars) return line
  const from = line.length - maxChars
  const space = line.indexOf(' ', from - 1)
  if (space >= 0) return line.slice(space + 1)
  return line.slice(graphemeStarts(line, from - 1, line.length - 1, 0)[0] ?? line.length)
}

/** Words of a text, in scripts with and without spaces. */
export function countWords(text: string): number {
  let count = 0
  for (const { isWordLike } of words.segment(text)) if (isWordLike) count += 1
  return count
}
