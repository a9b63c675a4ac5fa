import type { MemoryContent } from '../../model/memory.ts'
import { sha256 } from '../../text/hash.ts'
import { indexTerms } from '../../text/index-terms.ts'
import type { Connection } from './connection.ts'
import type { PostingIndex } from './posting-index.ts'
import { rewriteRoster } from './roster-parts.ts'
import { unpackDetail } from './rows.ts'

/** Memories of one segment of a rebuilt index. */
const REBUILD_BATCH = 8192

/** Words of many kinds and scripts: whatever changes the terms of texts changes these. */
const SAMPLE: Pick<MemoryContent, 'text' | 'headerPath' | 'speaker'> = {
  text:
    "Running REQ-0417's backups, isn't it? Re-run req_0417 by 2026-02-08 on host-3.example.org at 10.0.0.1:8080; " +
    'hasOwnProperty parseHTTPResponse __proto__ C++ naïve Zürich Übungen straße Ελλάδα Москва 备份脚本 コーヒー ไปไหนมา हिन्दी ' +
    'مرحبا 한국어 ½ ﬁne 🦩 the and not children flies generalization hopeful',
  headerPath: ['Operations', 'Backups > nightly'],
  speaker: 'Ada O’Neil',
}

let known: string | undefined

/** Names the way in which texts become terms: a fingerprint of what comes out, so that no change of it is overlooked. */
export function indexVersion(): string {
  if (known === undefined) {
    const { frequencies, length } = indexTerms(SAMPLE, 'memory/topics/Back-ups_2026.md')
    known = sha256(JSON.stringify([[...frequencies], length]))
  }
  return known
}

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
