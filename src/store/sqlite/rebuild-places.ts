import { REPAIR_BATCH_MEMORIES } from '../../options.ts'
import type { Connection } from './connection.ts'
import type { PostingIndex } from './posting-index.ts'
import { rewriteRoster } from './roster-parts.ts'
import type { Names } from './rows.ts'
import { raiseSequence } from './vectors.ts'
import { WriteSession } from './write-session.ts'

/**
 * Makes anew, from the places, which of them stands for each memory, how many there are, and the rosters. A memory without any
 * place is removed, unless it was remembered: then it gets its place back.
 */
export async function rebuildPlaces(parts: {
  connection: Connection
  names: Names
  postings: PostingIndex
}): Promise<void> {
  const { connection, names, postings } = parts
  await connection.write(() => placeRememberedAgain(connection))
  for (let after = 0, isDone = false; !isDone; ) {
    await connection.write(() => {
      const rows = connection
        .sql('SELECT ordinal FROM memory WHERE ordinal > ? ORDER BY ordinal LIMIT ?')
        .all(after, REPAIR_BATCH_MEMORIES)
      isDone = rows.length === 0
      after = Number(rows.at(-1)?.ordinal ?? after)
      const session = new WriteSession(connection, names, postings)
      // A session that knows of memories writes where they belong, and removes what belongs nowhere.
      for (const { ordinal } of rows) session.drafts.byOrdinal(Number(ordinal))
      session.settle()
    })
  }
  await connection.write(() => rewriteRosters(connection))
}

function placeRememberedAgain(connection: Connection): void {
  connection
    .sql(
      `INSERT OR IGNORE INTO place (document, position, ordinal, occurred_ms, detail, variant)
       SELECT m.document, 0, m.ordinal, NULL, ?, NULL FROM memory m
       JOIN document d ON d.id = m.document AND d.is_remembered = 1
       WHERE NOT EXISTS (SELECT 1 FROM place p WHERE p.ordinal = m.ordinal)`,
    )
    .run(JSON.stringify({ startLine: 1, endLine: 1 }))
}

function rewriteRosters(connection: Connection): void {
  const sequence = raiseSequence(connection)
  connection.exec(`
    DELETE FROM roster WHERE document NOT IN (SELECT id FROM document);
    UPDATE document SET memory_count = (SELECT count(*) FROM place WHERE document = document.id)
  `)
  for (const { id } of connection.sql('SELECT id FROM document').all()) rewriteRoster(connection, Number(id), sequence)
}
