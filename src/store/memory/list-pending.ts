import { compareNewestFirst, compareText, occurredMs } from '../canonical-place.ts'
import { ownStart } from '../context-in-embed-text.ts'
import type { PendingEmbedding } from '../memory-store.ts'
import type { Corpus } from './corpus.ts'
import type { VectorShelf } from './vector-shelf.ts'

/** The texts that wait for vectors of an identity: important first, then newest. */
export function listPending({ memories }: Corpus, vectors: VectorShelf, identity: string): PendingEmbedding[] {
  return [...memories.values()]
    .map(({ memory }) => memory)
    .filter(({ id }) => !vectors.isDone(id, identity))
    .sort(
      (a, b) =>
        b.importance - a.importance ||
        compareNewestFirst(occurredMs(a.place), occurredMs(b.place)) ||
        compareText(a.id, b.id),
    )
    .map(({ id, embedText, text, role }) => ({
      id,
      embedText,
      ownFrom: ownStart(embedText, text, role !== undefined),
    }))
}
