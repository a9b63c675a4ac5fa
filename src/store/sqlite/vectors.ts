import type { GivenVectors, StoreCounts } from '../memory-store.ts'
import { toUnitVector } from '../vector-scan/unit-vector.ts'
import { unpackFloats } from '../vector-scan/vector-codec.ts'
import type { Connection } from './connection.ts'
import { embedTextOf } from './rows.ts'
import { type StoredIdentity, type VectorEntry, VectorPages } from './vector-pages.ts'

/** Stores vectors for texts that are still the memories' texts, in place of any that they had. */
export function putVectors(connection: Connection, identity: string, vectors: readonly GivenVectors[]): void {
  const { number, dimensions } = ensureIdentity(connection, identity)
  const length = vectors.find(({ windows }) => windows.length > 0)?.windows[0]?.length
  // Where none of the old length is left, another one is no contradiction.
  const isFree = length !== undefined && length !== dimensions && !holdsVectors(connection, number)
  let known = isFree ? undefined : dimensions || undefined
  const checked = vectors.map((given) => ({
    ...given,
    windows: given.windows.map((window) => {
      const unit = toUnitVector(window, known)
      known = unit.length
      return unit
    }),
  }))
  if (known !== undefined && known !== dimensions) {
    connection.sql('UPDATE identity SET dimensions = ? WHERE id = ?').run(known, number)
  }
  const entries = new Map<number, VectorEntry>()
  for (const { id, embedText, windows, tokens } of checked) {
    const row = connection.sql('SELECT ordinal, text, embed FROM memory WHERE id = ?').get(id)
    if (!row || embedTextOf(row) !== embedText) continue
    const ordinal = Number(row.ordinal)
    entries.set(ordinal, { ordinal, embedText, windows, ...(tokens && { tokens: bytesOf(tokens) }) })
  }
  const pages = new VectorPages(connection, raiseSequence(connection))
  pages.remove([...entries.keys()])
  pages.append({ number, dimensions: known ?? 0 }, [...entries.values()])
}

function bytesOf(tokens: Int8Array): Uint8Array {
  return new Uint8Array(tokens.buffer, tokens.byteOffset, tokens.byteLength)
}

function holdsVectors(connection: Connection, identity: number): boolean {
  const sql = 'SELECT 1 FROM embedding WHERE identity = ? AND windows > 0 LIMIT 1'
  return connection.sql(sql).get(identity) !== undefined
}

const SELECT_VECTORS = `SELECT m.id, x.data FROM memory m
  JOIN embedding e ON e.ordinal = m.ordinal JOIN vector_exact x ON x.id = e.exact
  WHERE e.identity = ? AND e.windows > 0 AND m.id IN (SELECT value FROM json_each(?))`

/** The vectors that memories have of an identity, by id. */
export function getVectors(connection: Connection, name: string, ids: readonly string[]): Map<string, Float32Array[]> {
  const identity = findIdentity(connection, name)
  if (!identity || identity.dimensions === 0) return new Map()
  const rows = connection.sql(SELECT_VECTORS).all(identity.number, JSON.stringify(ids))
  return new Map(rows.map(({ id, data }) => [String(id), unpackFloats(data as Uint8Array, identity.dimensions)]))
}

/** Drops the vectors of an identity, whose memories then wait for new ones. Returns how many memories had any. */
export function removeVectors(connection: Connection, name: string): number {
  const identity = findIdentity(connection, name)
  if (!identity) return 0
  const rows = connection.sql('SELECT ordinal FROM embedding WHERE identity = ?').all(identity.number)
  const sequence = raiseSequence(connection)
  new VectorPages(connection, sequence).remove(rows.map(({ ordinal }) => Number(ordinal)))
  noteTaken(connection, sequence)
  return rows.length
}

/** Tells all processes that vectors were taken away, of which their tables keep nothing that could be followed. */
export function noteTaken(connection: Connection, sequence: number): void {
  connection.sql("INSERT OR REPLACE INTO meta (key, value) VALUES ('vectors_taken', ?)").run(sequence)
}

/** The change at which vectors were taken away last; 0 where that never happened. */
export function lastTaken(connection: Connection): number {
  return Number(connection.sql("SELECT value FROM meta WHERE key = 'vectors_taken'").get()?.value ?? 0)
}

/** The identity of this name, or null when the store has never seen it. */
export function findIdentity(connection: Connection, name: string): StoredIdentity | null {
  const row = connection.sql('SELECT id, dimensions FROM identity WHERE name = ?').get(name)
  return row ? { number: Number(row.id), dimensions: Number(row.dimensions ?? 0) } : null
}

function ensureIdentity(connection: Connection, name: string): StoredIdentity {
  connection.sql('INSERT OR IGNORE INTO identity (name) VALUES (?)').run(name)
  return findIdentity(connection, name) ?? { number: 0, dimensions: 0 }
}

/** Tells all processes that something changed. */
export function raiseSequence(connection: Connection): number {
  const row = connection.sql("UPDATE meta SET value = value + 1 WHERE key = 'sequence' RETURNING value").get()
  return Number(row?.value)
}

/** Counts without reading what is counted: each part of the index and each document says how much it holds. */
export function countAll(connection: Connection, wantedIdentity?: string): StoreCounts {
  const sum = (sql: string): number => Number(connection.sql(sql).get()?.n ?? 0)
  const memories = sum('SELECT sum(memories) AS n FROM segment')
  const identities = connection
    .sql(
      `SELECT i.name, count(*) AS settled, sum(e.windows > 0) AS embedded
       FROM embedding e JOIN identity i ON i.id = e.identity GROUP BY i.id`,
    )
    .all()
  const embedded = identities.filter((row) => Number(row.embedded) > 0)
  const settled = Number(identities.find(({ name }) => name === wantedIdentity)?.settled ?? 0)
  return {
    documents: sum('SELECT count(*) AS n FROM document WHERE is_remembered = 0'),
    memories,
    places: sum('SELECT sum(memory_count) AS n FROM document'),
    embedded: Object.fromEntries(embedded.map((row) => [String(row.name), Number(row.embedded)])),
    pending: wantedIdentity === undefined ? 0 : memories - settled,
  }
}
