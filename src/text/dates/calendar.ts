/** A calendar day as a number of days since 1970-01-01: arithmetic without zones or clock changes. */
export type DayNumber = number

/** Whole days, `to` exclusive. */
export interface DaySpan {
  from: DayNumber
  to: DayNumber
}

const DAY_MS = 86_400_000

/** The day with these numbers (month 1–12); numbers over the end of a month or year carry on. */
export function dayNumber(year: number, month: number, date: number): DayNumber {
  const instant = new Date(0)
  instant.setUTCFullYear(year, month - 1, date)
  return Math.floor(instant.getTime() / DAY_MS)
}

export function yearOf(day: DayNumber): number {
  return new Date(day * DAY_MS).getUTCFullYear()
}

/** 1–12. */
export function monthOf(day: DayNumber): number {
  return new Date(day * DAY_MS).getUTCMonth() + 1
}

/** 1–31. */
export function dateOf(day: DayNumber): number {
  return new Date(day * DAY_MS).getUTCDate()
}

/** 0 Monday – 6 Sunday. */
export function weekdayOf(day: DayNumber): number {
  return (((day + 3) % 7) + 7) % 7
}

/** The day with these numbers if the calendar has it (no 30 February), else undefined. */
export function existingDay(year: number, month: number, date: number): DayNumber | undefined {
  if (month < 1 || month > 12 || date < 1 || date > 31) return undefined
  const day = dayNumber(year, month, date)
  return monthOf(day) === month && dateOf(day) === date ? day : undefined
}

/** The same date some months later or earlier; the last of the month where that date is missing. */
export function addMonths(day: DayNumber, months: number): DayNumber {
  const first = dayNumber(yearOf(day), monthOf(day) + months, 1)
  const last = dayNumber(yearOf(day), monthOf(day) + months + 1, 0)
  return Math.min(first + dateOf(day) - 1, last)
}

/** `YYYY-MM-DD`. */
export function formatDay(day: DayNumber): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10)
}

/** Reads `YYYY-MM-DD`; undefined if it is written otherwise or the calendar has no such day. */
export function parseDay(text: string): DayNumber | undefined {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
  return match === null ? undefined : existingDay(Number(match[1]), Number(match[2]), Number(match[3]))
}
