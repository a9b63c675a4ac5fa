import type { TokenEmbedder } from '../src/embedding/embedding-provider.ts'
import type { EmbeddingProvider } from '../src/index.ts'
import { MAX_TOKEN_VECTORS } from '../src/options.ts'
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
    ...(inner.tokens && { tokens: makeTokens(inner, inner.tokens) }),
    close: () => inner.close(),
  }
}

/** As many word vectors as a real text of that length has, up to what is kept; of no meaning either. */
function makeTokens(inner: EmbeddingProvider, embedder: TokenEmbedder): TokenEmbedder {
  return {
    dimensions: embedder.dimensions,
    embedQueries: (texts, options) => embedder.embedQueries(texts, options),
    embedDocuments: async (texts) =>
      texts.map(({ text }) => ({
        windows: toWindows(hashedWords(text, inner.dimensions)),
        tokens: Int8Array.from(
          { length: Math.min(MAX_TOKEN_VECTORS, text.split(/\s+/).length) * embedder.dimensions },
          (_, at) => ((text.charCodeAt(at % text.length) * 31 + at * 17) % 37) - 18,
        ),
      })),
  }
}

function toWindows(vector: Float32Array): Float32Array[] {
  const length = Math.hypot(...vector)
  return length === 0 ? [] : [vector.map((value) => value / length)]
}
