import { dot } from '../../vector-scan/unit-vector.ts'
import { VectorRows } from '../../vector-scan/vector-rows.ts'
import type { Transaction } from '../postgres-connection.ts'
import type { TenantIndex } from '../tenant-index.ts'
import type { StoredIdentity } from './identities.ts'
import { unpackCodes, unpackReals } from './pack-windows.ts'

/** Ordinals whose vectors are loaded at a time: some 10 MB. */
const LOAD_ORDINALS = 25_000
const AGGREGATES = `array_agg(ordinal ORDER BY ordinal) AS ordinals, array_agg(windows ORDER BY ordinal) AS windows,
  string_agg(codes, '' ORDER BY ordinal) AS bytes`
const SELECT_RANGE = `SELECT ${AGGREGATES} FROM embedding
  WHERE tenant = $1 AND identity = $2 AND windows > 0 AND ordinal >= $3 AND ordinal < $4`
const SELECT_CHANGED = `SELECT ${AGGREGATES} FROM embedding
  WHERE tenant = $1 AND identity = $2 AND windows > 0 AND changed > $3`
const SELECT_REPLACED = `SELECT array_agg(ordinal) AS ordinals FROM embedding
  WHERE tenant = $1 AND changed > $3 AND (identity <> $2 OR windows = 0)`
const SELECT_EXACT = `SELECT ordinal, array_send(exact) AS exact FROM vector_window
  WHERE tenant = $1 AND identity = $2 AND ordinal = ANY($3::integer[])`

/**
 * The vectors of one identity of a tenant in this process, rounded: loaded on the first query with a vector, afterwards kept up to
 * date with what this or any other process changed. Needs nothing of the server but that it keeps them.
 */
export class ScannedVectors {
  readonly rows: VectorRows
  readonly #index: TenantIndex
  readonly #identity: StoredIdentity
  #sequence = -1
  #deathsSeen: number

  constructor(index: TenantIndex, identity: StoredIdentity, options: { noNative: boolean }) {
    this.rows = new VectorRows(identity.dimensions, options)
    this.#index = index
    this.#identity = identity
    this.#deathsSeen = index.layout.deaths.length
  }

  isFor({ number, dimensions }: StoredIdentity): boolean {
    return this.#identity.number === number && this.#identity.dimensions === dimensions
  }

  /** Catches up with the store as the transaction sees it, after the index did. */
  async refresh(tx: Transaction): Promise<void> {
    const { layout, sequence, tenant } = this.#index
    this.rows.reserve(layout.capacity)
    if (this.#sequence === -1) await this.#load(tx)
    else if (sequence !== this.#sequence) {
      const since = [tenant, this.#identity.number, this.#sequence]
      const [replaced] = await tx.query(SELECT_REPLACED, since)
      const [changed] = await tx.query(SELECT_CHANGED, since)
      for (const ordinal of (replaced?.ordinals as number[] | null) ?? []) this.rows.remove(ordinal)
      this.#add(changed, { isNew: false })
    }
    this.#sequence = sequence
    // Last, so that what was loaded of a memory that has gone meanwhile goes too.
    for (; this.#deathsSeen < layout.deaths.length; this.#deathsSeen++) {
      const ordinal = layout.deaths[this.#deathsSeen] ?? 0
      if (layout.isLive[ordinal] === 0) this.rows.remove(ordinal)
    }
  }

  /** The cosines of some ordinals in full precision. */
  async scoreExactly(
    tx: Transaction,
    ordinals: readonly number[],
    queries: readonly Float32Array[],
  ): Promise<Map<number, number>> {
    const rows = await tx.query(SELECT_EXACT, [this.#index.tenant, this.#identity.number, ordinals])
    const best = new Map<number, number>()
    for (const { ordinal, exact } of rows) {
      const window = unpackReals(exact as Uint8Array)
      const cosine = Math.max(best.get(Number(ordinal)) ?? -1, ...queries.map((query) => dot(window, query)))
      best.set(Number(ordinal), cosine)
    }
    return best
  }

  async #load(tx: Transaction): Promise<void> {
    const { layout, tenant } = this.#index
    for (let from = 0; from < layout.capacity; from += LOAD_ORDINALS) {
      const range = [tenant, this.#identity.number, from, from + LOAD_ORDINALS]
      const [page] = await tx.query(SELECT_RANGE, range)
      this.#add(page, { isNew: true })
    }
  }

  #add(page: Record<string, unknown> | undefined, { isNew }: { isNew: boolean }): void {
    const ordinals = page?.ordinals as number[] | null | undefined
    if (!page || !ordinals) return
    if (!isNew) for (const ordinal of ordinals) this.rows.remove(ordinal)
    const packed = { ordinals, windows: page.windows as number[], bytes: page.bytes as Uint8Array }
    this.rows.add(unpackCodes(packed, this.#identity.dimensions))
  }
}
