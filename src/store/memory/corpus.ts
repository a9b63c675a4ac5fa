import type { Memory, MemoryState } from '../../model/memory.ts'
import { type IndexTerms, indexTerms } from '../../text/index-terms.ts'
import { comparePlaces, compareText, type Occurrence } from '../canonical-place.ts'
import type { StoredDocument } from '../memory-store.ts'

/** A document as it was written: what all else follows from. */
export interface HeldDocument {
  record: StoredDocument
  tenant: string
  /** In order. */
  occurrences: Occurrence[]
  /** Holds one remembered memory and no file. */
  isRemembered: boolean
  /** Of one that was written in parts: where the next part goes on. */
  reading?: { cursor: string; settled: number }
}

/** A memory with all its places, the canonical one first. */
export interface HeldMemory {
  memory: Memory
  occurrences: Occurrence[]
  terms: IndexTerms
}

/** Everything that is derived from the documents: the memories, and in which order they stand in their canonical documents. */
export interface Corpus {
  memories: Map<string, HeldMemory>
  /** Key of a document → ids whose canonical place is in it, in order. */
  sequences: Map<string, string[]>
}

export function documentKey(key: { root: string; path: string }): string {
  return `${key.root}\0${key.path}`
}

export interface AccessRecord {
  count: number
  last: string
}

/** Reads the memories off the documents. */
export function deriveCorpus(
  documents: Iterable<HeldDocument>,
  accesses: ReadonlyMap<string, AccessRecord>,
  states: ReadonlyMap<string, MemoryState>,
): Corpus {
  const byId = new Map<string, Occurrence[]>()
  for (const document of documents) {
    for (const occurrence of document.occurrences) {
      const known = byId.get(occurrence.content.id)
      if (known) known.push(occurrence)
      else byId.set(occurrence.content.id, [occurrence])
    }
  }
  const memories = new Map<string, HeldMemory>()
  for (const [id, occurrences] of byId) {
    occurrences.sort(comparePlaces)
    const [canonical] = occurrences
    if (canonical) {
      memories.set(
        id,
        holdMemory(canonical, occurrences, { access: accesses.get(id), state: states.get(id) ?? 'active' }),
      )
    }
  }
  return { memories, sequences: findSequences(memories) }
}

function holdMemory(
  canonical: Occurrence,
  occurrences: Occurrence[],
  { access, state }: { access: AccessRecord | undefined; state: MemoryState },
): HeldMemory {
  const { content, place } = canonical
  const memory: Memory = {
    ...content,
    place,
    placeCount: occurrences.length,
    state,
    accessCount: access?.count ?? 0,
    ...(access && { lastAccess: access.last }),
  }
  return { memory, occurrences, terms: indexTerms(content, place.path) }
}

function findSequences(memories: ReadonlyMap<string, HeldMemory>): Map<string, string[]> {
  const sequences = new Map<string, string[]>()
  const ordered = [...memories.values()].sort(
    ({ memory: a }, { memory: b }) => a.place.position - b.place.position || compareText(a.id, b.id),
  )
  for (const { memory } of ordered) {
    const key = documentKey(memory.place)
    const sequence = sequences.get(key)
    if (sequence) sequence.push(memory.id)
    else sequences.set(key, [memory.id])
  }
  return sequences
}
