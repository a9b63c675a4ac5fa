import type { MemoryContent, MemoryState, Place } from '../../model/memory.ts'
import { addRelationshipRows } from '../archive/add-relationship-rows.ts'
import {
  type AccessRecord,
  type ArchiveRecord,
  type DocumentRecord,
  packAnchorRecord,
  packDocument,
  packPlaceRecord,
  packRemembered,
  packVectors,
  type ReadOptions,
  type RowRecord,
  type StateRecord,
  type StatusRecord,
  type StoreArchive,
  type TombstoneRecord,
} from '../archive/archive-record.ts'
import { unpackAnchor, unpackRelationship, unpackReview } from '../relationships/packed-rows.ts'
import { unpackFloats } from '../vector-scan/vector-codec.ts'
import type { Connection } from './connection.ts'
import type { SqlRow } from './database.ts'
import { SELECT_RELATIONSHIP, SqliteRows } from './relationships/sqlite-rows.ts'
import { type Names, SELECT_CONTENT, toContent, toPlace } from './rows.ts'
import { listTombstones } from './tombstones.ts'
import { writeStates } from './vitals.ts'

/** Records that are given on at once. */
const BATCH = 500
const SELECT_PLACES = `${SELECT_CONTENT}, p.document, p.position, p.detail AS place, p.variant
  FROM place p JOIN memory m ON m.ordinal = p.ordinal JOIN document d ON d.id = p.document`
const SELECT_VECTORS = `SELECT m.id, i.name, i.dimensions, e.windows, x.data, t.data AS tokens FROM embedding e
  JOIN memory m ON m.ordinal = e.ordinal JOIN identity i ON i.id = e.identity
  LEFT JOIN vector_exact x ON x.id = e.exact LEFT JOIN token_vectors t ON t.ordinal = e.ordinal`
const SELECT_STATUS = `SELECT m.id, m.state, w.id IS NULL AS is_linked FROM memory m LEFT JOIN awaiting_link w ON w.id = m.id
  WHERE m.state <> 'active' OR w.id IS NULL`

/** All that a SQLite store holds. */
export class SqliteArchive implements StoreArchive {
  readonly #connection: Connection
  readonly #names: Names

  constructor(connection: Connection, names: Names) {
    this.#connection = connection
    this.#names = names
  }

  read(
    visit: (records: ArchiveRecord[]) => Promise<void>,
    { withoutVectors = false }: ReadOptions = {},
  ): Promise<void> {
    return this.#connection.readLong(async () => {
      const batch: ArchiveRecord[] = []
      for (const record of this.#records(withoutVectors)) {
        batch.push(record)
        if (batch.length >= BATCH) await visit(batch.splice(0))
      }
      if (batch.length > 0) await visit(batch)
    })
  }

  async listTenants(): Promise<string[]> {
    const sql =
      'SELECT tenant FROM scope UNION SELECT tenant FROM document UNION SELECT tenant FROM tombstone ORDER BY 1'
    return this.#connection.read(() => this.#connection.rows(sql).map(([tenant]) => String(tenant)))
  }

  async isEmpty(): Promise<boolean> {
    return this.#connection.read(() =>
      ['document', 'relationship', 'review', 'anchor', 'access', 'tombstone', 'state'].every(
        (table) => this.#connection.sql(`SELECT 1 FROM ${table} LIMIT 1`).get() === undefined,
      ),
    )
  }

  async addRows(records: readonly RowRecord[]): Promise<number> {
    return this.#connection.write(() => this.#addRows(records), { isTruth: true })
  }

  async noteReadings(documents: readonly DocumentRecord[]): Promise<void> {
    const find = 'SELECT id FROM document WHERE path = ? AND root = ? AND is_remembered = 0'
    await this.#connection.write(() => {
      for (const { root, path, indexedAtMs, reading } of documents) {
        const number = Number(this.#connection.sql(find).get(path, root)?.id)
        this.#connection.sql('UPDATE document SET indexed_at_ms = ? WHERE id = ?').run(indexedAtMs, number)
        this.#connection.sql('DELETE FROM reading WHERE document = ?').run(number)
        if (!reading) continue
        this.#connection
          .sql('INSERT INTO reading (document, settled, is_partial, cursor) VALUES (?, ?, ?, ?)')
          .run(number, reading.settled, reading.isPartial ? 1 : 0, reading.cursor)
      }
    })
  }

  *#records(withoutVectors: boolean): Generator<ArchiveRecord> {
    const sql = (text: string) => this.#connection.sql(text)
    for (const row of sql(`${SELECT_PLACES} WHERE d.is_remembered = 1 ORDER BY m.id`).iterate()) {
      const { content, place } = this.#readPlace(row)
      yield packRemembered(content, place)
    }
    yield* this.#documents()
    if (!withoutVectors) for (const row of sql(SELECT_VECTORS).iterate()) yield toVectors(row)
    for (const row of sql(SELECT_RELATIONSHIP).iterate()) yield { part: 'relationship', ...unpackRelationship(row) }
    for (const row of sql('SELECT * FROM review').iterate()) yield { part: 'review', ...unpackReview(row) }
    for (const row of sql('SELECT * FROM anchor').iterate()) yield packAnchorRecord(unpackAnchor(row))
    for (const { id, state, is_linked: isLinked } of sql(SELECT_STATUS).iterate()) {
      yield { part: 'status', id: String(id), state: String(state) as MemoryState, isLinked: isLinked === 1 }
    }
    for (const { id, count, last } of sql('SELECT id, count, last FROM access').iterate()) {
      yield { part: 'access', id: String(id), count: Number(count), last: String(last) }
    }
    for (const tombstone of listTombstones(this.#connection)) yield { part: 'tombstone', ...tombstone }
    // As they are in the file: a value that cannot be read is carried over as one.
    for (const { key, value } of sql('SELECT key, value FROM state').iterate()) {
      yield { part: 'state', key: String(key), value: String(value) }
    }
  }

  *#documents(): Generator<ArchiveRecord> {
    const documents = this.#connection
      .sql(
        `SELECT d.id, d.tenant, d.root, d.path, d.content_hash, d.fingerprint, d.chunker_version, d.indexed_at_ms, 
           (SELECT count(*) FROM place p WHERE p.document = d.id AND p.position < r.settled) AS settled, r.is_partial, r.cursor FROM document d LEFT JOIN reading r ON r.document = d.id
         WHERE d.is_remembered = 0 ORDER BY d.root, d.path`,
      )
      .all()
    for (const row of documents) {
      yield toDocument(row)
      let position = 0
      const places = this.#connection.sql(`${SELECT_PLACES} WHERE p.document = ? ORDER BY p.position`)
      for (const one of places.iterate(Number(row.id))) {
        const { content, place } = this.#readPlace(one)
        yield packPlaceRecord(content, { ...place, position })
        position += 1
      }
    }
  }

  #readPlace(row: SqlRow): { content: MemoryContent; place: Place } {
    const at = { document: Number(row.document), position: Number(row.position) }
    const content =
      row.variant === null ? toContent(row, this.#names) : (JSON.parse(String(row.variant)) as MemoryContent)
    return { content, place: toPlace(String(row.place), at, this.#names) }
  }

  #addRows(records: readonly RowRecord[]): number {
    const rows = new SqliteRows({ connection: this.#connection, names: this.#names })
    let added = 0
    const states: Array<{ ordinal: number; state: MemoryState }> = []
    for (const record of records) {
      if (record.part === 'status') added += this.#addStatus(record, rows, states)
      else if (record.part === 'access') added += this.#addAccess(record)
      else if (record.part === 'tombstone') added += this.#addTombstone(record)
      else if (record.part === 'state') added += this.#addState(record)
      else added += addRelationshipRows(rows, [record])
    }
    writeStates(this.#connection, states)
    return added
  }

  #addStatus(
    { id, state, isLinked }: StatusRecord,
    rows: SqliteRows,
    states: Array<{ ordinal: number; state: MemoryState }>,
  ): number {
    const row = this.#connection.sql('SELECT ordinal, state FROM memory WHERE id = ?').get(id)
    if (!row) return 0
    if (row.state !== state && row.state === 'active') states.push({ ordinal: Number(row.ordinal), state })
    if (isLinked) rows.dropAwaiting([id])
    return 1
  }

  #addAccess({ id, count, last }: AccessRecord): number {
    const sql = 'INSERT OR IGNORE INTO access (id, count, last) VALUES (?, ?, ?)'
    return Number(this.#connection.sql(sql).run(id, count, last).changes)
  }

  #addTombstone({ kind, tenant, key, forgottenAt }: TombstoneRecord): number {
    const [root = '', path = ''] = kind === 'document' ? key.split('\0') : ['', key]
    const sql = 'INSERT OR IGNORE INTO tombstone (kind, tenant, root, key, forgotten_at) VALUES (?, ?, ?, ?, ?)'
    return Number(this.#connection.sql(sql).run(kind, tenant, root, path, forgottenAt).changes)
  }

  #addState({ key, value }: StateRecord): number {
    return Number(
      this.#connection.sql('INSERT OR IGNORE INTO state (key, value) VALUES (?, ?)').run(key, value).changes,
    )
  }
}

function toDocument(row: SqlRow): DocumentRecord {
  if (row.cursor === null) return packDocument(row, undefined)
  return packDocument(row, {
    settled: Number(row.settled),
    isPartial: row.is_partial === 1,
    cursor: String(row.cursor),
  })
}

function toVectors({ id, name, dimensions, windows, data, tokens }: SqlRow): ArchiveRecord {
  return packVectors({
    id: String(id),
    identity: String(name),
    windows: Number(windows) > 0 ? unpackFloats(data as Uint8Array, Number(dimensions)) : [],
    ...(tokens instanceof Uint8Array && { tokens }),
  })
}
