import { MadeleineError } from '../errors.ts'
import type { Degraded } from '../model/search.ts'
import type { CandidateQuery, CandidateSet, MemoryStore } from '../store/memory-store.ts'

/**
 * The store's candidates. Where it cannot compare the query's vectors with those it holds (the model behind a name changed
 * its dimensions), those of the keywords, and why it is so. Rejects as the store does otherwise.
 */
export async function findCandidates(
  store: MemoryStore,
  query: CandidateQuery,
): Promise<{ set: CandidateSet; degraded: Degraded[] }> {
  try {
    return { set: await store.findCandidates(query), degraded: [] }
  } catch (error) {
    const isOfVectors = query.vectors.length > 0 && error instanceof MadeleineError && error.code === 'INVALID_OPTION'
    if (!isOfVectors) throw error
    const reason = `${error.message}: keywords only; check the model, or run "madeleine index --full" to embed anew`
    return {
      set: await store.findCandidates({ ...query, vectors: [] }),
      degraded: [{ part: 'vector-dimensions', reason }],
    }
  }
}
