import { graphemeBoundary } from '../model/cut-graphemes.ts'
import { SNIPPET_CHARS } from '../options.ts'
import { tokenize } from '../text/tokenize.ts'

/** A long line is taken in pieces of this part of a snippet, so that what matched in it can stand in the middle. */
const PIECES_PER_SNIPPET = 6

/**
 * The part of a text that shows why it matches: the stretch of at most `maxChars` UTF-16 units that holds most of the
 * matched terms, the earliest one of equals, with as much around them as fits, whole lines where they fit. It is a
 * literal part of the text; only the column names of a table that it begins in stand in front of its row.
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
  const core = tighten(bestStretch(lines, found, maxChars), found)
  const table = findColumnNames(lines, core, maxChars)
  const { from, to } = widen(core, lines, maxChars - (table?.names.length ?? 0))
  const isBelow = table !== null && from > table.top + 1
  return ((isBelow ? table.names : '') + lines.slice(from, to).join('')).trim()
}

interface Stretch {
  from: number
  to: number
}

/** Without the lines at its ends that hold no term; a stretch without any stays. */
function tighten({ from, to }: Stretch, found: ReadonlyArray<readonly string[]>): Stretch {
  const holds = (index: number): boolean => (found[index]?.length ?? 0) > 0
  let [first, end] = [from, to]
  while (first < end && !holds(first)) first += 1
  while (end > first && !holds(end - 1)) end -= 1
  return first < end ? { from: first, to: end } : { from, to }
}

/** Takes in lines below and above in turn, as long as they fit. */
function widen({ from, to }: Stretch, lines: readonly string[], maxChars: number): Stretch {
  let room = maxChars - lines.slice(from, to).reduce((sum, line) => sum + line.length, 0)
  const take = (line: string | undefined): boolean => {
    if (line === undefined || line.length > room) return false
    room -= line.length
    return true
  }
  for (let [below, above] = [true, true]; below || above; ) {
    below = below && take(lines[to])
    if (below) to += 1
    above = above && take(lines[from - 1])
    if (above) from -= 1
  }
  return { from, to }
}

const TABLE_RULE = /^[ \t]*\|(?:[ \t]*:?-+:?[ \t]*\|)+[ \t]*\n?$/

/** The first two lines of the table in which a stretch begins; null where it begins in none or they would not fit. */
function findColumnNames(
  lines: readonly string[],
  { from, to }: Stretch,
  maxChars: number,
): { top: number; names: string } | null {
  const isRow = (index: number): boolean => lines[index]?.trimStart().startsWith('|') === true
  let top = from
  while (top > 0 && isRow(top) && isRow(top - 1)) top -= 1
  if (top === from || !TABLE_RULE.test(lines[top + 1] ?? '')) return null
  const names = lines.slice(top, top + 2).join('')
  return names.length + lines.slice(from, to).join('').length <= maxChars ? { top, names } : null
}

/** The first stretch of lines within `maxChars` that holds most different terms: two borders that only move forward. */
function bestStretch(lines: readonly string[], found: ReadonlyArray<readonly string[]>, maxChars: number): Stretch {
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

/** Lines with their line ends; one that does not fit in pieces of a fraction of the room that do not cut a character in two. */
function splitLines(text: string, maxChars: number): string[] {
  const most = Math.max(2, Math.floor(maxChars / PIECES_PER_SNIPPET))
  return text.split(/(?<=\n)/).flatMap((line) => {
    if (line.length <= maxChars) return [line]
    const pieces: string[] = []
    for (let start = 0; start < line.length; ) {
      let end = Math.min(line.length, start + most)
      const space = end < line.length ? line.lastIndexOf(' ', end - 1) : -1
      if (space > start + most / 2) end = space + 1
      else end = Math.max(start + 1, graphemeBoundary(line, end))
      pieces.push(line.slice(start, end))
      start = end
    }
    return pieces
  })
}
