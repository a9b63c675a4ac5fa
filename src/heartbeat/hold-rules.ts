import type { DecisionReason, Signal } from '../model/heartbeat.ts'
import { localDay } from '../text/dates.ts'
import { CALM_HOURS, CLAIM_MS, CONVERSATION_MS, REPEAT, RESPONSE } from './decision-options.ts'
import { unansweredStreak } from './heartbeat-state.ts'
import {
  cooldownOf,
  isAtLeast,
  isCritical,
  isImmediate,
  isLow,
  isOver,
  slowness,
  toldAs,
  type View,
  weightOf,
} from './judge-signal.ts'

/** Of the signals that are still open, those that a rule holds back, and why. */
export interface Hold {
  reason: DecisionReason
  holds: (signal: Signal) => boolean
}

/** Looks at what is open; null where it does not apply. */
type HoldRule = (open: readonly Signal[], view: View) => Hold | null

/** What holds each signal back by itself, in order: each looks at what those before it left. */
export const HOLD_RULES: readonly HoldRule[] = [
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
]

/** What looks at the signals together that a tick would tell. */
export const TOGETHER_RULES: readonly HoldRule[] = [
  // 8. What is low does not speak alone, except as a nudge after long silence: suppress_low, suppress_nudge_cap.
  holdLow,
]

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
