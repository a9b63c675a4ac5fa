import { BM25_B, BM25_K1 } from '../../options.ts'

/**
 * BM25 of bodies of text for a query, written down as the formula stands and sharing nothing with the stores: each body
 * is a list of words, of which `idfOver` decides how rare a word is.
 */
export function bm25ByHand(
  bodies: ReadonlyArray<readonly string[]>,
  query: readonly string[],
  idfOver: ReadonlyArray<readonly string[]> = bodies,
): number[] {
  const averageLength = bodies.reduce((sum, words) => sum + words.length, 0) / bodies.length
  return bodies.map((words) => {
    let score = 0
    for (const term of query) {
      const tf = words.filter((word) => word === term).length
      const df = idfOver.filter((other) => other.includes(term)).length
      const idf = Math.log(1 + (idfOver.length - df + 0.5) / (df + 0.5))
      const norm = BM25_K1 * (1 - BM25_B + (BM25_B * words.length) / averageLength)
      score += (idf * tf * (BM25_K1 + 1)) / (tf + norm)
    }
    return score
  })
}
