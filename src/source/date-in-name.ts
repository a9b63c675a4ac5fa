const DAY = /(?<![\p{L}\p{N}])(\d{4})-(\d{2})-(\d{2})(?!\d)/gu

/** The first `YYYY-MM-DD` in a name that is a day of the calendar, or undefined. */
export function dayInName(name: string): string | undefined {
  for (const [day, year, month, date] of name.matchAll(DAY)) {
    if (isCalendarDay(Number(year), Number(month), Number(date))) return day
  }
  return undefined
}

/** Whether the numbers name a day that exists in the Gregorian calendar; years before 1900 are taken for other numbers. */
export function isCalendarDay(year: number, month: number, date: number): boolean {
  if (year < 1900 || month < 1 || month > 12 || date < 1) return false
  return date <= new Date(Date.UTC(year, month, 0)).getUTCDate()
}
