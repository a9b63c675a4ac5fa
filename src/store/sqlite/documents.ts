import type { MemoryContent, Place } from '../../model/memory.ts'
import { TRIM_MEMORIES } from '../../options.ts'
import type { DocumentWrite, StoredDocument, WriteResult } from '../memory-store.ts'
import { placeRemembered } from '../remembered.ts'
import { toStorableContent, toStorableText } from '../storable-text.ts'
import { assertStorable, idTakenError } from '../store-errors.ts'
import { heldBefore } from '../write-plan/held-before.ts'
import { planDocument } from '../write-plan/plan-document.ts'
import type { Connection } from './connection.ts'
import { dropReading, noteReading, noteTrimmed, startOfPart } from './readings.ts'
import { readTombstones, tombstoneKey } from './tombstones.ts'
import type { WriteSession } from './write-session.ts'

const LIST_DOCUMENTS = `SELECT d.root, d.path, d.tenant, d.content_hash, d.fingerprint, d.chunker_version, d.indexed_at_ms,
  d.memory_count, r.is_partial FROM document d LEFT JOIN reading r ON r.document = d.id
  WHERE is_remembered = 0 ORDER BY root, path`

/** Documents that stand for files, by root and path. */
export function listDocuments(connection: Connection): StoredDocument[] {
  // As lists: there are tens of thousands, and a run over files that did not change does little else.
  return connection.rows(LIST_DOCUMENTS).map((row) => {
    const [root, path, tenant, contentHash, fingerprint, chunkerVersion, indexedAtMs, memoryCount, isPartial] = row
    return {
      root: String(root),
      path: String(path),
      tenant: String(tenant),
      contentHash: String(contentHash),
      fingerprint: String(fingerprint),
      chunkerVersion: Number(chunkerVersion),
      indexedAtMs: Number(indexedAtMs),
      memoryCount: Number(memoryCount),
      ...(isPartial === 1 && { isPartial: true as const }),
    }
  })
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
  session.drafts.expect(writes.flatMap(({ memories }) => memories.map(({ content }) => toStorableText(content.id))))
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
  const { write, tally, buried } = given
  const { root, path, contentHash, scope } = write.head
  const { tenant } = scope
  if (buried.has(tombstoneKey({ kind: 'document', tenant, root, key: path }))) {
    tally.forgotten += write.memories.length
    return
  }
  const from = startOfPart(connection, write)
  const document = insertDocument(connection, {
    ...{ root, path, tenant, contentHash, fingerprint: write.fingerprint },
    ...{ chunkerVersion: write.chunkerVersion, indexedAtMs: given.indexedAtMs, isRemembered: false },
  })
  const isBuried = (id: string): boolean => buried.has(tombstoneKey({ kind: 'memory', tenant, root: '', key: id }))
  const plan = planDocument(write, { from, isBuried })
  tally.forgotten += plan.forgotten
  const isLast = write.part?.isLast ?? true
  const end = from + plan.places.length
  const left = session.leavePlaces(document, from, isLast ? Number.POSITIVE_INFINITY : end)
  const isHeldAgain = heldBefore(left.map(({ content }) => content.id))
  for (const place of plan.places) {
    const { isHeldElsewhere } = session.stand({ document, ...place })
    if (!isHeldAgain(place.content.id) && isHeldElsewhere) tally.duplicates += 1
  }
  if (!isLast) session.moveToEnd(document, left)
  noteReading(connection, document, write.part && { part: write.part, settled: plan.settled })
}

/** Adds or updates the record of a document; returns its number. */
function insertDocument(
  connection: Connection,
  record: Omit<StoredDocument, 'memoryCount'> & { isRemembered: boolean },
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
  for (const number of numbers) dropDocument(connection, number)
  return { ...result, duplicates: 0, forgotten: 0 }
}

/** Deletes the record of a document that holds nothing any more. */
export function dropDocument(connection: Connection, number: number): void {
  dropReading(connection, number)
  connection.sql('DELETE FROM document WHERE id = ?').run(number)
}

/** A document that is to end before a position. */
export interface DocumentEnd {
  key: { root: string; path: string }
  end: number
}

/** Where these writes end documents. */
export function endsOfWrites(connection: Connection, writes: readonly DocumentWrite[]): DocumentEnd[] {
  return writes
    .filter(({ part }) => part?.isLast !== false)
    .map((write) => ({ key: write.head, end: startOfPart(connection, write) + write.memories.length }))
}

/** How many positions a document has after its end, when they are so many that they should not go in one write; else 0. */
export function countExcess(connection: Connection, { key, end }: DocumentEnd): number {
  const document = findDocument(connection, key)
  if (!document || document.isRemembered) return 0
  const row = connection.sql('SELECT max(position) AS last FROM place WHERE document = ?').get(document.number)
  const excess = Number(row?.last ?? -1) + 1 - end
  return excess > TRIM_MEMORIES ? excess : 0
}

/** Removes the last memories of a document that has many more than it should; it is partial then. Returns the ids that are gone. */
export function trimDocument(connection: Connection, session: WriteSession, given: DocumentEnd): string[] {
  leaveExcess(connection, session, given)
  return session.settle().removed
}

/** Takes as many of the last memories out of a document as go in one write. */
export function leaveExcess(connection: Connection, session: WriteSession, given: DocumentEnd): void {
  const start = given.end + Math.max(0, countExcess(connection, given) - TRIM_MEMORIES)
  const document = findDocument(connection, given.key)
  if (document) {
    session.leavePlaces(document.number, start, Number.POSITIVE_INFINITY)
    noteTrimmed(connection, document.number, start)
  }
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
  session.settle()
}
