import { dayRange, localDay, parseWhen, timeOfDay, toIsoWithOffset } from '../dates.ts'

/** When something is due or takes place. */
export interface Due {
  /** ISO 8601 with offset; the first instant of the day where `isAllDay`. */
  dueAt: string
  isAllDay?: true
}

/** The day on which a text was written, and the zone in which it counts days. */
export interface SaidAt {
  /** Absent where nothing dates the text: then only dates with a year count. */
  at?: Date
  timeZone: string
  /** The file's time dates it: it may have been written long before, so that the nearest such day is meant. */
  isByFileTime?: boolean
}

const DAY_MS = 86_400_000
/** Without any of these a phrase names no day, which is told sooner than by reading it. */
const MAY_NAME_DAY =
  /\d|day|\beod\b|\bcob\b|close of|tomorrow|tonight|week|month|year|noon|jan|feb|f[ée]vr|m[aä]r|apr|avr|may|mai|jun|jui|jul|aug|ao[uû]t|sep|oct|okt|nov|de[czk]|d[ée]c|end of|tag|woche|mittwoch|morgen|heute|abend|monat|jahr|first|second|third|ende|fin |di\b|demain|semaine|mois|lunes|martes|mi[ée]rcoles|jueves|viernes|s[áa]bado|domingo|ma[ñn]ana|semana|mes|ene|abr|ago|dic|[日月周週明今后曜]/i
const HAS_YEAR = /\b20\d\d\b/
/** Characters after a word such as "by" in which the date has to stand. */
const REACH = 48
/** Longest range of days on which something takes place; longer ones are times of the year. */
const MAX_EVENT_DAYS = 4
const CLOCK =
  /(?<![\d.,:–-])(?:at |um |à |a las |klo |@ ?)?(?:(?<h>[01]?\d|2[0-3])(?::|h|\.(?=\d\d (?:Uhr|o’clock|h\b)))(?<m>[0-5]\d)(?!:?\d)|(?<h12>1[0-2]|[1-9])(?::(?<m12>[0-5]\d))?\s?(?<half>am|pm|a\.m\.|p\.m\.)|(?<uhr>[01]?\d|2[0-3]) (?:Uhr|o’clock|o'clock))/iu
const NOON = /\b(?:noon|midday|mittags?|midi|mediodía)\b/i
const WEEKDAY_WORD = /\b(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\b/i
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
/** A day of a month, where a day of the week alone comes again the week after. */
const MONTH_DAY = /\d/

/** Whether it is worth reading a phrase for the day that it names. */
export function mayNameDay(phrase: string): boolean {
  return MAY_NAME_DAY.test(phrase)
}

/**
 * The day that a phrase names, looking ahead from the day of the text. `from` is where it begins; the date has to begin within
 * some words of it. Null where there is none, or one that is past.
 */
export function readDue(
  text: string,
  from: number,
  said: SaidAt,
  options: { reach?: number; isEvent?: boolean } = {},
): Due | null {
  const phrase = text.slice(from, from + (options.reach ?? REACH))
  if (!mayNameDay(phrase)) return null
  const reference = said.at ?? new Date(0)
  if (!said.at && !HAS_YEAR.test(phrase)) return null
  const when = findAhead(phrase, { ...said, at: reference })
  if (!when || (said.at && when.to.getTime() <= said.at.getTime() && !said.isByFileTime)) return null
  const isDay = when.granularity === 'day'
  if (options.isEvent && !isDay && when.to.getTime() - when.from.getTime() > MAX_EVENT_DAYS * DAY_MS) return null
  // "the end of the month" is a range that ends when it is due; what takes place begins with its first day.
  const day = isDay || options.isEvent ? when.from : new Date(when.to.getTime() - DAY_MS / 2)
  const start = isDay || options.isEvent ? when.from : startOf(day, said.timeZone)
  const minutes = readClock(phrase)
  if (minutes === null) return { dueAt: toIsoWithOffset(start, said.timeZone), isAllDay: true }
  return { dueAt: toIsoWithOffset(timeOfDay(start, minutes, said.timeZone), said.timeZone) }
}

/** The end of a day, which is its own deadline. */
const DAY_END = /^(?:the )?(?:end of (?:the )?(?:business )?day|EOD|COB|close of business|tonight|midnight)\b/i

/**
 * A time with which a phrase begins that names no day: that of the day on which it was said, or where that time had passed then, of the next.
 * Null where there is none, and where only the file's time dates the text: that may be of any day after.
 */
export function readDueClock(text: string, from: number, said: SaidAt): Due | null {
  if (!said.at || said.isByFileTime) return null
  const phrase = text.slice(from, from + REACH)
  const day = startOf(said.at, said.timeZone)
  if (DAY_END.test(phrase)) return { dueAt: toIsoWithOffset(day, said.timeZone), isAllDay: true }
  const found = CLOCK.exec(phrase) ?? NOON.exec(phrase)
  const minutes = found?.index === 0 ? readClock(phrase) : null
  if (minutes === null) return null
  const due = timeOfDay(day, minutes, said.timeZone)
  const next = startOf(new Date(day.getTime() + 1.5 * DAY_MS), said.timeZone)
  const isPast = due.getTime() <= said.at.getTime()
  return { dueAt: toIsoWithOffset(isPast ? timeOfDay(next, minutes, said.timeZone) : due, said.timeZone) }
}

type Found = NonNullable<ReturnType<typeof parseWhen>>

function findAhead(phrase: string, { at, timeZone, isByFileTime }: SaidAt & { at: Date }): Found | null {
  const ahead = parseWhen(`due ${phrase}`, { now: at, timeZone }) ?? parseWhen(phrase, { now: at, timeZone })
  if (!ahead || isFarOff(phrase, ahead.text)) return null
  if (HAS_YEAR.test(ahead.text)) return ahead
  const isPast = ahead.to.getTime() <= at.getTime()
  const hasMonth = MONTH_DAY.test(ahead.text)
  if (isByFileTime && hasMonth) return nearest(ahead, at, timeZone)
  if (!isPast) return agreesWithWeekday(ahead, timeZone) ? ahead : inYear(ahead, yearOf(ahead, timeZone) - 1, timeZone)
  return hasMonth ? inYear(ahead, yearOf(ahead, timeZone) + 1, timeZone) : shift(ahead, 7)
}

/** Whether a day stands so late in a phrase that it belongs to something else; "17:00 on Friday" begins with its time. */
function isFarOff(phrase: string, day: string): boolean {
  const clock = CLOCK.exec(phrase)
  const begin = clock?.index === 0 ? clock[0].length : 0
  return phrase.indexOf(day) - begin > (phrase.length - begin) / 2 + 1
}

function nearest(found: Found, at: Date, timeZone: string): Found {
  const year = yearOf(found, timeZone)
  const candidates = [year - 1, year, year + 1].map((one) => inYear(found, one, timeZone))
  const distance = ({ from }: Found): number => Math.abs(from.getTime() - at.getTime())
  return candidates.reduce((best, one) => (distance(one) < distance(best) ? one : best))
}

function yearOf({ from }: Found, timeZone: string): number {
  return Number(toIsoWithOffset(from, timeZone).slice(0, 4))
}

/** The same day of the month in another year. */
function inYear(found: Found, year: number, timeZone: string): Found {
  const again = parseWhen(`${found.text} ${year}`, { now: found.from, timeZone })
  return again && yearOf(again, timeZone) === year ? again : shift(found, 365 * (year - yearOf(found, timeZone)))
}

/** Moves a range by days; where clocks change between, its borders are off by an hour. */
function shift(found: Found, days: number): Found {
  const move = (instant: Date): Date => new Date(instant.getTime() + days * DAY_MS)
  return { ...found, from: move(found.from), to: move(found.to) }
}

function agreesWithWeekday({ from, text }: Found, timeZone: string): boolean {
  const written = WEEKDAY_WORD.exec(text)?.[0].toLowerCase().slice(0, 3)
  if (written === undefined) return true
  const noon = toIsoWithOffset(new Date(from.getTime() + DAY_MS / 2), timeZone).slice(0, 10)
  return WEEKDAYS[new Date(`${noon}T00:00:00Z`).getUTCDay()] === written
}

function startOf(instant: Date, timeZone: string): Date {
  return dayRange(localDay(instant, timeZone), timeZone).from
}

/** Minutes after midnight that a phrase names, or null. */
export function readClock(phrase: string): number | null {
  const groups = CLOCK.exec(phrase)?.groups
  if (!groups) return NOON.test(phrase) ? 720 : null
  if (groups.h12 !== undefined) {
    const hour = (Number(groups.h12) % 12) + (/^p/i.test(groups.half ?? '') ? 12 : 0)
    return hour * 60 + Number(groups.m12 ?? 0)
  }
  return Number(groups.h ?? groups.uhr) * 60 + Number(groups.m ?? 0)
}
