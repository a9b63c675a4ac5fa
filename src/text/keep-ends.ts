import { graphemeBoundary } from '../model/cut-graphemes.ts'
/**
 * At most `maxChars` UTF-16 units of a text: all of it, or its beginning and its end in equal parts, cut between characters,
 * with a line break between. People ask in front of what they paste, or behind it.
 */
export function keepEnds(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text
  const half = Math.floor((maxChars - 1) / 2)
  const end = graphemeBoundary(text, half)
  let start = text.length - half
  while (start < text.length && graphemeBoundary(text, start) !== start) start += 1
  return `${text.slice(0, end)}\n${text.slice(start)}`
}
