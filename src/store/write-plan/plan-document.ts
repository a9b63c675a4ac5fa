import { findQuoting, withoutContext } from '../context-in-embed-text.ts'
import type { DocumentWrite } from '../memory-store.ts'
import { toStorableContent } from '../storable-text.ts'
import { stateOfNew } from '../vital-signs.ts'
import type { DraftPlace } from './draft.ts'

/** What of a written document is to stand, and where. */
export interface DocumentPlan {
  places: Array<Omit<DraftPlace, 'document'>>
  /** Memories that were left out because they are buried. */
  forgotten: number
  /** How many memories, counted from the beginning of the document, the part that follows leaves as they are. */
  settled: number
}

/** Lays out the memories of a write from position `from` on, without those that are buried and their words in what quotes them. */
export function planDocument(
  write: DocumentWrite,
  { from, isBuried }: { from: number; isBuried: (id: string) => boolean },
): DocumentPlan {
  const { root, path } = write.head
  const quoting = findQuoting(write.memories, isBuried)
  const kept = write.memories
    .map((one, index) => (quoting.has(index) ? { ...one, content: withoutContext(one.content) } : one))
    .filter(({ content }) => !isBuried(content.id))
  const settled = write.memories.slice(0, write.part?.settled ?? 0).filter(({ content }) => !isBuried(content.id))
  return {
    forgotten: write.memories.length - kept.length,
    settled: from + settled.length,
    places: kept.map(({ content: raw, place, cues }, index) => {
      const content = toStorableContent(raw)
      // What was read of another text is not what this one says.
      const timeZone = content.text === raw.text ? write.cueZone : undefined
      return {
        content,
        place: { ...place, root, path, position: from + index },
        ...(cues && timeZone !== undefined && { read: { timeZone, cues } }),
        ...(write.agedAtMs !== undefined && {
          state: stateOfNew(content, { ...place, path }, write.agedAtMs),
        }),
      }
    }),
  }
}
