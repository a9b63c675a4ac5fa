import { endOfLastGrapheme, graphemeStarts, keepsGraphemes, sentenceStarts, wordStarts } from './segment-text.ts'

/** A piece of a text: UTF-16 offsets, `to` exclusive. */
export interface TextRange {
  from: number
  to: number
}

/**
 * Where a text may be cut, from one clue: the offsets after `from`, up to and including `to`, at which a new piece may start.
 * Rising order. `pieceStart` is where the piece under construction begins; always a border itself.
 */
export type BorderFinder = (text: string, from: number, to: number, pieceStart: number) => number[]

/** A piece is never cut before this share of its balanced length: a stronger border is not worth a crumb. */
const EARLIEST_SHARE = 0.5

const BLANK_LINE = /\n[ \t\r]*\n+/g
const SPACE_BEFORE_TEXT = /\s(?=\S)/g
const PART_END = /[,;&、，；](?=\S)/g

function matchEnds(pattern: RegExp, text: string, from: number, to: number): number[] {
  const ends: number[] = []
  for (const match of text.slice(from, to).matchAll(pattern)) {
    const end = from + match.index + match[0].length
    if (end > from && keepsGraphemes(text, end)) ends.push(end)
  }
  return ends
}

/** Borders of any text, strongest first: paragraph, line, sentence, space, end of a part (of data on one line), word of any script, grapheme. */
export const TEXT_BORDERS: readonly BorderFinder[] = [
  (text, from, to) => matchEnds(BLANK_LINE, text, from, to),
  (text, from, to) => matchEnds(/\n/g, text, from, to),
  (text, from, to, pieceStart) => sentenceStarts(text, from, to, pieceStart),
  (text, from, to) => matchEnds(SPACE_BEFORE_TEXT, text, from, to),
  (text, from, to) => matchEnds(PART_END, text, from, to),
  (text, from, to, pieceStart) => wordStarts(text, from, to, pieceStart),
  (text, from, to, pieceStart) => graphemeStarts(text, from, to, pieceStart),
]

function nearest(offsets: readonly number[], target: number): number | undefined {
  let best: number | undefined
  for (const offset of offsets) {
    if (best === undefined || Math.abs(offset - target) < Math.abs(best - target)) best = offset
  }
  return best
}

/**
 * Cuts a text into consecutive ranges that cover it without gap or overlap. A range that starts at `s` has at most
 * `limitAt(s)` UTF-16 units (at least 1). Each cut takes the strongest border that keeps the pieces roughly equal; none falls
 * inside a surrogate pair or, unless one is longer than the limit, inside a grapheme. Linear in the length of the text.
 */
export function cutText(
  text: string,
  limitAt: (start: number) => number,
  borders: readonly BorderFinder[] = TEXT_BORDERS,
): TextRange[] {
  const ranges: TextRange[] = []
  let start = 0
  for (let limit = limitAt(0); text.length - start > limit; limit = limitAt(start)) {
    const cut = chooseCut(text, start, limit, borders)
    ranges.push({ from: start, to: cut })
    start = cut
  }
  if (start < text.length || ranges.length === 0) ranges.push({ from: start, to: text.length })
  return ranges
}

function chooseCut(text: string, start: number, limit: number, borders: readonly BorderFinder[]): number {
  const rest = text.length - start
  const balanced = rest / Math.ceil(rest / limit)
  const earliest = start + Math.floor(balanced * EARLIEST_SHARE)
  const latest = start + limit
  for (const findBorders of borders) {
    const cut = nearest(findBorders(text, earliest, latest, start), start + balanced)
    if (cut !== undefined) return cut
  }
  return endOfLastGrapheme(text, start, latest)
}
