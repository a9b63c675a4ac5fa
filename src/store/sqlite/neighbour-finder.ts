import { NEIGHBOUR_SCAN } from '../../options.ts'
import { inverseDocumentFrequency } from '../bm25.ts'
import { pickBest } from '../keyword-index/best-ordinals.ts'
import type { Layout } from '../keyword-index/layout.ts'
import type { Neighbour, NeighbourSearch, NeighbourSubject } from '../memory-store.ts'
import type { CandidateSearch } from './candidate-search.ts'
import type { MemoryReader } from './memory-reader.ts'
import type { PostingIndex } from './posting-index.ts'
import { NO_VECTOR, type VectorIndex } from './vector-index.ts'

interface Parts {
  layout: Layout
  postings: PostingIndex
  reader: MemoryReader
  search: CandidateSearch
}

/** One search, as all its memories see it. */
interface Round {
  limit: number
  allowed: Uint8Array
  vectors: VectorIndex | null
  isRough: boolean
  /** Memories of the tenant. */
  memories: number
  /** Ordinals that hold a key, as far as the filter shows them; absent for what too many hold. */
  holders: Map<string, Int32Array | null>
}

/** Finds what is near to stored memories, by vector and by rare words. */
export class NeighbourFinder {
  readonly #parts: Parts
  /** Keys that too many memories hold, as long as nothing changes: their long lists are read once. */
  readonly #common = new Set<string>()
  #sequence = -1

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Within a read transaction. */
  find({ memories, identity, filter, limit }: NeighbourSearch): Map<string, Neighbour[]> {
    const { layout, reader, search } = this.#parts
    const sequence = layout.refresh()
    if (sequence !== this.#sequence) this.#common.clear()
    this.#sequence = sequence
    const vectors = search.vectorsOf(identity, sequence)
    const isMany = memories.length >= NEIGHBOUR_SCAN.sweepIds && (vectors?.rows ?? 0) >= NEIGHBOUR_SCAN.sweepRows
    const round: Round = {
      limit,
      allowed: layout.applyFilter(filter),
      vectors,
      isRough: isMany,
      memories: layout.totals(filter.viewer.tenant).memories,
      holders: new Map(),
    }
    const ordinals = reader.readOrdinals(memories.flatMap(({ id, also = [] }) => [id, ...also]))
    const near = new Map<number, Set<number>>()
    for (const memory of memories) {
      const ordinal = ordinals.get(memory.id)
      if (ordinal === undefined) continue
      const also = (memory.also ?? []).flatMap((id) => ordinals.get(id) ?? [])
      near.set(ordinal, this.#findNear(round, ordinal, { keys: memory.keys, also }))
    }
    return this.#name(round, near)
  }

  #findNear(
    round: Round,
    ordinal: number,
    { keys, also }: Pick<NeighbourSubject, 'keys'> & { also: number[] },
  ): Set<number> {
    const found = new Set([
      ...this.#nearestByVector(round, ordinal),
      ...this.#nearestByKeys(round, ordinal, keys),
      ...also.filter((other) => round.allowed[other] === 1),
    ])
    found.delete(ordinal)
    return found
  }

  #nearestByVector({ vectors, limit, allowed, isRough }: Round, ordinal: number): number[] {
    if (!vectors?.has(ordinal)) return []
    const best = new Map<number, number>()
    let threshold = NO_VECTOR
    vectors.scanNear(ordinal, { isRough }, (other, cosine) => {
      if (cosine < threshold || allowed[other] !== 1 || other === ordinal) return
      if (cosine > (best.get(other) ?? NO_VECTOR)) best.set(other, cosine)
      if (best.size > limit * 4) threshold = keepBest(best, limit)
    })
    return this.#pick(best, limit)
  }

  #nearestByKeys(round: Round, ordinal: number, keys: readonly string[]): number[] {
    const lists = [...new Set(keys)]
      .flatMap((key) => {
        const list = this.#holdersOf(round, key)
        return list ? [{ key, list }] : []
      })
      .sort((a, b) => a.list.length - b.list.length || (a.key < b.key ? -1 : 1))
    const sums = new Map<number, number>()
    let looked = 0
    for (const { list } of lists) {
      looked += list.length
      if (looked > NEIGHBOUR_SCAN.holders) break
      const weight = inverseDocumentFrequency(round.memories, list.length)
      for (const other of list) if (other !== ordinal) sums.set(other, (sums.get(other) ?? 0) + weight)
    }
    return this.#pick(sums, round.limit)
  }

  #holdersOf({ holders, allowed }: Round, key: string): Int32Array | null {
    const known = holders.get(key)
    if (known !== undefined) return known
    if (this.#common.has(key)) return null
    const list = this.#parts.postings.read(key)
    const isCommon = list.length / 2 > NEIGHBOUR_SCAN.holders
    if (isCommon) this.#common.add(key)
    const found = isCommon ? null : list.filter((value, at) => at % 2 === 0 && allowed[value] === 1)
    holders.set(key, found)
    return found
  }

  #pick(values: ReadonlyMap<number, number>, limit: number): number[] {
    const contenders = { ordinals: Int32Array.from(values.keys()), keys: [Float64Array.from(values.values())] }
    return pickBest(contenders, limit, (some) => this.#parts.reader.readIds(some))
  }

  /** Ids in place of ordinals, with cosines. */
  #name({ vectors }: Round, near: ReadonlyMap<number, ReadonlySet<number>>): Map<string, Neighbour[]> {
    const all = new Set([...near].flatMap(([ordinal, others]) => [ordinal, ...others]))
    const ids = this.#parts.reader.readIds([...all])
    return new Map(
      [...near].map(([ordinal, others]) => [
        ids.get(ordinal) ?? '',
        [...others]
          .map((other): Neighbour => {
            const cosine = vectors?.compare(ordinal, other) ?? NO_VECTOR
            return { id: ids.get(other) ?? '', ...(cosine > NO_VECTOR && { cosine }) }
          })
          .sort((a, b) => (a.id < b.id ? -1 : 1)),
      ]),
    )
  }
}

/** Leaves the `limit` largest values and those that equal the least of them; returns that one. */
function keepBest(values: Map<number, number>, limit: number): number {
  const threshold = [...values.values()].sort((a, b) => b - a)[limit - 1] ?? NO_VECTOR
  for (const [key, value] of values) if (value < threshold) values.delete(key)
  return threshold
}
