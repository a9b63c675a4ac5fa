import { cutGraphemes } from '../model/cut-graphemes.ts'
import type { Memory, Place } from '../model/memory.ts'
import { GET_MAX_CHARS } from '../options.ts'

export interface LinesRequest {
  /** First line, 1-based. */
  from: number
  /** Last line, inclusive. */
  to: number
}

export interface LinesAnswer {
  startLine: number
  /** The last line of which there is text here. */
  endLine: number
  text: string
  truncated: boolean
}

/** A memory as it stands in one document. */
export interface PlacedMemory {
  memory: Memory
  place: Place
}

/** What is shown whole or not at all: a line of a note, a message of a transcript. */
interface Unit {
  line: number
  text: string
}

/**
 * The text of lines `from` to `to` of a document, put together from its memories (all of them, in order): cleaned, redacted,
 * without what was forgotten. Lines that hold nothing to show are empty, so that line numbers match the file's. A message of a
 * transcript is one line of its file and many of text: there the lines asked for choose the messages, which are given whole.
 */
export function readLines(placed: readonly PlacedMemory[], { from, to }: LinesRequest): LinesAnswer {
  const isTalk = placed.some(({ place }) => place.sessionId !== undefined)
  const lastLine = Math.max(from, Math.min(to, lastLineOf(placed)))
  const units = isTalk ? turnsOf(placed, { from, to }) : linesOf(placed, { from, to: lastLine })
  return takeUnits(units, { from, to: lastLine, separator: isTalk ? '\n\n' : '\n' })
}

/** The last line of a document that holds something. */
export function lastLineOf(placed: readonly PlacedMemory[]): number {
  return placed.reduce((last, { place }) => Math.max(last, place.endLine), 0)
}

/** As many whole units as there is room for; of the first one at least what has room. */
function takeUnits(units: readonly Unit[], { from, to, separator }: LinesRequest & { separator: string }): LinesAnswer {
  let text = ''
  let endLine = from
  for (const [index, unit] of units.entries()) {
    const longer = index === 0 ? unit.text : `${text}${separator}${unit.text}`
    if (longer.length > GET_MAX_CHARS) {
      if (index > 0) return { startLine: from, endLine, text, truncated: true }
      return {
        startLine: from,
        endLine: unit.line,
        text: cutGraphemes(longer, GET_MAX_CHARS),
        truncated: true,
      }
    }
    text = longer
    endLine = unit.line
  }
  return { startLine: from, endLine: to, text, truncated: false }
}

/** A message is cut into several memories when it is long. */
function turnsOf(placed: readonly PlacedMemory[], { from, to }: LinesRequest): Unit[] {
  const units: Array<Unit & { turn: string | undefined }> = []
  for (const { memory, place } of placed) {
    if (place.endLine < from || place.startLine > to) continue
    const last = units.at(-1)
    if (last && place.turnId !== undefined && last.turn === place.turnId) {
      last.text += `\n${memory.text}`
      last.line = place.endLine
    } else units.push({ line: place.endLine, text: memory.text, turn: place.turnId })
  }
  return units
}

function linesOf(placed: readonly PlacedMemory[], { from, to }: LinesRequest): Unit[] {
  const lines = new Map<number, string>()
  let before: Framing | undefined
  for (const { memory, place } of placed) {
    const own = memory.text.split('\n')
    const framing = frameOf(own, place, before)
    before = framing
    for (const [index, line] of own.slice(framing.head, own.length - framing.foot).entries()) {
      const number = place.startLine + index
      const known = lines.get(number)
      // Pieces of one long line; the space between them was cut away with the cut.
      lines.set(number, known === undefined ? line : `${known} ${line}`)
    }
  }
  return Array.from({ length: to - from + 1 }, (_, index) => ({
    line: from + index,
    text: lines.get(from + index) ?? '',
  }))
}

/** How many lines of a memory's text do not stand in its place: the repeated head and foot of a block that was cut. */
interface Framing {
  head: number
  foot: number
}

const FENCE = /^[>\s]*(?:`{3,}|~{3,})/
const TABLE_DELIMITER = /^(?=[^-]*-)[>\s]*(?![>\s])\|?[\s:|-]*$/
const TABLE_HEAD_LINES = 2

/**
 * What the cutting of long sections added: a piece that begins in a table has its head in front, one that begins in a code block
 * the opening fence, one that ends in a code block the closing fence. A piece goes on in the block in which the one before it
 * ended, whose foot therefore tells of a head.
 */
function frameOf(own: readonly string[], { startLine, endLine }: Place, before: Framing | undefined): Framing {
  const surplus = own.length - (endLine - startLine + 1)
  if (surplus <= 0) return { head: 0, foot: 0 }
  const head = headOf(own, surplus, before)
  return { head, foot: surplus - head }
}

function headOf(own: readonly string[], surplus: number, before: Framing | undefined): number {
  if (before !== undefined && before.foot > 0) return 1
  if (surplus >= TABLE_HEAD_LINES && TABLE_DELIMITER.test(own[1] ?? '')) return TABLE_HEAD_LINES
  // The piece before was forgotten. A fence in front is then a repeated one, unless the only line that was added closes it.
  const isFoot = surplus === 1 && FENCE.test(own.at(-1) ?? '')
  return FENCE.test(own[0] ?? '') && !isFoot ? 1 : 0
}
