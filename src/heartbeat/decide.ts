import type { DecisionReason, HeartbeatSettings, LeftOut, Signal, Urgency } from '../model/heartbeat.ts'
import { completeSettings, findNextDue, hoursUntilQuiet, isQuiet } from './active-hours.ts'
import { AUTONOMY_LEVELS, FIRST_CONTACT_MEMORIES } from './decision-options.ts'
import { SIGNALS_A_KIND } from './heartbeat-options.ts'
import { createState, type HeartbeatState, learnAnswers, settleState } from './heartbeat-state.ts'
import { HOLD_RULES, TOGETHER_RULES } from './hold-rules.ts'
import { isCritical, isImmediate, isLow, pressureOf, toldAs, type View, weightOf } from './judge-signal.ts'

/** What a decision is made of. */
export interface DecisionInput {
  now: Date
  /** The user's zone. */
  timeZone: string
  settings?: HeartbeatSettings
  signals: readonly Signal[]
  /** What there is besides. */
  more?: LeftOut
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
  /** Most urgent first; those that do not act say why. */
  signals: Signal[]
  /** How many of each kind are there besides: of those that could be told SIGNALS_A_KIND are, and as many are shown as held back. */
  leftOut: LeftOut
  /** To be kept before anybody is told of the decision. */
  state: HeartbeatState
}

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
  const found = [...input.signals].sort((a, b) => pressureOf(a, view.nowMs) - pressureOf(b, view.nowMs))
  const held = new Map<Signal, DecisionReason>()
  let emptied: DecisionReason = 'no_signals'
  /** What the rules leave of the signals; what they hold is noted. */
  const judge = (signals: readonly Signal[], rules: typeof HOLD_RULES): readonly Signal[] => {
    let open = signals
    for (const rule of rules) {
      const hold = rule(open, view)
      if (!hold) continue
      if (found.length === 0) emptied = emptied === 'no_signals' ? hold.reason : emptied
      for (const signal of open) if (hold.holds(signal)) held.set(signal, hold.reason)
      open = open.filter((signal) => !held.has(signal))
    }
    return open
  }
  const mayAct = takeOfEachKind(judge(found, HOLD_RULES), SIGNALS_A_KIND)
  const acting = judge(mayAct, TOGETHER_RULES)
  const shown = new Set([
    ...mayAct,
    ...takeOfEachKind(
      found.filter((signal) => held.has(signal)),
      SIGNALS_A_KIND,
    ),
  ])
  const shouldAct = acting.length > 0
  const first = found[0]
  const decisionReason = shouldAct ? reasonToAct(acting, view) : ((first && held.get(first)) ?? emptied)
  return {
    shouldAct,
    decisionReason,
    urgency: (shouldAct ? acting[0] : first)?.urgency ?? 'none',
    nextDue: findNextDue(view.now, view.settings, view.timeZone).toISOString(),
    signals: found.filter((signal) => shown.has(signal)).map((signal) => withFate(signal, held.get(signal))),
    leftOut: countKinds(
      found.filter((signal) => !shown.has(signal)),
      input.more,
    ),
    state: shouldAct ? afterAct(view, acting, decisionReason) : view.state,
  }
}

/** The first so many of each kind. */
function takeOfEachKind(signals: readonly Signal[], most: number): Signal[] {
  const counts: LeftOut = {}
  return signals.filter(({ kind }) => {
    const count = (counts[kind] ?? 0) + 1
    counts[kind] = count
    return count <= most
  })
}

function countKinds(signals: readonly Signal[], more: LeftOut = {}): LeftOut {
  const counts = { ...more }
  for (const { kind } of signals) counts[kind] = (counts[kind] ?? 0) + 1
  return counts
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
