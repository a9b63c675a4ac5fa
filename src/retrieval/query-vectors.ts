import type { EmbeddingProvider } from '../embedding/embedding-provider.ts'
import type { Degraded } from '../model/search.ts'
import { describeFailure } from '../normalize/index.ts'
import { QUERY_VECTOR_CACHE } from '../options.ts'

/** Why a query is searched by its words alone, where its model answers without a vector. */
export const NO_QUERY_VECTOR = 'the model gave no vector for this query: keywords only'

/** Vectors of queries, the recent ones kept: asking the same twice, or using the last prompt as context, costs no inference. */
export interface QueryVectors {
  readonly identity: string
  /**
   * One vector per text, in order; undefined for a text that the model cannot represent or was not made to read. Unknown texts go to the provider
   * in one call. Rejects as the provider does.
   */
  get(texts: readonly string[]): Promise<Array<Float32Array | undefined>>
  /** The vectors of a text's words, once `get` has given that of the text; undefined where the model gives none. */
  tokensOf(text: string): QueryTokens | undefined
}

/** The words of a query as late interaction compares them. */
export interface QueryTokens {
  /** Numbers of one vector. */
  dimensions: number
  /** Side by side: unit length times 127, rounded. */
  vectors: Int8Array
  /** How much each word counts, > 0. */
  weights: Float32Array
}

interface CachedQuery {
  vector: Float32Array
  tokens?: QueryTokens
}

/** Keeps the last QUERY_VECTOR_CACHE query vectors of a provider in memory. */
export function createQueryVectors(provider: EmbeddingProvider): QueryVectors {
  const cache = new Map<string, CachedQuery>()
  return {
    get identity() {
      return provider.identity
    },
    async get(texts) {
      const readable = texts.filter((text) => provider.reads?.(text) ?? true)
      const unknown = [...new Set(readable)].filter((text) => !cache.has(text))
      const fresh = unknown.length > 0 ? await embedQueries(provider, unknown) : []
      const found = new Map<string, Float32Array>()
      for (const text of readable) {
        // A query that the model cannot represent has a vector of length 0: nothing to search with.
        const query = cache.get(text) ?? fresh[unknown.indexOf(text)]
        if (!query || query.vector.length === 0) continue
        found.set(text, query.vector)
        // Deleted first, so that the map's order is the order of use.
        cache.delete(text)
        cache.set(text, query)
      }
      for (const oldest of cache.keys()) {
        if (cache.size <= QUERY_VECTOR_CACHE) break
        cache.delete(oldest)
      }
      return texts.map((text) => found.get(text))
    },
    tokensOf: (text) => cache.get(text)?.tokens,
  }
}

async function embedQueries(provider: EmbeddingProvider, texts: readonly string[]): Promise<CachedQuery[]> {
  const { tokens: embedder } = provider
  if (!embedder) return (await provider.embedQueries(texts)).map((vector) => ({ vector }))
  const { dimensions } = embedder
  return (await embedder.embedQueries(texts)).map(({ vector, tokens, weights }) => ({
    vector,
    tokens: { dimensions, vectors: tokens, weights },
  }))
}

/** The query's vector; on failure none, and the reason in `degraded`. */
export async function embedForSearch(
  vectors: QueryVectors | undefined,
  text: string,
  degraded: Degraded[],
): Promise<Float32Array[]> {
  if (!vectors || text.trim() === '') return []
  try {
    const found = (await vectors.get([text])).filter((vector) => vector !== undefined)
    if (found.length === 0) degraded.push({ part: 'vector', reason: NO_QUERY_VECTOR })
    return found
  } catch (error) {
    degraded.push({ part: 'vector', reason: `${describeFailure(error)}: keywords only` })
    return []
  }
}

/** The word vectors of a text whose vector is known, as a search takes them. */
export function tokensOf(vectors: QueryVectors, text: string): { tokens?: QueryTokens } {
  const tokens = vectors.tokensOf(text)
  return tokens && tokens.vectors.length > 0 ? { tokens } : {}
}
