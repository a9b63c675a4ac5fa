import { type Layout, NONE } from '../keyword-index/layout.ts'
import { dot } from '../vector-scan/unit-vector.ts'
import { unpackCodePage, unpackFloats } from '../vector-scan/vector-codec.ts'
import { VectorRows } from '../vector-scan/vector-rows.ts'
import type { Connection } from './connection.ts'
import type { StoredIdentity } from './vector-pages.ts'

const SELECT_REPLACED = 'SELECT ordinal FROM embedding WHERE changed > ? AND (identity <> ? OR windows = 0)'
const SELECT_EXACT = `SELECT e.ordinal, x.data FROM json_each(?) j CROSS JOIN embedding e ON e.ordinal = j.value
  JOIN vector_exact x ON x.id = e.exact`
const SELECT_PAGES = 'SELECT data FROM vector_page WHERE identity = ? AND changed > ? ORDER BY id'

/**
 * The vectors of one identity in memory: loaded on the first query with a vector, afterwards kept up to date with what
 * this or any other process changed.
 */
export class VectorIndex {
  readonly rows: VectorRows
  readonly #connection: Connection
  readonly #layout: Layout
  readonly #identity: StoredIdentity
  #sequence = NONE
  #deathsSeen: number

  constructor(connection: Connection, layout: Layout, options: { identity: StoredIdentity; noNative: boolean }) {
    this.rows = new VectorRows(options.identity.dimensions, options)
    this.#connection = connection
    this.#layout = layout
    this.#identity = options.identity
    this.#deathsSeen = layout.deaths.length
  }

  isFor({ number, dimensions }: StoredIdentity): boolean {
    return this.#identity.number === number && this.#identity.dimensions === dimensions
  }

  /** Catches up with the store; within a transaction, after the layout did. */
  refresh(sequence: number): void {
    const { deaths, isLive, capacity } = this.#layout
    this.rows.reserve(capacity)
    for (; this.#deathsSeen < deaths.length; this.#deathsSeen++) {
      const ordinal = deaths[this.#deathsSeen] ?? 0
      if (isLive[ordinal] === 0) this.rows.remove(ordinal)
    }
    if (sequence === this.#sequence) return
    const isFirst = this.#sequence === NONE
    if (!isFirst) {
      const replaced = this.#connection.sql(SELECT_REPLACED).all(this.#sequence, this.#identity.number)
      for (const { ordinal } of replaced) this.rows.remove(Number(ordinal))
    }
    for (const { data } of this.#connection.sql(SELECT_PAGES).iterate(this.#identity.number, this.#sequence)) {
      const page = unpackCodePage(data as Uint8Array)
      if (!isFirst) for (const ordinal of page.ordinals) this.rows.remove(ordinal)
      this.rows.add(page)
    }
    this.#sequence = sequence
  }

  /** The cosines of some ordinals in full precision. */
  scoreExactly(ordinals: readonly number[], queries: readonly Float32Array[]): Map<number, number> {
    const rows = this.#connection.rows(SELECT_EXACT, JSON.stringify(ordinals))
    return new Map(
      rows.map(([ordinal, data]) => {
        const windows = unpackFloats(data as Uint8Array, this.#identity.dimensions)
        return [Number(ordinal), Math.max(...windows.flatMap((window) => queries.map((query) => dot(window, query))))]
      }),
    )
  }
}
