import { unpackDetail } from '../content-codec.ts'
import { indexVersion } from '../keyword-index/index-version.ts'
import type { Connection } from './connection.ts'
import type { PostingIndex } from './posting-index.ts'
import { rewriteRoster } from './roster-parts.ts'

/** Memories of one segment of a rebuilt index. */
const REBUILD_BATCH = 8192

export function readIndexVersion(connection: Connection): string {
  return String(connection.sql("SELECT value FROM meta WHERE key = 'index_version'").get()?.value)
}

/**
 * Makes the keyword index anew from the texts when another way of making terms made it; within a write transaction. What was
 * indexed with other terms than a query uses would be lost silently.
 */
export function updateIndex(connection: Connection, postings: PostingIndex): void {
  if (readIndexVersion(connection) !== indexVersion()) rebuildIndex(connection, postings)
}

/** The same, whatever made it. */
export function rebuildIndex(connection: Connection, postings: PostingIndex): void {
  postings.clear()
  rebuildPostings(connection, postings)
  while (postings.mergeNext());
  updateRosters(connection)
  connection.sql("UPDATE meta SET value = ? WHERE key = 'index_version'").run(indexVersion())
}

function rebuildPostings(connection: Connection, postings: PostingIndex): void {
  const select = connection.sql(
    `SELECT m.ordinal, m.text, m.detail, d.path FROM memory m JOIN document d ON d.id = m.document
     WHERE m.ordinal > ? ORDER BY m.ordinal LIMIT ?`,
  )
  const setLength = connection.sql('UPDATE memory SET length = ?, term_count = ? WHERE ordinal = ?')
  let after = 0
  for (let rows = select.all(after, REBUILD_BATCH); rows.length > 0; rows = select.all(after, REBUILD_BATCH)) {
    const segment = postings.createDraft()
    for (const row of rows) {
      after = Number(row.ordinal)
      const content = { ...unpackDetail(row.detail), text: String(row.text) }
      const { length, termCount } = segment.add(after, content, String(row.path))
      setLength.run(length, termCount, after)
    }
    postings.add(segment)
  }
}

/** Rosters hold the lengths too; other processes load them again. */
function updateRosters(connection: Connection): void {
  const row = connection.sql("UPDATE meta SET value = value + 1 WHERE key = 'sequence' RETURNING value").get()
  for (const { id } of connection.sql('SELECT id FROM document').all()) {
    rewriteRoster(connection, Number(id), Number(row?.value))
  }
}
