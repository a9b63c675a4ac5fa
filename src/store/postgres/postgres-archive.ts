import type { MemoryContent, MemoryState } from '../../model/memory.ts'
import {
  type ArchiveRecord,
  type DocumentRecord,
  packAnchorRecord,
  packDocument,
  packPlaceRecord,
  packRemembered,
  packVectors,
  type ReadOptions,
  type RowRecord,
  type StoreArchive,
} from '../archive/archive-record.ts'
import type { Occurrence } from '../canonical-place.ts'
import { unpackAnchor, unpackRelationship, unpackReview } from '../relationships/packed-rows.ts'
import { brokenExportError } from '../store-errors.ts'
import { addArchiveRows } from './add-archive-rows.ts'
import type { SqlRow } from './database.ts'
import { nameHash } from './document-records.ts'
import { CONTENT_COLUMNS, toContent, toPlace } from './memory-rows.ts'
import { type PostgresConnection, quote, type Transaction } from './postgres-connection.ts'
import { SELECT_RELATIONSHIP } from './relationships/load-rows.ts'
import { listTombstones } from './tombstones.ts'
import { getVectors } from './vectors/stored-vectors.ts'

/** Rows that are read at once. */
const BATCH = 500
const SELECT_PLACES = `SELECT ${CONTENT_COLUMNS}, p.document, p.position, p.detail AS place, p.variant, d.root, d.path FROM place p
  JOIN document d ON d.tenant = p.tenant AND d.number = p.document
  JOIN memory m ON m.tenant = p.tenant AND m.ordinal = p.ordinal
  JOIN scope s ON s.tenant = m.tenant AND s.number = m.scope`
const SELECT_NEXT_PLACES = `${SELECT_PLACES}
  WHERE p.tenant = $1 AND p.document = $2 AND p.position > $3 ORDER BY p.position LIMIT $4::int`
const SELECT_DOCUMENTS = `SELECT d.*, (SELECT count(*) FROM place p WHERE p.tenant = d.tenant AND p.document = d.number
    AND p.position < d.settled) AS settled_places FROM document d`
const SELECT_EMBEDDED = `SELECT e.tenant, m.id, i.name, e.windows, t.data AS tokens FROM embedding e
  JOIN memory m ON m.tenant = e.tenant AND m.ordinal = e.ordinal
  JOIN embedding_identity i ON i.tenant = e.tenant AND i.number = e.identity
  LEFT JOIN token_vectors t ON t.tenant = e.tenant AND t.ordinal = e.ordinal`
const SELECT_STATUS = `SELECT m.id, m.state, w.id IS NULL AS is_linked FROM memory m
  LEFT JOIN awaiting_link w ON w.tenant = m.tenant AND w.id = m.id`
const NOTE_READINGS = `UPDATE document d SET indexed_at_ms = r.indexed_at_ms, settled = r.settled, is_partial = r.is_partial,
    cursor = r.cursor
  FROM unnest($1::text[], $2::text[], $3::float8[], $4::int[], $5::boolean[], $6::text[])
    AS r (tenant, name_hash, indexed_at_ms, settled, is_partial, cursor)
  WHERE d.tenant = r.tenant AND d.name_hash = r.name_hash`

type Visit = (records: ArchiveRecord[]) => Promise<void>

/** All that a PostgreSQL store holds of the tenants that it is opened for. */
export class PostgresArchive implements StoreArchive {
  readonly #connection: PostgresConnection
  readonly #tenants: readonly string[]

  constructor(connection: PostgresConnection) {
    this.#connection = connection
    this.#tenants = connection.tenants
  }

  read(visit: Visit, { withoutVectors = false }: ReadOptions = {}): Promise<void> {
    let isBegun = false
    return this.#connection.read(async (tx) => {
      // What was given once is not given again from another state of the store.
      if (isBegun) throw brokenExportError(this.#connection.location)
      isBegun = true
      await new ArchiveReader(tx, this.#tenants, visit).read(withoutVectors)
    })
  }

  async listTenants(): Promise<string[]> {
    return [...this.#tenants]
  }

  async isEmpty(): Promise<boolean> {
    const tables = ['document', 'relationship', 'review', 'anchor', 'access', 'tombstone', 'state']
    const found = tables.map((table) => `EXISTS (SELECT 1 FROM ${table} WHERE tenant = ANY($1))`)
    const [row] = await this.#connection.read((tx) => tx.query(`SELECT ${found.join(' OR ')} AS held`, [this.#tenants]))
    return row?.held !== true
  }

  async addRows(records: readonly RowRecord[]): Promise<number> {
    return this.#connection.write((tx) => addArchiveRows(tx, this.#tenants, records), { isRepeatable: true })
  }

  async noteReadings(documents: readonly DocumentRecord[]): Promise<void> {
    await this.#connection.write(
      (tx) =>
        tx.run(NOTE_READINGS, [
          documents.map(({ tenant }) => tenant),
          documents.map(nameHash),
          documents.map(({ indexedAtMs }) => indexedAtMs),
          documents.map(({ reading }) => reading?.settled ?? 0),
          documents.map(({ reading }) => reading?.isPartial ?? false),
          documents.map(({ reading }) => reading?.cursor ?? null),
        ]),
      { isRepeatable: true },
    )
  }
}

/** One reading of all records, within one transaction. */
class ArchiveReader {
  readonly #tx: Transaction
  readonly #tenants: readonly string[]
  readonly #visit: Visit
  /** A condition on `tenant`: a cursor takes no parameters. */
  readonly #ofTenants: string

  constructor(tx: Transaction, tenants: readonly string[], visit: Visit) {
    this.#tx = tx
    this.#tenants = tenants
    this.#visit = visit
    this.#ofTenants = `tenant IN (${tenants.map(quote).join(', ')})`
  }

  async read(withoutVectors: boolean): Promise<void> {
    const own = this.#ofTenants
    const remembered = `${SELECT_PLACES} WHERE p.${own} AND d.is_remembered ORDER BY p.tenant, p.document`
    await this.#each('remembered', remembered, (rows) => rows.map(toRemembered))
    const documents = `${SELECT_DOCUMENTS} WHERE d.${own} AND NOT d.is_remembered ORDER BY d.tenant, d.root, d.path`
    await this.#each('documents', documents, async (rows) => {
      for (const row of rows) await this.#readDocument(row)
      return []
    })
    if (!withoutVectors)
      await this.#each('vectors', `${SELECT_EMBEDDED} WHERE e.${own}`, (rows) => this.#readVectors(rows))
    await this.#each('relationships', `${SELECT_RELATIONSHIP} WHERE r.${own}`, (rows) =>
      rows.map((row) => ({ part: 'relationship', ...unpackRelationship(row) })),
    )
    await this.#each('reviews', `SELECT * FROM review WHERE ${own}`, (rows) =>
      rows.map((row) => ({ part: 'review', ...unpackReview(row) })),
    )
    await this.#each('anchors', `SELECT * FROM anchor WHERE ${own}`, (rows) =>
      rows.map((row) => packAnchorRecord(unpackAnchor(row))),
    )
    await this.#each('status', `${SELECT_STATUS} WHERE m.${own} AND (m.state <> 'active' OR w.id IS NULL)`, (rows) =>
      rows.map(toStatus),
    )
    await this.#each('accesses', `SELECT id, count, last FROM access WHERE ${own}`, (rows) =>
      rows.map(({ id, count, last }) => ({ part: 'access', id: String(id), count: Number(count), last: String(last) })),
    )
    const tombstones = await listTombstones(this.#tx, this.#tenants)
    if (tombstones.length > 0) await this.#visit(tombstones.map((one) => ({ part: 'tombstone', ...one })))
    // Named values are the first tenant's.
    await this.#each('states', `SELECT key, value FROM state WHERE tenant = ${quote(this.#tenants[0] ?? '')}`, (rows) =>
      rows.map(({ key, value }) => ({ part: 'state', key: String(key), value: String(value) })),
    )
  }

  async #readDocument(row: SqlRow): Promise<void> {
    await this.#visit([toDocument(row)])
    if (Number(row.memory_count) === 0) return
    let last = -1
    for (let position = 0; ; ) {
      const rows = await this.#tx.query(SELECT_NEXT_PLACES, [String(row.tenant), Number(row.number), last, BATCH])
      if (rows.length === 0) return
      last = Number(rows.at(-1)?.position)
      const records = rows.map((one) => {
        const { content, place } = readPlace(one)
        return packPlaceRecord(content, { ...place, position: position++ })
      })
      await this.#visit(records)
    }
  }

  async #readVectors(rows: readonly SqlRow[]): Promise<ArchiveRecord[]> {
    const records: ArchiveRecord[] = []
    const groups = new Map<string, SqlRow[]>()
    for (const row of rows) {
      const key = JSON.stringify([row.tenant, row.name])
      groups.set(key, [...(groups.get(key) ?? []), row])
    }
    for (const group of groups.values()) {
      const [{ tenant, name } = {}] = group
      const ids = group.map(({ id }) => String(id))
      const windows = await getVectors(this.#tx, [String(tenant)], String(name), ids)
      for (const { id, tokens } of group) {
        records.push(
          packVectors({
            ...{ id: String(id), identity: String(name), windows: windows.get(String(id)) ?? [] },
            ...(tokens instanceof Uint8Array && { tokens }),
          }),
        )
      }
    }
    return records
  }

  /** Gives on what `toRecords` makes of the rows of a selection, some at a time. */
  async #each(
    name: string,
    select: string,
    toRecords: (rows: SqlRow[]) => ArchiveRecord[] | Promise<ArchiveRecord[]>,
  ): Promise<void> {
    // Statements are kept by their texts: a cursor of this name is always of this selection.
    const cursor = `archived_${name}`
    await this.#tx.run(`DECLARE ${cursor} NO SCROLL CURSOR FOR ${select}`)
    for (;;) {
      const rows = await this.#tx.query(`FETCH ${BATCH} FROM ${cursor}`)
      if (rows.length === 0) break
      const records = await toRecords(rows)
      if (records.length > 0) await this.#visit(records)
    }
    await this.#tx.run(`CLOSE ${cursor}`)
  }
}

function readPlace(row: SqlRow): Occurrence {
  // Safe because the column holds a content as it was written.
  const content = row.variant === null ? toContent(row) : (JSON.parse(String(row.variant)) as MemoryContent)
  return { content, place: toPlace(row.place, row) }
}

function toRemembered(row: SqlRow): ArchiveRecord {
  const { content, place } = readPlace(row)
  return packRemembered(content, place)
}

function toDocument(row: SqlRow): DocumentRecord {
  if (row.cursor === null) return packDocument(row, undefined)
  const settled = Number(row.settled_places)
  return packDocument(row, { settled, isPartial: row.is_partial === true, cursor: String(row.cursor) })
}

function toStatus({ id, state, is_linked: isLinked }: SqlRow): ArchiveRecord {
  return { part: 'status', id: String(id), state: String(state) as MemoryState, isLinked: isLinked === true }
}
