import { CATEGORIES } from '../../model/memory.ts'
import { categoryQuota } from '../rank.ts'
import { type Contenders, pickBest, selectContenders } from './best-ordinals.ts'
import type { Layout } from './layout.ts'
import { isKindOf } from './roster.ts'

/** The `limit` best, and the best of each category up to its quota, in no order; `idsOf` as in `pickBest`. */
export function pickCandidates(
  layout: Layout,
  contenders: Contenders,
  limit: number,
  idsOf: (ordinals: readonly number[]) => ReadonlyMap<number, string>,
): number[] {
  const picked = new Set(pickBest(contenders, limit, idsOf))
  if (picked.size < limit) return [...picked]
  const quota = categoryQuota(limit)
  for (const category of CATEGORIES) {
    const isOf = (ordinal: number): boolean => isKindOf(layout.kind[ordinal] ?? 0, category)
    if ([...picked].filter(isOf).length >= quota) continue
    for (const ordinal of pickBest(selectContenders(contenders, isOf), quota, idsOf)) picked.add(ordinal)
  }
  return [...picked]
}
