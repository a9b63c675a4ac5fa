import { dayRange, localDay, toIsoWithOffset } from '../dates.ts'
import { readClock } from './due.ts'

/** What comes again: five fields as cron has them, and the zone where the text names one. */
export interface Recurrence {
  cron: string
  timeZone?: string
}

const CRON = /\bcron[:=]\s*[`"']?((?:[\d*/,-]+\s+){4}[\d*/,-]+)/i
const DAYS: readonly (readonly [number, RegExp])[] = [
  [1, /\b(?:mondays?|montags?|lundis?|lunes)\b|(?:周|星期|月)一|月曜/i],
  [2, /\b(?:tuesdays?|dienstags?|mardis?|martes)\b|(?:周|星期)二|火曜/i],
  [3, /\b(?:wednesdays?|mittwochs?|mercredis?|miércoles)\b|(?:周|星期)三|水曜/i],
  [4, /\b(?:thursdays?|donnerstags?|jeudis?|jueves)\b|(?:周|星期)四|木曜/i],
  [5, /\b(?:fridays?|freitags?|vendredis?|viernes)\b|(?:周|星期)五|金曜/i],
  [6, /\b(?:saturdays?|samstags?|samedis?|sábados?)\b|(?:周|星期)六|土曜/i],
  [0, /\b(?:sundays?|sonntags?|dimanches?|domingos?)\b|(?:周|星期)(?:日|天)|日曜/i],
]
/** "every Monday", "on Mondays", "each weekday", "jeden Montag", "tous les lundis", "cada lunes", 每周一, 毎週月曜. */
const EVERY = /\b(?:every|each|jeden|jede|tous les|toutes les|chaque|cada|todos los)\s|每|毎/i
const PLURAL_DAY =
  /\b(?:on |am )?(?:mon|tues|wednes|thurs|fri|satur|sun)days\b|\b(?:mon|diens|mittwoch|donners|frei|sams|sonn)(?:tag)?s\b/i
const WEEKDAY = /\b(?:weekdays?|workdays?|working days?|werktags?|jour ouvré)\b/i
const DAILY =
  /\b(?:every (?:day|morning|evening|night)|daily|täglich|jeden (?:Tag|Morgen|Abend)|tous les jours|cada día)\b|每天|毎日/i
const MONTHLY =
  /\b(?:on )?the (?<day>first|1st|second|2nd|third|3rd|\d{1,2}th|last)(?: day)? of (?:the|each|every) month\b|\b(?:every month|monthly)\b/i
/** One of these matches whatever comes again. */
export const RECURS: readonly RegExp[] = [CRON, EVERY, PLURAL_DAY, MONTHLY, DAILY]
const ORDINALS: Record<string, number> = { first: 1, second: 2, third: 3, last: 28 }
const UTC = /\bUTC\b/
const ZONE = /\b(?:Africa|America|Asia|Atlantic|Australia|Europe|Indian|Pacific)\/[A-Z][A-Za-z_]+\b/
/** Days back or ahead in which an occurrence is looked for: a year and a day. */
const MAX_DAYS = 367
const MINUTE_MS = 60_000
const NOON_MS = 12 * 60 * MINUTE_MS

/** What comes again by the words of a line, on days that it names; null where it says nothing of the kind. A time that it does not name is midnight. */
export function readRecurrence(text: string): Recurrence | null {
  const zone = UTC.test(text) ? 'UTC' : ZONE.exec(text)?.[0]
  const withZone = (cron: string): Recurrence => (zone === undefined ? { cron } : { cron, timeZone: zone })
  const written = CRON.exec(text)?.[1]
  if (written !== undefined) return parseCron(written) ? withZone(written.trim().replace(/\s+/g, ' ')) : null
  const days = readDays(text)
  if (days === null) return null
  const minutes = readClock(text) ?? 0
  return withZone(`${minutes % 60} ${Math.floor(minutes / 60)} ${days}`)
}

/** The last three fields. */
function readDays(text: string): string | null {
  const isEvery = EVERY.test(text)
  if (isEvery && WEEKDAY.test(text)) return '* * 1-5'
  if (isEvery || PLURAL_DAY.test(text)) {
    const named = DAYS.filter(([, word]) => word.test(text)).map(([day]) => day)
    if (named.length > 0) return `* * ${named.join(',')}`
  }
  const monthly = MONTHLY.exec(text)
  if (monthly) {
    const word = monthly.groups?.day?.toLowerCase() ?? 'first'
    return `${ORDINALS[word] ?? Number.parseInt(word, 10)} * *`
  }
  return DAILY.test(text) ? '* * *' : null
}

/** What a schedule allows: sets of minutes, hours, days of the month, months and days of the week. */
interface Fields {
  minutes: number[]
  hours: number[]
  days: Set<number>
  months: Set<number>
  weekdays: Set<number>
  /** Both days of the month and of the week are limited: then either will do, as cron has it. */
  isEitherDay: boolean
}

const RANGES = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 7],
] as const

/** Null where it is no cron line of five fields. */
function parseCron(cron: string): Fields | null {
  const parts = cron.trim().split(/\s+/)
  if (parts.length !== 5) return null
  const sets = RANGES.map(([low, high], i) => parseField(parts[i] ?? '', low, high))
  const [minutes, hours, days, months, weekdays] = sets
  if (!minutes || !hours || !days || !months || !weekdays) return null
  return {
    minutes: [...minutes].sort((a, b) => a - b),
    hours: [...hours].sort((a, b) => a - b),
    days,
    months,
    weekdays: new Set([...weekdays].map((day) => day % 7)),
    isEitherDay: parts[2] !== '*' && parts[4] !== '*',
  }
}

function parseField(field: string, low: number, high: number): Set<number> | null {
  const values = new Set<number>()
  for (const part of field.split(',')) {
    const match = /^(?:\*|(\d{1,2})(?:-(\d{1,2}))?)(?:\/(\d{1,2}))?$/.exec(part)
    if (!match) return null
    const [, first, last, step] = match
    const from = first === undefined ? low : Number(first)
    const to = first === undefined || (last === undefined && step !== undefined) ? high : Number(last ?? first)
    if (from < low || to > high || from > to || step === '0') return null
    for (let value = from; value <= to; value += Number(step ?? 1)) values.add(value)
  }
  return values
}

/** The last time at or before an instant that a schedule names, and the first one after it; null where there is none within a year. */
export function occurrencesAround(
  { cron, timeZone }: Recurrence,
  now: Date,
  userZone: string,
): { last: Date | null; next: Date | null } {
  const fields = parseCron(cron)
  if (!fields) return { last: null, next: null }
  const zone = timeZone ?? userZone
  const today = Date.parse(`${localDay(now, zone)}T12:00:00Z`)
  return { last: findTime(-1), next: findTime(1) }

  function findTime(step: 1 | -1): Date | null {
    if (!fields) return null
    for (let n = 0; n <= MAX_DAYS; n++) {
      const noon = new Date(today + step * n * 2 * NOON_MS)
      if (!isAllowedDay(fields, noon)) continue
      const times = timesOf(fields, noon.toISOString().slice(0, 10), zone)
      const found =
        step === 1 ? times.find((time) => time > now.getTime()) : times.findLast((time) => time <= now.getTime())
      if (found !== undefined) return new Date(found)
    }
    return null
  }
}

function isAllowedDay({ days, months, weekdays, isEitherDay }: Fields, noon: Date): boolean {
  if (!months.has(noon.getUTCMonth() + 1)) return false
  const [byDate, byWeekday] = [days.has(noon.getUTCDate()), weekdays.has(noon.getUTCDay())]
  return isEitherDay ? byDate || byWeekday : byDate && byWeekday
}

/** In ms, ascending. An hour that the clocks skip is taken at the hour after it. */
function timesOf({ minutes, hours }: Fields, day: string, zone: string): number[] {
  const { from } = dayRange(day, zone)
  const offset = (at: number): string => toIsoWithOffset(new Date(at), zone).slice(-6)
  return hours.flatMap((hour) =>
    minutes.map((minute) => {
      const guess = from.getTime() + (hour * 60 + minute) * MINUTE_MS
      const two = (n: number): string => String(n).padStart(2, '0')
      return Date.parse(`${day}T${two(hour)}:${two(minute)}:00${offset(guess)}`)
    }),
  )
}
