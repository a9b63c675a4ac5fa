import {
  addMonths,
  type DayNumber,
  type DaySpan,
  dayNumber,
  existingDay,
  monthOf,
  weekdayOf,
  yearOf,
} from './calendar.ts'
import type { DateContext } from './rule.ts'

export type PeriodUnit = 'day' | 'week' | 'fortnight' | 'month' | 'quarter' | 'year' | 'decade' | 'weekend'

export function monthSpan(year: number, month: number): DaySpan {
  return { from: dayNumber(year, month, 1), to: dayNumber(year, month + 1, 1) }
}

export function yearSpan(year: number, years = 1): DaySpan {
  return { from: dayNumber(year, 1, 1), to: dayNumber(year + years, 1, 1) }
}

export function quarterSpan(year: number, quarter: number): DaySpan {
  return { from: dayNumber(year, quarter * 3 - 2, 1), to: dayNumber(year, quarter * 3 + 1, 1) }
}

export function halfSpan(year: number, half: number): DaySpan {
  return { from: dayNumber(year, half * 6 - 5, 1), to: dayNumber(year, half * 6 + 1, 1) }
}

/** Monday to Sunday, the week that holds a day. */
export function weekSpan(day: DayNumber): DaySpan {
  const monday = day - weekdayOf(day)
  return { from: monday, to: monday + 7 }
}

/** ISO week: week 1 holds the fourth of January. */
export function isoWeekSpan(year: number, week: number): DaySpan {
  return weekSpan(dayNumber(year, 1, 4) + (week - 1) * 7)
}

/** The nth week of a period (1-based, -1 the last): a week belongs where its Thursday is, as in ISO years. */
export function nthWeekSpan(span: DaySpan, nth: number): DaySpan {
  return weekSpan(nthWeekday(span, 3, nth))
}

/** The nth such weekday (0 Monday) of a period, -1 the last. */
export function nthWeekday(span: DaySpan, weekday: number, nth: number): DayNumber {
  if (nth > 0) return span.from + ((weekday - weekdayOf(span.from) + 7) % 7) + (nth - 1) * 7
  const last = span.to - 1
  return last - ((weekdayOf(last) - weekday + 7) % 7)
}

/** The calendar unit that lies `shift` units from today's. */
export function unitSpan(unit: PeriodUnit, shift: number, today: DayNumber): DaySpan {
  const year = yearOf(today)
  const month = monthOf(today)
  switch (unit) {
    case 'day':
      return { from: today + shift, to: today + shift + 1 }
    case 'week':
      return weekSpan(today + shift * 7)
    case 'fortnight':
      return { from: weekSpan(today + shift * 14).from, to: weekSpan(today + shift * 14).from + 14 }
    case 'weekend': {
      const { to } = weekSpan(today + shift * 7)
      return { from: to - 2, to }
    }
    case 'month':
      return monthSpan(year, month + shift)
    case 'quarter':
      return quarterSpan(year, Math.ceil(month / 3) + shift)
    case 'year':
      return yearSpan(year + shift)
    case 'decade':
      return yearSpan(Math.floor(year / 10) * 10 + shift * 10, 10)
  }
}

/** The same day some units later or earlier. */
export function shiftDay(day: DayNumber, unit: PeriodUnit, count: number): DayNumber {
  if (unit === 'day') return day + count
  if (unit === 'week' || unit === 'weekend') return day + count * 7
  if (unit === 'fortnight') return day + count * 14
  return addMonths(day, count * { month: 1, quarter: 3, year: 12, decade: 120 }[unit])
}

/** The year-less date nearest to today in the direction of the context. */
export function resolveDate(month: number, date: number, context: DateContext): DayNumber | undefined {
  const year = yearOf(context.today)
  // 29 February may be eight years away.
  for (let distance = 0; distance <= 8; distance++) {
    const day = existingDay(year + (context.looksAhead ? distance : -distance), month, date)
    if (day !== undefined && (context.looksAhead ? day >= context.today : day <= context.today)) return day
  }
  return undefined
}

/** The nearest of a period that comes every year: the latest that has begun, or looking ahead the first that is not over. */
export function resolveYearly(spanOf: (year: number) => DaySpan, context: DateContext): DaySpan {
  const year = yearOf(context.today)
  const candidates = [-1, 0, 1].map((shift) => spanOf(year + shift))
  const chosen = context.looksAhead
    ? candidates.find((span) => span.to > context.today)
    : candidates.findLast((span) => span.from <= context.today)
  return chosen ?? spanOf(year)
}

/** The last before the running one, the running one, or the next. */
export function relativeYearly(spanOf: (year: number) => DaySpan, direction: number, context: DateContext): DaySpan {
  const year = yearOf(context.today)
  if (direction === 0) return spanOf(year)
  const candidates = [-2, -1, 0, 1, 2].map((shift) => spanOf(year + shift))
  const chosen =
    direction > 0
      ? candidates.find((span) => span.from > context.today)
      : candidates.findLast((span) => span.to <= context.today)
  return chosen ?? spanOf(year + direction)
}

/** Winter of a year ends in it; the seasons of the south are half a year away. */
export function seasonSpan(season: string, year: number, isSouthern: boolean): DaySpan {
  const order = ['winter', 'spring', 'summer', 'autumn'].indexOf(season === 'fall' ? 'autumn' : season)
  const first = ((order + (isSouthern ? 2 : 0)) % 4) * 3
  const from = first === 0 ? dayNumber(year - 1, 12, 1) : dayNumber(year, first, 1)
  return { from, to: addMonths(from, 3) }
}
