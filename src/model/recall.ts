import type { Role } from './memory.ts'
import type { Degraded, Hit } from './search.ts'

/** A message of the running conversation, as the host has it. */
export interface RecentTurn {
  role: Role
  text: string
}

export interface RecallRequest {
  /** What the user just said, as the host gives it: envelopes are stripped here. */
  prompt: string
  /** The turns before it, oldest first. Tool results among them never enter the query. */
  recentTurns?: readonly RecentTurn[]
  sessionId?: string
  agentId?: string
  project?: string
  allProjects?: boolean
  /** Whether the host keeps injected blocks in its history: then an item is not injected twice in a session. Default true. */
  injectionPersists?: boolean
  /** Leave no trace in the store: no turn is kept, and nothing counts as shown. For measuring, which must not change what it measures. */
  noHistory?: boolean
  /**
   * Let whatever bears on an item by a relationship stand beside it, the relationship named. Never where nothing would be said without. Default
   * false: only what contradicts an item and is not older does, where somebody stated or confirmed it.
   */
  expand?: boolean
  explain?: boolean
}

export interface RecallItem {
  id: string
  path: string
  root?: string
  startLine: number
  endLine: number
  score: number
  text: string
  header: string
  role?: string
  speaker?: string
  tool?: string
  sessionId?: string
  occurredAt?: string
  /** How it bears on another item, in words. */
  relation?: string
}

/** Why a candidate is in the block or not. */
export interface RecallTraceEntry {
  id: string
  path: string
  startLine: number
  score: number
  /** Shares of the final score: calibrated relevance before the answerability of the prompt is taken into account. */
  outcome: 'injected' | 'below-threshold' | 'already-shown' | 'same-session' | 'over-budget'
  explanation: Hit['explanation']
}

/** What came of one recall, as it is kept for later questions of "why". */
export interface RecalledTurn {
  /** ISO 8601, UTC. */
  at: string
  /** Cleaned, redacted, its beginning. */
  prompt: string
  sessionId?: string
  agent?: string
  project?: string
  skipped: boolean
  reason?: string
  degraded: Degraded[]
  elapsedMs: number
  /** The first candidates, in or out. */
  considered: Array<
    Pick<RecallTraceEntry, 'id' | 'path' | 'startLine' | 'score'> & {
      /** `too-late`: chosen, when the turn had gone on without it. */
      outcome: RecallTraceEntry['outcome'] | 'too-late'
    }
  >
}

export interface RecallResponse {
  /** The block to inject, or '' when there is nothing to say. */
  text: string
  items: RecallItem[]
  /** True when the prompt was not searched for at all. */
  skipped: boolean
  /** Why it was skipped, or why nothing was injected. */
  reason?: string
  degraded: Degraded[]
  elapsedMs: number
  trace?: RecallTraceEntry[]
}
