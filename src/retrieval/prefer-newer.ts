import type { Memory } from '../model/memory.ts'
import { NEWER_MIN_SHARE, SAME_STATEMENT_OVERLAP } from '../options.ts'
import { tokenize } from '../text/tokenize.ts'
import type { FusedCandidate } from './fuse.ts'

const LOOKED_AT = 10
const MIN_WORDS = 3

function wordsOf(memory: Memory): Set<string> {
  return new Set(
    tokenize(memory.text)
      .filter(({ kind }) => kind === 'word')
      .map(({ term }) => term),
  )
}

function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0
  for (const word of a) if (b.has(word)) shared += 1
  const all = a.size + b.size - shared
  return all === 0 ? 0 : shared / all
}

function instantOf(memory: Memory): number | null {
  const { occurredAt, dateOrigin } = memory.place
  return occurredAt === undefined || dateOrigin === 'mtime' ? null : Date.parse(occurredAt)
}

/**
 * Of two memories among the first ten that state the same thing in nearly the same words, the newer comes to stand
 * directly above the older, unless it is a much worse answer. Both stay in the list.
 */
export function preferNewer(ranked: readonly FusedCandidate[]): FusedCandidate[] {
  const list = ranked.slice(0, LOOKED_AT)
  const words = new Map(list.map((one) => [one, wordsOf(one.candidate.memory)]))
  for (let lower = 1; lower < list.length; lower++) {
    const candidate = list[lower]
    if (!candidate) continue
    const newer = instantOf(candidate.candidate.memory)
    if (newer === null) continue
    const above = list.findIndex((other, index) => {
      if (index >= lower) return false
      const older = instantOf(other.candidate.memory)
      const [a, b] = [words.get(candidate), words.get(other)]
      if (older === null || older >= newer || !a || !b || Math.min(a.size, b.size) < MIN_WORDS) return false
      return candidate.fused >= NEWER_MIN_SHARE * other.fused && overlap(a, b) >= SAME_STATEMENT_OVERLAP
    })
    const other = list[above]
    if (!other) continue
    list.splice(lower, 1)
    const boost = { name: 'newer', factor: 1, reason: 'states the same as an older memory below it' }
    list.splice(above, 0, {
      ...candidate,
      fused: Math.max(candidate.fused, other.fused),
      boosts: [...candidate.boosts, boost],
    })
    const moved = list[above]
    if (moved) words.set(moved, words.get(candidate) ?? new Set())
  }
  return [...list, ...ranked.slice(LOOKED_AT)]
}
