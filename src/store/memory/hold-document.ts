import type { MemoryContent } from '../../model/memory.ts'
import type { Occurrence } from '../canonical-place.ts'
import { findQuoting, withoutContext } from '../context-in-embed-text.ts'
import type { DocumentWrite, Tombstone } from '../memory-store.ts'
import { toStorableContent } from '../storable-text.ts'
import { heldBefore } from '../write-plan/held-before.ts'
import { documentKey, type HeldDocument } from './corpus.ts'
import { moveToEnd, startOfPart } from './place-parts.ts'

interface Holding {
  documents: ReadonlyMap<string, HeldDocument>
  /** Whether the writer's tenant has forgotten the memory or document of this key. */
  isForgotten: (kind: Tombstone['kind'], key: string) => boolean
  now: Date | undefined
}

/** What a document is after a write, what was forgotten left out; null where it was forgotten as a whole. Counts what it leaves out and what it finds again. */
export function holdDocument(
  write: DocumentWrite,
  { documents, isForgotten, now }: Holding,
  tally: { duplicates: number; forgotten: number },
): HeldDocument | null {
  const { head, part } = write
  const key = documentKey(head)
  if (isForgotten('document', key)) {
    tally.forgotten += write.memories.length
    return null
  }
  const known = documents.get(key)
  const from = startOfPart(write, known)
  const isKept = ({ content }: { content: MemoryContent }): boolean => !isForgotten('memory', content.id)
  const quoting = findQuoting(write.memories, (id) => isForgotten('memory', id))
  const kept = write.memories
    .map((one, index) => (quoting.has(index) ? { ...one, content: withoutContext(one.content) } : one))
    .filter(isKept)
  tally.forgotten += write.memories.length - kept.length
  const before = known?.occurrences ?? []
  const end = (part?.isLast ?? true) ? Number.POSITIVE_INFINITY : from + kept.length
  const occurrences = before.filter(({ place: { position } }) => position < from || position >= end)
  const elsewhere = new Set(occurrences.map(({ content }) => content.id))
  for (const [other, document] of documents) {
    if (other !== key) for (const { content } of document.occurrences) elsewhere.add(content.id)
  }
  const replaced = before.filter(({ place: { position } }) => position >= from && position < end)
  const isHeldAgain = heldBefore(replaced.map(({ content }) => content.id))
  const written = kept.map(({ content, place }, index): Occurrence => {
    if (!isHeldAgain(content.id) && elsewhere.has(content.id)) tally.duplicates += 1
    elsewhere.add(content.id)
    return {
      content: toStorableContent(content),
      place: { ...place, root: head.root, path: head.path, position: from + index },
    }
  })
  occurrences.push(...written)
  if (Number.isFinite(end)) occurrences.push(...moveToEnd(before, occurrences))
  occurrences.sort((a, b) => a.place.position - b.place.position)
  const record = {
    root: head.root,
    path: head.path,
    tenant: head.scope.tenant,
    contentHash: head.contentHash,
    fingerprint: write.fingerprint,
    chunkerVersion: write.chunkerVersion,
    indexedAtMs: now?.getTime() ?? 0,
    memoryCount: occurrences.length,
  }
  const settled = write.memories.slice(0, part?.settled ?? 0).filter(isKept).length
  return {
    record: { ...record, ...(part?.isLast === false && { isPartial: true }) },
    tenant: head.scope.tenant,
    occurrences,
    isRemembered: false,
    ...(part && { reading: { cursor: part.cursor, settled: from + settled } }),
  }
}
