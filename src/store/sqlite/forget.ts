import { MadeleineError } from '../../errors.ts'
import { MAX_TURN_PIECES } from '../../options.ts'
import { findQuoting, withoutContext } from '../context-in-embed-text.ts'
import { findLost, forgetMemories } from '../relationships/follow-edits.ts'
import type { Connection } from './connection.ts'
import { dropDocument, findDocument, leaveExcess } from './documents.ts'
import { forgetCursors } from './readings.ts'
import type { Buried } from './tombstones.ts'
import type { WriteSession } from './write-session.ts'

/**
 * Removes memories and documents from every index and buries them. Of a document, what stands in another one too
 * stays there; what does not is buried by its id as well, so that the file's next name does not bring it back.
 */
export function forget(
  connection: Connection,
  session: WriteSession,
  given: {
    target: { ids?: readonly string[]; documents?: ReadonlyArray<{ root: string; path: string }> }
    now: Date
  },
): string[] {
  const { ids = [], documents = [] } = given.target
  const emptied = documents.flatMap((key) => {
    const document = findDocument(connection, key)
    if (!document) return []
    buryDocument(connection, key, given.now)
    session.leaveDocument(document.number)
    return [document.number]
  })
  for (const id of ids) {
    const draft = session.drafts.byId(id)
    if (draft.stored) forgetCursors(connection, draft.stored.ordinal)
    for (const { document, place } of draft.places)
      dropQuotes(connection, session, { ids, document, from: place.position })
    session.leaveEverywhere(draft)
  }
  const removed = settleForgotten(connection, session, given.now)
  forgetRelationships(session, given.target)
  for (const number of emptied) dropDocument(connection, number)
  dropEmptied(connection)
  return removed
}

/** Does the same to the last memories of a document that has too many for one write. It is buried with the first of them. */
export function forgetLast(
  connection: Connection,
  session: WriteSession,
  { key, now }: { key: { root: string; path: string }; now: Date },
): string[] {
  buryDocument(connection, key, now)
  leaveExcess(connection, session, { key, end: 0 })
  return settleForgotten(connection, session, now)
}

function settleForgotten(connection: Connection, session: WriteSession, now: Date): string[] {
  const drafts = new Map(session.drafts.all().map((draft) => [draft.id, draft]))
  const { removed } = session.settle({ isForgetting: true })
  for (const id of removed) {
    const tenant = drafts.get(id)?.stored?.content.scope.tenant ?? ''
    bury(connection, { kind: 'memory', tenant, root: '', key: id }, now)
    connection.sql('DELETE FROM access WHERE id = ?').run(id)
  }
  forgetMemories(session.relationshipRows(), removed)
  connection.exec("UPDATE meta SET value = 1 WHERE key = 'is_log_unscrubbed'")
  return removed
}

/** Removes what is kept of memories that were gone before they were forgotten: relationships that dangle, and reviews. */
function forgetRelationships(
  session: WriteSession,
  { ids = [], documents = [] }: { ids?: readonly string[]; documents?: ReadonlyArray<{ root: string; path: string }> },
): void {
  const rows = session.relationshipRows()
  const lost = documents.flatMap((key) => findLost(rows, key))
  forgetMemories(rows, [...ids.filter((id) => !rows.memory(id)), ...lost])
}

function buryDocument(connection: Connection, { root, path }: { root: string; path: string }, now: Date): void {
  const document = findDocument(connection, { root, path })
  if (!document || document.isRemembered) return
  bury(connection, { kind: 'document', tenant: document.tenant, root, key: path }, now)
}

function bury(connection: Connection, { kind, tenant, root, key }: Buried, now: Date): void {
  connection
    .sql('INSERT OR REPLACE INTO tombstone (kind, tenant, root, key, forgotten_at) VALUES (?, ?, ?, ?, ?)')
    .run(kind, tenant, root, key, now.toISOString())
}

/** Takes the words of what is forgotten out of what the turn after it is embedded with; it waits for new vectors then. */
function dropQuotes(
  connection: Connection,
  session: WriteSession,
  { ids, document, from }: { ids: readonly string[]; document: number; from: number },
): void {
  const left = session.leavePlaces(document, from, endOfNextTurn(connection, session, { document, from }))
  left.sort((a, b) => a.place.position - b.place.position)
  const quoting = findQuoting(left, (id) => ids.includes(id))
  left.forEach((one, index) => {
    session.stand(quoting.has(index) ? { ...one, content: withoutContext(one.content) } : one)
  })
}

/** The position after the first turn of talk that follows the turn at `from`; what lies between are results of tools. */
function endOfNextTurn(
  connection: Connection,
  session: WriteSession,
  { document, from }: { document: number; from: number },
): number {
  const turns = new Set<string>()
  let end = from + 1
  const rows = connection.sql(
    'SELECT ordinal, position FROM place WHERE document = ? AND position >= ? ORDER BY position LIMIT ?',
  )
  for (const { ordinal, position } of rows.all(document, from, MAX_TURN_PIECES)) {
    const draft = session.drafts.byOrdinal(Number(ordinal))
    const { role } = draft.stored?.content ?? {}
    const here = draft.places.find((one) => one.document === document && one.place.position === Number(position))
    if (role === 'user' || role === 'assistant') turns.add(here?.place.turnId ?? draft.id)
    if (turns.size > 2) break
    end = Number(position) + 1
  }
  return end
}

/** Whether the log may still hold pages with what was forgotten. */
export function isLogUnscrubbed(connection: Connection): boolean {
  return connection.sql("SELECT value FROM meta WHERE key = 'is_log_unscrubbed'").get()?.value === 1
}

/** Takes what was forgotten out of the log too; tried again at the next opening when others are in the way. */
export async function scrubLog(connection: Connection, options: { waitMs?: number } = {}): Promise<void> {
  if (!(await connection.read(() => isLogUnscrubbed(connection)))) return
  if (!(await connection.truncateLog(options))) return
  try {
    await connection.write(() => connection.exec("UPDATE meta SET value = 0 WHERE key = 'is_log_unscrubbed'"), options)
  } catch (error) {
    // The log is clean; the mark is only taken away later.
    if (!(error instanceof MadeleineError && error.code === 'STORE_BUSY')) throw error
  }
}

/** Corrects the counts of documents that lost memories; drops remembered ones that are empty, and scopes of nobody. */
function dropEmptied(connection: Connection): void {
  connection.exec(`
    UPDATE document SET memory_count = (SELECT count(*) FROM place WHERE document = document.id)
      WHERE memory_count <> (SELECT count(*) FROM place WHERE document = document.id);
    DELETE FROM document WHERE is_remembered = 1 AND memory_count = 0;
    DELETE FROM scope WHERE id NOT IN (SELECT scope FROM memory);
  `)
}
