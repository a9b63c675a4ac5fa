import { CATEGORIES, type SourceCategory } from '../../../model/memory.ts'
import { VECTOR_RESCORE } from '../../../options.ts'
import { pickCandidates } from '../../keyword-index/pick-candidates.ts'
import { isKindOf } from '../../keyword-index/roster.ts'
import type { CandidateQuery } from '../../memory-store.ts'
import { categoryQuota } from '../../rank.ts'
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

  constructor(index: TenantIndex, options: { noNative: boolean }) {
    this.#index = index
    this.#options = options
    this.ids = new OrdinalIds(index.tenant)
    this.#status = new EmbeddingStatus(index.tenant)
  }

  /** Rejects with INVALID_OPTION when a query vector is zero or not finite, or of other dimensions than its identity. */
  async search(tx: Transaction, { query, allowed }: VectorSearch): Promise<FoundVectors | null> {
    const identity = query.identity === undefined ? null : await findIdentity(tx, this.#index.tenant, query.identity)
    const dimensions = identity?.dimensions || undefined
    const queries = query.vectors.map((vector) => toUnitVector(vector, dimensions))
    if (queries.length === 0 || identity === null || dimensions === undefined) return null
    const search = { identity, queries, allowed, limit: query.limit }
    return (await this.usesIndex(tx, dimensions)) ? this.#searchByIndex(tx, search) : this.#scan(tx, search)
  }

  /** How many memories that are let through wait for vectors of an identity. */
  async countPending(tx: Transaction, name: string, allowed: Uint8Array): Promise<number> {
    const identity = await findIdentity(tx, this.#index.tenant, name)
    await this.#refreshStatus(tx)
    let count = 0
    for (let ordinal = 0; ordinal < allowed.length; ordinal++) {
      if (allowed[ordinal] === 1 && !(identity && this.#status.isDone(ordinal, identity.number))) count += 1
    }
    return count
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
    const best = vectors.rows.score(queries).slice()
    const holders = findHolders(best, allowed)
    const pick = (from: Int32Array, cosine: (ordinal: number) => number, count: number): Promise<number[]> => {
      const keys = [Float64Array.from(from, cosine)]
      return this.ids.settle(tx, (idsOf) => pickCandidates(this.#index.layout, { ordinals: from, keys }, count, idsOf))
    }
    const rounded = (ordinal: number): number => best[ordinal] ?? NO_VECTOR
    const near = Int32Array.from(await pick(holders, rounded, Math.max(limit, VECTOR_RESCORE)))
    const exact = await vectors.scoreExactly(tx, await pick(near, rounded, VECTOR_RESCORE), queries)
    const cosine = (ordinal: number): number => exact.get(ordinal) ?? rounded(ordinal)
    return {
      picked: await pick(near, cosine, limit),
      holders: holders.length,
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

/** Allowed memories that have a vector. */
function findHolders(best: Float32Array, allowed: Uint8Array): Int32Array {
  const found = new Int32Array(best.length)
  let count = 0
  for (let ordinal = 0; ordinal < allowed.length; ordinal++) {
    if ((best[ordinal] ?? NO_VECTOR) > NO_VECTOR && allowed[ordinal] === 1) found[count++] = ordinal
  }
  return found.subarray(0, count)
}
