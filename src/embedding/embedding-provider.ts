/** Vectors of a text's words side by side, `dimensions` numbers each: unit length times 127, rounded. */
export type TokenVectors = Int8Array

/** A text to embed, and from which character on it speaks for itself: what is before is its context. */
export interface TextInContext {
  text: string
  /** UTF-16 units, 0 to the text's length. */
  ownFrom: number
}

/** A text's vectors as `embedDocuments` gives them, and those of its words; both may be empty. */
export interface EmbeddedText {
  windows: Float32Array[]
  tokens: TokenVectors
}

/** A query's vector as `embedQueries` gives it, those of its words, and how much each of them counts (> 0). */
export interface EmbeddedQuery {
  vector: Float32Array
  tokens: TokenVectors
  weights: Float32Array
}

/**
 * Embeds texts with the vectors of their words (Khattab & Zaharia 2020, late interaction): each as the model reads it in its
 * place, of the own words only. Rejects and orders as the provider does; a long text may have fewer vectors than words.
 */
export interface TokenEmbedder {
  /** Numbers of one word's vector. */
  readonly dimensions: number
  embedDocuments(texts: readonly TextInContext[], options?: { signal?: AbortSignal }): Promise<EmbeddedText[]>
  embedQueries(texts: readonly string[], options?: { signal?: AbortSignal }): Promise<EmbeddedQuery[]>
}

/**
 * Turns text into vectors.
 *
 * Contract:
 * - Vectors are finite, of `dimensions` numbers and of unit length; a text that the model gives none for (a zero or
 *   NaN vector, a refusal) yields an empty list, never a bad vector and never a part of its windows.
 * - `embedDocuments` returns one list per text, in order. A text longer than the model reads is embedded in
 *   windows: every character lies inside some window, and the list has one vector for each.
 * - `embedQueries` returns one vector per text, in order; what exceeds the model's window is cut. A query that the model
 *   cannot represent gets a vector of length 0.
 * - Both may reject with `EMBEDDING_UNAVAILABLE`; retries, rate limits and batching happen inside. Once `signal` is
 *   aborted they reject with `INTERRUPTED`.
 * - `dimensions` may be 0 until the first vector, where only the model's answer tells.
 * - `identity` changes whenever vectors of the old and the new kind must not be compared (model, dimensions,
 *   prefixes, windowing, quantisation).
 * - `close` ends workers and connections; it may be called twice.
 */
export interface EmbeddingProvider {
  /** Where the model also tells the parts of a text apart: what late interaction compares. Part of `identity`. */
  readonly tokens?: TokenEmbedder
  readonly identity: string
  readonly dimensions: number
  /** Texts a call that make good use of the provider. */
  readonly batchSize: number
  /**
   * Whether an empty list says that the model can never represent the text (its tokenizer leaves nothing of it). Without
   * it the attempt has failed: the text stays pending and is tried again, unless it is blank.
   */
  readonly emptyIsFinal?: boolean
  /**
   * Whether the model was made to read a text: of what it was not, it tells no meaning, and a query is better searched by its words
   * alone. Without it every text is read.
   */
  reads?(text: string): boolean
  embedDocuments(texts: readonly string[], options?: { signal?: AbortSignal }): Promise<Float32Array[][]>
  embedQueries(texts: readonly string[], options?: { signal?: AbortSignal }): Promise<Float32Array[]>
  close(): Promise<void>
}
