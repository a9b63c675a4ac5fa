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
  endLine: number
  text: string
  truncated: boolean
}

/** A memory as it stands in one document. */
export interface PlacedMemory {
  memory: Memory
  place: Place
}

/**
 * The text of lines `from` to `to` of a document, put together from its memories: cleaned, redacted, without what was
 * forgotten. Lines that hold nothing to show are empty, so that line numbers match the file's. A message of a transcript
 * is one line of its file and many of text: there the lines asked for choose the messages, which are given whole.
 */
export function readLines(placed: readonly PlacedMemory[], { from, to }: LinesRequest): LinesAnswer {
  const inRange = placed.filter(({ place }) => place.endLine >= from && place.startLine <= to)
  const isTalk = placed.some(({ place }) => place.sessionId !== undefined)
  const lastLine = Math.max(from, Math.min(to, Math.max(0, ...placed.map(({ place }) => place.endLine))))
  const text = isTalk ? joinTurns(inRange) : joinSections(inRange, { from, to: lastLine })
  const truncated = text.length > GET_MAX_CHARS
  return { startLine: from, endLine: lastLine, text: truncated ? cutText(text) : text, truncated }
}

function joinTurns(placed: readonly PlacedMemory[]): string {
  let turn: string | undefined
  let text = ''
  for (const { memory, place } of placed) {
    const separator = text === '' ? '' : place.turnId !== undefined && place.turnId === turn ? '\n' : '\n\n'
    text += separator + memory.text
    turn = place.turnId
  }
  return text
}

function joinSections(placed: readonly PlacedMemory[], { from, to }: LinesRequest): string {
  const lines = new Map<number, string[]>()
  for (const { memory, place } of placed) {
    const own = memory.text.split('\n')
    const count = place.endLine - place.startLine + 1
    // More text than lines: a repeated table header stands in front. As many or fewer: line by line from the first.
    for (const [index, line] of (own.length > count ? own.slice(own.length - count) : own).entries()) {
      const number = place.startLine + index
      const known = lines.get(number)
      if (known) known.push(line)
      else lines.set(number, [line])
    }
  }
  const text: string[] = []
  for (let number = from; number <= to; number++) text.push((lines.get(number) ?? []).join(' '))
  return text.join('\n')
}

function cutText(text: string): string {
  const cut = text.slice(0, GET_MAX_CHARS)
  const end = cut.lastIndexOf('\n')
  return (end > GET_MAX_CHARS / 2 ? cut.slice(0, end) : cut).toWellFormed()
}
