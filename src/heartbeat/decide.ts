import type { DecisionReason, HeartbeatSettings, Signal, Urgency } from '../model/heartbeat.ts'
import { URGENCIES } from '../model/heartbeat.ts'
import { localDay } from '../text/dates.ts'
import { completeSettings, findNextDue, hoursUntilQuiet, isQuiet } from './active-hours.ts'
import {
  AUTONOMY_LEVELS,
  type AutonomyLevel,
  CALM_HOURS,
  CLAIM_MS,
  CONVERSATION_MS,
  CRITICAL_MS,
  FIRST_CONTACT_MEMORIES,
  OCCURRENCE_MS,
  REPEAT,
  RESPONSE,
} from './decision-options.ts'
import {
  createState,
  type HeartbeatState,
  learnAnswers,
  responseRate,
  settleState,
  type ToldSignal,
  unansweredStreak,
} from './heartbeat-state.ts'

/** What a decision is made of. */
export interface DecisionInput {
  now: Date
  /** The user's zone. */
  timeZone: string
  settings?: HeartbeatSettings
  signals: readonly Signal[]
  /** What the decision before gave; absent before the first. */
  state?: HeartbeatState
  /** When the user spoke lately, ms, as far as it is known. */
  userTurns?: readonly number[]
  /** How many memories there are; default many. */
  memories?: number
  /** Who decides: of several processes that tick at once, one acts. */
  claimant?: string
}

export interface HeartbeatDecision {
  shouldAct: boolean
  decisionReason: DecisionReason
  /** Of the most urgent signal that acts, else of the most urgent that was found. */
  urgency: Urgency
  /** ISO 8601. */
  nextDue: string
  /** All signals, most urgent first; those that do not act say why. */
  signals: Signal[]
  /** To be kept before anybody is told of the decision. */
  state: HeartbeatState
}

/** What the rules look at. */
interface View {
  nowMs: number
  timeZone: string
  settings: Required<HeartbeatSettings>
  level: AutonomyLevel
  state: HeartbeatState
  userTurns: readonly number[]
  memories: number
  claimant: string
  isQuiet: boolean
  hoursUntilQuiet: number | null
  now: Date
}

/** Of the signals that are still open, those that a rule holds back, and why. */
interface Hold {
  reason: DecisionReason
  holds: (signal: Signal) => boolean
}

/** Looks at what is open; null where it does not apply. */
type HoldRule = (open: readonly Signal[], view: View) => Hold | null

/** What holds signals back, in order: each looks at what those before it left. */
const HOLDS: readonly HoldRule[] = [
  // 1. Another process acted in this very tick: suppress_claimed.
  holdClaimed,
  // 2. In quiet hours only what is immediate acts: suppress_quiet_hours.
  holdInQuietHours,
  // 3. The closer quiet hours are, the less may disturb: suppress_time_period.
  holdInCalmHours,
  // 4. Who is talking is not interrupted by what can wait: suppress_conversation.
  holdInConversation,
  // 5. A signal that was told twice rests for a day and longer, and what was told and is over is not told again: suppress_repeat.
  holdRepeats,
  // 6. A signal that was just told rests for its cooldown: suppress_cooldown.
  holdCooling,
  // 7. Who never answers is told less: suppress_cooldown.
  holdUnanswered,
  // 8. What is low does not speak alone, except as a nudge after long silence: suppress_low, suppress_nudge_cap.
  holdLow,
]

/** Why those act that nothing holds: the first that applies. */
const REASONS: ReadonlyArray<(acting: readonly Signal[], view: View) => DecisionReason | null> = [
  // 1. Something is due within the hour.
  (acting, view) => (acting.some((signal) => isCritical(signal, view.nowMs)) ? 'act_deadline_critical' : null),
  // 2. The first act over a store that holds next to nothing.
  (_, { state, memories }) =>
    state.acts.length === 0 && state.told.size === 0 && memories < FIRST_CONTACT_MEMORIES ? 'first_contact' : null,
  // 3. Nothing new: it was told before and is still there.
  (acting, view) => (acting.every((signal) => toldAs(signal, view) !== null) ? 'act_stale_escalated' : null),
  // 4. Several together, none of which is immediate.
  (acting, { level, nowMs }) =>
    acting.length > 1 && weightOf(acting) >= level.confluence && !acting.some((signal) => isImmediate(signal, nowMs))
      ? 'act_confluence'
      : null,
  // 5. Only what is low, after long silence.
  (acting) => (acting.every(isLow) ? 'nudge' : null),
  () => 'act',
]

/**
 * Whether a tick speaks up, and about what. Pure: the same input gives the same decision. Each signal is judged by itself, by the
 * signature that stays while it is the same thing: what was told stays quiet for its cooldown, and what is new acts meanwhile.
 * Throws INVALID_OPTION for settings that cannot be used and for a zone that is not known.
 */
export function evaluateShouldAct(input: DecisionInput): HeartbeatDecision {
  const view = look(input)
  const signals = [...input.signals].sort((a, b) => pressureOf(a, view.nowMs) - pressureOf(b, view.nowMs))
  const held = new Map<Signal, DecisionReason>()
  let open: readonly Signal[] = signals
  let emptied: DecisionReason = 'no_signals'
  for (const rule of HOLDS) {
    const hold = rule(open, view)
    if (!hold) continue
    if (signals.length === 0) {
      emptied = hold.reason
      break
    }
    for (const signal of open) if (hold.holds(signal)) held.set(signal, hold.reason)
    open = open.filter((signal) => !held.has(signal))
  }
  const shouldAct = open.length > 0
  const first = signals[0]
  const decisionReason = shouldAct ? reasonToAct(open, view) : ((first && held.get(first)) ?? emptied)
  return {
    shouldAct,
    decisionReason,
    urgency: (shouldAct ? open[0] : first)?.urgency ?? 'none',
    nextDue: findNextDue(view.now, view.settings, view.timeZone).toISOString(),
    signals: signals.map((signal) => withFate(signal, held.get(signal))),
    state: shouldAct ? afterAct(view, open, decisionReason) : view.state,
  }
}

function look(input: DecisionInput): View {
  const { now, timeZone, userTurns = [], memories = Number.MAX_SAFE_INTEGER, claimant = '' } = input
  const settings = completeSettings(input.settings)
  const settled = settleState(input.state ?? createState(now), now)
  return {
    now,
    nowMs: now.getTime(),
    timeZone,
    settings,
    level: AUTONOMY_LEVELS[settings.autonomy],
    state: learnAnswers(settled, userTurns, now),
    userTurns,
    memories,
    claimant,
    isQuiet: isQuiet(now, settings.quietHours, timeZone),
    hoursUntilQuiet: hoursUntilQuiet(now, settings.quietHours, timeZone),
  }
}

function reasonToAct(acting: readonly Signal[], view: View): DecisionReason {
  for (const rule of REASONS) {
    const reason = rule(acting, view)
    if (reason !== null) return reason
  }
  return 'act'
}

function withFate({ suppressedBy: _, ...signal }: Signal, reason: DecisionReason | undefined): Signal {
  return reason === undefined ? signal : { ...signal, suppressedBy: reason }
}

/** The state once these signals are told. */
function afterAct(view: View, acting: readonly Signal[], reason: DecisionReason): HeartbeatState {
  const { state, nowMs, claimant } = view
  const told = new Map(state.told)
  for (const signal of acting) {
    const { signature, dueAt } = signal
    const times = (toldAs(signal, view)?.times ?? 0) + 1
    told.set(signature, {
      ...{ at: nowMs, times, pressure: pressureOf(signal, nowMs) },
      ...(dueAt !== undefined && { dueAt }),
    })
  }
  return { ...state, claimant, acts: [...state.acts, { at: nowMs, reason }], told }
}

/**
 * The state where what was to be told just now was not told after all: these signals still rest, but were not heard, and nobody has to
 * answer.
 */
export function withdrawAct(state: HeartbeatState, now: Date): HeartbeatState {
  const told = new Map(state.told)
  for (const [signature, one] of told) {
    if (one.at === now.getTime()) told.set(signature, { ...one, times: Math.max(0, one.times - 1) })
  }
  return { ...state, acts: state.acts.slice(0, -1), told }
}

/**
 * The state of one whose memory of earlier ticks is lost: what is found now may have been told a minute ago, so that it rests for its
 * cooldown. What is immediate is told at the risk of saying it twice.
 */
export function beginAnew(signals: readonly Signal[], now: Date): HeartbeatState {
  const state = createState(now)
  for (const signal of signals) {
    if (isImmediate(signal, now.getTime())) continue
    const { signature, dueAt } = signal
    const pressure = pressureOf(signal, now.getTime())
    state.told.set(signature, { at: now.getTime(), times: 0, pressure, ...(dueAt !== undefined && { dueAt }) })
  }
  return state
}

function holdClaimed(open: readonly Signal[], { state, claimant, nowMs }: View): Hold | null {
  const last = state.acts.at(-1)
  const isClaimed = open.length > 0 && last !== undefined && state.claimant !== claimant && nowMs - last.at < CLAIM_MS
  return isClaimed ? { reason: 'suppress_claimed', holds: () => true } : null
}

function holdInQuietHours(_: readonly Signal[], view: View): Hold | null {
  return view.isQuiet ? { reason: 'suppress_quiet_hours', holds: (signal) => !isImmediate(signal, view.nowMs) } : null
}

function holdInCalmHours(open: readonly Signal[], { hoursUntilQuiet: hours, nowMs }: View): Hold | null {
  if (hours === null || hours > CALM_HOURS.low || open.length === 0) return null
  const least = hours <= CALM_HOURS.normal ? 'elevated' : 'normal'
  return { reason: 'suppress_time_period', holds: (signal) => !isAtLeast(signal, least) && !isCritical(signal, nowMs) }
}

function holdInConversation(open: readonly Signal[], { userTurns, nowMs }: View): Hold | null {
  const isTalking = userTurns.some((at) => nowMs >= at && nowMs - at < CONVERSATION_MS)
  if (!isTalking || open.length === 0) return null
  return {
    reason: 'suppress_conversation',
    holds: (signal) => !isAtLeast(signal, 'elevated') && !isCritical(signal, nowMs),
  }
}

function holdRepeats(open: readonly Signal[], view: View): Hold | null {
  if (open.length === 0) return null
  const rests = (signal: Signal): boolean => {
    const told = toldAs(signal, view)
    if (told === null) return false
    if (told.times > 0 && isOver(signal, view.nowMs)) return true
    if (told.times < REPEAT.free) return false
    const restMs = Math.min(REPEAT.firstMs * 2 ** (told.times - REPEAT.free), REPEAT.longestMs)
    return view.nowMs - told.at <= restMs
  }
  return { reason: 'suppress_repeat', holds: rests }
}

function holdCooling(open: readonly Signal[], view: View): Hold | null {
  if (open.length === 0) return null
  const factor = slowness(view.state)
  // At the cooldown's very end it still rests: ticks come at its distance, and would tell it at each other one.
  const rests = (signal: Signal): boolean => {
    const told = toldAs(signal, view)
    return (
      told !== null && view.nowMs - told.at <= cooldownOf(signal, view) * (isImmediate(signal, view.nowMs) ? 1 : factor)
    )
  }
  return { reason: 'suppress_cooldown', holds: rests }
}

function holdUnanswered(open: readonly Signal[], view: View): Hold | null {
  const streak = unansweredStreak(view.state.acts)
  const last = view.state.acts.at(-1)
  if (streak < RESPONSE.streak || last === undefined || open.length === 0) return null
  const growth = 2 ** (streak - RESPONSE.streak)
  const rests = (signal: Signal): boolean => {
    if (isImmediate(signal, view.nowMs)) return false
    const pauseMs = Math.min(cooldownOf(signal, view) * growth, RESPONSE.longestPauseMs)
    return view.nowMs - last.at <= pauseMs
  }
  return { reason: 'suppress_cooldown', holds: rests }
}

function holdLow(open: readonly Signal[], view: View): Hold | null {
  if (!open.some(isLow) || weightOf(open) >= view.level.confluence) return null
  if (!open.every(isLow)) return { reason: 'suppress_low', holds: isLow }
  if (!isNudgeDue(view)) return { reason: 'suppress_low', holds: () => true }
  return nudgesToday(view) >= view.level.nudgesADay ? { reason: 'suppress_nudge_cap', holds: () => true } : null
}

/** It was quiet for long: nothing was told, and the user said nothing; longer after nudges that were not answered. */
function isNudgeDue({ level, state, userTurns, nowMs }: View): boolean {
  if (level.nudgeAfterMs === null) return false
  const streak = unansweredStreak(state.acts.filter(({ reason }) => reason === 'nudge'))
  const waitMs = Math.min(level.nudgeAfterMs * 2 ** streak, level.longestNudgeMs)
  const turns = userTurns.filter((at) => at <= nowMs)
  const since = Math.max(state.beganAt, state.acts.at(-1)?.at ?? 0, ...turns)
  return nowMs - since >= waitMs
}

function nudgesToday({ state, now, timeZone }: View): number {
  const today = localDay(now, timeZone)
  return state.acts.filter(({ at, reason }) => reason === 'nudge' && localDay(new Date(at), timeZone) === today).length
}

/**
 * What was told of this signal as it is now; null where it is news: another occurrence of what comes again, or the same thing more
 * pressing than when it was told.
 */
function toldAs(signal: Signal, { state, nowMs }: Pick<View, 'state' | 'nowMs'>): ToldSignal | null {
  const told = state.told.get(signal.signature)
  if (told === undefined || isOtherOccurrence(told.dueAt, signal.dueAt)) return null
  return pressureOf(signal, nowMs) < told.pressure ? null : told
}

/** What comes again does so on another day; a time in a line that moved by less is the same thing said again. */
function isOtherOccurrence(told: string | undefined, dueAt: string | undefined): boolean {
  if (told === undefined || dueAt === undefined) return false
  return Math.abs(Date.parse(dueAt) - Date.parse(told)) >= OCCURRENCE_MS
}

/** How much it presses, most first: a critical deadline, then the urgencies. */
function pressureOf(signal: Signal, nowMs: number): number {
  return isCritical(signal, nowMs) ? -1 : URGENCIES.indexOf(signal.urgency)
}

function isCritical({ kind, dueAt }: Signal, nowMs: number): boolean {
  return kind === 'deadline' && dueAt !== undefined && Math.abs(Date.parse(dueAt) - nowMs) <= CRITICAL_MS
}

/** What takes place at a time has begun; a deadline that has passed is not over. */
function isOver({ kind, dueAt }: Signal, nowMs: number): boolean {
  return kind === 'scheduled' && dueAt !== undefined && Date.parse(dueAt) <= nowMs
}

function isAtLeast(signal: Signal, least: Urgency): boolean {
  return URGENCIES.indexOf(signal.urgency) <= URGENCIES.indexOf(least)
}

/** What acts at any hour. */
function isImmediate(signal: Signal, nowMs: number): boolean {
  return signal.urgency === 'immediate' || isCritical(signal, nowMs)
}

const isLow = (signal: Signal): boolean => !isAtLeast(signal, 'normal')

function weightOf(signals: readonly Signal[]): number {
  return signals.reduce((sum, { weight }) => sum + weight, 0)
}

function cooldownOf({ urgency }: Signal, { level }: View): number {
  return level.cooldownMs[urgency === 'none' ? 'low' : urgency]
}

/** How much longer cooldowns are for how little was answered: 1 from the full rate on, `slowest` where nothing was. */
function slowness(state: HeartbeatState): number {
  const rate = responseRate(state)
  if (rate === null || rate >= RESPONSE.fullRate) return 1
  return RESPONSE.slowest - (rate / RESPONSE.fullRate) * (RESPONSE.slowest - 1)
}
