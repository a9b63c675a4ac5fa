import { MadeleineError } from '../errors.ts'
import type { HeartbeatSettings } from '../model/heartbeat.ts'
import { toIsoWithOffset } from '../text/dates.ts'
import { HEARTBEAT_DEFAULTS, MAX_EVERY_MINUTES } from './decision-options.ts'

const MINUTE_MS = 60_000
const DAY_MINUTES = 24 * 60
/** Ticks are looked for this far ahead: a distance of days may miss the active hours for many of them. */
const LOOK_AHEAD_MS = 60 * DAY_MINUTES * MINUTE_MS
const CLOCK_TIME = /^([01]\d|2[0-3]):([0-5]\d)$/

/** Local times between which only what is immediate acts; null: none. */
export type QuietHours = { from: string; to: string } | null

/** The settings with their defaults. Throws INVALID_OPTION for times that are none and distances out of range. */
export function completeSettings(settings: HeartbeatSettings = {}): Required<HeartbeatSettings> {
  const complete = { ...HEARTBEAT_DEFAULTS, ...settings }
  const { quietHours, everyMinutes } = complete
  if (quietHours && !isQuietHours(quietHours)) {
    const shown = `${quietHours.from} to ${quietHours.to}`
    throw new MadeleineError('INVALID_OPTION', `Cannot keep quiet hours from ${shown}: these are not two local times`, {
      remedy: 'Give two different times as HH:MM, such as 23:00 and 07:00, or null for none',
    })
  }
  if (!Number.isInteger(everyMinutes) || everyMinutes < 1 || everyMinutes > MAX_EVERY_MINUTES) {
    throw new MadeleineError('INVALID_OPTION', `Cannot tick every ${everyMinutes} minutes`, {
      remedy: `Give a whole number of minutes from 1 to ${MAX_EVERY_MINUTES}`,
    })
  }
  return complete
}

/** Two different times of a clock. */
export function isQuietHours({ from, to }: { from: string; to: string }): boolean {
  return CLOCK_TIME.test(from) && CLOCK_TIME.test(to) && from !== to
}

/** What clocks in the zone show, `HH:MM`: such texts compare like times. */
function clockTime(instant: Date, timeZone: string): string {
  return toIsoWithOffset(instant, timeZone).slice(11, 16)
}

/**
 * Whether an instant lies in the quiet hours, as clocks in the zone show it: the end is no part of them. Asking the clock, and not
 * adding hours up, keeps them on days of 23 and 25 hours.
 */
export function isQuiet(instant: Date, quietHours: QuietHours, timeZone: string): boolean {
  if (!quietHours) return false
  const { from, to } = quietHours
  const time = clockTime(instant, timeZone)
  return from < to ? time >= from && time < to : time >= from || time < to
}

/** Hours until the quiet hours begin by the clock, [0,24); null where there are none. */
export function hoursUntilQuiet(instant: Date, quietHours: QuietHours, timeZone: string): number | null {
  if (!quietHours) return null
  const minutes = minutesOf(quietHours.from) - minutesOf(clockTime(instant, timeZone))
  return ((minutes + DAY_MINUTES) % DAY_MINUTES) / 60
}

function minutesOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))
}

/**
 * The next tick that may act: of those that follow this one at the host's distance, the first outside the quiet hours. It is when the host
 * ticks, not when it should: a host that ticks at 22:59 and each half hour looks at 07:29 first where they end at 07:00. Nothing is lost by
 * that, and what cannot wait is told in quiet hours. Where none of the coming weeks' ticks is outside, the end of the quiet hours.
 */
export function findNextDue(now: Date, settings: Required<HeartbeatSettings>, timeZone: string): Date {
  const { quietHours, everyMinutes } = settings
  const stepMs = everyMinutes * MINUTE_MS
  for (let ahead = stepMs; ahead <= Math.max(stepMs, LOOK_AHEAD_MS); ahead += stepMs) {
    const slot = new Date(now.getTime() + ahead)
    if (!isQuiet(slot, quietHours, timeZone)) return slot
  }
  let end = Math.floor(now.getTime() / MINUTE_MS) * MINUTE_MS + MINUTE_MS
  while (isQuiet(new Date(end), quietHours, timeZone)) end += MINUTE_MS
  return new Date(end)
}
