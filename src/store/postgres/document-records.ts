import { sha256 } from '../../text/hash.ts'
import type { DocumentPart, StoredDocument } from '../memory-store.ts'
import type { SqlRow } from './database.ts'
import type { Transaction } from './postgres-connection.ts'

/** The record of a document during a write. */
export interface DocumentRecord extends Omit<StoredDocument, 'isPartial'> {
  number: number
  isRemembered: boolean
  /** How far a document that is read in parts has been read. */
  settled: number
  isPartial: boolean
  /** Null when it was not read in parts; empty when it has to be read from its beginning. */
  cursor: string | null
  /** The last position of its memories before the write; -1 when it had none. */
  lastPosition: number
}

/** What a write says of a document. */
export type DocumentHeadRecord = Omit<StoredDocument, 'memoryCount' | 'isPartial'> & { isRemembered: boolean }

const SELECT_RECORDS = `SELECT d.*, coalesce(p.last, -1) AS last_position FROM document d
  LEFT JOIN LATERAL (SELECT max(position) AS last FROM place WHERE tenant = $1 AND document = d.number) p ON true
  WHERE d.tenant = $1 AND d.name_hash = ANY($2::text[])`
const UPSERT = `INSERT INTO document (tenant, number, root, path, name_hash, path_hash, is_remembered, content_hash, fingerprint,
    chunker_version, indexed_at_ms, memory_count, settled, is_partial, cursor)
  SELECT $1, u.* FROM unnest($2::integer[], $3::text[], $4::text[], $5::text[], $6::text[], $7::boolean[], $8::text[], $9::text[],
    $10::integer[], $11::float8[], $12::integer[], $13::integer[], $14::boolean[], $15::text[]) AS u
  ON CONFLICT (tenant, number) DO UPDATE SET content_hash = excluded.content_hash, fingerprint = excluded.fingerprint,
    chunker_version = excluded.chunker_version, indexed_at_ms = excluded.indexed_at_ms, memory_count = excluded.memory_count,
    settled = excluded.settled, is_partial = excluded.is_partial, cursor = excluded.cursor`

/** By what a document is looked up. */
export function nameHash({ root, path }: { root: string; path: string }): string {
  return sha256(root, path)
}

/** The records of the documents that a write touches: read at its beginning, kept at its end. */
export class DocumentRecords {
  readonly #tenant: string
  readonly #byName = new Map<string, DocumentRecord>()
  readonly #byNumber = new Map<number, DocumentRecord>()
  readonly #changed = new Set<DocumentRecord>()
  readonly #dropped = new Set<DocumentRecord>()
  readonly #takeNumber: () => number

  /** `takeNumber` gives the next free number. */
  constructor(tenant: string, takeNumber: () => number) {
    this.#tenant = tenant
    this.#takeNumber = takeNumber
  }

  async load(tx: Transaction, keys: ReadonlyArray<{ root: string; path: string }>): Promise<void> {
    const hashes = [...new Set(keys.map(nameHash))].filter((hash) => !this.#byName.has(hash))
    if (hashes.length === 0) return
    for (const row of await tx.query(SELECT_RECORDS, [this.#tenant, hashes])) this.#keep(toRecord(row))
  }

  find(key: { root: string; path: string }): DocumentRecord | undefined {
    return this.#byName.get(nameHash(key))
  }

  /** Adds the record, or gives what is there the new head. */
  put(head: DocumentHeadRecord): DocumentRecord {
    const known = this.find(head)
    const { contentHash, fingerprint, chunkerVersion, indexedAtMs } = head
    const record =
      known ??
      this.#keep({
        ...head,
        ...{ number: this.#takeNumber(), memoryCount: 0, settled: 0, isPartial: false, cursor: null, lastPosition: -1 },
      })
    Object.assign(record, { contentHash, fingerprint, chunkerVersion, indexedAtMs })
    this.#changed.add(record)
    return record
  }

  /** Keeps how far a document has been read; nothing of one that was written as a whole. */
  noteReading(record: DocumentRecord, reading: { part: DocumentPart; settled: number } | undefined): void {
    record.cursor = reading?.part.cursor ?? null
    record.settled = reading?.settled ?? 0
    record.isPartial = reading ? !reading.part.isLast : false
    this.#changed.add(record)
  }

  /** The document lost what stood at `end` and after it: it is partial, and can be read on when that much was settled. */
  noteTrimmed(record: DocumentRecord, end: number): void {
    record.cursor = record.cursor !== null && record.settled <= end ? record.cursor : ''
    record.settled = Math.min(record.settled, end)
    record.isPartial = true
    this.#changed.add(record)
  }

  /** So many more or less places stand in each document; those of which no record was loaded are updated where they are. */
  async count(tx: Transaction, changes: Iterable<[document: number, change: number]>): Promise<void> {
    const others: Array<[number, number]> = []
    for (const [number, change] of changes) {
      if (change === 0) continue
      const record = this.#byNumber.get(number)
      if (!record) {
        others.push([number, change])
        continue
      }
      record.memoryCount += change
      this.#changed.add(record)
    }
    if (others.length === 0) return
    await tx.run(
      `UPDATE document d SET memory_count = memory_count + u.change FROM unnest($2::integer[], $3::integer[]) AS u (number, change)
       WHERE d.tenant = $1 AND d.number = u.number`,
      [this.#tenant, others.map(([number]) => number), others.map(([, change]) => change)],
    )
  }

  /** Deletes the record of a document that holds nothing any more. */
  drop(record: DocumentRecord): void {
    this.#dropped.add(record)
  }

  async save(tx: Transaction): Promise<void> {
    const records = [...this.#changed].filter((record) => !this.#dropped.has(record))
    this.#changed.clear()
    if (records.length > 0) await tx.run(UPSERT, [this.#tenant, ...toColumns(records)])
    const numbers = [...this.#dropped].map(({ number }) => number)
    if (numbers.length === 0) return
    await tx.run('DELETE FROM document WHERE tenant = $1 AND number = ANY($2::integer[])', [this.#tenant, numbers])
  }

  #keep(record: DocumentRecord): DocumentRecord {
    this.#byName.set(nameHash(record), record)
    this.#byNumber.set(record.number, record)
    return record
  }
}

function toColumns(records: readonly DocumentRecord[]) {
  const column = <K extends keyof DocumentRecord>(key: K): Array<DocumentRecord[K]> => records.map((one) => one[key])
  return [
    ...[column('number'), column('root'), column('path'), records.map(nameHash)],
    ...[records.map(({ path }) => sha256(path)), column('isRemembered'), column('contentHash'), column('fingerprint')],
    ...[column('chunkerVersion'), column('indexedAtMs'), column('memoryCount'), column('settled'), column('isPartial')],
    column('cursor'),
  ]
}

function toRecord(row: SqlRow): DocumentRecord {
  return {
    number: Number(row.number),
    root: String(row.root),
    path: String(row.path),
    tenant: String(row.tenant),
    isRemembered: row.is_remembered === true,
    contentHash: String(row.content_hash),
    fingerprint: String(row.fingerprint),
    chunkerVersion: Number(row.chunker_version),
    indexedAtMs: Number(row.indexed_at_ms),
    memoryCount: Number(row.memory_count),
    settled: Number(row.settled),
    isPartial: row.is_partial === true,
    cursor: typeof row.cursor === 'string' ? row.cursor : null,
    lastPosition: Number(row.last_position),
  }
}
