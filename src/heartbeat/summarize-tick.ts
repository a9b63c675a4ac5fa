import type { DecisionReason, HeartbeatResult, LeftOut } from '../model/heartbeat.ts'

/** Signals that a summary names; the others are counted. */
const NAMED = 3

/** Why a tick stays silent, in words; and for a signal, why it is held back. */
export const REASON_WORDS: Record<DecisionReason, string> = {
  act: 'something new needs attention',
  act_deadline_critical: 'something is due within the hour',
  act_confluence: 'several small things together',
  act_stale_escalated: 'told before, and still there',
  nudge: 'nothing pressing, after long silence',
  first_contact: 'the first time over a new memory',
  no_signals: 'nothing needs attention',
  suppress_quiet_hours: 'quiet hours',
  suppress_time_period: 'quiet hours are near, and it can wait',
  suppress_conversation: 'a conversation is going on, and it can wait',
  suppress_low: 'too little by itself',
  suppress_cooldown: 'too soon after what was told last',
  suppress_repeat: 'told before, and nothing about it is new',
  suppress_nudge_cap: 'enough small reminders for today',
  suppress_llm: 'the language model sees no need',
  suppress_claimed: 'another process has this tick, or what earlier ones kept cannot be used',
}

/** How many signals there are besides. */
export function countLeftOut(leftOut: LeftOut): number {
  return Object.values(leftOut).reduce((sum, count) => sum + count, 0)
}

/** One line for a person: what needs attention, or why nothing is said. */
export function summarizeTick({
  shouldAct,
  decisionReason,
  signals,
  leftOut,
}: Pick<HeartbeatResult, 'shouldAct' | 'decisionReason' | 'signals' | 'leftOut'>): string {
  if (signals.length === 0) return sentence(REASON_WORDS[decisionReason])
  const others = countLeftOut(leftOut)
  if (!shouldAct) return `${countThings(signals.length + others)} held back: ${REASON_WORDS[decisionReason]}.`
  const acting = signals.filter(({ suppressedBy }) => suppressedBy === undefined)
  const named = acting.slice(0, NAMED).map(({ summary }) => summary)
  const rest = acting.length - named.length
  const parts = [...named, ...(rest > 0 ? [`and ${rest} more`] : []), ...(others > 0 ? [countWaiting(others)] : [])]
  return parts.join('; ')
}

/** What a tick leaves for the next ones. */
export function countWaiting(count: number): string {
  return count === 1 ? '1 other waits' : `${count} others wait`
}

function countThings(count: number): string {
  return count === 1 ? '1 signal' : `${count} signals`
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`
}
