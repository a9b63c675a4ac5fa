import type { EmbeddingProvider } from '../embedding/embedding-provider.ts'
import { QUERY_VECTOR_CACHE } from '../options.ts'

/** Vectors of queries, the recent ones kept: asking the same twice, or using the last prompt as context, costs no inference. */
export interface QueryVectors {
  readonly identity: string
  /** Vectors in order; unknown texts go to the provider in one call. Rejects as the provider does. */
  get(texts: readonly string[]): Promise<Float32Array[]>
}

/** Keeps the last QUERY_VECTOR_CACHE query vectors of a provider in memory. */
export function createQueryVectors(provider: EmbeddingProvider): QueryVectors {
  const cache = new Map<string, Float32Array>()
  return {
    get identity() {
      return provider.identity
    },
    async get(texts) {
      const unknown = [...new Set(texts)].filter((text) => !cache.has(text))
      const found = new Map(
        texts.flatMap((text) => {
          const vector = cache.get(text)
          return vector ? [[text, vector] as const] : []
        }),
      )
      if (unknown.length > 0) {
        const vectors = await provider.embedQueries(unknown)
        for (const [index, text] of unknown.entries()) {
          const vector = vectors[index]
          // A query that the model cannot represent has a vector of length 0: nothing to search with.
          if (!vector || vector.length === 0) continue
          found.set(text, vector)
          cache.set(text, vector)
        }
      }
      for (const text of texts) {
        const vector = cache.get(text)
        if (!vector) continue
        cache.delete(text)
        cache.set(text, vector)
      }
      for (const oldest of cache.keys()) {
        if (cache.size <= QUERY_VECTOR_CACHE) break
        cache.delete(oldest)
      }
      return texts.flatMap((text) => found.get(text) ?? [])
    },
  }
}
