/** What all-MiniLM-L6-v2 is: facts of the model, not settings. */
export const HIDDEN = 384
export const LAYERS = 6
export const HEADS = 12
export const HEAD_WIDTH = 32
export const FEED_FORWARD = 1536
export const VOCABULARY = 30_522
/** Tokens that the model was trained to read at once, [CLS] and [SEP] included. */
export const MAX_TOKENS = 256
export const NORM_EPSILON = 1e-12

/** Numbers that are kept of a token's vector: the most telling directions of the model's 384 (see `token-basis.ts`). */
export const TOKEN_DIMENSIONS = 48
/** Numbers of the vocabulary from which on it holds words, the most frequent first; before it stand single characters. */
export const FIRST_WORD_ID = 1996

export const UNKNOWN_ID = 100
export const CLS_ID = 101
export const SEP_ID = 102

/** sha256 of the files that this model is made from; other files would give other vectors under the same identity. */
export const WEIGHTS_SHA256 = '6638f625a0a60bdaa1e34c5fee0a17c705f13b98b43a7973e9d366106a55273d'
export const TOKENIZER_SHA256 = 'be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037'

/** Weights of one linear step: panels of int8 (see `wasm/encoder.ts`), a scale and a bias for each column. */
export interface LinearPlace {
  weights: number
  scales: number
  biases: number
  columns: number
  depth: number
}

/** Gains and biases of one layer normalisation. */
export interface NormPlace {
  gains: number
  biases: number
}

export interface LayerPlace {
  /** Query, key and value in one step. */
  joint: LinearPlace
  attention: LinearPlace
  attentionNorm: NormPlace
  expand: LinearPlace
  contract: LinearPlace
  outputNorm: NormPlace
}

export interface EncoderPlaces {
  embeddingNorm: NormPlace
  layers: LayerPlace[]
  /** First byte behind the encoder's parameters. */
  end: number
}

/** Hands out addresses one after the other, each a multiple of 64 bytes (a cache line). */
export class Allocator {
  #next: number

  constructor(start: number) {
    this.#next = start
  }

  get next(): number {
    return this.#next
  }

  take(bytes: number): number {
    const at = this.#next
    this.#next = (at + bytes + 63) & ~63
    return at
  }
}

/** Where the encoder's parameters lie in bytes from `start`: the same in the pack and in the kernel's memory. */
export function placeEncoder(start: number): EncoderPlaces {
  const allocator = new Allocator(start)
  const norm = (): NormPlace => ({ gains: allocator.take(HIDDEN * 4), biases: allocator.take(HIDDEN * 4) })
  const linear = (columns: number, depth: number): LinearPlace => ({
    weights: allocator.take(columns * depth),
    scales: allocator.take(columns * 4),
    biases: allocator.take(columns * 4),
    columns,
    depth,
  })
  const embeddingNorm = norm()
  const layers = Array.from({ length: LAYERS }, () => ({
    joint: linear(3 * HIDDEN, HIDDEN),
    attention: linear(HIDDEN, HIDDEN),
    attentionNorm: norm(),
    expand: linear(FEED_FORWARD, HIDDEN),
    contract: linear(HIDDEN, FEED_FORWARD),
    outputNorm: norm(),
  }))
  return { embeddingNorm, layers, end: allocator.next }
}
