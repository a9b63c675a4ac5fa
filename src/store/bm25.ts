import { BM25_B, BM25_K1 } from '../options.ts'

/** How much a term tells: ln(1 + (N − df + 0.5) / (df + 0.5)) for `df` of `count` texts. Never negative. */
export function inverseDocumentFrequency(count: number, df: number): number {
  return Math.log(1 + (count - df + 0.5) / (df + 0.5))
}

/** What `tf` occurrences in a text of this length are worth, in [0, k1 + 1): more count less and less, long texts need more. */
export function saturate(tf: number, length: number, averageLength: number): number {
  return (tf * (BM25_K1 + 1)) / (tf + BM25_K1 * (1 - BM25_B + (BM25_B * length) / averageLength))
}
