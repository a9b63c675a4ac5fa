import type { Statement } from '../text/statements/read-statements.ts'
import { CONFLICT } from './correlation-options.ts'
import type { Rarity } from './correlation-score.ts'

/** A term of a statement with what it counts beside a place in it. */
export type Context = Map<string, number>

/** The terms around a place of a statement, nearer ones weighing more. Terms of the place itself are left out. */
export function contextOf(
  statement: Statement,
  place: { start: number; end: number },
  rarity: Rarity,
  without: ReadonlySet<string>,
): Context {
  const context: Context = new Map()
  const here = statement.words.findIndex(({ end }) => end > place.start)
  const at = here === -1 ? statement.words.length : here
  statement.words.forEach(({ term, start, end, isDirection, isName }, index) => {
    if (isDirection || without.has(term) || (start < place.end && end > place.start)) return
    const distance = Math.abs(index - at)
    const weight =
      (CONFLICT.halfDistance / (CONFLICT.halfDistance + distance)) * rarity(term) * (isName ? CONFLICT.nameWeight : 1)
    context.set(term, Math.max(context.get(term) ?? 0, weight))
  })
  return context
}

export interface ContextMatch {
  /** Share of the poorer context that the other one holds, [0,1]. */
  covered: number
  /** Share of both together that both hold, [0,1]. */
  likeness: number
  shared: number
}

export function matchContexts(a: Context, b: Context): ContextMatch {
  let shared = 0
  let [sharedA, sharedB, sumA, sumB] = [0, 0, 0, 0]
  for (const weight of a.values()) sumA += weight
  for (const weight of b.values()) sumB += weight
  for (const [term, weight] of a) {
    const other = b.get(term)
    if (other === undefined) continue
    shared += 1
    sharedA += weight
    sharedB += other
  }
  if (shared === 0) return { covered: 0, likeness: 0, shared }
  return { covered: Math.max(sharedA / sumA, sharedB / sumB), likeness: (sharedA + sharedB) / (sumA + sumB), shared }
}

/**
 * How sure a difference is, given what is around it: a short statement may be one of many things that a longer one says, which
 * proves the more, the more words it has.
 */
export function sureness({ covered, likeness, shared }: ContextMatch): number {
  const share = shared / (shared + 2)
  return share * covered + (1 - share) * likeness
}
