import { followChange, type MemoryChange } from '../../relationships/follow-edits.ts'
import type { SettledDraft } from '../../write-plan/draft.ts'
import { sortOutcomes } from '../../write-plan/sort-outcomes.ts'
import type { Connection } from '../connection.ts'
import type { Names } from '../rows.ts'
import { SqliteRows } from './sqlite-rows.ts'

/** Lets relationships follow what a write session did to memories; at its end, in its transaction. `documents`: those that it touched. */
export function followSession(
  parts: { connection: Connection; names: Names },
  given: { drafts: readonly SettledDraft[]; documents: Iterable<number>; isForgetting: boolean },
): void {
  const { documents, isForgetting } = given
  const change: MemoryChange = {
    ...sortOutcomes(given.drafts),
    isForgetting,
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
