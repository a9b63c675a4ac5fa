import type { Transaction } from '../postgres-connection.ts'
import { POSTGRES_HNSW, POSTGRES_SCAN_ALL } from '../postgres-options.ts'
import type { StoredIdentity } from './identities.ts'
import { formatReals } from './pack-windows.ts'

/** A memory and its cosine with what was looked for. */
export interface Near {
  ordinal: number
  cosine: number
}

/** The memories among which the nearest are looked for. */
export interface Among {
  /** By ordinal: 1 for a memory that has a vector and may be found. */
  allowed: Uint8Array
  /** How many they are. */
  count: number
}

/** A statement for each number of dimensions, because an index serves what is written as it was. */
interface Statements {
  /** Best of some ordinals, exactly. */
  amongSome: string
  /** Nearest by the index, windows not memories. */
  byIndex: string
  /** Best of all that the filter lets through, exactly and slowly. */
  amongAll: string
  score: string
  compare: string
  aroundByIndex: string
}

function statementsOf(dimensions: number): Statements {
  const vector = `vector(${dimensions})`
  const exact = `w.exact::${vector}`
  const query = `$4::text::real[]::${vector}`
  const ofIdentity = `w.tenant = $1 AND w.identity = $2 AND w.dimensions = ${dimensions}`
  // An ordinal of another tenant may lie beyond the end of the bits.
  const isAllowed = `CASE WHEN w.tenant = $1 THEN get_bit($3::bytea, w.ordinal) = 1 ELSE false END`
  // Not the expression that the index is of: the planner is to take no index here.
  const best = `SELECT d.ordinal, d.distance FROM
    (SELECT w.ordinal, min((${exact} <=> ${query}) + 0) AS distance FROM vector_window w WHERE ${ofIdentity} AND`
  const inOrder = `GROUP BY w.ordinal) d JOIN memory m ON m.tenant = $1 AND m.ordinal = d.ordinal
    ORDER BY d.distance, m.id COLLATE "C" LIMIT $5`
  return {
    amongSome: `${best} w.ordinal = ANY($3::integer[]) ${inOrder}`,
    amongAll: `${best} ${isAllowed} ${inOrder}`,
    byIndex: `SELECT w.ordinal, ${exact} <=> ${query} AS distance FROM vector_window w
      WHERE ${ofIdentity} AND ${isAllowed} ORDER BY ${exact} <=> ${query} LIMIT $5`,
    score: `SELECT w.ordinal, min(${exact} <=> q.text::real[]::${vector}) AS distance FROM vector_window w
      CROSS JOIN unnest($4::text[]) AS q (text) WHERE ${ofIdentity} AND w.ordinal = ANY($3::integer[]) GROUP BY w.ordinal`,
    compare: `SELECT p.a, p.b, min(${exact} <=> o.exact::${vector}) AS distance
      FROM unnest($3::integer[], $4::integer[]) AS p (a, b)
      JOIN vector_window w ON ${ofIdentity} AND w.ordinal = p.a
      JOIN vector_window o ON o.tenant = $1 AND o.identity = $2 AND o.dimensions = ${dimensions} AND o.ordinal = p.b
      GROUP BY p.a, p.b`,
    aroundByIndex: `SELECT s.ordinal AS subject, n.ordinal, n.distance FROM vector_window s CROSS JOIN LATERAL (
        SELECT w.ordinal, ${exact} <=> s.exact::${vector} AS distance FROM vector_window w
        WHERE ${ofIdentity} AND ${isAllowed} ORDER BY ${exact} <=> s.exact::${vector} LIMIT $5
      ) n
      WHERE s.tenant = $1 AND s.identity = $2 AND s.dimensions = ${dimensions} AND s.ordinal = ANY($4::integer[])`,
  }
}

/** The vectors of one identity of a tenant as pgvector searches them. */
export class IndexedVectors {
  readonly #tenant: string
  readonly #identity: StoredIdentity
  readonly #statements: Statements
  readonly #scanAll: number

  /** `scanAll`: up to so many memories are compared one by one. */
  constructor(tenant: string, identity: StoredIdentity, { scanAll = POSTGRES_SCAN_ALL } = {}) {
    this.#tenant = tenant
    this.#identity = identity
    this.#scanAll = scanAll
    this.#statements = statementsOf(identity.dimensions)
  }

  isFor({ number, dimensions }: StoredIdentity): boolean {
    return this.#identity.number === number && this.#identity.dimensions === dimensions
  }

  /** The `limit` nearest to the best of the unit queries, best first. */
  async findNearest(tx: Transaction, queries: readonly Float32Array[], among: Among, limit: number): Promise<Near[]> {
    const best = new Map<number, number>()
    for (const query of queries) {
      for (const { ordinal, cosine } of await this.#nearest(tx, query, among, Math.min(limit, among.count))) {
        best.set(ordinal, Math.max(best.get(ordinal) ?? -1, cosine))
      }
    }
    const found = [...best].map(([ordinal, cosine]) => ({ ordinal, cosine }))
    return queries.length > 1
      ? found.sort((a, b) => b.cosine - a.cosine || a.ordinal - b.ordinal).slice(0, limit)
      : found
  }

  /** The cosines of these memories with the best of the unit queries. */
  async score(tx: Transaction, queries: readonly Float32Array[], ordinals: readonly number[]): Promise<Near[]> {
    if (ordinals.length === 0) return []
    const rows = await tx.query(this.#statements.score, [...this.#key(), ordinals, queries.map(formatReals)])
    return rows.map(toNear)
  }

  /** The cosines of the nearest windows of pairs of memories, in the order of the pairs; absent where one has none. */
  async compare(tx: Transaction, pairs: ReadonlyArray<readonly [number, number]>): Promise<Map<string, number>> {
    if (pairs.length === 0) return new Map()
    // One row a pair whichever comes first, so that both sides have the same number.
    const ordered = pairs.map(([a, b]) => (a < b ? ([a, b] as const) : ([b, a] as const)))
    const firsts = ordered.map(([a]) => a)
    const seconds = ordered.map(([, b]) => b)
    const rows = await tx.query(this.#statements.compare, [...this.#key(), firsts, seconds])
    return new Map(rows.map((row) => [pairKey(Number(row.a), Number(row.b)), toNear(row).cosine]))
  }

  /** For each of the memories the `limit` nearest others, by the index: a few may be missed. */
  async findAround(
    tx: Transaction,
    ordinals: readonly number[],
    among: Among,
    limit: number,
  ): Promise<Map<number, Map<number, number>>> {
    await widenSearch(tx)
    const found = new Map<number, Map<number, number>>()
    const parameters = [...this.#key(), toBits(among.allowed), ordinals, limit]
    for (const row of await tx.query(this.#statements.aroundByIndex, parameters)) {
      const subject = Number(row.subject)
      const { ordinal, cosine } = toNear(row)
      const near = found.get(subject) ?? new Map<number, number>()
      near.set(ordinal, Math.max(near.get(ordinal) ?? -1, cosine))
      found.set(subject, near)
    }
    return found
  }

  async #nearest(tx: Transaction, query: Float32Array, among: Among, limit: number): Promise<Near[]> {
    if (limit === 0) return []
    const text = formatReals(query)
    if (among.count <= this.#scanAll) {
      const ordinals = listAllowed(among.allowed)
      return (await tx.query(this.#statements.amongSome, [...this.#key(), ordinals, text, limit])).map(toNear)
    }
    const bits = toBits(among.allowed)
    await widenSearch(tx)
    // A memory may have several windows: then more of them have to be looked at for as many memories.
    for (let windows = limit + 10; ; windows *= 2) {
      const rows = await tx.query(this.#statements.byIndex, [...this.#key(), bits, text, windows])
      const found = bestOf(rows.map(toNear)).slice(0, limit)
      if (found.length === limit) return found
      if (rows.length < windows) break
    }
    // The index gave up before it had found enough that the filter lets through.
    return (await tx.query(this.#statements.amongAll, [...this.#key(), bits, text, limit])).map(toNear)
  }

  #key(): [string, number] {
    return [this.#tenant, this.#identity.number]
  }
}

/** A pair of memories, whichever comes first. */
export function pairKey(a: number, b: number): string {
  return a < b ? `${a} ${b}` : `${b} ${a}`
}

/** For this transaction: how thorough a search by the index is, and that it goes on until the filter has let enough through. */
async function widenSearch(tx: Transaction): Promise<void> {
  const { efSearch, scanTuples } = POSTGRES_HNSW
  await tx.query(
    `SELECT set_config('hnsw.ef_search', $1, true), set_config('hnsw.iterative_scan', 'strict_order', true),
     set_config('hnsw.max_scan_tuples', $2, true)`,
    [String(efSearch), String(scanTuples)],
  )
}

function toNear(row: Record<string, unknown>): Near {
  return { ordinal: Number(row.ordinal), cosine: 1 - Number(row.distance) }
}

/** Each memory once, with its best window; rows come nearest first. */
function bestOf(rows: readonly Near[]): Near[] {
  const seen = new Set<number>()
  return rows.filter(({ ordinal }) => !seen.has(ordinal) && seen.add(ordinal))
}

function listAllowed(allowed: Uint8Array): number[] {
  const ordinals: number[] = []
  for (let ordinal = 0; ordinal < allowed.length; ordinal++) if (allowed[ordinal] === 1) ordinals.push(ordinal)
  return ordinals
}

/** One bit an ordinal, as `get_bit` counts them. */
function toBits(allowed: Uint8Array): Uint8Array {
  const bits = new Uint8Array(Math.ceil(allowed.length / 8))
  for (let ordinal = 0; ordinal < allowed.length; ordinal++) {
    if (allowed[ordinal] === 1) bits[ordinal >> 3] = (bits[ordinal >> 3] ?? 0) | (1 << (ordinal & 7))
  }
  return bits
}
