/**
 * At most `maxChars` UTF-16 units of a text: all of it, or its beginning and its end in equal parts, cut between characters,
 * with a line break between. People ask in front of what they paste, or behind it.
 */
export function keepEnds(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text
  const half = Math.floor((maxChars - 1) / 2)
  const end = isLowSurrogate(text, half) ? half - 1 : half
  const start = isLowSurrogate(text, text.length - half) ? text.length - half + 1 : text.length - half
  return `${text.slice(0, end)}\n${text.slice(start)}`
}

function isLowSurrogate(text: string, position: number): boolean {
  const code = text.charCodeAt(position)
  return code >= 0xdc00 && code <= 0xdfff
}
