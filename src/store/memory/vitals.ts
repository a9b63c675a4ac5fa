import { formatHeader, type MemoryState } from '../../model/memory.ts'
import { compareText } from '../canonical-place.ts'
import type { DocumentWrite } from '../memory-store.ts'
import {
  factsOf,
  importanceOf,
  lossOf,
  stateOf,
  stateOfNew,
  strengthOf,
  type Vital,
  type VitalQuery,
} from '../vital-signs.ts'
import { type Corpus, documentKey, type HeldMemory } from './corpus.ts'
import { passesFilter } from './find-by-brute-force.ts'
import type { RelationshipShelf } from './relationship-shelf.ts'

/** The memories whose state is another one at a time. */
export function findStateChanges(corpus: Corpus, links: RelationshipShelf, at: Date): Map<string, MemoryState> {
  const incoming = countReferences(links)
  return new Map(
    [...corpus.memories.values()].flatMap(({ memory }) => {
      const state = stateOf(factsOf(memory, incoming.get(memory.id) ?? 0), at.getTime())
      return state === memory.state ? [] : [[memory.id, state] as const]
    }),
  )
}

/** The states that new memories have from the first, where the write that brought them names a time. */
export function findNewStates(
  corpus: Corpus,
  writes: readonly DocumentWrite[],
  added: readonly string[],
): Map<string, MemoryState> {
  const times = new Map(writes.map(({ head, agedAtMs }) => [documentKey(head), agedAtMs]))
  return new Map(
    added.flatMap((id) => {
      const memory = corpus.memories.get(id)?.memory
      const atMs = memory && times.get(documentKey(memory.place))
      return memory && atMs !== undefined ? [[id, stateOfNew(memory, memory.place, atMs)] as const] : []
    }),
  )
}

export function listVitals(
  corpus: Corpus,
  links: RelationshipShelf,
  { filter, at, statedFrom = 0, limit }: VitalQuery,
): Vital[] {
  const incoming = countReferences(links)
  return [...corpus.memories.values()]
    .filter((held) => held.memory.importance >= statedFrom && passesFilter(held, filter))
    .map((held) => toVital(held, incoming.get(held.memory.id) ?? 0, at.getTime()))
    .sort((a, b) => lossOf(b) - lossOf(a) || compareText(a.id, b.id))
    .slice(0, limit)
}

function countReferences(links: RelationshipShelf): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { targetId, relationshipType } of links.relationships.values()) {
    if (relationshipType === 'references') counts.set(targetId, (counts.get(targetId) ?? 0) + 1)
  }
  return counts
}

function toVital({ memory }: HeldMemory, incoming: number, atMs: number): Vital {
  const facts = factsOf(memory, incoming)
  const { id, category, tier, state, accessCount, lastAccess, headerPath, text } = memory
  return {
    ...{ id, path: memory.place.path, header: formatHeader(headerPath), category, tier, state, accessCount, incoming },
    importance: importanceOf(facts),
    strength: strengthOf(facts, atMs),
    size: [...text].length,
    ...(facts.occurredMs !== null && { occurredAt: new Date(facts.occurredMs).toISOString() }),
    ...(lastAccess !== undefined && { lastAccess }),
  }
}
