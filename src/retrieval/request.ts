import type { Degraded, Hit, MemoryFilter, SearchMode } from '../model/search.ts'
import type { QueryAnalysis, QueryWord } from './analyze-query.ts'
import type { MetWords } from './late-interaction.ts'
import type { QueryTokens } from './query-vectors.ts'

/** A query with everything that decides its answer: no clock, environment or model is consulted here. */
export interface SearchRequest {
  text: string
  now: Date
  timeZone: string
  filter: MemoryFilter
  limit: number
  mode: SearchMode
  /** [0,1]; hits below it are left out. */
  minScore: number
  /**
   * Vectors of the query and their model; absent where there is no model. `met`: how memories meet `tokens`, as far as other
   * searches have found it; what this one finds is added.
   */
  vectors?: { identity: string; list: readonly Float32Array[]; tokens?: QueryTokens; met?: MetWords }
  /** Best memories that each arm puts forward, 24 to 500; default CANDIDATE_LIMIT. Twice `limit` where that is more. */
  candidates?: number
  /** Only the hits are wanted: `total` and `dateMatch` then speak of what decides them, not of all that matches. */
  hitsOnly?: boolean
  /** A weak answer is not worth a second round: it would not be used. */
  skipFeedback?: boolean
  /** The text tells something, and asks for no value. */
  tells?: boolean
  /** The text taken apart, where the caller has done it already. */
  analysis?: QueryAnalysis
  /** Words from the conversation that help to choose and are not asked for. */
  contextWords?: readonly QueryWord[]
}

export interface SearchAnswer {
  hits: Hit[]
  /** Candidates before the cut to `limit`. */
  total: number
  degraded: Degraded[]
  /** Whether a hit is of the day or range that the query names; absent when it names none. */
  dateMatch?: boolean
}
