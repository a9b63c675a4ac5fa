import { SNIPPET_CHARS } from '../options.ts'
import { tokenize } from '../text/tokenize.ts'

/**
 * The part of a text that shows why it matches, whole lines where they fit: the stretch of at most SNIPPET_CHARS
 * UTF-16 units that holds most of the matched terms, the earliest one of equals. It is always a literal part of the text.
 */
export function makeSnippet(text: string, matchedTerms: readonly string[], maxChars = SNIPPET_CHARS): string {
  if (text.length <= maxChars) return text
  const wanted = new Set(matchedTerms)
  const lines = splitLines(text, maxChars)
  let best = { start: 0, score: -1 }
  for (let start = 0; start < lines.length; start++) {
    const found = new Set<string>()
    for (let end = start, length = 0; end < lines.length; end++) {
      length += lines[end]?.length ?? 0
      if (length > maxChars && end > start) break
      for (const { term } of tokenize(lines[end] ?? '')) if (wanted.has(term)) found.add(term)
    }
    if (found.size > best.score) best = { start, score: found.size }
  }
  let snippet = ''
  for (let index = best.start; index < lines.length; index++) {
    const line = lines[index] ?? ''
    if (snippet !== '' && snippet.length + line.length > maxChars) break
    snippet += line
  }
  return snippet.trim()
}

/** Lines with their line ends; a longer one in pieces that do not cut a character in two. */
function splitLines(text: string, maxChars: number): string[] {
  return text.split(/(?<=\n)/).flatMap((line) => {
    if (line.length <= maxChars) return [line]
    const pieces: string[] = []
    for (let start = 0; start < line.length; ) {
      let end = Math.min(line.length, start + maxChars)
      const space = end < line.length ? line.lastIndexOf(' ', end) : -1
      if (space > start + maxChars / 2) end = space + 1
      else if (end < line.length && /[\ud800-\udbff]/.test(line.charAt(end - 1))) end -= 1
      pieces.push(line.slice(start, end))
      start = end
    }
    return pieces
  })
}
