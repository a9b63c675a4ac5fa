import type { Contenders } from '../keyword-index/best-ordinals.ts'
import { BestValues } from '../keyword-index/best-values.ts'
import type { Layout } from '../keyword-index/layout.ts'
import { CATEGORY } from '../keyword-index/roster.ts'
import { NO_VECTOR } from './vector-rows.ts'

/** Memories among which those with the best cosines are picked. */
export interface NearestFound {
  contenders: Contenders
  /** Allowed memories that have a vector. */
  holders: number
}

/**
 * Of the allowed memories that have a vector those that `pickCandidates` may pick with this limit: their cosines, by ordinal, are looked at where
 * they lie.
 */
export function findNearest(layout: Layout, best: Float32Array, allowed: Uint8Array, limit: number): NearestFound {
  const { kind } = layout
  const cut = new BestValues(Math.min(limit, allowed.length))
  const { floors } = cut
  let holders = 0
  const passed: number[] = []
  for (let ordinal = 0; ordinal < allowed.length; ordinal++) {
    const cosine = best[ordinal] ?? NO_VECTOR
    if (cosine <= NO_VECTOR || allowed[ordinal] !== 1) continue
    holders += 1
    const category = (kind[ordinal] ?? 0) & CATEGORY
    if (cosine < (floors[category] ?? 0)) continue
    passed.push(ordinal)
    cut.add(cosine, category)
  }
  const isLeft = (ordinal: number): boolean =>
    (best[ordinal] ?? NO_VECTOR) >= (floors[(kind[ordinal] ?? 0) & CATEGORY] ?? 0)
  const ordinals = Int32Array.from(passed.filter(isLeft))
  return { contenders: { ordinals, keys: [Float64Array.from(ordinals, (ordinal) => best[ordinal] ?? 0)] }, holders }
}
