import type { Layout } from '../keyword-index/layout.ts'
import { countPacked, unpackPieces } from '../keyword-index/posting-codec.ts'
import type { Neighbour, NeighbourSearch } from '../memory-store.ts'
import { findNear, type NearSearch, nameNear, scanNearest } from '../near-memories.ts'
import { NEIGHBOUR_SCAN } from '../neighbour-options.ts'
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

/** Finds what is near to stored memories, by vector and by rare words; keeps what it read for as long as nothing changes. */
export class NeighbourFinder {
  readonly #parts: Parts
  readonly #ids = new Map<number, string>()
  /** By filter, by key: who holds it as far as the filter shows them; null for what too many hold. */
  readonly #holders = new Map<string, Map<string, Int32Array | null>>()
  /** Numbers and keys that `#holders` has. */
  #held = 0
  #sequence = -1

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Within a read transaction. */
  find({ memories, identity, filter, limit }: NeighbourSearch): Map<string, Neighbour[]> {
    const { layout, reader, search } = this.#parts
    const sequence = layout.refresh()
    this.#makeRoom(sequence)
    const rows = search.vectorsOf(identity, sequence)?.rows
    const allowed = layout.applyFilter(filter)
    const ordinals = reader.readOrdinals(memories.flatMap(({ id, also = [] }) => [id, ...also]))
    const subjects = memories.flatMap(({ id, keys, also = [] }) => {
      const ordinal = ordinals.get(id)
      return ordinal === undefined ? [] : [{ ordinal, keys, also: also.flatMap((other) => ordinals.get(other) ?? []) }]
    })
    const nearest = rows
      ? scanNearest(rows, {
          ordinals: subjects.map(({ ordinal }) => ordinal),
          allowed,
          limit,
          isRough: memories.length >= NEIGHBOUR_SCAN.sweepIds && rows.rows >= NEIGHBOUR_SCAN.sweepRows,
        })
      : new Map<number, ReadonlyMap<number, number>>()
    const holders = this.#holdersUnder(filter)
    const round: NearSearch = {
      limit,
      allowed,
      idsOf: (some) => this.#readIds(some),
      memories: layout.totals(filter.viewer.tenant).memories,
      nearestByVector: (ordinal) => nearest.get(ordinal) ?? new Map(),
      holdersOf: (key) => holders.get(key) ?? null,
    }
    const near = new Map<number, Set<number>>()
    for (const { ordinal, keys, also } of subjects) {
      this.#readHolders(holders, keys, allowed)
      near.set(ordinal, findNear(round, ordinal, { keys, also }))
    }
    const all = new Set([...near].flatMap(([ordinal, others]) => [ordinal, ...others]))
    return nameNear(near, this.#readIds([...all]), (a, b) => rows?.compare(a, b) ?? NO_VECTOR)
  }

  /** Forgets what is no longer true, or too much. */
  #makeRoom(sequence: number): void {
    if (sequence !== this.#sequence || this.#ids.size > NEIGHBOUR_SCAN.keptIds) this.#ids.clear()
    if (sequence !== this.#sequence || this.#held > NEIGHBOUR_SCAN.keptHolders) {
      this.#holders.clear()
      this.#held = 0
    }
    this.#sequence = sequence
  }

  #holdersUnder(filter: NeighbourSearch['filter']): Map<string, Int32Array | null> {
    const key = JSON.stringify(filter)
    const holders = this.#holders.get(key) ?? new Map<string, Int32Array | null>()
    this.#holders.set(key, holders)
    return holders
  }

  /** Reads the lists of those keys whose holders are not known. */
  #readHolders(holders: Map<string, Int32Array | null>, keys: readonly string[], allowed: Uint8Array): void {
    const unknown = [...new Set(keys)].filter((key) => !holders.has(key))
    if (unknown.length === 0) return
    const lists = this.#parts.postings.readPieces(unknown)
    unknown.forEach((key, at) => {
      const pieces = lists[at] ?? []
      const isCommon = pieces.reduce((sum, piece) => sum + countPacked(piece), 0) > NEIGHBOUR_SCAN.holders
      const found = isCommon ? null : pickAllowed(unpackPieces(pieces), allowed)
      holders.set(key, found)
      this.#held += 1 + (found?.length ?? 0)
    })
  }

  #readIds(ordinals: readonly number[]): ReadonlyMap<number, string> {
    const unknown = ordinals.filter((ordinal) => !this.#ids.has(ordinal))
    if (unknown.length > 0) for (const [ordinal, id] of this.#parts.reader.readIds(unknown)) this.#ids.set(ordinal, id)
    return this.#ids
  }
}

/** The ordinals of a list of ordinals and frequencies that may be seen. */
function pickAllowed(entries: Int32Array, allowed: Uint8Array): Int32Array {
  const picked = new Int32Array(entries.length / 2)
  let count = 0
  for (let at = 0; at < entries.length; at += 2) {
    const ordinal = entries[at] ?? 0
    if (allowed[ordinal] === 1) picked[count++] = ordinal
  }
  return picked.slice(0, count)
}
