import type { MemoryContent, Place } from '../../model/memory.ts'
import type { Viewer } from '../../model/search.ts'
import { TRIM_MEMORIES } from '../../options.ts'
import { compareText } from '../canonical-place.ts'
import { maySee, seesTenant } from '../memory-filter.ts'
import type { DocumentWrite, StoredDocument, WriteResult } from '../memory-store.ts'
import { placeRemembered } from '../remembered.ts'
import { toStorableContent, toStorableText } from '../storable-text.ts'
import { idTakenError, otherPartError } from '../store-errors.ts'
import { heldBefore } from '../write-plan/held-before.ts'
import { planDocument } from '../write-plan/plan-document.ts'
import type { SqlRow } from './database.ts'
import { type DocumentRecord, nameHash } from './document-records.ts'
import type { PlaceRange } from './drafts.ts'
import type { Transaction } from './postgres-connection.ts'
import { ScopeNumbers } from './scope-numbers.ts'
import { type Buried, bury, findGraves, type Graves, unearth } from './tombstones.ts'
import type { WriteSession } from './write-session.ts'

export interface DocumentKey {
  root: string
  path: string
}

const LIST_DOCUMENTS = `SELECT d.* FROM document d WHERE d.tenant = ANY($1::text[]) AND NOT d.is_remembered`
const LIST_VISIBLE = `SELECT d.* FROM document d WHERE d.tenant = $1 AND NOT d.is_remembered AND ($3 OR d.number IN (
  SELECT p.document FROM memory m JOIN place p ON p.tenant = $1 AND p.ordinal = m.ordinal
  WHERE m.tenant = $1 AND m.scope = ANY($2::integer[])))`

/** Documents that stand for files, by root and path; for a viewer those that hold something that they may see. */
export async function listDocuments(
  tx: Transaction,
  tenants: readonly string[],
  viewer?: Viewer,
): Promise<StoredDocument[]> {
  const rows = viewer
    ? await tx.query(LIST_VISIBLE, [viewer.tenant, await visibleScopes(tx, viewer), seesTenant(viewer)])
    : await tx.query(LIST_DOCUMENTS, [tenants])
  return rows.map(toStoredDocument).sort((a, b) => compareText(a.root, b.root) || compareText(a.path, b.path))
}

/** The numbers of the scopes of the viewer's tenant that they may see. */
export async function visibleScopes(tx: Transaction, viewer: Viewer): Promise<number[]> {
  const scopes = new ScopeNumbers(viewer.tenant)
  await scopes.refresh(tx)
  return scopes.numbers().filter((number) => maySee(viewer, scopes.get(number)))
}

function toStoredDocument(row: SqlRow): StoredDocument {
  return {
    root: String(row.root),
    path: String(row.path),
    tenant: String(row.tenant),
    contentHash: String(row.content_hash),
    fingerprint: String(row.fingerprint),
    chunkerVersion: Number(row.chunker_version),
    indexedAtMs: Number(row.indexed_at_ms),
    memoryCount: Number(row.memory_count),
    ...(row.is_partial === true && { isPartial: true as const }),
  }
}

/** The cursor of a document's last part, or null. */
export async function getCursor(tx: Transaction, tenants: readonly string[], key: DocumentKey): Promise<string | null> {
  const [row] = await tx.query(
    `SELECT cursor FROM document WHERE tenant = ANY($1::text[]) AND name_hash = $2 AND NOT is_remembered
     ORDER BY array_position($1::text[], tenant) LIMIT 1`,
    [tenants, nameHash(key)],
  )
  return typeof row?.cursor === 'string' && row.cursor !== '' ? row.cursor : null
}

export async function touchDocument(
  tx: Transaction,
  tenants: readonly string[],
  { key, fingerprint, indexedAtMs }: { key: DocumentKey; fingerprint: string; indexedAtMs: number },
): Promise<void> {
  await tx.run(
    `UPDATE document SET fingerprint = $3, indexed_at_ms = $4
     WHERE tenant = ANY($1::text[]) AND name_hash = $2 AND NOT is_remembered`,
    [tenants, nameHash(key), fingerprint, indexedAtMs],
  )
}

/** What a session is going to look at when it makes these writes. */
async function loadForWrites(session: WriteSession, writes: readonly DocumentWrite[]): Promise<Graves> {
  const { tx, documents, drafts } = session
  await documents.load(
    tx,
    writes.map(({ head }) => head),
  )
  const ranges = new Map<number, PlaceRange>()
  for (const write of writes) {
    const record = documents.find(write.head)
    if (!record) continue
    const from = write.part?.after === undefined ? 0 : record.settled
    const to = write.part?.isLast === false ? from + write.memories.length : Number.POSITIVE_INFINITY
    // Of a document that is written twice, what the second write looks at is not known yet.
    const isAgain = ranges.has(record.number)
    const all = { document: record.number, from: 0, to: Number.POSITIVE_INFINITY }
    ranges.set(record.number, isAgain ? all : { document: record.number, from, to })
  }
  const ids = writes.flatMap(({ memories }) => memories.map(({ content }) => toStorableText(content.id)))
  await drafts.load(tx, { ids, ranges: [...ranges.values()] })
  const names = writes.map(({ head }): Buried => ({ kind: 'document', root: head.root, key: head.path }))
  const memories = writes.flatMap((write) =>
    write.memories.map(({ content }): Buried => ({ kind: 'memory', root: '', key: content.id })),
  )
  return findGraves(tx, session.tenant, [...names, ...memories])
}

/** Writes documents of the session's tenant. */
export async function putDocuments(
  session: WriteSession,
  { writes, indexedAtMs }: { writes: readonly DocumentWrite[]; indexedAtMs: number },
): Promise<WriteResult> {
  const graves = await loadForWrites(session, writes)
  const tally = { duplicates: 0, forgotten: 0 }
  for (const write of writes) putDocument(session, { write, indexedAtMs, tally, graves })
  return { ...(await session.settle()), ...tally }
}

function putDocument(
  session: WriteSession,
  given: {
    write: DocumentWrite
    indexedAtMs: number
    tally: { duplicates: number; forgotten: number }
    graves: Graves
  },
): void {
  const { write, tally, graves } = given
  const { root, path, contentHash } = write.head
  if (graves.has({ kind: 'document', root, key: path })) {
    tally.forgotten += write.memories.length
    return
  }
  const from = startOfPart(session.documents.find(write.head), write)
  const record = session.documents.put({
    ...{ root, path, tenant: session.tenant, contentHash, fingerprint: write.fingerprint },
    ...{ chunkerVersion: write.chunkerVersion, indexedAtMs: given.indexedAtMs, isRemembered: false },
  })
  const isBuried = (id: string): boolean => graves.has({ kind: 'memory', root: '', key: id })
  const plan = planDocument(write, { from, isBuried })
  tally.forgotten += plan.forgotten
  const isLast = write.part?.isLast ?? true
  const to = isLast ? Number.POSITIVE_INFINITY : from + plan.places.length
  const left = session.leavePlaces({ document: record.number, from, to })
  const isHeldAgain = heldBefore(left.map(({ content }) => content.id))
  for (const place of plan.places) {
    const { isHeldElsewhere } = session.stand({ document: record.number, ...place })
    if (!isHeldAgain(place.content.id) && isHeldElsewhere) tally.duplicates += 1
  }
  if (!isLast) session.moveToEnd(record.number, left, record.lastPosition)
  session.documents.noteReading(record, write.part && { part: write.part, settled: plan.settled })
}

/** The position at which a part begins: after what the part that it follows settled. Refuses one that follows another. */
function startOfPart(record: DocumentRecord | undefined, { head, part }: DocumentWrite): number {
  if (part?.after === undefined) return 0
  if (!record || record.isRemembered || record.cursor !== part.after) throw otherPartError(head.path)
  return record.settled
}

/** Removes documents of the session's tenant, and the memories that stand nowhere else. */
export async function removeDocuments(session: WriteSession, keys: readonly DocumentKey[]): Promise<WriteResult> {
  const records = await loadDocuments(session, keys)
  const files = records.filter(({ isRemembered }) => !isRemembered)
  for (const { number } of files) leaveDocument(session, number)
  const result = await session.settle()
  await dropDocuments(session, files)
  return { ...result, duplicates: 0, forgotten: 0 }
}

/** Deletes the records of documents that hold nothing any more. */
export async function dropDocuments(session: WriteSession, records: readonly DocumentRecord[]): Promise<void> {
  for (const record of records) session.documents.drop(record)
  await session.documents.save(session.tx)
}

/** The records of documents that are there, with all their memories loaded. */
export async function loadDocuments(session: WriteSession, keys: readonly DocumentKey[]): Promise<DocumentRecord[]> {
  await session.documents.load(session.tx, keys)
  const records = [...new Set(keys.flatMap((key) => session.documents.find(key) ?? []))]
  const ranges = records.map(({ number }) => ({ document: number, from: 0, to: Number.POSITIVE_INFINITY }))
  await session.drafts.load(session.tx, { ranges })
  return records
}

/** Takes all memories out of a document. */
export function leaveDocument(session: WriteSession, document: number): void {
  session.leavePlaces({ document, from: 0, to: Number.POSITIVE_INFINITY })
}

export async function addRemembered(
  session: WriteSession,
  { content, place }: { content: MemoryContent; place: Pick<Place, 'occurredAt' | 'sessionId'> },
): Promise<void> {
  const { tx, tenant, documents, drafts } = session
  const occurrence = placeRemembered(toStorableContent(content), place)
  const { root, path } = occurrence.place
  await documents.load(tx, [{ root, path }])
  await drafts.load(tx, { ids: [occurrence.content.id] })
  if (drafts.byId(occurrence.content.id).stored) throw idTakenError(content.id)
  await unearth(tx, tenant, content.id)
  const record = documents.put({
    ...{ root, path, tenant, contentHash: '', fingerprint: '', chunkerVersion: 0, indexedAtMs: 0, isRemembered: true },
  })
  leaveDocument(session, record.number)
  session.stand({ document: record.number, ...occurrence })
  await session.settle()
}

/** A document that is to end before a position. */
export interface DocumentEnd {
  key: DocumentKey
  end: number
}

const SELECT_LAST = `SELECT d.name_hash, d.settled, d.cursor, (SELECT max(position) FROM place p
    WHERE p.tenant = $1 AND p.document = d.number) AS last
  FROM document d WHERE d.tenant = $1 AND d.name_hash = ANY($2::text[]) AND NOT d.is_remembered`

/** Of documents those that have so many memories after their ends that these should not go in one write. */
export async function findLong(
  tx: Transaction,
  tenant: string,
  ends: readonly DocumentEnd[],
): Promise<Array<DocumentEnd & { excess: number }>> {
  if (ends.length === 0) return []
  const rows = await tx.query(SELECT_LAST, [tenant, ends.map(({ key }) => nameHash(key))])
  const last = new Map(rows.map((row) => [String(row.name_hash), Number(row.last ?? -1)]))
  return ends.flatMap((one) => {
    const excess = (last.get(nameHash(one.key)) ?? -1) + 1 - one.end
    return excess > TRIM_MEMORIES ? [{ ...one, excess }] : []
  })
}

/** Where these writes end documents. */
export async function endsOfWrites(
  tx: Transaction,
  tenant: string,
  writes: readonly DocumentWrite[],
): Promise<DocumentEnd[]> {
  const last = writes.filter(({ part }) => part?.isLast !== false)
  const rows = await tx.query(SELECT_LAST, [tenant, last.map(({ head }) => nameHash(head))])
  const settled = new Map(rows.map((row) => [String(row.name_hash), row]))
  return last.map((write) => {
    const row = settled.get(nameHash(write.head))
    const { after } = write.part ?? {}
    if (after !== undefined && row?.cursor !== after) throw otherPartError(write.head.path)
    const from = after === undefined ? 0 : Number(row?.settled ?? 0)
    return { key: write.head, end: from + write.memories.length }
  })
}

/** Takes as many of the last memories out of a document as go in one write; it is partial then. */
export async function leaveExcess(session: WriteSession, { key, end }: DocumentEnd): Promise<void> {
  await session.documents.load(session.tx, [key])
  const record = session.documents.find(key)
  if (!record) return
  const start = end + Math.max(0, record.lastPosition + 1 - end - TRIM_MEMORIES)
  const range = { document: record.number, from: start, to: Number.POSITIVE_INFINITY }
  await session.drafts.load(session.tx, { ranges: [range] })
  session.leavePlaces(range)
  session.documents.noteTrimmed(record, start)
}

/** Removes the last memories of a document that has many more than it should. Returns the ids that are gone. */
export async function trimDocument(session: WriteSession, given: DocumentEnd): Promise<string[]> {
  await leaveExcess(session, given)
  return (await session.settle()).removed
}

/** Buries the names of documents that stand for files. */
export async function buryDocuments(
  session: WriteSession,
  records: readonly DocumentRecord[],
  now: Date,
): Promise<void> {
  const files = records.filter(({ isRemembered }) => !isRemembered)
  const buried = files.map(({ root, path }): Buried => ({ kind: 'document', root, key: path }))
  await bury(session.tx, session.tenant, buried, now)
}
