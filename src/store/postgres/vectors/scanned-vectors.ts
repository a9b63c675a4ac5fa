import { dot } from '../../vector-scan/unit-vector.ts'
import { VectorRows } from '../../vector-scan/vector-rows.ts'
import { fromBase64, toBase64 } from '../base64.ts'
import type { Transaction } from '../postgres-connection.ts'
import type { TenantIndex } from '../tenant-index.ts'
import type { StoredIdentity } from './identities.ts'
import { KeptVectors } from './kept-vectors.ts'
import { CODE_ROWS, unpackCodes, unpackReals } from './pack-windows.ts'

/** Ordinals whose vectors are loaded at a time: some 10 MB. */
const LOAD_ORDINALS = 25_000
/** Ordinals whose vectors come in one row: some 50 kB, which the driver takes as it comes; longer rows it has to put together first. */
const ROW_ORDINALS = 128
const ROWS = `SELECT ${toBase64(CODE_ROWS)} AS page FROM embedding WHERE tenant = $1 AND identity = $2 AND windows > 0`
/** Range by range, as they lie: grouping them would sort them first. */
const SELECT_RANGE = `SELECT r.page FROM generate_series($3::integer, $4::integer - 1, ${ROW_ORDINALS}) AS s (start) CROSS JOIN LATERAL (
    ${ROWS} AND ordinal >= s.start AND ordinal < s.start + ${ROW_ORDINALS}) r WHERE r.page IS NOT NULL`
const SELECT_CHANGED = `${ROWS} AND changed > $3 GROUP BY ordinal / ${ROW_ORDINALS}`
const SELECT_REPLACED = `SELECT array_agg(ordinal) AS ordinals FROM embedding
  WHERE tenant = $1 AND changed > $3 AND (identity <> $2 OR windows = 0)`
const SELECT_EXACT = `SELECT ordinal, ${toBase64('array_send(exact)')} AS exact FROM vector_window
  WHERE tenant = $1 AND identity = $2 AND ordinal = ANY($3::integer[])`

/**
 * The vectors of one identity of a tenant in this process, rounded: loaded on the first query with a vector, afterwards kept up to
 * date with what this or any other process changed. Needs nothing of the server but that it keeps them.
 */
export class ScannedVectors {
  readonly rows: VectorRows
  readonly #index: TenantIndex
  readonly #identity: StoredIdentity
  /** In full precision, those that were compared last. */
  readonly #exact = new KeptVectors()
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
      const changed = await tx.query(SELECT_CHANGED, since)
      for (const ordinal of (replaced?.ordinals as number[] | null) ?? []) this.#remove(ordinal)
      for (const { page } of changed) this.#add(page, { isNew: false })
    }
    this.#sequence = sequence
    // Last, so that what was loaded of a memory that has gone meanwhile goes too.
    for (; this.#deathsSeen < layout.deaths.length; this.#deathsSeen++) {
      const ordinal = layout.deaths[this.#deathsSeen] ?? 0
      if (layout.isLive[ordinal] === 0) this.#remove(ordinal)
    }
  }

  /** The cosines of some ordinals in full precision; those that have no vector are left out. Once it is up to date. */
  async scoreExactly(
    tx: Transaction,
    ordinals: readonly number[],
    queries: readonly Float32Array[],
  ): Promise<Map<number, number>> {
    const best = new Map<number, number>()
    for (const [ordinal, windows] of await this.#readExact(tx, ordinals)) {
      const cosines = windows.flatMap((window) => queries.map((query) => dot(window, query)))
      if (cosines.length > 0) best.set(ordinal, Math.max(-1, ...cosines))
    }
    return best
  }

  async #readExact(tx: Transaction, ordinals: readonly number[]): Promise<Map<number, readonly Float32Array[]>> {
    const found = new Map(
      ordinals.flatMap((ordinal) => {
        const windows = this.#exact.get(ordinal)
        return windows ? [[ordinal, windows] as const] : []
      }),
    )
    const unknown = ordinals.filter((ordinal) => !found.has(ordinal))
    if (unknown.length === 0) return found
    const read = new Map<number, Float32Array[]>(unknown.map((ordinal) => [ordinal, []]))
    for (const { ordinal, exact } of await tx.query(SELECT_EXACT, [
      ...[this.#index.tenant, this.#identity.number],
      unknown,
    ])) {
      read.get(Number(ordinal))?.push(unpackReals(fromBase64(exact)))
    }
    for (const [ordinal, windows] of read) {
      this.#exact.set(ordinal, windows)
      found.set(ordinal, windows)
    }
    return found
  }

  async #load(tx: Transaction): Promise<void> {
    const { layout, tenant } = this.#index
    for (let from = 0; from < layout.capacity; from += LOAD_ORDINALS) {
      const range = [tenant, this.#identity.number, from, from + LOAD_ORDINALS]
      for (const { page } of await tx.query(SELECT_RANGE, range)) this.#add(page, { isNew: true })
    }
  }

  #add(packed: unknown, { isNew }: { isNew: boolean }): void {
    const page = unpackCodes(fromBase64(packed), this.#identity.dimensions)
    if (!isNew) for (const ordinal of page.ordinals) this.#remove(ordinal)
    this.rows.add(page)
  }

  #remove(ordinal: number): void {
    this.rows.remove(ordinal)
    this.#exact.delete(ordinal)
  }
}
