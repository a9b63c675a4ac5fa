import { CHARACTER_WEIGHTS, MAX_QUERY_TOKENS } from '../../options.ts'
import { FIRST_WORD_ID, HIDDEN, TOKEN_DIMENSIONS } from './model-shape.ts'
import { readTokenBasis } from './token-basis.ts'

const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u
const SPECIAL = /^\[.*\]$/

/** Token vectors of windows that were encoded together: count for each window, vectors side by side. */
export interface WindowTokens {
  counts: Uint16Array
  vectors: Int8Array
}

/** Collects the vectors of the tokens that say something, in few dimensions. */
export class TokenReader {
  readonly #basis = readTokenBasis()
  /** By id: 1 where the piece holds a letter or a digit. */
  readonly #isWord: Uint8Array

  constructor(vocabulary: readonly string[]) {
    this.#isWord = Uint8Array.from(vocabulary, (piece) => (LETTER_OR_DIGIT.test(piece) && !SPECIAL.test(piece) ? 1 : 0))
  }

  /** Whether the vector of an id is kept. */
  isKept(id: number): boolean {
    return this.#isWord[id] === 1
  }

  /** A vector of the model in the few dimensions: unit length times 127, rounded. Zero where nothing of it lies there. */
  project(vector: Float32Array, target: Int8Array): void {
    const reduced = new Float32Array(TOKEN_DIMENSIONS)
    let squares = 0
    for (let row = 0; row < TOKEN_DIMENSIONS; row += 1) {
      const start = row * HIDDEN
      let sum = 0
      for (let at = 0; at < HIDDEN; at += 1) sum += (this.#basis[start + at] ?? 0) * (vector[at] ?? 0)
      reduced[row] = sum
      squares += sum * sum
    }
    const factor = squares > 0 ? 127 / Math.sqrt(squares) : 0
    for (let row = 0; row < TOKEN_DIMENSIONS; row += 1) target[row] = Math.round((reduced[row] ?? 0) * factor)
  }
}

/** How much a token of a query counts: its place in a vocabulary that is ordered by frequency stands for its rarity. */
export function weighToken(id: number, piece: string): number {
  if (id >= FIRST_WORD_ID) return Math.log(2 + id - FIRST_WORD_ID)
  // A single letter or digit of Latin script says little; one of Han or Kana is a word.
  return piece.length === 1 && piece <= '\u007f' ? CHARACTER_WEIGHTS.latin : CHARACTER_WEIGHTS.other
}

/** The positions of a query's tokens that count most, in their order. */
export function chooseQueryTokens(weights: readonly number[]): number[] {
  return [...weights.keys()]
    .sort((a, b) => (weights[b] ?? 0) - (weights[a] ?? 0) || a - b)
    .slice(0, MAX_QUERY_TOKENS)
    .sort((a, b) => a - b)
}

/** At most `limit` vectors of a text: runs of neighbours give way to their mean, of unit length again. */
export function poolTokens(vectors: Int8Array, limit: number): Int8Array {
  const count = vectors.length / TOKEN_DIMENSIONS
  if (count <= limit) return vectors
  const run = Math.ceil(count / limit)
  const pooled = new Int8Array(Math.ceil(count / run) * TOKEN_DIMENSIONS)
  for (let first = 0; first < count; first += run) {
    const sums = new Float32Array(TOKEN_DIMENSIONS)
    for (let token = first; token < Math.min(count, first + run); token += 1) {
      for (let at = 0; at < TOKEN_DIMENSIONS; at += 1) {
        sums[at] = (sums[at] ?? 0) + (vectors[token * TOKEN_DIMENSIONS + at] ?? 0)
      }
    }
    const length = Math.hypot(...sums)
    const target = (first / run) * TOKEN_DIMENSIONS
    sums.forEach((sum, at) => {
      pooled[target + at] = length > 0 ? Math.round((sum / length) * 127) : 0
    })
  }
  return pooled
}
