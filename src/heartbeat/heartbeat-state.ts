import type { DecisionReason } from '../model/heartbeat.ts'
import { CLAIM_MS, RESPONSE, TOLD_SIGNALS } from './decision-options.ts'

/** A signal that was told. */
export interface ToldSignal {
  /** When the last time, ms. */
  at: number
  /** How often as it is now; 0 where it is left alone without having been told. */
  times: number
  /** How much it pressed then: an index into URGENCIES, -1 for a critical deadline. */
  pressure: number
  /** The occurrence that was told, of what comes again. */
  dueAt?: string
  /** What the clock showed then, ms, where it was set back since: until it shows that again, `at` stands for it. */
  aheadAt?: number
}

/** A tick that acted. */
export interface PastAct {
  /** ms. */
  at: number
  reason: DecisionReason
  /** Whether the user said something after it; absent while it is not known. */
  answered?: boolean
}

/** What a tick has to know of those before it. */
export interface HeartbeatState {
  /** The process that acted last. */
  claimant: string
  /** First tick, ms. */
  beganAt: number
  /** Oldest first. */
  acts: PastAct[]
  /** By signature. */
  told: Map<string, ToldSignal>
}

const VERSION = 1

/** The state of one that never ticked. */
export function createState(now: Date, claimant = ''): HeartbeatState {
  return { claimant, beganAt: now.getTime(), acts: [], told: new Map() }
}

export function serializeState({ told, ...state }: HeartbeatState): string {
  return JSON.stringify({ version: VERSION, ...state, told: [...told] })
}

/** The state, or in words what is wrong with what was kept. */
export function parseState(kept: string): HeartbeatState | { problem: string } {
  let value: unknown
  try {
    value = JSON.parse(kept)
  } catch {
    return { problem: 'it is damaged' }
  }
  if (!isRecord(value)) return { problem: 'it is damaged' }
  if (value.version !== VERSION) return { problem: `it is of version ${String(value.version)}` }
  const { claimant, beganAt, acts, told } = value
  const isWhole =
    typeof claimant === 'string' &&
    isTime(beganAt) &&
    Array.isArray(acts) &&
    acts.every(isAct) &&
    Array.isArray(told) &&
    told.every(isTold)
  return isWhole ? { claimant, beganAt, acts, told: new Map(told) } : { problem: 'it is damaged' }
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const isTime = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)

function isAct(value: unknown): value is PastAct {
  return isRecord(value) && isTime(value.at) && typeof value.reason === 'string'
}

function isTold(entry: unknown): entry is [string, ToldSignal] {
  if (!Array.isArray(entry) || entry.length !== 2 || typeof entry[0] !== 'string') return false
  const told: unknown = entry[1]
  const isWhole = isRecord(told) && isTime(told.at) && isTime(told.times) && isTime(told.pressure)
  return isWhole && (told.aheadAt === undefined || isTime(told.aheadAt))
}

/**
 * The state as of now: nothing in it is later. Where the clock was set back, what seems to lie ahead counts as told now, so that it
 * neither waits until then nor comes all at once, and counts as of its own time once the clock is set on again; the act itself is over, and
 * claims no tick. What is too old to matter goes.
 */
export function settleState(state: HeartbeatState, now: Date): HeartbeatState {
  const nowMs = now.getTime()
  const told = [...state.told]
    .map(([signature, one]): [string, ToldSignal] => [signature, settleTold(one, nowMs)])
    .filter(([, { at }]) => nowMs - at <= TOLD_SIGNALS.keptMs)
    .sort(([, a], [, b]) => b.at - a.at)
    .slice(0, TOLD_SIGNALS.count)
  return {
    ...state,
    beganAt: Math.min(state.beganAt, nowMs),
    acts: state.acts
      .map((act) => ({ ...act, at: act.at - nowMs < CLAIM_MS ? Math.min(act.at, nowMs) : nowMs - CLAIM_MS }))
      .filter(({ at }) => nowMs - at <= RESPONSE.windowMs),
    told: new Map(told),
  }
}

function settleTold({ aheadAt, ...one }: ToldSignal, nowMs: number): ToldSignal {
  const toldAt = Math.max(one.at, aheadAt ?? one.at)
  if (toldAt <= nowMs) return { ...one, at: toldAt }
  return { ...one, at: Math.min(one.at, nowMs), aheadAt: toldAt }
}

/**
 * Learns from the user's turns which acts were answered: by the first turn after it within RESPONSE.answerMs. Where no turn at all is known
 * of the time that acts are remembered for, nothing is learned: then silence is ours.
 */
export function learnAnswers(state: HeartbeatState, userTurns: readonly number[], now: Date): HeartbeatState {
  const nowMs = now.getTime()
  const turns = userTurns.filter((at) => at <= nowMs && nowMs - at <= RESPONSE.windowMs)
  if (turns.length === 0) return state
  const answerOf = ({ at }: PastAct): boolean | undefined => {
    if (turns.some((turn) => turn > at && turn - at <= RESPONSE.answerMs)) return true
    return nowMs - at > RESPONSE.answerMs ? false : undefined
  }
  return {
    ...state,
    acts: state.acts.map((act) => {
      const answered = act.answered ?? answerOf(act)
      return { ...act, ...(answered !== undefined && { answered }) }
    }),
  }
}

/** Share of the acts that were answered, [0,1]; null while too few are known. */
export function responseRate({ acts }: HeartbeatState): number | null {
  const known = acts.filter(({ answered }) => answered !== undefined)
  if (known.length < RESPONSE.minActs) return null
  return known.filter(({ answered }) => answered).length / known.length
}

/** How many of the last acts in a row were not answered, those of which nothing is known yet left out. */
export function unansweredStreak(acts: readonly PastAct[]): number {
  const known = acts.filter(({ answered }) => answered !== undefined).reverse()
  const answered = known.findIndex((act) => act.answered)
  return answered === -1 ? known.length : answered
}
