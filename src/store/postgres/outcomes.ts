import { noteCues } from '../noted-cues.ts'
import type { MemoryChange } from '../relationships/follow-edits.ts'
import type { SettledDraft } from '../write-plan/draft.ts'
import { sortOutcomes } from '../write-plan/sort-outcomes.ts'
import { writeCues } from './cues.ts'
import type { Transaction } from './postgres-connection.ts'

/** What a write did to memories, for the relationships. */
export async function toMemoryChange(
  tx: Transaction,
  tenant: string,
  given: { drafts: readonly SettledDraft[]; documents: Iterable<number>; isForgetting: boolean },
): Promise<MemoryChange> {
  const { drafts, documents, isForgetting } = given
  return { ...sortOutcomes(drafts), isForgetting, documents: await describeDocuments(tx, tenant, [...documents]) }
}

async function describeDocuments(
  tx: Transaction,
  tenant: string,
  numbers: readonly number[],
): Promise<Array<{ root: string; path: string; isPartial: boolean }>> {
  if (numbers.length === 0) return []
  const rows = await tx.query(
    'SELECT root, path, is_partial FROM document WHERE tenant = $1 AND number = ANY($2::integer[])',
    [tenant, numbers],
  )
  return rows.map(({ root, path, is_partial: isPartial }) => ({
    root: String(root),
    path: String(path),
    isPartial: isPartial === true,
  }))
}

/** Notes what memories say at their canonical places, in place of what was noted of them. */
export async function noteCuesOf(
  tx: Transaction,
  tenant: string,
  drafts: readonly SettledDraft[],
  timeZone: string,
): Promise<void> {
  const standing = drafts.flatMap(({ ordinal, canonical }) => (canonical ? [{ ordinal, canonical }] : []))
  await writeCues(
    tx,
    tenant,
    standing.map(({ ordinal, canonical }) => ({ ordinal, cues: noteCues(canonical, timeZone) })),
  )
}
