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
  const found = lines.map((line) =>
    tokenize(line)
      .filter(({ term }) => wanted.has(term))
      .map(({ term }) => term),
  )
  const stretch = bestStretch(lines, found, maxChars)
  return lines.slice(stretch.from, stretch.to).join('').trim()
}

/** The first stretch of lines within `maxChars` that holds most different terms: two borders that only move forward. */
function bestStretch(
  lines: readonly string[],
  found: ReadonlyArray<readonly string[]>,
  maxChars: number,
): { from: number; to: number } {
  const counts = new Map<string, number>()
  let best = { from: 0, to: 1, terms: -1 }
  let to = 0
  let length = 0
  for (let from = 0; from < lines.length; from++) {
    for (
      let next = lines[to];
      next !== undefined && (to === from || length + next.length <= maxChars);
      next = lines[to]
    ) {
      length += next.length
      for (const term of found[to] ?? []) counts.set(term, (counts.get(term) ?? 0) + 1)
      to += 1
    }
    if (counts.size > best.terms) best = { from, to, terms: counts.size }
    length -= lines[from]?.length ?? 0
    for (const term of found[from] ?? []) {
      const left = (counts.get(term) ?? 0) - 1
      if (left > 0) counts.set(term, left)
      else counts.delete(term)
    }
  }
  return best
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
