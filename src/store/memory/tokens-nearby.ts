import type { TokensNearby } from '../memory-store.ts'
import { type Corpus, documentKey, type HeldDocument } from './corpus.ts'
import type { VectorShelf } from './vector-shelf.ts'

/** Word vectors of memories and of those around them in the documents of their canonical places. */
export function findTokensNearby(
  {
    corpus,
    documents,
    vectors,
  }: { corpus: Corpus; documents: ReadonlyMap<string, HeldDocument>; vectors: VectorShelf },
  { identity, ids, before, after }: { identity: string; ids: readonly string[]; before: number; after: number },
): Map<string, TokensNearby[]> {
  const found = new Map<string, TokensNearby[]>()
  for (const id of new Set(ids)) {
    const place = corpus.memories.get(id)?.memory.place
    if (!place) continue
    const list = (documents.get(documentKey(place))?.occurrences ?? []).flatMap((other): TokensNearby[] => {
      const offset = other.place.position - place.position
      const held = vectors.byId.get(other.content.id)
      if (offset < -before || offset > after || held?.identity !== identity || !held.tokens?.length) return []
      return [{ offset, tokens: held.tokens }]
    })
    if (list.length > 0) found.set(id, list)
  }
  return found
}
