import { MadeleineError } from '../../errors.ts'
import { type DayNumber, formatDay, parseDay } from './calendar.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const FIRST_ZONED_MS = Date.UTC(1900, 0, 1)
const MAX_CACHED_ZONES = 100

const formats = new Map<string, Intl.DateTimeFormat>()

function formatFor(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known !== undefined) return known
  let format: Intl.DateTimeFormat
  try {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      calendar: 'iso8601',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
  } catch (cause) {
    throw new MadeleineError('INVALID_OPTION', `Cannot use time zone "${timeZone}": it is not known here.`, {
      remedy: 'Give an IANA zone such as "Europe/Zurich" or "UTC".',
      cause,
    })
  }
  if (formats.size >= MAX_CACHED_ZONES) formats.clear()
  formats.set(timeZone, format)
  return format
}

/** What a clock in the zone shows at an instant, as if it were UTC, in ms. */
function wallClockMs(instant: Date, timeZone: string): number {
  // Before zones there was no one clock of a place, and Intl counts days of that time by another calendar.
  if (instant.getTime() < FIRST_ZONED_MS) return Math.floor(instant.getTime() / 1000) * 1000
  const parts = new Map(
    formatFor(timeZone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, value]),
  )
  const number = (type: Intl.DateTimeFormatPartTypes): number => Number(parts.get(type))
  const wall = new Date(0)
  wall.setUTCFullYear(number('year'), number('month') - 1, number('day'))
  wall.setUTCHours(number('hour'), number('minute'), number('second'), 0)
  return wall.getTime()
}

/** Minutes by which clocks in the zone are ahead of UTC at an instant. */
function offsetMinutes(instant: Date, timeZone: string): number {
  const wholeSecond = Math.floor(instant.getTime() / 1000) * 1000
  return Math.round((wallClockMs(instant, timeZone) - wholeSecond) / MINUTE_MS)
}

/** The calendar day of an instant in a zone, as a number. */
export function localDayNumber(instant: Date, timeZone: string): DayNumber {
  return Math.floor(wallClockMs(instant, timeZone) / DAY_MS)
}

/** The calendar day (`YYYY-MM-DD`) of an instant in an IANA zone. */
export function localDay(instant: Date, timeZone: string): string {
  return formatDay(localDayNumber(instant, timeZone))
}

/**
 * The first instant of a day in a zone: midnight, or where clocks jump over midnight, the moment of the jump; where a zone
 * skipped the whole day, the start of the next.
 */
export function startOfDay(day: DayNumber, timeZone: string): Date {
  // The start lies within 26 hours of midnight UTC: find the first minute that shows the day or a later one.
  let before = day * DAY_MS - 26 * 60 * MINUTE_MS
  let at = day * DAY_MS + 26 * 60 * MINUTE_MS
  const guess = day * DAY_MS - offsetMinutes(new Date(day * DAY_MS), timeZone) * MINUTE_MS
  if (localDayNumber(new Date(guess), timeZone) >= day) at = guess
  if (localDayNumber(new Date(guess - MINUTE_MS), timeZone) < day) before = guess - MINUTE_MS
  while (at - before > MINUTE_MS) {
    const middle = before + Math.floor((at - before) / (2 * MINUTE_MS)) * MINUTE_MS
    if (localDayNumber(new Date(middle), timeZone) >= day) at = middle
    else before = middle
  }
  return new Date(at)
}

/** The instants of a calendar day in a zone, half-open: 23, 24 or 25 hours. Throws INVALID_OPTION if there is no such day. */
export function dayRange(day: string, timeZone: string): { from: Date; to: Date } {
  const number = parseDay(day)
  if (number === undefined) {
    throw new MadeleineError('INVALID_OPTION', `Cannot read "${day}" as a day: the calendar has no such day.`, {
      remedy: 'Give a day as YYYY-MM-DD.',
    })
  }
  return { from: startOfDay(number, timeZone), to: startOfDay(number + 1, timeZone) }
}

/** ISO 8601 of an instant as clocks in the zone show it, with the offset: `2026-03-02T00:00:00.000+01:00`, ms only if any. */
export function toIsoWithOffset(instant: Date, timeZone: string): string {
  const minutes = offsetMinutes(instant, timeZone)
  const local = new Date(instant.getTime() + minutes * MINUTE_MS).toISOString().replace(/(?:\.000)?Z$/, '')
  if (minutes === 0) return `${local}+00:00`
  const size = Math.abs(minutes)
  const two = (n: number): string => String(n).padStart(2, '0')
  return `${local}${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`
}

const INSTANT = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*(Z|[+-]\d{2}(?::?\d{2})?)?$/i

/**
 * Reads what a person gives as a point in time: a day (its start in the zone), or an ISO instant (in the zone if it has
 * no offset). Throws INVALID_OPTION for anything else and for days and times that do not exist.
 */
export function parseInstant(text: string, timeZone: string): Date {
  const trimmed = text.trim()
  const day = parseDay(trimmed)
  if (day !== undefined) return startOfDay(day, timeZone)
  const match = INSTANT.exec(trimmed)
  const instant = match === null ? undefined : readInstant(match, timeZone)
  if (instant !== undefined) return instant
  throw new MadeleineError('INVALID_OPTION', `Cannot read "${text}" as a date: it is neither a day nor an instant.`, {
    remedy: 'Give YYYY-MM-DD or an ISO 8601 instant such as 2026-03-01T09:30:00+01:00.',
  })
}

function readInstant(match: RegExpExecArray, timeZone: string): Date | undefined {
  const [, date = '', hour = '', minute = '', second = '0', fraction = '0', zone] = match
  const day = parseDay(date)
  if (day === undefined || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined
  const timeMs = ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1000
  const wall = day * DAY_MS + timeMs + Number(fraction.slice(0, 3).padEnd(3, '0'))
  if (zone === undefined) return fromWallClock(wall, timeZone)
  if (zone.toUpperCase() === 'Z') return new Date(wall)
  const digits = zone.replace(/\D/g, '').padEnd(4, '0')
  const offset = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2))
  return new Date(wall - (zone.startsWith('-') ? -offset : offset) * MINUTE_MS)
}

/** When clocks in the zone show so many minutes after midnight on the day of an instant; a time that they skip is the time after it. */
export function timeOfDay(day: Date, minutes: number, timeZone: string): Date {
  return fromWallClock(localDayNumber(day, timeZone) * DAY_MS + minutes * MINUTE_MS, timeZone)
}

/** The instant at which clocks in the zone show this; in a jump forward the time after it, in a jump back the first. */
function fromWallClock(wall: number, timeZone: string): Date {
  const early = wall - offsetMinutes(new Date(wall - DAY_MS), timeZone) * MINUTE_MS
  if (wallClockMs(new Date(early), timeZone) === Math.floor(wall / 1000) * 1000) return new Date(early)
  const late = wall - offsetMinutes(new Date(wall + DAY_MS), timeZone) * MINUTE_MS
  return wallClockMs(new Date(late), timeZone) === Math.floor(wall / 1000) * 1000 ? new Date(late) : new Date(early)
}
