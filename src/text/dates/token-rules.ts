import { type DaySpan, dayNumber, existingDay, monthOf, yearOf } from './calendar.ts'
import { holidayDay } from './holidays.ts'
import type { LexiconUnit, Roles, Step } from './lexicon/roles.ts'
import { type DateContext, oneDay } from './rule.ts'
import {
  halfSpan,
  isoWeekSpan,
  monthSpan,
  type PeriodUnit,
  quarterSpan,
  relativeYearly,
  resolveDate,
  resolveYearly,
  shiftDay,
  unitSpan,
  weekSpan,
  yearSpan,
} from './spans.ts'
import type { Element } from './token-match.ts'
import { nearestWeekday, weekdayWithDate } from './weekday-rules.ts'

type Found = readonly (Roles | undefined)[]

/** One order of words that means a day or period, whatever the language. */
export interface TokenRule {
  elements: readonly Element[]
  read(found: Found, context: DateContext): DaySpan | undefined
  /** Whether the context decides which year is meant. */
  isFloating?: boolean
  /** Only behind a word that announces it, or in a range. */
  isCued?: boolean
}

/** More of a unit is no span of time that somebody speaks of. */
const MAX_COUNT = 1000
const MINUTES: Partial<Record<LexiconUnit, number>> = { hour: 60, minute: 1 }

/** The same day some steps later or earlier. */
export function stepsAway(from: number, steps: readonly Step[], direction: 1 | -1, context: DateContext): number {
  return steps.reduce((day, { count, unit }) => {
    const minutes = MINUTES[unit]
    if (minutes !== undefined) return day === context.today ? context.dayInMinutes(direction * count * minutes) : day
    return unit === 'half' || unit === 'century' ? day : shiftDay(day, unit as PeriodUnit, direction * count)
  }, from)
}

/** "The last three weeks" reach up to today, "the next two" begin tomorrow. */
function rolling(steps: readonly Step[], which: number, context: DateContext): DaySpan | undefined {
  const { today } = context
  if (which === 0) return undefined
  const unit = steps[0]?.unit ?? 'day'
  const isClock = MINUTES[unit] !== undefined
  if (which < 0) return { from: stepsAway(today, steps, -1, context), to: today + 1 }
  return { from: isClock ? today : today + 1, to: stepsAway(today, steps, 1, context) + 1 }
}

function whichUnit(which: number, unit: LexiconUnit, context: DateContext): DaySpan | undefined {
  const { today } = context
  if (unit === 'day' || unit === 'century') return undefined
  if (unit === 'half') {
    const half = Math.ceil(monthOf(today) / 6) + which
    return halfSpan(yearOf(today) + Math.floor((half - 1) / 2), ((half + 1) % 2) + 1)
  }
  return MINUTES[unit] === undefined
    ? unitSpan(unit as PeriodUnit, which, today)
    : rolling([{ count: 1, unit }], which || 1, context)
}

function whichWeekday(which: number, weekday: number, context: DateContext): DaySpan {
  if (which === -1) return oneDay(nearestWeekday(weekday, { ...context, looksAhead: false })) ?? { from: 0, to: 0 }
  const day = weekSpan(context.today + 7 * which).from + weekday
  return { from: day, to: day + 1 }
}

function dateIn(month: number, date: number, year: number | undefined, context: DateContext): DaySpan | undefined {
  return oneDay(year === undefined ? resolveDate(month, date, context) : existingDay(year, month, date))
}

function monthIn(month: number, year: number | undefined, context: DateContext): DaySpan {
  return year === undefined ? resolveYearly((other) => monthSpan(other, month), context) : monthSpan(year, month)
}

/** The date in this month, or the one before or after, as the context looks. */
export function dateAlone(date: number, context: DateContext): DaySpan | undefined {
  for (const shift of context.looksAhead ? [0, 1] : [0, -1]) {
    const first = dayNumber(yearOf(context.today), monthOf(context.today) + shift, 1)
    const day = existingDay(yearOf(first), monthOf(first), date)
    if (day !== undefined && (context.looksAhead ? day >= context.today : day <= context.today)) return oneDay(day)
  }
  return undefined
}

/** From the first to the last date of a month; the month may be given before or behind. */
function datesIn(month: number, first: number, last: number, year: number | undefined, context: DateContext) {
  const end = dateIn(month, last, year, context)
  return end === undefined || first > last ? undefined : { from: end.from - (last - first), to: end.to }
}

const STEP_RULES: readonly TokenRule[] = [
  {
    elements: ['ago', 'steps'],
    read: ([, a], context) => oneDay(stepsAway(context.today, a?.steps ?? [], -1, context)),
  },
  { elements: ['steps', 'ago'], read: ([a], context) => oneDay(stepsAway(context.today, a?.steps ?? [], -1, context)) },
  {
    elements: ['ahead', 'steps'],
    read: ([, a], context) => oneDay(stepsAway(context.today, a?.steps ?? [], 1, context)),
  },
  {
    elements: ['steps', 'ahead'],
    read: ([a], context) => oneDay(stepsAway(context.today, a?.steps ?? [], 1, context)),
  },
  { elements: ['which', 'steps'], read: ([a, b], context) => rolling(b?.steps ?? [], a?.which ?? 0, context) },
  { elements: ['steps', 'which'], read: ([b, a], context) => rolling(b?.steps ?? [], a?.which ?? 0, context) },
  {
    elements: ['number', 'which', 'unit'],
    read: ([a, b, c], context) =>
      a?.year === undefined && (a?.number ?? 0) < MAX_COUNT
        ? rolling([{ count: a?.number ?? 1, unit: c?.unit ?? 'day' }], b?.which ?? 0, context)
        : undefined,
  },
]

const WHICH_RULES: readonly TokenRule[] = [
  { elements: ['period'], read: ([a], { today }) => a?.period && unitSpan(a.period.unit, a.period.shift, today) },
  {
    elements: ['either'],
    read: ([a], { today, looksAhead }) => oneDay(today + (looksAhead ? 1 : -1) * (a?.either ?? 0)),
  },
  { elements: ['day'], read: ([a]) => oneDay(a?.day) },
  { elements: ['which', 'unit'], read: ([a, b], context) => whichUnit(a?.which ?? 0, b?.unit ?? 'day', context) },
  { elements: ['unit', 'which'], read: ([b, a], context) => whichUnit(a?.which ?? 0, b?.unit ?? 'day', context) },
  { elements: ['which', 'weekday'], read: ([a, b], context) => whichWeekday(a?.which ?? 0, b?.weekday ?? 0, context) },
  { elements: ['weekday', 'which'], read: ([b, a], context) => whichWeekday(a?.which ?? 0, b?.weekday ?? 0, context) },
  {
    elements: ['which', 'month'],
    read: ([a, b], context) =>
      relativeYearly((year) => monthSpan(year, b?.month ?? 1), Math.sign(a?.which ?? 0), context),
  },
  {
    elements: ['month', 'which'],
    read: ([b, a], context) =>
      relativeYearly((year) => monthSpan(year, b?.month ?? 1), Math.sign(a?.which ?? 0), context),
  },
]

const WEEKDAY_RULES: readonly TokenRule[] = [
  {
    elements: ['weekday'],
    read: ([a], context) => (a?.isShort ? undefined : oneDay(nearestWeekday(a?.weekday ?? 0, context))),
    isFloating: true,
  },
  {
    elements: ['weekday', 'date'],
    // "Tuesday one", "Friday 13 people": a number behind a weekday is a date only if it looks like one.
    read: ([a, b], context) =>
      b?.ordinal !== undefined || b?.isBare || b?.isMarked
        ? oneDay(weekdayWithDate(a?.weekday ?? 0, b.date ?? 0, context))
        : undefined,
  },
  {
    elements: ['weekday', 'unit', 'date'],
    read: ([a, b, c], context) =>
      b?.unit === 'day' ? oneDay(weekdayWithDate(a?.weekday ?? 0, c?.date ?? 0, context)) : undefined,
  },
  { elements: ['weekday', 'day'], read: ([, a]) => oneDay(a?.day) },
  {
    elements: ['date', 'weekday'],
    read: ([b, a], context) =>
      b?.isMarked ? oneDay(weekdayWithDate(a?.weekday ?? 0, b.date ?? 0, context)) : undefined,
  },
]

/** Places of day, month and year: every order that somebody writes. */
const DATE_ORDERS: readonly (readonly ('date' | 'month' | 'year')[])[] = [
  ['date', 'month', 'year'],
  ['month', 'date', 'year'],
  ['year', 'month', 'date'],
  ['year', 'date', 'month'],
  ['date', 'year', 'month'],
  ['month', 'year', 'date'],
  ['date', 'month'],
  ['month', 'date'],
]

function dateRule(order: (typeof DATE_ORDERS)[number], prefix?: 'weekday' | 'unit'): TokenRule {
  const before = prefix === undefined ? 0 : 1
  const [month, date, year] = (['month', 'date', 'year'] as const).map((role) => order.indexOf(role) + before)
  return {
    elements: prefix === undefined ? order : [prefix, ...order],
    isFloating: order.length === 2,
    read: (found, context) => {
      const at = (i = -1): Roles | undefined => found[i]
      if (at(date)?.year !== undefined || (prefix === 'unit' && found[0]?.unit !== 'day')) return undefined
      return dateIn(
        at(month)?.month ?? 0,
        at(date)?.date ?? 0,
        order.length === 3 ? at(year)?.year : undefined,
        context,
      )
    },
  }
}

const DATE_RULES: readonly TokenRule[] = [
  ...DATE_ORDERS.flatMap((order) => [dateRule(order), dateRule(order, 'weekday'), dateRule(order, 'unit')]),
  {
    elements: ['date', 'date', 'year'],
    read: ([a, b, c]) => oneDay(existingDay(c?.year ?? 0, b?.date ?? 0, a?.date ?? 0)),
  },
  {
    elements: ['on', 'dayAndMonth'],
    read: ([, a], context) => dateIn(a?.dayAndMonth?.[1] ?? 0, a?.dayAndMonth?.[0] ?? 0, undefined, context),
    isFloating: true,
  },
  {
    elements: ['weekday', 'dayAndMonth'],
    read: ([, a], context) => dateIn(a?.dayAndMonth?.[1] ?? 0, a?.dayAndMonth?.[0] ?? 0, undefined, context),
    isFloating: true,
  },
  {
    elements: ['dayAndMonth'],
    read: ([a], context) => dateIn(a?.dayAndMonth?.[1] ?? 0, a?.dayAndMonth?.[0] ?? 0, undefined, context),
    isFloating: true,
    isCued: true,
  },
  {
    elements: ['date', 'to', 'date', 'to?', 'month', 'year?'],
    read: ([a, , b, , c, d], context) => datesIn(c?.month ?? 0, a?.date ?? 0, b?.date ?? 0, d?.year, context),
    isFloating: true,
  },
  {
    elements: ['between', 'date', 'and', 'date', 'month', 'year?'],
    read: ([, a, , b, c, d], context) => datesIn(c?.month ?? 0, a?.date ?? 0, b?.date ?? 0, d?.year, context),
    isFloating: true,
  },
  {
    elements: ['month', 'date', 'to', 'date'],
    read: ([c, a, , b], context) => datesIn(c?.month ?? 0, a?.date ?? 0, b?.date ?? 0, undefined, context),
    isFloating: true,
  },
  {
    elements: ['year', 'month', 'date', 'to', 'date'],
    read: ([d, c, a, , b], context) => datesIn(c?.month ?? 0, a?.date ?? 0, b?.date ?? 0, d?.year, context),
  },
  {
    elements: ['date'],
    read: ([a], context) => (a?.isMarked ? dateAlone(a.date ?? 0, context) : undefined),
    isFloating: true,
  },
  {
    elements: ['unit', 'date'],
    read: ([a, b], context) => (a?.unit === 'day' ? dateAlone(b?.date ?? 0, context) : undefined),
    isFloating: true,
  },
]

const PERIOD_RULES: readonly TokenRule[] = [
  { elements: ['in?', 'month', 'year'], read: ([, a, b], context) => monthIn(a?.month ?? 0, b?.year, context) },
  { elements: ['in?', 'year', 'month'], read: ([, b, a], context) => monthIn(a?.month ?? 0, b?.year, context) },
  { elements: ['in', 'month'], read: ([, a], context) => monthIn(a?.month ?? 0, undefined, context), isFloating: true },
  {
    elements: ['month'],
    read: ([a], context) => (a?.isMarked ? monthIn(a.month ?? 0, undefined, context) : undefined),
    isFloating: true,
  },
  {
    elements: ['month'],
    read: ([a], context) => monthIn(a?.month ?? 0, undefined, context),
    isFloating: true,
    isCued: true,
  },
  { elements: ['in', 'year'], read: ([, a]) => (a?.year === undefined ? undefined : yearSpan(a.year)) },
  { elements: ['year'], read: ([a]) => (a?.year !== undefined && a.isMarked ? yearSpan(a.year) : undefined) },
  { elements: ['year'], read: ([a]) => (a?.year === undefined ? undefined : yearSpan(a.year)), isCued: true },
  {
    elements: ['unit', 'year'],
    read: ([a, b]) => {
      if (b?.year === undefined) return undefined
      if (a?.unit === 'decade') return yearSpan(b.year, 10)
      return a?.unit === 'year' ? yearSpan(b.year) : undefined
    },
  },
  {
    elements: ['year', 'unit'],
    read: ([b, a]) => (a?.unit === 'decade' && b?.year ? yearSpan(b.year, 10) : undefined),
  },
  { elements: ['quarter', 'year'], read: ([a, b]) => quarterSpan(b?.year ?? 0, a?.quarter ?? 1) },
  { elements: ['year', 'quarter'], read: ([b, a]) => quarterSpan(b?.year ?? 0, a?.quarter ?? 1) },
  {
    elements: ['unit', 'number', 'year?'],
    read: ([a, b, c], { today }) =>
      a?.unit === 'week' && (b?.number ?? 99) <= 53 ? isoWeekSpan(c?.year ?? yearOf(today), b?.number ?? 1) : undefined,
  },
  {
    elements: ['ordinal', 'unit'],
    read: ([a, b]) =>
      b?.unit === 'century' && (a?.ordinal ?? 0) > 1 ? yearSpan(((a?.ordinal ?? 1) - 1) * 100, 100) : undefined,
  },
  {
    elements: ['unit', 'number'],
    read: ([a, b]) =>
      a?.unit === 'century' && (b?.number ?? 0) > 1 && (b?.number ?? 99) < 22
        ? yearSpan(((b?.number ?? 1) - 1) * 100, 100)
        : undefined,
  },
]

const HOLIDAY_RULES: readonly TokenRule[] = [
  {
    elements: ['holiday', 'year'],
    read: ([a, b]) => holidaySpan(a, b?.year ?? 0),
  },
  { elements: ['year', 'holiday'], read: ([b, a]) => holidaySpan(a, b?.year ?? 0) },
  {
    elements: ['which', 'holiday'],
    read: ([b, a], context) => relativeYearly((year) => holidaySpan(a, year), Math.sign(b?.which ?? 0), context),
  },
  {
    elements: ['holiday'],
    read: ([a], context) => resolveYearly((year) => holidaySpan(a, year), context),
    isFloating: true,
  },
]

function holidaySpan(roles: Roles | undefined, year: number): DaySpan {
  const day = holidayDay(roles?.holiday ?? 'new-year', year)
  return { from: day, to: day + 1 }
}

/** Days and periods that need no other to be counted from. */
export const TOKEN_RULES: readonly TokenRule[] = [
  ...STEP_RULES,
  ...WHICH_RULES,
  ...WEEKDAY_RULES,
  ...DATE_RULES,
  ...PERIOD_RULES,
  ...HOLIDAY_RULES,
]
