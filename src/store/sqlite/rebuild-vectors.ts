import { REPAIR_BATCH_MEMORIES } from '../../options.ts'
import { hashText } from '../content-key.ts'
import { unpackFloats } from '../vector-scan/vector-codec.ts'
import type { Connection } from './connection.ts'
import type { SqlRow } from './database.ts'
import { embedTextOf } from './rows.ts'
import { type StoredIdentity, VectorPages } from './vector-pages.ts'
import { noteTaken, raiseSequence } from './vectors.ts'

const SELECT_VECTORS = `SELECT e.ordinal, e.windows, e.text_hash, e.exact, x.data, m.text, m.embed FROM embedding e
  LEFT JOIN memory m ON m.ordinal = e.ordinal LEFT JOIN vector_exact x ON x.id = e.exact
  WHERE e.identity = ? AND e.ordinal > ? ORDER BY e.ordinal LIMIT ?`

/**
 * Makes the pages of rounded vectors anew from the exact ones, and drops what are not the vectors of their memory's present
 * text; within a write transaction. Returns how many memories lost theirs.
 */
export function rebuildVectors(connection: Connection): number {
  const sequence = raiseSequence(connection)
  const pages = new VectorPages(connection, sequence)
  let dropped = 0
  noteTaken(connection, sequence)
  connection.exec('DELETE FROM vector_page')
  for (const { id, dimensions } of connection.sql('SELECT id, dimensions FROM identity').all()) {
    const identity = { number: Number(id), dimensions: Number(dimensions ?? 0) }
    const select = connection.sql(SELECT_VECTORS)
    const next = (after: number): SqlRow[] => select.all(identity.number, after, REPAIR_BATCH_MEMORIES)
    for (let rows = next(0); rows.length > 0; rows = next(Number(rows.at(-1)?.ordinal))) {
      const sound = rows.filter((row) => isSound(row, identity))
      for (const row of rows) if (!sound.includes(row)) drop(connection, row)
      dropped += rows.length - sound.length
      pages.repack(
        identity,
        sound.map((row) => ({ ordinal: Number(row.ordinal), windows: windowsOf(row, identity) })),
      )
    }
  }
  connection.exec('DELETE FROM token_vectors WHERE ordinal NOT IN (SELECT ordinal FROM embedding)')
  connection.exec('DELETE FROM vector_exact WHERE id NOT IN (SELECT exact FROM embedding WHERE exact IS NOT NULL)')
  return dropped
}

function isSound(row: SqlRow, { dimensions }: StoredIdentity): boolean {
  const bytes = row.data instanceof Uint8Array ? row.data.length : 0
  return (
    typeof row.text === 'string' &&
    bytes === Number(row.windows) * dimensions * Float32Array.BYTES_PER_ELEMENT &&
    hashText(embedTextOf(row)) === row.text_hash
  )
}

function windowsOf({ data }: SqlRow, { dimensions }: StoredIdentity): Float32Array[] {
  return data instanceof Uint8Array ? unpackFloats(data, dimensions) : []
}

function drop(connection: Connection, { ordinal, exact }: SqlRow): void {
  connection.sql('DELETE FROM embedding WHERE ordinal = ?').run(Number(ordinal))
  connection.sql('DELETE FROM vector_exact WHERE id = ?').run(exact ?? null)
}
