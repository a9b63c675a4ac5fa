import { alters } from '../../relationships/alters.ts'
import { followChange, type MemoryChange } from '../../relationships/follow-edits.ts'
import type { Draft, DraftPlace } from '../../write-plan/draft.ts'
import type { Connection } from '../connection.ts'
import type { Names } from '../rows.ts'
import { SqliteRows } from './sqlite-rows.ts'

interface Outcome extends Draft {
  canonical: DraftPlace | undefined
  ordinal: number
}

/** Lets relationships follow what a write session did to memories; at its end, in its transaction. `documents`: those that it touched. */
export function followSession(
  parts: { connection: Connection; names: Names },
  given: { drafts: readonly Outcome[]; documents: Iterable<number>; isForgetting: boolean },
): void {
  const added: string[] = []
  const removed: string[] = []
  const changed: string[] = []
  const reworded: string[] = []
  const unlinked: string[] = []
  for (const { id, stored, canonical, ordinal } of given.drafts) {
    if (!canonical) {
      if (stored) removed.push(id)
      continue
    }
    const isAltered = stored !== null && alters(stored.content, canonical.content)
    if (stored && !isAltered && stored.ordinal === ordinal) continue
    if (!stored) added.push(id)
    else if (isAltered) changed.push(id)
    if (stored && stored.content.text !== canonical.content.text) reworded.push(id)
    unlinked.push(id)
  }
  const { documents, isForgetting } = given
  const change: MemoryChange = {
    ...{ added, removed, changed, reworded, unlinked, isForgetting },
    documents: describeDocuments(parts.connection, documents),
  }
  followChange(new SqliteRows(parts), change)
}

function* describeDocuments(
  connection: Connection,
  numbers: Iterable<number>,
): Generator<{ root: string; path: string; isPartial: boolean }> {
  const find = connection.sql(
    'SELECT d.root, d.path, r.is_partial FROM document d LEFT JOIN reading r ON r.document = d.id WHERE d.id = ?',
  )
  for (const number of numbers) {
    const row = find.get(number)
    if (row) yield { root: String(row.root), path: String(row.path), isPartial: row.is_partial === 1 }
  }
}
