import { compareText } from '../canonical-place.ts'

/** What orders candidates: by the first key, equal ones by the next; higher is better. */
export type SortKey = (ordinal: number) => number

/**
 * The `limit` best of many, in no order. Where all keys of the last places are equal, `idsOf` is asked for the ids of
 * those that are tied, and the lowest get in.
 */
export function pickBest(
  ordinals: readonly number[],
  limit: number,
  order: { keys: readonly SortKey[]; idsOf: (ordinals: readonly number[]) => ReadonlyMap<number, string> },
): number[] {
  if (limit <= 0) return []
  if (ordinals.length <= limit) return [...ordinals]
  const [key, ...others] = order.keys
  if (!key) {
    const ids = order.idsOf(ordinals)
    return ordinals.toSorted((a, b) => compareText(ids.get(a) ?? '', ids.get(b) ?? '')).slice(0, limit)
  }
  const values = Float64Array.from(ordinals, key)
  const threshold = values.toSorted()[ordinals.length - limit] ?? 0
  const better = ordinals.filter((_, index) => (values[index] ?? 0) > threshold)
  const tied = ordinals.filter((_, index) => values[index] === threshold)
  return [...better, ...pickBest(tied, limit - better.length, { ...order, keys: others })]
}
