import { CALIBRATION, SCORE_FALLOFF } from '../options.ts'
import type { FusedCandidate } from './fuse.ts'

/** Evidence that the store holds an answer, every part in [0,1] and independent of the store's size. */
export interface Evidence {
  /** Largest share of the query's word weight that one of the first results holds. */
  coverage: number
  /** The same for such a result with its neighbours, estimated from BM25. */
  window: number
  /** Best cosine among the first results. */
  cosine: number
  /** Whether the first result is of the day or range that the query names. */
  dated: boolean
  hasVectors: boolean
}

const LOOKED_AT = 3

/** Reads the evidence off the first results. */
export function readEvidence(ranked: readonly FusedCandidate[]): Evidence {
  const first = ranked.slice(0, LOOKED_AT)
  const top = (value: (one: FusedCandidate) => number): number => Math.max(0, ...first.map(value))
  return {
    coverage: top((one) => one.coverage),
    window: top((one) => one.windowCoverage),
    cosine: top((one) => one.signals.vector),
    dated: first[0]?.boosts.some(({ name }) => name === 'time') ?? false,
    hasVectors: first.some(({ candidate }) => candidate.vector !== undefined),
  }
}

/** The chance, in (0,1), that the store answers the query. */
export function answerability(evidence: Evidence): number {
  const weights = evidence.hasVectors ? CALIBRATION.hybrid : CALIBRATION.keyword
  const logit =
    weights.bias +
    weights.coverage * evidence.coverage +
    weights.window * evidence.window +
    weights.cosine * evidence.cosine +
    weights.dated * (evidence.dated ? 1 : 0)
  return 1 / (1 + Math.exp(-logit))
}

/**
 * Turns the order into scores in [0,1]: the first result has the answerability of the query, the others fall off with
 * their fused score. Never rises down the list.
 */
export function calibrateScores(ranked: readonly FusedCandidate[]): number[] {
  const top = ranked[0]
  if (!top || top.fused <= 0) return ranked.map(() => 0)
  const chance = answerability(readEvidence(ranked))
  let ceiling = 1
  return ranked.map((one) => {
    ceiling = Math.min(ceiling, Math.max(0, one.fused / top.fused) ** SCORE_FALLOFF)
    return chance * ceiling
  })
}
