import type { PostingLists } from '../../keyword-index/keyword-scorer.ts'
import type { Neighbour, NeighbourSearch } from '../../memory-store.ts'
import { findNear, type NearSearch, nameNear, scanNearest } from '../../near-memories.ts'
import { NEIGHBOUR_SCAN } from '../../neighbour-options.ts'
import { NO_VECTOR } from '../../vector-scan/vector-rows.ts'
import type { IdsOf } from '../ordinal-ids.ts'
import type { Transaction } from '../postgres-connection.ts'
import type { TenantIndex } from '../tenant-index.ts'
import { pairKey } from './indexed-vectors.ts'
import type { PostgresVectors } from './postgres-vectors.ts'
import { selectAllowed, type TenantVectors } from './tenant-vectors.ts'

/** How vectors answer in one search. */
interface VectorSide {
  /** Those that may be among the nearest, with their cosines. */
  nearest(ordinal: number): ReadonlyMap<number, number>
  /** The cosines of pairs of memories, by `pairKey`. */
  compare(pairs: ReadonlyArray<readonly [number, number]>): Promise<(a: number, b: number) => number>
}

const NO_VECTORS: VectorSide = { nearest: () => new Map(), compare: async () => () => NO_VECTOR }

/** Finds what is near to stored memories, by vector and by rare words; with the tenant's index in hand. */
export async function findNeighbours(
  tx: Transaction,
  { index, vectors }: { index: TenantIndex; vectors: PostgresVectors },
  search: NeighbourSearch,
): Promise<Map<string, Neighbour[]>> {
  const { layout } = index
  const own = vectors.of(index)
  const allowed = layout.applyFilter(search.filter)
  const ordinals = await own.ids.ordinalsOf(
    tx,
    search.memories.flatMap(({ id, also = [] }) => [id, ...also]),
  )
  const subjects = search.memories.flatMap(({ id, keys, also = [] }) => {
    const ordinal = ordinals.get(id)
    return ordinal === undefined ? [] : [{ ordinal, keys, also: also.flatMap((other) => ordinals.get(other) ?? []) }]
  })
  const lists = await index.fetchLists(
    tx,
    subjects.flatMap(({ keys }) => keys),
  )
  const side = await openVectorSide(tx, { own, search, allowed, subjects })
  const near = await own.ids.settle(tx, (idsOf: IdsOf) => {
    const round: NearSearch = {
      limit: search.limit,
      allowed,
      idsOf,
      memories: layout.totals(index.tenant).memories,
      nearestByVector: (ordinal) => side.nearest(ordinal),
      holdersOf: readHolders(lists, allowed),
    }
    return new Map(subjects.map(({ ordinal, ...subject }) => [ordinal, findNear(round, ordinal, subject)]))
  })
  const pairs = [...near].flatMap(([ordinal, others]) => [...others].map((other) => [ordinal, other] as const))
  const ids = await own.ids.read(tx, [...new Set([...near.keys(), ...pairs.map(([, other]) => other)])])
  return nameNear(near, ids, await side.compare(pairs))
}

async function openVectorSide(
  tx: Transaction,
  {
    own,
    search: { identity: name, limit, memories },
    allowed,
    subjects,
  }: {
    own: TenantVectors
    search: NeighbourSearch
    allowed: Uint8Array
    subjects: ReadonlyArray<{ ordinal: number }>
  },
): Promise<VectorSide> {
  const identity = name === undefined ? null : await own.findIdentity(tx, name)
  if (!identity || identity.dimensions === 0) return NO_VECTORS
  if (!(await own.usesIndex(tx, identity.dimensions))) {
    const { rows } = await own.scanned(tx, identity)
    const isRough = memories.length >= NEIGHBOUR_SCAN.sweepIds && rows.rows >= NEIGHBOUR_SCAN.sweepRows
    const ordinals = subjects.map(({ ordinal }) => ordinal)
    const nearest = scanNearest(rows, { ordinals, allowed, limit, isRough })
    return {
      nearest: (ordinal) => nearest.get(ordinal) ?? new Map(),
      compare: async () => (a, b) => rows.compare(a, b),
    }
  }
  const { vectors, has } = await own.indexed(tx, identity)
  const wanted = subjects.map(({ ordinal }) => ordinal).filter(has)
  // The memory itself is the nearest, and others may come with several windows.
  const around = await vectors.findAround(tx, wanted, selectAllowed(allowed, has), 2 * limit + 2)
  return {
    nearest: (ordinal) => new Map([...(around.get(ordinal) ?? [])].filter(([other]) => other !== ordinal)),
    compare: async (pairs) => {
      const cosines = await vectors.compare(tx, pairs)
      return (a, b) => cosines.get(pairKey(a, b)) ?? NO_VECTOR
    },
  }
}

function readHolders(lists: PostingLists, allowed: Uint8Array): NearSearch['holdersOf'] {
  const holders = new Map<string, Int32Array | null>()
  return (key) => {
    const known = holders.get(key)
    if (known !== undefined) return known
    const list = lists.read(key)
    const isCommon = list.length / 2 > NEIGHBOUR_SCAN.holders
    const found = isCommon ? null : list.filter((value, at) => at % 2 === 0 && allowed[value] === 1)
    holders.set(key, found)
    return found
  }
}
