import type { Autonomy } from '../model/heartbeat.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** What one way of speaking up by itself means. */
export interface AutonomyLevel {
  /** How long a signal is left alone after it was told, ms, by its urgency; above zero, at most a day. */
  cooldownMs: { immediate: number; elevated: number; normal: number; low: number }
  /** Sum of weights from which signals act together, however low each is: four normal ones at `suggest`. */
  confluence: number
  /** Quiet time after which low signals are told by themselves, ms; null: never. */
  nudgeAfterMs: number | null
  /** Such nudges on one local day at most, 0 to 24. */
  nudgesADay: number
  /** Longest time between two nudges that nobody answered, ms. */
  longestNudgeMs: number
}

/**
 * The table of autonomy. Half an hour is the usual distance of a host's ticks, so that what is urgent may come again at the next but
 * one; plans change within hours, and what is low can wait for half a day.
 */
export const AUTONOMY_LEVELS: Record<Autonomy, AutonomyLevel> = {
  observe: {
    cooldownMs: { immediate: 30 * MINUTE_MS, elevated: 2 * HOUR_MS, normal: 4 * HOUR_MS, low: 8 * HOUR_MS },
    confluence: 20,
    nudgeAfterMs: null,
    nudgesADay: 0,
    longestNudgeMs: 12 * HOUR_MS,
  },
  suggest: {
    cooldownMs: { immediate: 30 * MINUTE_MS, elevated: 30 * MINUTE_MS, normal: 2 * HOUR_MS, low: 4 * HOUR_MS },
    confluence: 12,
    nudgeAfterMs: 4 * HOUR_MS,
    nudgesADay: 3,
    longestNudgeMs: 24 * HOUR_MS,
  },
  act: {
    cooldownMs: { immediate: 30 * MINUTE_MS, elevated: 15 * MINUTE_MS, normal: 30 * MINUTE_MS, low: HOUR_MS },
    confluence: 8,
    nudgeAfterMs: 2 * HOUR_MS,
    nudgesADay: 8,
    longestNudgeMs: 48 * HOUR_MS,
  },
}

/** What holds where a caller says nothing else. Quiet hours are local times; `everyMinutes` 1 to 10,080. */
export const HEARTBEAT_DEFAULTS = {
  autonomy: 'suggest',
  quietHours: { from: '23:00', to: '07:00' },
  everyMinutes: 30,
} as const
/** Most that `everyMinutes` may be: a week. */
export const MAX_EVERY_MINUTES = 10_080

/**
 * Before quiet hours it gets calmer: so many hours before them low signals wait, and so many before them all that is not at least
 * elevated does; 0 to 12.
 */
export const CALM_HOURS = { low: 6, normal: 2 } as const
/** A user's turn so recent, ms, 0 to an hour, means a conversation: only what is elevated breaks in. */
export const CONVERSATION_MS = 15 * MINUTE_MS
/** A deadline is critical from so long before it to so long after it, ms: then it is told at any hour. */
export const CRITICAL_MS = HOUR_MS
/** Memories below which the first act is a first contact. */
export const FIRST_CONTACT_MEMORIES = 5
/** What is due again is another occurrence from this distance on, ms, an hour to a day: daily things are, and a time that slipped is not. */
export const OCCURRENCE_MS = 12 * HOUR_MS
/** Another process that acted less than this long ago, ms, held this very tick: hosts start ticks of several processes together. */
export const CLAIM_MS = 30_000
/**
 * A signal that was told twice and is still there waits `firstMs`, doubling each time it is told again up to `longestMs`: who has heard it
 * twice knows it.
 */
export const REPEAT = { free: 2, firstMs: 24 * HOUR_MS, longestMs: 7 * 24 * HOUR_MS } as const
/**
 * What comes of acts. An act is answered by a turn of the user within `answerMs`; the rate counts acts of the last `windowMs`, from
 * `minActs` known ones on. From a rate of `fullRate` down to none, cooldowns grow up to `slowest` times. After `streak` unanswered acts in
 * a row nothing that can wait is told for its cooldown, doubling with each more, up to `longestPauseMs`.
 */
export const RESPONSE = {
  answerMs: 6 * HOUR_MS,
  windowMs: 7 * 24 * HOUR_MS,
  minActs: 3,
  fullRate: 0.5,
  slowest: 2,
  streak: 3,
  longestPauseMs: 24 * HOUR_MS,
} as const
/** What is remembered of signals that were told: so many, and for so long after the last time, ms. */
export const TOLD_SIGNALS = { count: 500, keptMs: 30 * 24 * HOUR_MS } as const
/** Ticks that are remembered. */
export const TICK_LOG = 50
/** Turns of sessions that are looked at to see whether the user answered. */
export const TURNS_LOOKED_AT = 200
