import type { DocumentPart, DocumentWrite } from '../memory-store.ts'
import { otherPartError } from '../store-errors.ts'
import type { Connection } from './connection.ts'

/** The position at which a part begins: after what the part that it follows settled. Refuses one that follows another. */
export function startOfPart(connection: Connection, { head, part }: DocumentWrite): number {
  if (part?.after === undefined) return 0
  const row = findReading(connection, head)
  if (!row || row.cursor !== part.after) throw otherPartError(head.path)
  return Number(row.settled)
}

/** Keeps how far a document has been read; nothing of one that was written as a whole. */
export function noteReading(
  connection: Connection,
  document: number,
  reading: { part: DocumentPart; settled: number } | undefined,
): void {
  if (!reading) {
    dropReading(connection, document)
    return
  }
  const { part, settled } = reading
  connection
    .sql('INSERT OR REPLACE INTO reading (document, settled, is_partial, cursor) VALUES (?, ?, ?, ?)')
    .run(document, settled, part.isLast ? 0 : 1, part.cursor)
}

/** The cursor of a document's last part, or null. */
export function getCursor(connection: Connection, key: { root: string; path: string }): string | null {
  const cursor = findReading(connection, key)?.cursor
  return typeof cursor === 'string' && cursor !== '' ? cursor : null
}

export function dropReading(connection: Connection, document: number): void {
  connection.sql('DELETE FROM reading WHERE document = ?').run(document)
}

/** The document lost what stood at `end` and after it: it is partial, and can be read on when that much was settled. */
export function noteTrimmed(connection: Connection, document: number, end: number): void {
  connection
    .sql(
      `INSERT INTO reading (document, settled, is_partial, cursor) VALUES (?, 0, 1, '')
       ON CONFLICT (document) DO UPDATE SET is_partial = 1, cursor = iif(settled <= ?, cursor, ''), settled = min(settled, ?)`,
    )
    .run(document, end, end)
}

/** Documents that hold a memory lose the cursor: it may repeat words of what is about to be forgotten. */
export function forgetCursors(connection: Connection, ordinal: number): void {
  connection
    .sql(
      `UPDATE reading SET cursor = '', settled = 0
       WHERE document IN (SELECT document FROM place WHERE ordinal = ?)`,
    )
    .run(ordinal)
}

function findReading(connection: Connection, { root, path }: { root: string; path: string }) {
  return connection
    .sql(
      `SELECT r.settled, r.cursor FROM reading r JOIN document d ON d.id = r.document
       WHERE d.path = ? AND d.root = ? AND d.is_remembered = 0`,
    )
    .get(path, root)
}
