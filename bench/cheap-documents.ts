import type { EmbeddingProvider } from '../src/index.ts'
import { tokenize } from '../src/text/tokenize.ts'

/**
 * Answers documents without a model: words hashed into the vector's numbers, unit length. Queries go to `inner`, so that a recall
 * pays what it really costs, and ten thousand texts cost seconds to prepare. Cosines between the two mean nothing.
 */
export function embedDocumentsCheaply(inner: EmbeddingProvider): EmbeddingProvider {
  return {
    identity: `${inner.identity}/cheap-documents`,
    dimensions: inner.dimensions,
    batchSize: inner.batchSize,
    embedDocuments: async (texts) => texts.map((text) => hashWords(text, inner.dimensions)),
    embedQueries: (texts, options) => inner.embedQueries(texts, options),
    close: () => inner.close(),
  }
}

function hashWords(text: string, dimensions: number): Float32Array[] {
  const vector = new Float32Array(dimensions)
  for (const { term } of tokenize(text)) {
    const hash = hashOf(term)
    const index = hash % dimensions
    vector[index] = (vector[index] ?? 0) + (hash & 0x10000 ? 1 : -1)
  }
  const length = Math.hypot(...vector)
  return length === 0 ? [] : [vector.map((value) => value / length)]
}

/** FNV-1a, 32 bits. */
function hashOf(term: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < term.length; i++) hash = Math.imul(hash ^ term.charCodeAt(i), 0x01000193)
  return hash >>> 0
}
