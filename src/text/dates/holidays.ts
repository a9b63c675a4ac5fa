import { type DayNumber, dayNumber } from './calendar.ts'
import { monthSpan, nthWeekday } from './spans.ts'

/** Easter Sunday of a year (the anonymous Gregorian computus). */
function easter(year: number): DayNumber {
  const golden = year % 19
  const century = Math.floor(year / 100)
  const rest = year % 100
  const correction = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3)
  const epact = (19 * golden + century - Math.floor(century / 4) - correction + 15) % 30
  const weekday = (32 + 2 * (century % 4) + 2 * Math.floor(rest / 4) - epact - (rest % 4)) % 7
  const shift = Math.floor((golden + 11 * epact + 22 * weekday) / 451)
  const sum = epact + weekday - 7 * shift + 114
  return dayNumber(year, Math.floor(sum / 31), (sum % 31) + 1)
}

function thanksgiving(year: number): DayNumber {
  return nthWeekday(monthSpan(year, 11), 3, 4)
}

/** Days of holidays that many countries keep, by year. */
const HOLIDAYS = {
  'christmas-eve': (year) => dayNumber(year, 12, 24),
  christmas: (year) => dayNumber(year, 12, 25),
  'boxing-day': (year) => dayNumber(year, 12, 26),
  'new-years-eve': (year) => dayNumber(year, 12, 31),
  'new-year': (year) => dayNumber(year, 1, 1),
  epiphany: (year) => dayNumber(year, 1, 6),
  valentine: (year) => dayNumber(year, 2, 14),
  patrick: (year) => dayNumber(year, 3, 17),
  'palm-sunday': (year) => easter(year) - 7,
  'maundy-thursday': (year) => easter(year) - 3,
  'good-friday': (year) => easter(year) - 2,
  'holy-saturday': (year) => easter(year) - 1,
  easter,
  'easter-monday': (year) => easter(year) + 1,
  ascension: (year) => easter(year) + 39,
  pentecost: (year) => easter(year) + 49,
  'whit-monday': (year) => easter(year) + 50,
  'carnival-monday': (year) => easter(year) - 48,
  'shrove-tuesday': (year) => easter(year) - 47,
  'ash-wednesday': (year) => easter(year) - 46,
  'workers-day': (year) => dayNumber(year, 5, 1),
  'midsummer-day': (year) => dayNumber(year, 6, 24),
  halloween: (year) => dayNumber(year, 10, 31),
  'all-saints': (year) => dayNumber(year, 11, 1),
  nicholas: (year) => dayNumber(year, 12, 6),
  thanksgiving,
  'black-friday': (year) => thanksgiving(year) + 1,
  'labor-day': (year) => nthWeekday(monthSpan(year, 9), 0, 1),
} as const satisfies Record<string, (year: number) => DayNumber>

export type Holiday = keyof typeof HOLIDAYS

/** Whether holidayDay knows this name. */
export function isHoliday(name: string): name is Holiday {
  return Object.hasOwn(HOLIDAYS, name)
}

/** The day of a holiday in a year. */
export function holidayDay(holiday: Holiday, year: number): DayNumber {
  return HOLIDAYS[holiday](year)
}
