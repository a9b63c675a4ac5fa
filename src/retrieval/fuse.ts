import type { Boost, SearchMode, SignalScores } from '../model/search.ts'
import { DEFAULT_WEIGHTS, LOW_OVERLAP_BELOW, LOW_OVERLAP_VECTOR_WEIGHT } from '../options.ts'
import type { ScoredCandidate } from './signals.ts'

/** A candidate on its way to becoming a hit. */
export interface FusedCandidate extends ScoredCandidate {
  /** Weighted sum of the signals times the boosts so far, ≥ 0: decides the order, means nothing across queries. */
  fused: number
  weights: SignalScores
  boosts: Boost[]
  /** Where it was compared with the query word by word: mean of the best cosines, [-1,1]. */
  words?: number
}

function normalize(weights: SignalScores): SignalScores {
  const sum = weights.vector + weights.keyword + weights.header + weights.filepath
  if (sum === 0) return weights
  return {
    vector: weights.vector / sum,
    keyword: weights.keyword / sum,
    header: weights.header / sum,
    filepath: weights.filepath / sum,
  }
}

/**
 * Weights for this query: the defaults; the vector's share raised to 85 % when the candidates hold few of the query's
 * words; an arm that is missing (no vectors, a mode that excludes it) hands its weight to the others.
 */
export function adaptWeights(scored: readonly ScoredCandidate[], mode: SearchMode): SignalScores {
  const hasVectors = mode !== 'keyword' && scored.some(({ candidate }) => candidate.vector !== undefined)
  if (mode === 'vector') return { vector: 1, keyword: 0, header: 0, filepath: 0 }
  if (!hasVectors) return normalize({ ...DEFAULT_WEIGHTS, vector: 0 })
  const coverage = Math.max(0, ...scored.map((one) => one.coverage))
  if (coverage < LOW_OVERLAP_BELOW) {
    const rest = normalize({ ...DEFAULT_WEIGHTS, vector: 0 })
    const share = 1 - LOW_OVERLAP_VECTOR_WEIGHT
    return {
      vector: LOW_OVERLAP_VECTOR_WEIGHT,
      keyword: rest.keyword * share,
      header: rest.header * share,
      filepath: rest.filepath * share,
    }
  }
  return normalize({ ...DEFAULT_WEIGHTS })
}

/** Adds up the signals of each candidate under one set of weights. */
export function fuseSignals(scored: readonly ScoredCandidate[], weights: SignalScores): FusedCandidate[] {
  return scored.map((one) => {
    const fused =
      weights.vector * one.relative.vector +
      weights.keyword * one.relative.keyword +
      weights.header * one.signals.header +
      weights.filepath * one.signals.filepath
    return makeFused(one, { weights, boosts: [], fused })
  })
}

/** Multiplies a candidate's score by each factor in turn and says why; factors of 1 leave no trace. */
export function applyBoosts(candidate: FusedCandidate, boosts: readonly Boost[]): FusedCandidate {
  const own = boosts.filter(({ factor }) => factor !== 1)
  if (own.length === 0) return candidate
  const fused = own.reduce((score, { factor }) => score * factor, candidate.fused)
  return makeFused(candidate, { weights: candidate.weights, boosts: [...candidate.boosts, ...own], fused })
}

/** Field by field: a spread costs ten times as much, and this is done for hundreds of candidates a search. */
function makeFused(
  { candidate, signals, relative, coverage, windowCoverage, matchedTerms }: ScoredCandidate,
  { weights, boosts, fused }: Pick<FusedCandidate, 'weights' | 'boosts' | 'fused'>,
): FusedCandidate {
  return { candidate, signals, relative, coverage, windowCoverage, matchedTerms, weights, boosts, fused }
}

/** Best first; equal scores in the order of ids, so that the same store answers the same twice. */
export function rankFused<T extends FusedCandidate>(candidates: readonly T[]): T[] {
  return [...candidates].sort((a, b) => {
    if (b.fused !== a.fused) return b.fused - a.fused
    const [idA, idB] = [a.candidate.memory.id, b.candidate.memory.id]
    return idA < idB ? -1 : idA > idB ? 1 : 0
  })
}
