import type { HeartbeatSettings, Signal, Urgency } from '../model/heartbeat.ts'
import { URGENCIES } from '../model/heartbeat.ts'
import { type AutonomyLevel, CRITICAL_MS, OCCURRENCE_MS, RESPONSE } from './decision-options.ts'
import { type HeartbeatState, responseRate, type ToldSignal } from './heartbeat-state.ts'

/** What the rules look at. */
export interface View {
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

/**
 * What was told of this signal as it is now; null where it is news: another occurrence of what comes again, or the same thing more
 * pressing than when it was told.
 */
export function toldAs(signal: Signal, { state, nowMs }: Pick<View, 'state' | 'nowMs'>): ToldSignal | null {
  const told = state.told.get(signal.signature)
  if (told === undefined || isOtherOccurrence(told.dueAt, signal.dueAt)) return null
  return pressureOf(signal, nowMs) < told.pressure ? null : told
}

/** What comes again does so on another day; a time in a line that moved by less is the same thing said again. */
export function isOtherOccurrence(told: string | undefined, dueAt: string | undefined): boolean {
  if (told === undefined || dueAt === undefined) return false
  return Math.abs(Date.parse(dueAt) - Date.parse(told)) >= OCCURRENCE_MS
}

/** How much it presses, most first: a critical deadline, then the urgencies. */
export function pressureOf(signal: Signal, nowMs: number): number {
  return isCritical(signal, nowMs) ? -1 : URGENCIES.indexOf(signal.urgency)
}

export function isCritical({ kind, dueAt }: Signal, nowMs: number): boolean {
  return kind === 'deadline' && dueAt !== undefined && Math.abs(Date.parse(dueAt) - nowMs) <= CRITICAL_MS
}

/** What takes place at a time has begun; a deadline that has passed is not over. */
export function isOver({ kind, dueAt }: Signal, nowMs: number): boolean {
  return kind === 'scheduled' && dueAt !== undefined && Date.parse(dueAt) <= nowMs
}

export function isAtLeast(signal: Signal, least: Urgency): boolean {
  return URGENCIES.indexOf(signal.urgency) <= URGENCIES.indexOf(least)
}

/** What acts at any hour. */
export function isImmediate(signal: Signal, nowMs: number): boolean {
  return signal.urgency === 'immediate' || isCritical(signal, nowMs)
}

export const isLow = (signal: Signal): boolean => !isAtLeast(signal, 'normal')

export function weightOf(signals: readonly Signal[]): number {
  return signals.reduce((sum, { weight }) => sum + weight, 0)
}

export function cooldownOf({ urgency }: Signal, { level }: View): number {
  return level.cooldownMs[urgency === 'none' ? 'low' : urgency]
}

/** How much longer cooldowns are for how little was answered: 1 from the full rate on, `slowest` where nothing was. */
export function slowness(state: HeartbeatState): number {
  const rate = responseRate(state)
  if (rate === null || rate >= RESPONSE.fullRate) return 1
  return RESPONSE.slowest - (rate / RESPONSE.fullRate) * (RESPONSE.slowest - 1)
}
