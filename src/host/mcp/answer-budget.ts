import { MCP_LIMITS } from '../../index.ts'
import { graphemeBoundary } from '../../model/cut-graphemes.ts'

/** Bytes that a value takes in an answer. */
export function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? '')
}

/** As many of the first items as have room beside `rest`, the other fields of the answer; the first one always. */
export function takeItems<Item>(items: readonly Item[], rest: object): Item[] {
  let room = MCP_LIMITS.answerBytes - bytesOf(rest)
  const taken: Item[] = []
  for (const item of items) {
    room -= bytesOf(item) + 1
    if (room < 0 && taken.length > 0) break
    taken.push(item)
  }
  return taken
}

/**
 * As much of a text from `offset` on (UTF-16 units) as has room beside `rest`: up to a line's end where one is near, never half a
 * character. `nextOffset` is where it goes on, absent at the end.
 */
export function takeText(text: string, offset: number, rest: object): { text: string; nextOffset?: number } {
  const room = MCP_LIMITS.answerBytes - bytesOf(rest)
  const asked = text.slice(offset)
  if (bytesOf(asked) <= room) return { text: asked }
  let [fits, tooLong] = [0, asked.length]
  while (tooLong - fits > 1) {
    const middle = Math.floor((fits + tooLong) / 2)
    if (bytesOf(asked.slice(0, middle)) <= room) fits = middle
    else tooLong = middle
  }
  // Never half a character: in JSON half of one takes more bytes than the whole.
  const lineEnd = asked.lastIndexOf('\n', fits - 1) + 1
  const end = Math.max(1, lineEnd > fits / 2 ? lineEnd : graphemeBoundary(asked, fits))
  return { text: asked.slice(0, end), nextOffset: offset + end }
}
