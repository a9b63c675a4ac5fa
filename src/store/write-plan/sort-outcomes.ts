import { alters } from '../relationships/alters.ts'
import type { MemoryChange } from '../relationships/follow-edits.ts'
import type { SettledDraft } from './draft.ts'

/** What a write did to memories, by id, as relationships look at it. */
export function sortOutcomes(
  drafts: ReadonlyArray<Pick<SettledDraft, 'id' | 'stored' | 'canonical' | 'ordinal'>>,
): Pick<MemoryChange, 'added' | 'removed' | 'changed' | 'reworded' | 'unlinked'> {
  const added: string[] = []
  const removed: string[] = []
  const changed: string[] = []
  const reworded: string[] = []
  const unlinked: string[] = []
  for (const { id, stored, canonical, ordinal } of drafts) {
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
  return { added, removed, changed, reworded, unlinked }
}
