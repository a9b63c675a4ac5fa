import type { EmbeddingProvider } from '../src/index.ts'
import { hashedWords } from '../src/testing/fake-embedding-provider.ts'

/**
 * Answers documents without a model: words hashed into the vector's numbers, unit length. Queries go to `inner`, so that a recall
 * pays what it really costs, and ten thousand texts cost seconds to prepare. Cosines between the two mean nothing.
 */
export function embedDocumentsCheaply(inner: EmbeddingProvider): EmbeddingProvider {
  return {
    identity: `${inner.identity}/cheap-documents`,
    dimensions: inner.dimensions,
    batchSize: inner.batchSize,
    embedDocuments: async (texts) => texts.map((text) => toWindows(hashedWords(text, inner.dimensions))),
    embedQueries: (texts, options) => inner.embedQueries(texts, options),
    close: () => inner.close(),
  }
}

function toWindows(vector: Float32Array): Float32Array[] {
  const length = Math.hypot(...vector)
  return length === 0 ? [] : [vector.map((value) => value / length)]
}
