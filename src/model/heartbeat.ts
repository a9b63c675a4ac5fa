import type { AskedBy } from './correlation.ts'
import type { Tier } from './memory.ts'
import type { RelationshipType } from './relationship.ts'
import type { Degraded } from './search.ts'

export type SignalKind =
  | 'scheduled'
  | 'deadline'
  | 'conflict'
  | 'continuity'
  | 'stale_monitor'
  | 'pending_work'
  | 'goal_progress'
  | 'knowledge_gap'
  | 'positive_delta'
  | 'decaying'
  | 'relationship_silence'
  | 'pattern'
  | 'velocity'

export const SIGNAL_KINDS: readonly SignalKind[] = [
  'scheduled',
  'deadline',
  'conflict',
  'continuity',
  'stale_monitor',
  'pending_work',
  'goal_progress',
  'knowledge_gap',
  'positive_delta',
  'decaying',
  'relationship_silence',
  'pattern',
  'velocity',
]

/** How soon something wants attention, most urgent first. */
export type Urgency = 'immediate' | 'elevated' | 'normal' | 'low' | 'none'
export const URGENCIES: readonly Urgency[] = ['immediate', 'elevated', 'normal', 'low', 'none']

/** Something that may need attention, with the memories that prove it. */
export interface Signal {
  kind: SignalKind
  urgency: Urgency
  /** Stable while it is the same thing: what cooldowns are kept by. */
  signature: string
  /** One line for a person; data, not instructions. */
  summary: string
  /** The first is the one that it is about. */
  memoryIds: string[]
  /** How much it counts in confluence, > 0. */
  weight: number
  /** When it is due, ISO 8601. */
  dueAt?: string
  /** The day alone is known: `dueAt` is when the heartbeat counts it from. */
  isAllDay?: true
  /** [0,1], of goal progress. */
  progress?: number
  /** The text that related memories are looked for by; default the first memory's. */
  topic?: string
  /** Why it is held back in this tick, where it is; set by the decision. */
  suppressedBy?: DecisionReason
}

export type DecisionReason =
  | 'act'
  | 'act_deadline_critical'
  | 'act_confluence'
  | 'act_stale_escalated'
  | 'nudge'
  | 'first_contact'
  | 'no_signals'
  | 'suppress_quiet_hours'
  | 'suppress_time_period'
  | 'suppress_conversation'
  | 'suppress_low'
  | 'suppress_cooldown'
  | 'suppress_repeat'
  | 'suppress_nudge_cap'
  | 'suppress_llm'
  /** Another process holds this tick. */
  | 'suppress_claimed'

/** A past decision, activity or event that bears on a signal. */
export interface RelatedContext {
  /** Signature of the signal. */
  signal: string
  id: string
  path: string
  snippet: string
  /** Calibrated, [0,1]. */
  score: number
  occurredAt?: string
  /** How the two are linked, where they are. */
  relationship?: { type: RelationshipType; reason: string }
}

/** A memory that a signal shows. */
export interface SignalItem {
  id: string
  path: string
  summary: string
  dueAt?: string
  occurredAt?: string
}

export interface HeartbeatAnalysis {
  shouldAct: boolean
  actionBrief: string
  recommendedActions: string[]
  urgency: 'none' | 'low' | 'medium' | 'high' | 'critical'
  reasoning: string
  evidence: string[]
  usage: ModelUsage
}

export interface ModelUsage {
  model: string
  inputTokens: number | null
  outputTokens: number | null
  /** US dollars; null where prices are not known. */
  cost: number | null
  elapsedMs: number
}

/** What a tick found and decided. */
export interface HeartbeatResult {
  shouldAct: boolean
  decisionReason: DecisionReason
  urgency: Urgency
  /** When the next tick may act, ISO 8601. */
  nextDue: string
  signals: Signal[]
  scheduled: SignalItem[]
  deadlines: SignalItem[]
  pendingWork: SignalItem[]
  conflicts: Array<{ memory: SignalItem; reason: string }>
  staleMonitors: SignalItem[]
  continuity: SignalItem | null
  goalProgress: Array<SignalItem & { progress: number | null }>
  knowledgeGaps: SignalItem[]
  positiveDeltas: SignalItem[]
  /** What was found besides `signals`, by kind: too much to be told in one tick, it has its turn in the next ones. Empty where that is all. */
  leftOut: LeftOut
  relatedContext: RelatedContext[]
  /** `A (path) -[type]-> B (path)`, a line each. */
  graphContext: string[]
  analysis?: HeartbeatAnalysis
  summary: string
  degraded: Degraded[]
}

export interface HeartbeatOptions extends AskedBy {
  /** Ask the configured language model, when it acts. */
  analyze?: boolean
  /** Related past context without a language model too. */
  related?: boolean
  /** Decide and show, and keep nothing. */
  dryRun?: boolean
  signal?: AbortSignal
}

/** How many of each kind are there besides. */
export type LeftOut = Partial<Record<SignalKind, number>>

/** A tick that was, as `heartbeat --last` shows it. */
export interface RecordedTick {
  at: string
  shouldAct: boolean
  decisionReason: DecisionReason
  urgency: Urgency
  nextDue: string
  /** Signatures and summaries of what was found. */
  signals: Array<{
    kind: SignalKind
    urgency: Urgency
    signature: string
    summary: string
    suppressedBy?: DecisionReason
  }>
  /** How many more were found. */
  leftOut?: number
  summary: string
}

/** How eagerly it speaks up by itself. */
export type Autonomy = 'observe' | 'suggest' | 'act'
export const AUTONOMIES: readonly Autonomy[] = ['observe', 'suggest', 'act']

export interface HeartbeatSettings {
  /** Default suggest. */
  autonomy?: Autonomy
  /** Local times `HH:MM` in the user's zone between which only what is immediate acts; `null` for none. Default 23:00 to 07:00. */
  quietHours?: { from: string; to: string } | null
  /** Minutes between two ticks of the host, for `nextDue`. Default 30. */
  everyMinutes?: number
}

export interface SalienceOptions extends AskedBy {
  /** Default 20, range 1–1000. */
  limit?: number
}

export interface SalienceItem {
  id: string
  path: string
  header: string
  tier: Tier
  /** [0,1] each; `salience` is their product. */
  importance: number
  staleness: number
  salience: number
  accesses: number
  /** In words, what raised it. */
  reasons: string[]
}

export interface SalienceReport {
  timestamp: string
  items: SalienceItem[]
  /** Questions for self-reflection about the first items. */
  prompts: string[]
  totalItems: number
}

/** What needs attention between turns. */
export interface Heart {
  /** One tick. Never rejects for a failing part: what could not be done stands in `degraded`. */
  heartbeat(options?: HeartbeatOptions): Promise<HeartbeatResult>
  /** The last ticks, newest first, the suppressed ones too. Default limit 10. */
  recentHeartbeats(options?: { limit?: number } & AskedBy): Promise<RecordedTick[]>
  /** Important memories that go stale, most salient first. Changes nothing. */
  salience(options?: SalienceOptions): Promise<SalienceReport>
}
