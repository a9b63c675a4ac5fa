import type { StoreCounts } from '../memory-store.ts'
import { toUnitVector } from '../vector-scan/unit-vector.ts'
import type { Connection } from './connection.ts'
import { hashText } from './content-key.ts'
import { embedTextOf } from './rows.ts'
import { packCodes, packFloats } from './vector-codec.ts'

interface GivenVectors {
  id: string
  embedText: string
  windows: readonly Float32Array[]
}

/** Stores vectors for texts that are still the memories' texts, in place of any that they had. */
export function putVectors(connection: Connection, identity: string, vectors: readonly GivenVectors[]): void {
  const { number, dimensions } = ensureIdentity(connection, identity)
  let known = dimensions
  const checked = vectors.map((given) => ({
    ...given,
    windows: given.windows.map((window) => {
      const unit = toUnitVector(window, known)
      known = unit.length
      return unit
    }),
  }))
  if (known !== dimensions) connection.sql('UPDATE identity SET dimensions = ? WHERE id = ?').run(known ?? null, number)
  const sequence = raiseSequence(connection)
  for (const { id, embedText, windows } of checked) {
    const row = connection.sql('SELECT ordinal, text, detail FROM memory WHERE id = ?').get(id)
    if (!row || embedTextOf(row) !== embedText) continue
    const ordinal = Number(row.ordinal)
    connection
      .sql('INSERT OR REPLACE INTO embedding (ordinal, identity, windows, text_hash, changed) VALUES (?, ?, ?, ?, ?)')
      .run(ordinal, number, windows.length, hashText(embedText), sequence)
    if (windows.length === 0) {
      for (const table of ['vector_code', 'vector_exact']) {
        connection.sql(`DELETE FROM ${table} WHERE ordinal = ?`).run(ordinal)
      }
      continue
    }
    const insert = (table: string) => connection.sql(`INSERT OR REPLACE INTO ${table} (ordinal, data) VALUES (?, ?)`)
    insert('vector_code').run(ordinal, packCodes(windows))
    insert('vector_exact').run(ordinal, packFloats(windows))
  }
}

function ensureIdentity(connection: Connection, name: string): { number: number; dimensions: number | undefined } {
  connection.sql('INSERT OR IGNORE INTO identity (name) VALUES (?)').run(name)
  const row = connection.sql('SELECT id, dimensions FROM identity WHERE name = ?').get(name)
  const dimensions = row?.dimensions
  return { number: Number(row?.id), dimensions: typeof dimensions === 'number' ? dimensions : undefined }
}

/** Tells all processes that something changed. */
function raiseSequence(connection: Connection): number {
  const row = connection.sql("UPDATE meta SET value = value + 1 WHERE key = 'sequence' RETURNING value").get()
  return Number(row?.value)
}

export function countAll(connection: Connection, wantedIdentity?: string): StoreCounts {
  const count = (sql: string, ...parameters: string[]): number => Number(connection.sql(sql).get(...parameters)?.n)
  const memories = count('SELECT count(*) AS n FROM memory')
  const embedded = connection
    .sql(
      `SELECT i.name, count(*) AS n FROM embedding e JOIN identity i ON i.id = e.identity
       WHERE e.windows > 0 GROUP BY i.id`,
    )
    .all()
  const done = 'SELECT count(*) AS n FROM embedding e JOIN identity i ON i.id = e.identity WHERE i.name = ?'
  return {
    documents: count('SELECT count(*) AS n FROM document WHERE is_remembered = 0'),
    memories,
    places: count('SELECT count(*) AS n FROM place'),
    embedded: Object.fromEntries(embedded.map(({ name, n }) => [String(name), Number(n)])),
    pending: wantedIdentity === undefined ? 0 : memories - count(done, wantedIdentity),
  }
}
