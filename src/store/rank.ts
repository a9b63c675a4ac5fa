import { CATEGORY_CANDIDATE_SHARE, DOCUMENT_RANK_WEIGHT } from '../options.ts'
import { compareText } from './canonical-place.ts'
import type { Candidate } from './memory-store.ts'

/** The three keyword scores of a memory. */
export type KeywordScores = Pick<Candidate, 'text' | 'window' | 'document'>

/**
 * The order in which memories make the cut by keyword: each score relative to its maximum in this query, so that no
 * formula's scale decides. Only an order for the cut: what a hit is worth is decided in retrieval.
 */
export function rankByKeyword(scores: KeywordScores, maxima: KeywordScores): number {
  return (
    share(scores.text, maxima.text) +
    share(scores.window, maxima.window) +
    DOCUMENT_RANK_WEIGHT * share(scores.document, maxima.document)
  )
}

function share(score: number, maximum: number): number {
  return maximum > 0 ? score / maximum : 0
}

/** A candidate with what orders it. `field` is the weight of its heading and path terms, for those that nothing else found. */
export interface RankedCandidate {
  candidate: Candidate
  rank: number
  field: number
}

/** Best by keyword first, then by headings and path, then by vector; equal ones by id. */
export function compareRanked(a: RankedCandidate, b: RankedCandidate): number {
  return (
    b.rank - a.rank ||
    b.field - a.field ||
    (b.candidate.vector ?? -2) - (a.candidate.vector ?? -2) ||
    compareText(a.candidate.memory.id, b.candidate.memory.id)
  )
}

/** How many of each category a cut at `limit` holds at least, where there are so many. */
export function categoryQuota(limit: number): number {
  return Math.ceil(limit * CATEGORY_CANDIDATE_SHARE)
}
