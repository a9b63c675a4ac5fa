import { VECTOR_CHUNK_ROWS } from '../../options.ts'
import type { WordQuery } from '../memory-store.ts'
import { createScanKernel, type ScanKernel } from './scan-kernel.ts'

/** For each text the best cosine that each word of the query has with one of the text's words, [-1,1]. */
export type TokenScan = (query: Omit<WordQuery, 'identity'>, texts: readonly Int8Array[]) => Float32Array[]

/** Vectors of 8 bits have this length, squared. */
const UNIT_SQUARED = 127 * 127
/** The kernel takes vectors of a multiple of so many numbers. */
const LANES = 16

/** Compares word by word with the kernel that scans vectors; the same results without it. */
export function createTokenScan({ noNative = false } = {}): TokenScan {
  let known: { dimensions: number; kernel: ScanKernel } | undefined
  return (query, texts) => {
    const { dimensions } = query
    if (known?.dimensions !== dimensions) {
      const kernel = createScanKernel(dimensions, { noNative: noNative || dimensions % LANES !== 0 })
      kernel.addChunk()
      kernel.chunk(0).scales.fill(1 / UNIT_SQUARED)
      known = { dimensions, kernel }
    }
    return scanTexts(known.kernel, query, texts)
  }
}

function scanTexts(
  kernel: ScanKernel,
  query: Omit<WordQuery, 'identity'>,
  texts: readonly Int8Array[],
): Float32Array[] {
  const { dimensions, vectors } = query
  const words = vectors.length / dimensions
  const best = texts.map(() => new Float32Array(words).fill(-1))
  for (let first = 0; first < texts.length; ) {
    // As many texts as fit at once; one that does not fit alone gives what fits of it.
    const ends: number[] = []
    let rows = 0
    for (let text = first; text < texts.length; text++) {
      const tokens = texts[text] ?? new Int8Array(0)
      const count = Math.min(VECTOR_CHUNK_ROWS, Math.floor(tokens.length / dimensions))
      if (rows + count > VECTOR_CHUNK_ROWS) break
      kernel.chunk(0).codes.set(tokens.subarray(0, count * dimensions), rows * dimensions)
      rows += count
      ends.push(rows)
    }
    for (let word = 0; word < words; word++) {
      kernel.setQuery(Int16Array.from(vectors.subarray(word * dimensions, (word + 1) * dimensions)), 1)
      kernel.scan(0, rows)
      const { scores } = kernel.chunk(0)
      let row = 0
      ends.forEach((end, index) => {
        let most = -1
        for (; row < end; row++) most = Math.max(most, scores[row] ?? -1)
        const list = best[first + index]
        if (list) list[word] = most
      })
    }
    first += ends.length
  }
  return best
}
