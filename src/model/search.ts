import type { Memory, MemoryState, MemoryType, SourceCategory, Tier } from './memory.ts'
import type { RelationshipType } from './relationship.ts'

/** Part of the work that could not be done in full, and why. The answer stands without it. */
export interface Degraded {
  part: string
  reason: string
}

export type SearchMode = 'hybrid' | 'keyword' | 'vector'
export type SearchProfile = 'default' | 'seed'

/** Who asks. Without an agent it is the owner, who sees the tenant. */
export interface Viewer {
  tenant: string
  agent?: string
  /** Agents that share their `team` memories with this one (itself included or not: it does not matter). */
  team?: readonly string[]
  /** Absolute real path; with it, memories of other projects are seen only where their visibility is global. */
  project?: string
}

export interface SearchOptions {
  /** How many results at most. Default 8, range 1–100. */
  limit?: number
  mode?: SearchMode
  source?: SourceCategory | 'all'
  tier?: Tier
  /** Results below it are left out. [0,1]; default 0 for an explicit search. */
  minScore?: number
  /** ISO date or instant in the user's zone, inclusive. */
  after?: string
  /** ISO date or instant in the user's zone, exclusive. */
  before?: string
  allProjects?: boolean
  /** Also follow the strongest relationships of the first results one step, and show what bears on them. Default false. */
  expand?: boolean
  profile?: SearchProfile
  explain?: boolean
  /** Leave no trace in the store: what is found does not count as read. For measuring, which must not change what it measures. */
  noHistory?: boolean
  /** Ask as this agent; default: the engine's own. */
  agentId?: string
  project?: string
}

/** The four signals of retrieval, each in [0,1]. */
export interface SignalScores {
  vector: number
  keyword: number
  header: number
  filepath: number
}

/** One factor that moved a score, in words and as a number (1 = no effect). */
export interface Boost {
  name: string
  factor: number
  reason: string
}

/** How evidence becomes a score: `score` is `chance` times `share`. All in [0,1]. */
export interface Calibration {
  score: number
  /** Chance that the store answers the query, read off the first results. */
  chance: number
  /** What of it this one has: its fused score beside the best, never more than its own evidence says. */
  share: number
  /** Share of the query's word weight that it holds; the same with its neighbours; its cosine; of the time asked for. */
  coverage: number
  window: number
  cosine: number
  dated: boolean
}

/** Why a hit scores what it scores. */
export interface Explanation {
  /** Absent where a score is not calibrated (a list of a day, the founding rules). */
  calibration?: Calibration
  signals: SignalScores
  weights: SignalScores
  boosts: Boost[]
  /** Query terms found in the memory. */
  matchedTerms: string[]
}

/** A memory that answers a query. */
export interface Hit {
  memory: Memory
  /** Calibrated, [0,1]: means the same from one query and one store to another. */
  score: number
  explanation: Explanation
  /** Where relationships were followed. */
  links?: HitLink[]
}

/** How a result bears on another one of the same answer. */
export interface HitLink {
  /** The other result. */
  id: string
  relationshipType: RelationshipType
  /** `out`: this result is the source. Symmetric types are `out`. */
  direction: 'out' | 'in'
  /** Strength of the relationship, [0,1]. */
  score: number
  reason: string
  /** The query did not find this result: it is here because of this relationship. */
  broughtIn?: true
}

/** The row that front ends show: the host's `memory_search` fields and ours. */
export interface SearchResult {
  id: string
  path: string
  root?: string
  startLine: number
  endLine: number
  score: number
  snippet: string
  header: string
  source: SourceCategory
  tier: Tier
  type: MemoryType
  role?: string
  tool?: string
  speaker?: string
  sessionId?: string
  turnId?: string
  occurredAt?: string
  signals?: SignalScores
  weights?: SignalScores
  boosts?: Boost[]
  matchedTerms?: string[]
  calibration?: Calibration
  /** With `expand`: how it bears on others of the results; absent where it does not. */
  links?: HitLink[]
}

export interface SearchResponse {
  results: SearchResult[]
  /** How many memories matched before the cut to `limit`. */
  total: number
  truncated: boolean
  degraded: Degraded[]
  /** Present when the query names a day or range: whether any result is of it. */
  dateMatch?: boolean
}

/** Exact conditions on memories, applied before any limit. All fields that are present must hold. */
export interface MemoryFilter {
  viewer: Viewer
  category?: SourceCategory
  tiers?: readonly Tier[]
  types?: readonly MemoryType[]
  states?: readonly MemoryState[]
  /** Instant in ms, inclusive: some place of the memory occurred at or after it. Undated memories fail. */
  afterMs?: number
  /** Instant in ms, exclusive. */
  beforeMs?: number
}
