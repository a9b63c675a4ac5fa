import type { WordQuery, WordsMet } from '../memory-store.ts'
import { createTokenScan } from '../vector-scan/token-scan.ts'
import { type Corpus, documentKey, type HeldDocument } from './corpus.ts'
import type { VectorShelf } from './vector-shelf.ts'

const scan = createTokenScan({ noNative: true })

/** How memories and those around them in the documents of their canonical places meet the words of a query. */
export function compareNearby(
  {
    corpus,
    documents,
    vectors,
  }: { corpus: Corpus; documents: ReadonlyMap<string, HeldDocument>; vectors: VectorShelf },
  { query, ids, before, after }: { query: WordQuery; ids: readonly string[]; before: number; after: number },
): Map<string, WordsMet[]> {
  const found = new Map<string, WordsMet[]>()
  for (const id of new Set(ids)) {
    const place = corpus.memories.get(id)?.memory.place
    if (!place) continue
    const list = (documents.get(documentKey(place))?.occurrences ?? []).flatMap((other): WordsMet[] => {
      const offset = other.place.position - place.position
      const held = vectors.byId.get(other.content.id)
      if (offset < -before || offset > after || held?.identity !== query.identity || !held.tokens?.length) return []
      const [best] = scan(query, [held.tokens])
      return best ? [{ offset, best }] : []
    })
    if (list.length > 0) found.set(id, list)
  }
  return found
}
