import { type DayNumber, type DaySpan, dayNumber, existingDay, monthOf, yearOf } from './calendar.ts'
import { directionOf } from './relative-rules.ts'
import {
  type DateContext,
  type DateRule,
  followsDayCue,
  type Groups,
  needing,
  oneDay,
  readsAsDate,
  rule,
} from './rule.ts'
import { resolveDate } from './spans.ts'
import { ANY_YEAR, DATE, MONTH, NO_TIME, ORDINAL, readMonth, readNumber, readYear, WEEKDAY } from './words.ts'

const WEEKDAY_BEFORE = `(?:${WEEKDAY}\\.?,?\\s+)?`
const WHICH_BEFORE = '(?:(?<which>this|next|last|coming)\\s+)?'
const IN_YEAR = `(?:(?:,?\\s+(?:of|in))?[\\s,]+(?<year>${ANY_YEAR}))?`
const DATE_TO_DATE = `(?<date>${DATE})(?:\\s*[-–—~]\\s*|\\s+(?:to|and|till|until|through)\\s+)(?:the\\s+)?(?<last>${DATE})`

function monthAndDate({ which = '', month = '', date = '' }: Groups, context: DateContext): DayNumber | undefined {
  const { today } = context
  const [monthNumber, dateNumber] = [readMonth(month), readNumber(date)]
  if (which === 'this') return existingDay(yearOf(today), monthNumber, dateNumber)
  const direction = directionOf(which)
  if (direction === 0) return resolveDate(monthNumber, dateNumber, context)
  return resolveDate(monthNumber, dateNumber, { ...context, today: today + direction, looksAhead: direction > 0 })
}

/** "November 19–20": both days within one month. */
function datesOfMonth({ month = '', date = '', last = '', year }: Groups, context: DateContext): DaySpan | undefined {
  const [monthNumber, first, second] = [readMonth(month), readNumber(date), readNumber(last)]
  const end =
    year === undefined ? resolveDate(monthNumber, second, context) : existingDay(readYear(year), monthNumber, second)
  if (end === undefined || first < 1 || first > second) return undefined
  return { from: end - (second - first), to: end + 1 }
}

function numericDate(
  { which = '', first = '', second = '', year }: Groups,
  context: DateContext,
): DayNumber | undefined {
  const isDayFirst = Number(first) > 12 || (context.isDayFirst && Number(second) <= 12)
  const [date, month] = isDayFirst ? [Number(first), Number(second)] : [Number(second), Number(first)]
  if (year !== undefined) return existingDay(readYear(year), month, date)
  return which === 'this' ? existingDay(yearOf(context.today), month, date) : resolveDate(month, date, context)
}

function dateOfMonth({ date = '', which }: Groups, context: DateContext): DayNumber | undefined {
  const inMonth = (shift: number): DayNumber | undefined => {
    const start = dayNumber(yearOf(context.today), monthOf(context.today) + shift, 1)
    return existingDay(yearOf(start), monthOf(start), readNumber(date))
  }
  if (which !== undefined) return inMonth(directionOf(which))
  const day = inMonth(0)
  if (day !== undefined && (context.looksAhead ? day >= context.today : day <= context.today)) return day
  return inMonth(context.looksAhead ? 1 : -1)
}

const MONTH_AND_DATE_RULES: readonly DateRule[] = needing(
  ['month'],
  [
    rule(
      `${WEEKDAY_BEFORE}${WHICH_BEFORE}(?<month>${MONTH})[\\s/-]{0,2}(?:the\\s+)?(?<date>${ORDINAL}|\\d{1,2}${NO_TIME})`,
      (groups, context) => oneDay(monthAndDate(groups, context)),
      { isFloating: true, suits: readsAsDate },
    ),
    rule(
      `${WEEKDAY_BEFORE}${WHICH_BEFORE}(?:the\\s+)?(?<date>${DATE})(?:\\s+day)?(?:\\s+of\\s+|[\\s-]{0,2})(?<month>${MONTH})`,
      (groups, context) => oneDay(monthAndDate(groups, context)),
      { isFloating: true, suits: readsAsDate },
    ),
    rule(
      `(?:between\\s+|from\\s+)?(?<month>${MONTH})\\s+(?:the\\s+)?${DATE_TO_DATE}${NO_TIME}${IN_YEAR}`,
      datesOfMonth,
      {
        isFloating: true,
        suits: readsAsDate,
      },
    ),
    rule(
      `(?:between\\s+|from\\s+)?(?:the\\s+)?${DATE_TO_DATE}\\s+(?:of\\s+)?(?<month>${MONTH})${IN_YEAR}`,
      datesOfMonth,
      {
        isFloating: true,
        suits: readsAsDate,
      },
    ),
  ],
)

const NUMERIC_RULES: readonly DateRule[] = needing(
  ['digit'],
  [
    rule(
      `${WEEKDAY_BEFORE}(?<first>\\d{1,2})(?<separator>[/-])(?<second>\\d{1,2})\\k<separator>(?<year>(?:19|20)\\d{2})`,
      (groups, context) => oneDay(numericDate(groups, context)),
    ),
    rule('(?<first>\\d{1,2})/(?<second>\\d{1,2})/(?<year>\\d{2})', (groups, context) =>
      oneDay(numericDate(groups, context)),
    ),
    rule('(?<first>\\d{1,2})/(?<second>\\d{1,2})', (groups, context) => oneDay(numericDate(groups, context)), {
      isFloating: true,
      suits: (company) => followsDayCue(company) || /^\s*[-–—]\s*\d{1,2}\/\d{1,2}(?!\p{N})/u.test(company.after),
    }),
    rule(
      `(?:(?<which>this)\\s+)?(?:(?:next|last)\\s+)?(?:${WEEKDAY},?\\s+)(?<first>\\d{1,2})[/.](?<second>\\d{1,2})`,
      (groups, context) => oneDay(numericDate(groups, context)),
      { isFloating: true },
    ),
    rule('(?<which>this)\\s+(?<first>\\d{1,2})/(?<second>\\d{1,2})', (groups, context) =>
      oneDay(numericDate(groups, context)),
    ),
    rule('the\\s+(?<date>\\d{1,2}(?:st|nd|rd|th))', (groups, context) => oneDay(dateOfMonth(groups, context)), {
      suits: ({ before, after }) =>
        /(?:^|\s)(?:on|since|until)\s+$/i.test(before) &&
        /^\s*(?:$|[?!,;)]|\.(?:\s|$)|(?:at|from|between|we|i|you)\b)/i.test(after),
    }),
  ],
)

const OF_MONTH_RULE: readonly DateRule[] = needing(
  ['unit', 'which'],
  [
    rule(
      `(?:the\\s+)?(?<date>${ORDINAL})(?:\\s+day)?\\s+(?:of\\s+)?(?:the\\s+)?(?<which>this|last|next|previous|following|past)\\s+month`,
      (groups, context) => oneDay(dateOfMonth(groups, context)),
    ),
  ],
)

/** Days by month and number, without a year or with only its last digits: those with a year in full are found before. */
export const DATE_RULES: readonly DateRule[] = [...MONTH_AND_DATE_RULES, ...NUMERIC_RULES, ...OF_MONTH_RULE]
