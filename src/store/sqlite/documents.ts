import type { MemoryContent, Place } from '../../model/memory.ts'
import type { DocumentWrite, StoredDocument, WriteResult } from '../memory-store.ts'
import { placeRemembered } from '../remembered.ts'
import { toStorableContent } from '../storable-text.ts'
import { assertStorable, idTakenError } from '../store-errors.ts'
import type { Connection } from './connection.ts'
import { readTombstones, tombstoneKey } from './tombstones.ts'
import type { WriteSession } from './write-session.ts'

/** Documents that stand for files, by root and path. */
export function listDocuments(connection: Connection): StoredDocument[] {
  const rows = connection.sql('SELECT * FROM document WHERE is_remembered = 0 ORDER BY root, path').all()
  return rows.map((row) => ({
    root: String(row.root),
    path: String(row.path),
    contentHash: String(row.content_hash),
    fingerprint: String(row.fingerprint),
    chunkerVersion: Number(row.chunker_version),
    indexedAtMs: Number(row.indexed_at_ms),
    memoryCount: Number(row.memory_count),
  }))
}

/** The number of a document, or null when the store has none of this name. */
export function findDocument(
  connection: Connection,
  { root, path }: { root: string; path: string },
): { number: number; tenant: string; isRemembered: boolean } | null {
  const row = connection
    .sql('SELECT id, tenant, is_remembered FROM document WHERE path = ? AND root = ?')
    .get(path, root)
  if (!row) return null
  return { number: Number(row.id), tenant: String(row.tenant), isRemembered: row.is_remembered === 1 }
}

export function putDocuments(
  connection: Connection,
  session: WriteSession,
  { writes, indexedAtMs }: { writes: readonly DocumentWrite[]; indexedAtMs: number },
): WriteResult {
  const tally = { duplicates: 0, forgotten: 0 }
  for (const write of writes) assertStorable(write)
  const buried = readTombstones(connection)
  for (const write of writes) putDocument(connection, session, { write, indexedAtMs, tally, buried })
  return { ...session.settle(), ...tally }
}

function putDocument(
  connection: Connection,
  session: WriteSession,
  given: {
    write: DocumentWrite
    indexedAtMs: number
    tally: { duplicates: number; forgotten: number }
    buried: ReadonlySet<string>
  },
): void {
  const { head, memories } = given.write
  const { root, path } = head
  const { tenant } = head.scope
  if (given.buried.has(tombstoneKey({ kind: 'document', tenant, root, key: path }))) {
    given.tally.forgotten += memories.length
    return
  }
  const document = insertDocument(connection, {
    ...{ root, path, tenant, contentHash: head.contentHash, fingerprint: given.write.fingerprint },
    ...{ chunkerVersion: given.write.chunkerVersion, indexedAtMs: given.indexedAtMs, isRemembered: false },
  })
  session.leaveDocument(document)
  let position = 0
  for (const { content: raw, place } of memories) {
    const content = toStorableContent(raw)
    if (given.buried.has(tombstoneKey({ kind: 'memory', tenant, root: '', key: content.id }))) {
      given.tally.forgotten += 1
      continue
    }
    const standing = session.stand({ document, content, place: { ...place, root, path, position } })
    if (standing.isHeldElsewhere) given.tally.duplicates += 1
    position += 1
  }
  connection.sql('UPDATE document SET memory_count = ? WHERE id = ?').run(position, document)
}

/** Adds or updates the record of a document; returns its number. */
function insertDocument(
  connection: Connection,
  record: Omit<StoredDocument, 'memoryCount'> & { tenant: string; isRemembered: boolean },
): number {
  const row = connection
    .sql(
      `INSERT INTO document (root, path, tenant, is_remembered, content_hash, fingerprint, chunker_version,
         indexed_at_ms, memory_count) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0)
       ON CONFLICT (path, root) DO UPDATE SET tenant = excluded.tenant, content_hash = excluded.content_hash,
         fingerprint = excluded.fingerprint, chunker_version = excluded.chunker_version,
         indexed_at_ms = excluded.indexed_at_ms RETURNING id`,
    )
    .get(
      ...[record.root, record.path, record.tenant, record.isRemembered ? 1 : 0, record.contentHash],
      ...[record.fingerprint, record.chunkerVersion, record.indexedAtMs],
    )
  return Number(row?.id)
}

export function removeDocuments(
  connection: Connection,
  session: WriteSession,
  keys: ReadonlyArray<{ root: string; path: string }>,
): WriteResult {
  const numbers = keys.flatMap((key) => {
    const document = findDocument(connection, key)
    return document && !document.isRemembered ? [document.number] : []
  })
  for (const number of numbers) session.leaveDocument(number)
  const result = session.settle()
  for (const number of numbers) connection.sql('DELETE FROM document WHERE id = ?').run(number)
  return { ...result, duplicates: 0, forgotten: 0 }
}

export function addRemembered(
  connection: Connection,
  session: WriteSession,
  { content, place }: { content: MemoryContent; place: Pick<Place, 'occurredAt' | 'sessionId'> },
): void {
  if (session.drafts.byId(content.id).stored) throw idTakenError(content.id)
  const { tenant } = content.scope
  connection.sql("DELETE FROM tombstone WHERE kind = 'memory' AND tenant = ? AND key = ?").run(tenant, content.id)
  const occurrence = placeRemembered(toStorableContent(content), place)
  const { root, path } = occurrence.place
  const document = insertDocument(connection, {
    ...{ root, path, tenant, contentHash: '', fingerprint: '', chunkerVersion: 0, indexedAtMs: 0, isRemembered: true },
  })
  session.leaveDocument(document)
  session.stand({ document, ...occurrence })
  connection.sql('UPDATE document SET memory_count = 1 WHERE id = ?').run(document)
  session.settle()
}
