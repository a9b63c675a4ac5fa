/**
 * How good a ranking is, given which ids answer the question (the gold). All functions are pure; `ranked` holds
 * distinct ids, best first. A question without gold cannot be judged: the functions refuse it with a RangeError,
 * since any number for it would move an average without saying anything.
 */

/** 1 / rank of the first gold id, 0 when none is ranked. Its mean over questions is the MRR. */
export function reciprocalRank(ranked: readonly string[], gold: ReadonlySet<string>): number {
  requireGold(gold)
  const index = ranked.findIndex((id) => gold.has(id))
  return index === -1 ? 0 : 1 / (index + 1)
}

/** rK: |gold ∩ first k| / |gold|. With more gold than k it cannot reach 1. */
export function recallAt(k: number, ranked: readonly string[], gold: ReadonlySet<string>): number {
  return countHits(k, ranked, gold) / gold.size
}

/** any@k: 1 when the first k hold at least one gold id, else 0. */
export function anyAt(k: number, ranked: readonly string[], gold: ReadonlySet<string>): number {
  return countHits(k, ranked, gold) > 0 ? 1 : 0
}

/** all@k: 1 when the first k hold every gold id, else 0. */
export function allAt(k: number, ranked: readonly string[], gold: ReadonlySet<string>): number {
  return countHits(k, ranked, gold) === gold.size ? 1 : 0
}

/**
 * nDCG@k with binary relevance: Σ over gold ids at rank r ≤ k of 1 / log2(r + 1), divided by the same sum for a
 * ranking that begins with all gold ids.
 */
export function ndcgAt(k: number, ranked: readonly string[], gold: ReadonlySet<string>): number {
  requireGold(gold)
  let gain = 0
  ranked.slice(0, k).forEach((id, index) => {
    if (gold.has(id)) gain += discount(index)
  })
  let ideal = 0
  for (let index = 0; index < Math.min(k, gold.size); index++) ideal += discount(index)
  return gain / ideal
}

/** The measures that tables show, for one question or as means. */
export interface RankingScores {
  r5: number
  r10: number
  any1: number
  any5: number
  all5: number
  mrr: number
  ndcg10: number
}

export type Measure = keyof RankingScores
export const MEASURES: readonly Measure[] = ['r5', 'r10', 'any1', 'any5', 'all5', 'mrr', 'ndcg10']

/** All measures of one ranking. */
export function judgeRanking(ranked: readonly string[], gold: ReadonlySet<string>): RankingScores {
  return {
    r5: recallAt(5, ranked, gold),
    r10: recallAt(10, ranked, gold),
    any1: anyAt(1, ranked, gold),
    any5: anyAt(5, ranked, gold),
    all5: allAt(5, ranked, gold),
    mrr: reciprocalRank(ranked, gold),
    ndcg10: ndcgAt(10, ranked, gold),
  }
}

/** A mean over questions. */
export interface Estimate {
  mean: number
  /** Sample standard deviation (n − 1) / √n; absent for fewer than two values. Takes the questions as independent. */
  standardError?: number
  count: number
}

/** Mean and standard error. Refuses an empty list with a RangeError. */
export function estimateMean(values: readonly number[]): Estimate {
  const count = values.length
  if (count === 0) throw new RangeError('Cannot take the mean of no values')
  const mean = values.reduce((sum, value) => sum + value, 0) / count
  if (count === 1) return { mean, count }
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return { mean, standardError: Math.sqrt(squares / (count - 1) / count), count }
}

/**
 * Mean of `values[i] − baseline[i]` with its standard error: both lists hold the same questions in the same order.
 * Because each question is compared with itself, it sees smaller gains than two separate means would.
 */
export function estimatePairedDifference(values: readonly number[], baseline: readonly number[]): Estimate {
  if (values.length !== baseline.length) {
    throw new RangeError(`Cannot pair ${values.length} values with ${baseline.length}`)
  }
  return estimateMean(values.map((value, index) => value - (baseline[index] ?? 0)))
}

/** The value below which half of the values lie (mean of the middle two for an even count). */
export function median(values: readonly number[]): number {
  if (values.length === 0) throw new RangeError('Cannot take the median of no values')
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? 0
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? 0)) / 2
}

function countHits(k: number, ranked: readonly string[], gold: ReadonlySet<string>): number {
  requireGold(gold)
  return ranked.slice(0, k).filter((id) => gold.has(id)).length
}

function discount(index: number): number {
  return 1 / Math.log2(index + 2)
}

function requireGold(gold: ReadonlySet<string>): void {
  if (gold.size === 0) throw new RangeError('Cannot judge a ranking for a question without gold ids')
}
