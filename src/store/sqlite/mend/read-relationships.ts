import { unpackAnchor, unpackRelationship, unpackReview } from '../../relationships/packed-rows.ts'
import type { SqliteDatabase, SqlRow } from '../database.ts'
import { scanFromBothEnds, tryRead } from './scan-damaged.ts'
import type { Truth } from './truth.ts'

/** Explicit ones out of their own index, and out of the table: two ways to the same rows. */
const COLUMNS = 'source, target, type, score, found_by, created_ms, updated_ms, detail'
const KEY = ['source', 'target', 'type']

/** Reads from a damaged database what people said of relationships, as far as it can be read. */
export function readRelationships(
  database: SqliteDatabase,
  unread: string[],
): Pick<Truth, 'relationships' | 'reviews' | 'anchors'> {
  // Stores of older versions have none.
  const isThere = tryRead(() => database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'relationship'").get())
  if (!isThere) return { relationships: [], reviews: [], anchors: [] }
  const reviews = scanFromBothEnds(database, 'SELECT * FROM review', ['id'])
  const anchors = scanFromBothEnds(database, 'SELECT * FROM anchor', ['id'])
  if (!reviews.isWhole) unread.push('a part of the reviews')
  if (!anchors.isWhole) unread.push('a part of where ends of relationships stood')
  return {
    relationships: readExplicit(database, unread),
    reviews: reviews.rows.flatMap((row) => tryRead(() => unpackReview(row)) ?? []),
    anchors: anchors.rows.flatMap((row) => tryRead(() => unpackAnchor(row)) ?? []),
  }
}

function readExplicit(database: SqliteDatabase, unread: string[]): Truth['relationships'] {
  const byIndex = scanFromBothEnds(
    database,
    `SELECT ${COLUMNS} FROM relationship INDEXED BY relationship_explicit WHERE found_by = 0`,
    KEY,
  )
  const byTable = byIndex.isWhole
    ? byIndex
    : scanFromBothEnds(database, `SELECT ${COLUMNS} FROM relationship NOT INDEXED WHERE +found_by = 0`, KEY)
  const ids = readIds(database)
  const rows = new Map<string, SqlRow>()
  for (const row of [...byTable.rows, ...byIndex.rows]) rows.set([row.source, row.target, row.type].join(' '), row)
  const found = [...rows.values()].flatMap((row) => {
    const ends = { source_id: ids.get(Number(row.source)), target_id: ids.get(Number(row.target)) }
    if (ends.source_id === undefined || ends.target_id === undefined) return []
    return tryRead(() => unpackRelationship({ ...row, ...ends } as SqlRow)) ?? []
  })
  const isWhole = (byIndex.isWhole || byTable.isWhole) && found.length === rows.size
  if (!isWhole) unread.push('a part of the explicit relationships')
  return found
}

/** The ids that numbers stand for, out of the table and out of its index. */
function readIds(database: SqliteDatabase): Map<number, string> {
  const byNumber = scanFromBothEnds(database, 'SELECT number, id FROM node NOT INDEXED', ['number'])
  const byId = byNumber.isWhole
    ? byNumber
    : scanFromBothEnds(database, 'SELECT number, id FROM node INDEXED BY sqlite_autoindex_node_1', ['id'])
  return new Map([...byNumber.rows, ...byId.rows].map(({ number, id }) => [Number(number), String(id)]))
}
