import { cutGraphemes, graphemeBoundary } from '../model/cut-graphemes.ts'
import { SNIPPET_CHARS } from '../options.ts'
import { tokenize } from '../text/tokenize.ts'

/** A long line is taken in pieces of this part of a snippet, so that what matched in it can stand in the middle. */
const PIECES_PER_SNIPPET = 6
/** Equal sums may differ by so much. */
const ROUNDING = 1e-9

/**
 * The part of a text that shows why it matches: the stretch of at most `maxChars` UTF-16 units that holds most of the
 * matched terms, those of few lines counting more, the earliest one of equals, with as much around them as fits, whole lines where they
 * fit. It is a literal part of the text; only the column names of a table that it begins in stand in front of its row.
 */
export function makeSnippet(text: string, matchedTerms: readonly string[], maxChars = SNIPPET_CHARS): string {
  if (text.length <= maxChars) return text
  const { lines, found } = readLines(text, matchedTerms, maxChars)
  const core = tighten(bestStretch(lines, found, maxChars), found)
  const table = findColumnNames(lines, core, maxChars)
  const { from, to } = widen(core, lines, maxChars - (table?.names.length ?? 0))
  const isBelow = table !== null && from > table.top + 1
  return ((isBelow ? table.names : '') + lines.slice(from, to).join('')).trim()
}

/**
 * The same for where a line of it has to do: it begins with the first line of the stretch that holds a matched term, and where none matches,
 * below the headings with which the text begins. What stands above is left out.
 */
export function makeSnippetFromMatch(text: string, matchedTerms: readonly string[], maxChars: number): string {
  const { lines, found } = readLines(text, matchedTerms, maxChars)
  const core = tighten(bestStretch(lines, found, maxChars), found)
  const isMatch = (found[core.from]?.length ?? 0) > 0
  const from = isMatch
    ? core.from
    : Math.max(
        0,
        lines.findIndex((line) => !HEADING_OR_BLANK.test(line)),
      )
  const own = lines.slice(from, Math.max(core.to, from + 1)).join('')
  let end = from
  for (let room = maxChars; end < lines.length; end++) {
    room -= lines[end]?.length ?? 0
    if (room < 0) break
  }
  return cutGraphemes(end > from ? lines.slice(from, end).join('') : own, maxChars).trim()
}

const HEADING_OR_BLANK = /^\s*(?:#{1,6}\s.*)?\s*$/

/** The lines of a text, and the matched terms that each holds. */
function readLines(text: string, matchedTerms: readonly string[], maxChars: number) {
  const wanted = new Set(matchedTerms)
  const lines = splitLines(text, maxChars)
  const found = lines.map((line) =>
    tokenize(line)
      .filter(({ term }) => wanted.has(term))
      .map(({ term }) => term),
  )
  return { lines, found }
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

/** What each term tells: a word that stands on every line shows no place. */
function weighTerms(found: ReadonlyArray<readonly string[]>): Map<string, number> {
  const counts = new Map<string, number>()
  for (const terms of found) for (const term of new Set(terms)) counts.set(term, (counts.get(term) ?? 0) + 1)
  return new Map([...counts].map(([term, count]) => [term, Math.log(1 + found.length / count)]))
}

/** The first stretch of lines within `maxChars` whose different terms tell most: two borders that only move forward. */
function bestStretch(lines: readonly string[], found: ReadonlyArray<readonly string[]>, maxChars: number): Stretch {
  const counts = new Map<string, number>()
  const weights = weighTerms(found)
  const weightOf = (term: string): number => weights.get(term) ?? 0
  let best = { from: 0, to: 1, weight: Number.NEGATIVE_INFINITY }
  let [to, length, weight] = [0, 0, 0]
  for (let from = 0; from < lines.length; from++) {
    for (
      let next = lines[to];
      next !== undefined && (to === from || length + next.length <= maxChars);
      next = lines[to]
    ) {
      length += next.length
      for (const term of found[to] ?? []) {
        if (!counts.has(term)) weight += weightOf(term)
        counts.set(term, (counts.get(term) ?? 0) + 1)
      }
      to += 1
    }
    if (weight > best.weight + ROUNDING) best = { from, to, weight }
    length -= lines[from]?.length ?? 0
    for (const term of found[from] ?? []) {
      const left = (counts.get(term) ?? 0) - 1
      if (left > 0) counts.set(term, left)
      else if (counts.delete(term)) weight -= weightOf(term)
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
      else {
        const whole = graphemeBoundary(line, end)
        // A character longer than a piece is cut, but never within one of its code points.
        end = whole > start ? whole : end - (isPairCut(line, end) ? 1 : 0)
      }
      pieces.push(line.slice(start, end))
      start = end
    }
    return pieces
  })
}

function isPairCut(text: string, at: number): boolean {
  return text.slice(at - 1, at + 1).isWellFormed() && !text.slice(at - 1, at).isWellFormed()
}
