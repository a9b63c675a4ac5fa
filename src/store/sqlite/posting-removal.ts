import { packEntries } from '../keyword-index/posting-codec.ts'
import { groupByTerm, type RemovedMemory, withoutGone, withoutGoneOnPage } from '../keyword-index/removed-memory.ts'
import type { Connection } from './connection.ts'

/**
 * Takes memories out of one segment's lists, and every word that only they held out of its pages. It looks where their
 * terms stand; when fewer entries are found there than were added (another tokenizer made the terms), it looks everywhere.
 */
export function removeFromSegment(connection: Connection, segment: number, memories: readonly RemovedMemory[]): void {
  const gone = new Set(memories.map(({ ordinal }) => ordinal))
  const holders = groupByTerm(memories)
  const wanted = memories.reduce((sum, { termCount }) => sum + termCount, 0)
  const pages = new Map<string, Uint8Array>()
  const findPage = connection.sql(
    'SELECT term, data FROM posting_page WHERE segment = ? AND term <= ? ORDER BY term DESC LIMIT 1',
  )
  let removed = 0
  const hasBlocks = connection.sql('SELECT 1 FROM posting_block WHERE segment = ? AND term = ? LIMIT 1')
  for (const [term, ordinals] of holders) {
    if (hasBlocks.get(segment, term)) removed += removeFromBlocks(connection, { segment, term }, ordinals)
    else {
      const row = findPage.get(segment, term)
      if (row) pages.set(String(row.term), row.data as Uint8Array)
    }
  }
  for (const [key, data] of pages) removed += removeFromPage(connection, { segment, key, data }, gone)
  if (removed < wanted) sweep(connection, segment, gone)
}

function sweep(connection: Connection, segment: number, gone: ReadonlySet<number>): void {
  for (const row of connection.sql('SELECT term, data FROM posting_page WHERE segment = ?').all(segment)) {
    removeFromPage(connection, { segment, key: String(row.term), data: row.data as Uint8Array }, gone)
  }
  for (const { term } of connection.sql('SELECT DISTINCT term FROM posting_block WHERE segment = ?').all(segment)) {
    removeFromBlocks(connection, { segment, term: String(term) }, [...gone])
  }
}

/** Returns how many entries were removed. */
function removeFromPage(
  connection: Connection,
  page: { segment: number; key: string; data: Uint8Array },
  gone: ReadonlySet<number>,
): number {
  const { removed, pages } = withoutGoneOnPage(page.data, gone)
  if (removed === 0) return 0
  // The key is a word too: the page gets the first word that is left.
  connection.sql('DELETE FROM posting_page WHERE segment = ? AND term = ?').run(page.segment, page.key)
  const insert = connection.sql('INSERT INTO posting_page (segment, term, data) VALUES (?, ?, ?)')
  for (const { term, data } of pages) insert.run(page.segment, term, data)
  return removed
}

/** Returns how many entries were removed from the blocks of a long list. */
function removeFromBlocks(
  connection: Connection,
  { segment, term }: { segment: number; term: string },
  ordinals: readonly number[],
): number {
  const gone = new Set(ordinals)
  const find = connection.sql(
    'SELECT first, data FROM posting_block WHERE segment = ? AND term = ? AND first <= ? ORDER BY first DESC LIMIT 1',
  )
  const blocks = new Map<number, Uint8Array>()
  for (const ordinal of ordinals) {
    const row = find.get(segment, term, ordinal)
    if (!row) continue
    blocks.set(Number(row.first), row.data as Uint8Array)
  }
  let removed = 0
  for (const [first, data] of blocks) {
    const { left, count } = withoutGone(data, gone)
    removed += count
    if (count === 0) continue
    const key = [segment, term, first] as const
    const where = 'WHERE segment = ? AND term = ? AND first = ?'
    if (left.length === 0) connection.sql(`DELETE FROM posting_block ${where}`).run(...key)
    else connection.sql(`UPDATE posting_block SET data = ? ${where}`).run(packEntries(left)[0]?.bytes ?? data, ...key)
  }
  return removed
}
