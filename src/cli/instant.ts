import { MadeleineError } from '../index.ts'

const FORM = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?)?(Z|[+-]\d{2}:?\d{2})?$/i
const MS_PER_MINUTE = 60_000

/**
 * The instant that `--now` names: an ISO date or date and time, in the user's zone unless it carries an offset.
 * Throws INVALID_OPTION for anything else, days that no calendar has included.
 */
export function parseNow(given: string, timeZone: string): Date {
  const match = FORM.exec(given.trim())
  const [year, month, day, hour, minute, second] = (match?.slice(1, 7) ?? []).map((part) => Number(part ?? 0))
  const wallClock = new Date(Date.UTC(year ?? Number.NaN, (month ?? 0) - 1, day, hour, minute, second))
  const isReal =
    wallClock.getUTCMonth() === (month ?? 0) - 1 &&
    wallClock.getUTCDate() === day &&
    wallClock.getUTCHours() === hour &&
    wallClock.getUTCMinutes() === minute
  if (!match || !isReal) {
    throw new MadeleineError('INVALID_OPTION', `Cannot use ${JSON.stringify(given)} for --now: it is no date or time`, {
      remedy: 'Write an ISO date or time, for example 2026-07-20 or 2026-07-20T09:00:00+02:00.',
    })
  }
  const offset = match[7]
  return new Date(
    wallClock.getTime() - (offset ? parseOffset(offset) : zoneOffset(wallClock, timeZone)) * MS_PER_MINUTE,
  )
}

/** Minutes east of UTC of a written offset. */
function parseOffset(offset: string): number {
  if (/^z$/i.test(offset)) return 0
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(-2))
  return offset.startsWith('-') ? -minutes : minutes
}

/** Minutes east of UTC that the zone keeps when its clocks show this time. */
function zoneOffset(wallClock: Date, timeZone: string): number {
  const guess = offsetAt(wallClock, timeZone)
  return offsetAt(new Date(wallClock.getTime() - guess * MS_PER_MINUTE), timeZone)
}

function offsetAt(instant: Date, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }).formatToParts(instant)
  const written = parts.find(({ type }) => type === 'timeZoneName')?.value.slice('GMT'.length)
  return written ? parseOffset(written) : 0
}

/**
 * An instant as a short day and time in the user's zone. The beginning of a day stands for the day, whatever zone it was
 * written in: the note of 20 July is not of the 19th to someone further west.
 */
export function formatMoment(iso: string, timeZone: string): string {
  const instant = new Date(iso)
  if (Number.isNaN(instant.getTime())) return iso
  if (/^\d{4}-\d{2}-\d{2}(?:T00:00(?::00(?:\.0+)?)?|$)/.test(iso)) return iso.slice(0, 'YYYY-MM-DD'.length)
  return formatInstant(instant, timeZone)
}

/** An instant as day and time in the user's zone, to the minute. */
export function formatInstant(instant: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(instant)
}
