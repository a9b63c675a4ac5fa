import { CATEGORIES, type SourceCategory } from '../../../model/memory.ts'
import { VECTOR_RESCORE } from '../../../options.ts'
import type { Contenders } from '../../keyword-index/best-ordinals.ts'
import { mapToFloats } from '../../keyword-index/keyword-evidence.ts'
import { pickCandidates } from '../../keyword-index/pick-candidates.ts'
import { isKindOf } from '../../keyword-index/roster.ts'
import type { CandidateQuery } from '../../memory-store.ts'
import { categoryQuota } from '../../rank.ts'
import { findNearest } from '../../vector-scan/find-nearest.ts'
import { toUnitVector } from '../../vector-scan/unit-vector.ts'
import { NO_VECTOR } from '../../vector-scan/vector-rows.ts'
import { OrdinalIds } from '../ordinal-ids.ts'
import type { Transaction } from '../postgres-connection.ts'
import type { TenantIndex } from '../tenant-index.ts'
import { EmbeddingStatus } from './embedding-status.ts'
import { findIdentity, type StoredIdentity } from './identities.ts'
import { IndexedVectors } from './indexed-vectors.ts'
import { ScannedVectors } from './scanned-vectors.ts'
import { readVectorSupport, type VectorSupport } from './vector-indexes.ts'

/** What the vectors say of the memories of a tenant in one search. */
export interface FoundVectors {
  /** The nearest, and the nearest of each category. */
  picked: number[]
  /** How many memories that the filter lets through have a vector. */
  holders: number
  has(ordinal: number): boolean
  /** The cosine with the best query; undefined without a vector, and for those that were neither picked nor scored. */
  cosine(ordinal: number): number | undefined
  /** Makes `cosine` know these too. */
  score(ordinals: readonly number[]): Promise<void>
}

export interface VectorSearch {
  query: Pick<CandidateQuery, 'vectors' | 'identity' | 'limit'>
  /** By ordinal: 1 where the filter lets a memory through. */
  allowed: Uint8Array
}

/** The vectors of one tenant, as one process searches them: by pgvector where its index is there, else by a scan in the process. */
export class TenantVectors {
  readonly ids: OrdinalIds
  readonly #index: TenantIndex
  readonly #options: { noNative: boolean }
  readonly #status: EmbeddingStatus
  #support: VectorSupport | null = null
  #scanned: ScannedVectors | null = null
  #indexed: IndexedVectors | null = null
  readonly #identities = new Map<string, StoredIdentity | null>()
  #identitiesAt = -1
  /** How many memories wait for an identity, by what a filter lets through: with every change of the store that is another array. */
  readonly #pending = new WeakMap<Uint8Array, { identity: number | undefined; count: number }>()

  constructor(index: TenantIndex, options: { noNative: boolean }) {
    this.#index = index
    this.#options = options
    this.ids = new OrdinalIds(index.tenant)
    this.#status = new EmbeddingStatus(index.tenant)
  }

  /** Rejects with INVALID_OPTION when a query vector is zero or not finite, or of other dimensions than its identity. */
  async search(tx: Transaction, { query, allowed }: VectorSearch): Promise<FoundVectors | null> {
    const identity = query.identity === undefined ? null : await this.findIdentity(tx, query.identity)
    const dimensions = identity?.dimensions || undefined
    const queries = query.vectors.map((vector) => toUnitVector(vector, dimensions))
    if (queries.length === 0 || identity === null || dimensions === undefined) return null
    const search = { identity, queries, allowed, limit: query.limit }
    return (await this.usesIndex(tx, dimensions)) ? this.#searchByIndex(tx, search) : this.#scan(tx, search)
  }

  /** How many memories that are let through wait for vectors of an identity. */
  async countPending(tx: Transaction, name: string, allowed: Uint8Array): Promise<number> {
    const identity = await this.findIdentity(tx, name)
    await this.#refreshStatus(tx)
    const known = this.#pending.get(allowed)
    if (known && known.identity === identity?.number) return known.count
    let count = 0
    for (let ordinal = 0; ordinal < allowed.length; ordinal++) {
      if (allowed[ordinal] === 1 && !(identity && this.#status.isDone(ordinal, identity.number))) count += 1
    }
    this.#pending.set(allowed, { identity: identity?.number, count })
    return count
  }

  /** The identity of this name, or null when the tenant has never seen it; as the index stands. */
  async findIdentity(tx: Transaction, name: string): Promise<StoredIdentity | null> {
    if (this.#identitiesAt !== this.#index.sequence) {
      this.#identities.clear()
      this.#identitiesAt = this.#index.sequence
    }
    const known = this.#identities.get(name)
    if (known !== undefined) return known
    const identity = await findIdentity(tx, this.#index.tenant, name)
    this.#identities.set(name, identity)
    return identity
  }

  /** Whether pgvector searches vectors of so many dimensions. */
  async usesIndex(tx: Transaction, dimensions: number): Promise<boolean> {
    this.#support ??= await readVectorSupport(tx)
    // An identity may have got its index since.
    if (this.#support.version !== null && !this.#support.dimensions.has(dimensions)) {
      this.#support = await readVectorSupport(tx)
    }
    return this.#support.version !== null && this.#support.dimensions.has(dimensions)
  }

  /** The vectors of an identity in this process, as they are now. */
  async scanned(tx: Transaction, identity: StoredIdentity): Promise<ScannedVectors> {
    if (!this.#scanned?.isFor(identity)) this.#scanned = new ScannedVectors(this.#index, identity, this.#options)
    await this.#scanned.refresh(tx)
    return this.#scanned
  }

  /** The vectors of an identity in the server, and which memories have one. */
  async indexed(
    tx: Transaction,
    identity: StoredIdentity,
  ): Promise<{ vectors: IndexedVectors; has: (ordinal: number) => boolean }> {
    await this.#refreshStatus(tx)
    if (!this.#indexed?.isFor(identity)) this.#indexed = new IndexedVectors(this.#index.tenant, identity)
    return { vectors: this.#indexed, has: (ordinal) => this.#status.hasVector(ordinal, identity.number) }
  }

  async #scan(tx: Transaction, search: Search): Promise<FoundVectors> {
    const { identity, queries, allowed, limit } = search
    const vectors = await this.scanned(tx, identity)
    const best = vectors.rows.score(queries)
    const { layout } = this.#index
    const pick = (contenders: Contenders, count: number): Promise<number[]> =>
      this.ids.settle(tx, (idsOf) => pickCandidates(layout, contenders, count, idsOf))
    const looked = Math.max(limit, VECTOR_RESCORE)
    const { contenders, holders } = findNearest(layout, best, allowed, looked)
    const near = Int32Array.from(await pick(contenders, looked))
    const pickNear = (cosine: (ordinal: number) => number, count: number): Promise<number[]> =>
      pick({ ordinals: near, keys: [mapToFloats(near, cosine)] }, count)
    const rounded = (ordinal: number): number => best[ordinal] ?? NO_VECTOR
    const exact = await vectors.scoreExactly(tx, await pickNear(rounded, VECTOR_RESCORE), queries)
    const cosine = (ordinal: number): number => exact.get(ordinal) ?? rounded(ordinal)
    return {
      picked: await pickNear(cosine, limit),
      holders,
      has: (ordinal) => vectors.rows.has(ordinal),
      cosine: (ordinal) => (vectors.rows.has(ordinal) ? cosine(ordinal) : undefined),
      score: async () => undefined,
    }
  }

  async #searchByIndex(tx: Transaction, { identity, queries, allowed, limit }: Search): Promise<FoundVectors> {
    const { vectors, has } = await this.indexed(tx, identity)
    const holders = selectAllowed(allowed, has)
    const cosines = new Map<number, number>()
    const find = async (among: { allowed: Uint8Array; count: number }, count: number): Promise<void> => {
      for (const { ordinal, cosine } of await vectors.findNearest(tx, queries, among, count))
        cosines.set(ordinal, cosine)
    }
    await find(holders, limit)
    for (const category of cosines.size < limit ? [] : CATEGORIES) {
      const quota = categoryQuota(limit)
      const isOf = (ordinal: number): boolean => this.#isOf(ordinal, category)
      if ([...cosines.keys()].filter(isOf).length >= quota) continue
      await find(selectAllowed(holders.allowed, isOf), quota)
    }
    const picked = [...cosines.keys()]
    return {
      picked,
      holders: holders.count,
      has,
      cosine: (ordinal) => cosines.get(ordinal),
      score: async (ordinals) => {
        const unknown = ordinals.filter((ordinal) => has(ordinal) && !cosines.has(ordinal))
        for (const { ordinal, cosine } of await vectors.score(tx, queries, unknown)) cosines.set(ordinal, cosine)
      },
    }
  }

  #isOf(ordinal: number, category: SourceCategory): boolean {
    return isKindOf(this.#index.layout.kind[ordinal] ?? 0, category)
  }

  async #refreshStatus(tx: Transaction): Promise<void> {
    const { sequence, layout } = this.#index
    await this.#status.refresh(tx, { sequence, capacity: layout.capacity })
  }
}

interface Search {
  identity: StoredIdentity
  queries: readonly Float32Array[]
  allowed: Uint8Array
  limit: number
}

/** Allowed memories that pass the test, and how many they are. */
export function selectAllowed(
  allowed: Uint8Array,
  test: (ordinal: number) => boolean,
): { allowed: Uint8Array; count: number } {
  const selected = new Uint8Array(allowed.length)
  let count = 0
  for (let ordinal = 0; ordinal < allowed.length; ordinal++) {
    if (allowed[ordinal] !== 1 || !test(ordinal)) continue
    selected[ordinal] = 1
    count += 1
  }
  return { allowed: selected, count }
}
