import { inverseDocumentFrequency } from './bm25.ts'
import { pickBest } from './keyword-index/best-ordinals.ts'
import type { Neighbour, NeighbourSubject } from './memory-store.ts'
import { NEIGHBOUR_SCAN } from './neighbour-options.ts'
import { NO_VECTOR, type VectorRows } from './vector-scan/vector-rows.ts'

type IdsOf = (ordinals: readonly number[]) => ReadonlyMap<number, string>

/** One search for what is near to memories, as all of them see it. Memories are known by their ordinals. */
export interface NearSearch {
  /** How many of the nearest by vector, and how many by keys. */
  limit: number
  /** By ordinal: 1 where the filter shows a memory. */
  allowed: Uint8Array
  /** Memories of the tenant. */
  memories: number
  /** Those that may be among the `limit` nearest by vector, with their cosines. */
  nearestByVector(ordinal: number): ReadonlyMap<number, number>
  /** Ordinals that hold a key, as far as the filter shows them; null for what too many hold. */
  holdersOf(key: string): Int32Array | null
  idsOf: IdsOf
}

/** The ordinals near to a memory: by vector, by rare keys, and those named in any case. */
export function findNear(
  search: NearSearch,
  ordinal: number,
  { keys, also }: Pick<NeighbourSubject, 'keys'> & { also: readonly number[] },
): Set<number> {
  const found = new Set([
    ...pick(search.nearestByVector(ordinal), search.limit, search.idsOf),
    ...nearestByKeys(search, ordinal, keys),
    ...also.filter((other) => search.allowed[other] === 1),
  ])
  found.delete(ordinal)
  return found
}

/**
 * For each of some memories those that may be among the `limit` nearest by rounded vectors, with their cosines; `isRough`: a few may be missed.
 */
export function scanNearest(
  rows: VectorRows,
  {
    ordinals,
    allowed,
    limit,
    isRough,
  }: Pick<NearSearch, 'allowed' | 'limit'> & { ordinals: readonly number[]; isRough: boolean },
): Map<number, ReadonlyMap<number, number>> {
  const nearest = ordinals.map((ordinal) => ({
    ordinal,
    best: new Map<number, number>(),
    threshold: NO_VECTOR,
    room: limit * KEPT_TIMES,
  }))
  rows.scanNear(ordinals, { isRough }, (place, owners, cosines) => {
    const subject = nearest[place]
    if (subject) takeNearest(subject, { owners, cosines, allowed, limit })
  })
  return new Map(nearest.map(({ ordinal, best }) => [ordinal, best]))
}

/** How many times as many as are asked for are kept before those that are too far are let go. */
const KEPT_TIMES = 4

/** Takes what is as near as the `limit` nearest so far. `room`: so many are kept before the others are let go. */
function takeNearest(
  subject: { ordinal: number; best: Map<number, number>; threshold: number; room: number },
  {
    owners,
    cosines,
    allowed,
    limit,
  }: { owners: Int32Array; cosines: Float32Array; allowed: Uint8Array; limit: number },
): void {
  const { ordinal, best } = subject
  let { threshold } = subject
  for (let at = 0; at < cosines.length; at++) {
    const cosine = cosines[at] as number
    if (cosine < threshold) continue
    const other = owners[at] as number
    if (allowed[other] !== 1 || other === ordinal) continue
    if (cosine > (best.get(other) ?? NO_VECTOR)) best.set(other, cosine)
    if (best.size <= subject.room) continue
    threshold = keepBest(best, limit)
    // Where many are equally near, none of them can be let go: the next look has to wait until there are twice as many.
    subject.room = Math.max(limit * KEPT_TIMES, best.size * 2)
  }
  subject.threshold = threshold
}

function nearestByKeys(search: NearSearch, ordinal: number, keys: readonly string[]): number[] {
  const lists = [...new Set(keys)]
    .flatMap((key) => {
      const list = search.holdersOf(key)
      return list ? [{ key, list }] : []
    })
    .sort((a, b) => a.list.length - b.list.length || (a.key < b.key ? -1 : 1))
  const sums = new Map<number, number>()
  let looked = 0
  for (const { list } of lists) {
    looked += list.length
    if (looked > NEIGHBOUR_SCAN.holders) break
    const weight = inverseDocumentFrequency(search.memories, list.length)
    for (const other of list) if (other !== ordinal) sums.set(other, (sums.get(other) ?? 0) + weight)
  }
  return pick(sums, search.limit, search.idsOf)
}

function pick(values: ReadonlyMap<number, number>, limit: number, idsOf: IdsOf): number[] {
  const contenders = { ordinals: Int32Array.from(values.keys()), keys: [Float64Array.from(values.values())] }
  return pickBest(contenders, limit, idsOf)
}

/** Ids in place of ordinals, with cosines. */
export function nameNear(
  near: ReadonlyMap<number, ReadonlySet<number>>,
  ids: ReadonlyMap<number, string>,
  cosine: (a: number, b: number) => number,
): Map<string, Neighbour[]> {
  return new Map(
    [...near].map(([ordinal, others]) => [
      ids.get(ordinal) ?? '',
      [...others]
        .map((other): Neighbour => {
          const value = cosine(ordinal, other)
          return { id: ids.get(other) ?? '', ...(value > NO_VECTOR && { cosine: value }) }
        })
        .sort((a, b) => (a.id < b.id ? -1 : 1)),
    ]),
  )
}

/** Leaves the `limit` largest values and those that equal the least of them; returns that one. */
function keepBest(values: Map<number, number>, limit: number): number {
  const threshold = [...values.values()].sort((a, b) => b - a)[limit - 1] ?? NO_VECTOR
  for (const [key, value] of values) if (value < threshold) values.delete(key)
  return threshold
}
