import type { Viewer } from '../../model/search.ts'
import { compareText } from '../canonical-place.ts'
import { maySee, seesTenant } from '../memory-filter.ts'
import type { StoreCounts, StoredDocument } from '../memory-store.ts'
import { type Corpus, documentKey, type HeldDocument, type HeldMemory } from './corpus.ts'
import type { VectorShelf } from './vector-shelf.ts'

/** What is looked at for a viewer; without one, all of it. */
export interface Seen {
  corpus: Corpus
  documents: Iterable<HeldDocument>
  viewer: Viewer | undefined
}

/** Documents that stand for files, by root and path; for a viewer those that hold something that they may see. */
export function listVisibleDocuments({ corpus, documents, viewer }: Seen): StoredDocument[] {
  const occurrences = listVisible(corpus, viewer).flatMap((held) => held.occurrences)
  const visible = new Set(occurrences.map(({ place }) => documentKey(place)))
  const isVisible = (record: StoredDocument): boolean =>
    viewer === undefined || visible.has(documentKey(record)) || (seesTenant(viewer) && record.tenant === viewer.tenant)
  return [...documents]
    .flatMap(({ isRemembered, record }) => (isRemembered || !isVisible(record) ? [] : { ...record }))
    .sort((a, b) => compareText(a.root, b.root) || compareText(a.path, b.path))
}

/** Counts of what a viewer may see. */
export function countVisible(seen: Seen, vectors: VectorShelf, wantedIdentity?: string): StoreCounts {
  const memories = listVisible(seen.corpus, seen.viewer)
  return {
    documents: listVisibleDocuments(seen).length,
    memories: memories.length,
    places: memories.reduce((sum, { occurrences }) => sum + occurrences.length, 0),
    embedded: vectors.count(memories.map(({ memory }) => memory.id)),
    pending:
      wantedIdentity === undefined
        ? 0
        : memories.filter(({ memory }) => !vectors.isDone(memory.id, wantedIdentity)).length,
  }
}

function listVisible({ memories }: Corpus, viewer: Viewer | undefined): HeldMemory[] {
  const all = [...memories.values()]
  return viewer ? all.filter(({ memory }) => maySee(viewer, memory.scope)) : all
}
