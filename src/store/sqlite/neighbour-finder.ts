import { NEIGHBOUR_SCAN } from '../../options.ts'
import type { Layout } from '../keyword-index/layout.ts'
import type { Neighbour, NeighbourSearch } from '../memory-store.ts'
import { findNear, type NearSearch, nameNear, nearestRows } from '../near-memories.ts'
import { NO_VECTOR } from '../vector-scan/vector-rows.ts'
import type { CandidateSearch } from './candidate-search.ts'
import type { MemoryReader } from './memory-reader.ts'
import type { PostingIndex } from './posting-index.ts'

interface Parts {
  layout: Layout
  postings: PostingIndex
  reader: MemoryReader
  search: CandidateSearch
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
    const rows = search.vectorsOf(identity, sequence)?.rows
    const isRough = memories.length >= NEIGHBOUR_SCAN.sweepIds && (rows?.rows ?? 0) >= NEIGHBOUR_SCAN.sweepRows
    const shown = {
      allowed: layout.applyFilter(filter),
      idsOf: (ordinals: readonly number[]) => reader.readIds(ordinals),
    }
    const round: NearSearch = {
      limit,
      ...shown,
      memories: layout.totals(filter.viewer.tenant).memories,
      nearestByVector: (ordinal) => (rows ? nearestRows(rows, shown, { ordinal, limit, isRough }) : []),
      holdersOf: this.#readHolders(shown.allowed),
    }
    const ordinals = reader.readOrdinals(memories.flatMap(({ id, also = [] }) => [id, ...also]))
    const near = new Map<number, Set<number>>()
    for (const memory of memories) {
      const ordinal = ordinals.get(memory.id)
      if (ordinal === undefined) continue
      const also = (memory.also ?? []).flatMap((id) => ordinals.get(id) ?? [])
      near.set(ordinal, findNear(round, ordinal, { keys: memory.keys, also }))
    }
    const all = new Set([...near].flatMap(([ordinal, others]) => [ordinal, ...others]))
    return nameNear(near, reader.readIds([...all]), (a, b) => rows?.compare(a, b) ?? NO_VECTOR)
  }

  /** Reads each key's list once in a search. */
  #readHolders(allowed: Uint8Array): NearSearch['holdersOf'] {
    const holders = new Map<string, Int32Array | null>()
    return (key) => {
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
  }
}
