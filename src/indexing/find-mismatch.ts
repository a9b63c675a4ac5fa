import type { EmbeddingProvider } from '../embedding/embedding-provider.ts'
import { MadeleineError } from '../errors.ts'
import type { MemoryStore } from '../store/memory-store.ts'

/**
 * Why the vectors that the model gives now cannot be compared with those of its identity in the store (they have other
 * dimensions), or null. Asks the model for one vector; rejects as the model does.
 */
export async function findMismatch(
  store: MemoryStore,
  provider: EmbeddingProvider,
  options: { signal?: AbortSignal } = {},
): Promise<string | null> {
  const { identity } = provider
  const { embedded } = await store.counts()
  if (!embedded[identity]) return null
  const vectors = (await provider.embedQueries(['memory'], options)).filter(({ length }) => length > 0)
  try {
    await store.findCandidates({ terms: [], vectors, identity, filter: { viewer: { tenant: '' } }, limit: 1 })
    return null
  } catch (error) {
    if (error instanceof MadeleineError && error.code === 'INVALID_OPTION') return error.message
    throw error
  }
}
