import { type DayNumber, dayNumber, existingDay, monthOf, weekdayOf, yearOf } from './calendar.ts'
import { type DateContext, type DateRule, followsDayCue, type Groups, oneDay, readsAsDate, rule } from './rule.ts'
import { type PeriodUnit, resolveDate, shiftDay, weekSpan } from './spans.ts'
import { COUNT, DATE, MONTH, ORDINAL, readMonth, readNumber, readWeekday, readYear, WEEKDAY } from './words.ts'

const UNIT = '(?:day|week|fortnight|month|quarter|year|decade)s?'
/** "2 weeks", "2 years, 1 month and 21 days". */
export const STEPS = `${COUNT}\\s+${UNIT}\\b(?:(?:,?\\s+and|,)?\\s+${COUNT}\\s+${UNIT}\\b)*`
const DAY_PART = '(?:\\s+(?:early |late )?(?:morning|afternoon|evening|night|noon)\\b)?'
const LONG_WEEKDAY = '(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)\\b'
const OPTIONAL_WEEKDAY = `(?:${WEEKDAY}\\.?,?\\s+)?`
/** What may stand behind a date of digits: not the rest of a time or range. */
const NO_TIME = '(?!\\s*[:.]\\d|\\s*-\\s*\\d|\\s*(?:am|pm|a\\.m|p\\.m)\\b)'

const NAMED_DAYS: readonly (readonly [RegExp, number])[] = [
  [/day\s+before\s+yesterday/, -2],
  [/yesterday|last\s+night/, -1],
  [/day\s+after\s+tomorrow/, 2],
  [/tomorrow/, 1],
]

const STEP = new RegExp(`(?<count>${COUNT})\\s+(?<unit>day|week|fortnight|month|quarter|year|decade)`, 'giu')

/** Moves a day by steps such as "two weeks"; `direction` -1 is back. */
export function moveDay(day: DayNumber, steps: string, direction: 1 | -1): DayNumber {
  return [...steps.toLowerCase().matchAll(STEP)].reduce((moved, { groups }) => {
    return shiftDay(moved, (groups?.unit ?? 'day') as PeriodUnit, direction * readNumber(groups?.count ?? ''))
  }, day)
}

/** The nearest such weekday that is not today. */
function nearestWeekday(weekday: number, { today, looksAhead }: DateContext): DayNumber {
  const ahead = (weekday - weekdayOf(today) + 7) % 7
  if (looksAhead) return today + (ahead || 7)
  return today + ahead - 7
}

function relativeWeekday({ which = '', weekday = '' }: Groups, context: DateContext): DayNumber {
  const day = readWeekday(weekday)
  if (/next|following/.test(which)) return weekSpan(context.today + 7).from + day
  if (/last|past|previous/.test(which)) return nearestWeekday(day, { ...context, looksAhead: false })
  if (/coming/.test(which)) return nearestWeekday(day, { ...context, looksAhead: true })
  return weekSpan(context.today).from + day
}

function weekdayOfWeek({ which = '', weekday = '' }: Groups, { today }: DateContext): DayNumber {
  const shift = /next|following/.test(which) ? 7 : /last|previous|past/.test(which) ? -7 : 0
  return weekSpan(today + shift).from + readWeekday(weekday)
}

/** Every date falls on every weekday within six years; the 31st and 29 February need longer, but nobody asks. */
const MAX_MONTHS_TO_WEEKDAY = 84

/** "Friday the 13th": the nearest month in which that date is that weekday. */
function weekdayWithDate({ weekday = '', date = '' }: Groups, context: DateContext): DayNumber | undefined {
  for (let distance = 0; distance <= MAX_MONTHS_TO_WEEKDAY; distance++) {
    const months = context.looksAhead ? distance : -distance
    const monthStart = dayNumber(yearOf(context.today), monthOf(context.today) + months, 1)
    const candidate = existingDay(yearOf(monthStart), monthOf(monthStart), readNumber(date))
    if (candidate === undefined || weekdayOf(candidate) !== readWeekday(weekday)) continue
    if (context.looksAhead ? candidate >= context.today : candidate <= context.today) return candidate
  }
  return undefined
}

function monthAndDate({ which = '', month = '', date = '' }: Groups, context: DateContext): DayNumber | undefined {
  const { today } = context
  const numbers = [readMonth(month), readNumber(date)] as const
  if (/this/.test(which)) return existingDay(yearOf(today), ...numbers)
  if (/next|coming/.test(which)) return resolveDate(...numbers, { ...context, today: today + 1, looksAhead: true })
  if (/last|past|previous/.test(which))
    return resolveDate(...numbers, { ...context, today: today - 1, looksAhead: false })
  return resolveDate(...numbers, context)
}

function numericDate({ first = '', second = '', year }: Groups, context: DateContext): DayNumber | undefined {
  const numbers = [Number(first), Number(second)] as const
  const isDayFirst = numbers[0] > 12 || (context.isDayFirst && numbers[1] <= 12)
  const [date, month] = isDayFirst ? numbers : [numbers[1], numbers[0]]
  return year === undefined ? resolveDate(month, date, context) : existingDay(readYear(year), month, date)
}

function dateOfMonth({ date = '', which = '' }: Groups, context: DateContext): DayNumber | undefined {
  const { today } = context
  const shift = /next|following/.test(which) ? 1 : /last|previous|past/.test(which) ? -1 : 0
  const month = monthOf(today) + shift
  const monthStart = dayNumber(yearOf(today), month, 1)
  const day = existingDay(yearOf(monthStart), monthOf(monthStart), readNumber(date))
  if (which !== '' || day === undefined || (context.looksAhead ? day >= today : day <= today)) return day
  const other = dayNumber(yearOf(today), month + (context.looksAhead ? 1 : -1), 1)
  return existingDay(yearOf(other), monthOf(other), readNumber(date))
}

const WHICH = '(?<which>(?:this )?(?:last|past|previous|coming|upcoming)|this|next|following)'
const WHICH_WEEK = "(?:the )?(?<which>last|this|next|previous|following|past)\\s+week(?:'s)?"

/** Ways to write one day, without a year in full: those are found first. */
export const DAY_RULES: readonly DateRule[] = [
  rule(
    `(?:(?:later|earlier|early|late)\\s+(?:in\\s+)?)?(?:the\\s+)?(?<name>day\\s+before\\s+yesterday|day\\s+after\\s+tomorrow|yesterday|last\\s+night|today|tonight|tomorrow)${DAY_PART}`,
    ({ name = '' }, { today }) => oneDay(today + (NAMED_DAYS.find(([pattern]) => pattern.test(name))?.[1] ?? 0)),
  ),
  rule('(?:(?:later|earlier|early|late)\\s+)?this\\s+(?:morning|afternoon|evening)', (_, { today }) => oneDay(today)),
  rule(`(?<steps>${STEPS})\\s+(?:ago|earlier|back)`, ({ steps = '' }, { today }) => oneDay(moveDay(today, steps, -1))),
  rule(`in\\s+(?:about\\s+)?(?<steps>${STEPS})(?:['’]s?)?(?:\\s+time)?`, ({ steps = '' }, { today }) =>
    oneDay(moveDay(today, steps, 1)),
  ),
  rule(`(?<steps>${STEPS})\\s+(?:from\\s+now|later|hence)`, ({ steps = '' }, { today }) =>
    oneDay(moveDay(today, steps, 1)),
  ),
  rule(`${WHICH}\\s+(?<weekday>${WEEKDAY})${DAY_PART}`, (groups, context) => oneDay(relativeWeekday(groups, context)), {
    suits: ({ match, before, after }) =>
      !/^this\s+(?:sun|sat)$/i.test(match) || followsDayCue({ before, match, after }),
  }),
  rule(`(?<weekday>${WEEKDAY})${DAY_PART}\\s+(?:of\\s+)?${WHICH_WEEK}`, (groups, context) =>
    oneDay(weekdayOfWeek(groups, context)),
  ),
  rule(`${WHICH_WEEK}(?:\\s*[-,]\\s*|\\s+)(?:on\\s+)?(?<weekday>${WEEKDAY})${DAY_PART}`, (groups, context) =>
    oneDay(weekdayOfWeek(groups, context)),
  ),
  rule(
    `(?<weekday>${WEEKDAY}),?\\s+(?<steps>${COUNT}\\s+weeks?)\\s+(?<direction>ago|from\\s+now)`,
    ({ weekday = '', steps = '', direction }, { today }) =>
      oneDay(weekSpan(moveDay(today, steps, direction === 'ago' ? -1 : 1)).from + readWeekday(weekday)),
  ),
  rule(
    `(?<weekday>${WEEKDAY}),?\\s+(?:the\\s+)?(?<date>${ORDINAL}|\\d{1,2}${NO_TIME})`,
    (groups, context) => oneDay(weekdayWithDate(groups, context)),
    {
      suits: ({ match, before, after }) =>
        /^\p{Lu}|^\p{L}{4}/u.test(match) && (!/\d$/.test(match) || followsDayCue({ match, before, after })),
    },
  ),
  rule(`(?:on\\s+)?(?<weekday>${LONG_WEEKDAY})${DAY_PART}`, ({ weekday = '' }, context) =>
    oneDay(nearestWeekday(readWeekday(weekday), context)),
  ),
  rule(`on\\s+(?<weekday>${WEEKDAY})${DAY_PART}`, ({ weekday = '' }, context) =>
    oneDay(nearestWeekday(readWeekday(weekday), context)),
  ),
  rule(
    `${OPTIONAL_WEEKDAY}(?:(?<which>this|next|last|coming)\\s+)?(?<month>${MONTH})[\\s/-]{0,2}(?:the\\s+)?(?<date>${ORDINAL}|\\d{1,2}${NO_TIME})`,
    (groups, context) => oneDay(monthAndDate(groups, context)),
    { isFloating: true, suits: readsAsDate },
  ),
  rule(
    `${OPTIONAL_WEEKDAY}(?:(?<which>this|next|last|coming)\\s+)?(?:the\\s+)?(?<date>${DATE})(?:\\s+day)?(?:\\s+of\\s+|[\\s-]{0,2})(?<month>${MONTH})`,
    (groups, context) => oneDay(monthAndDate(groups, context)),
    { isFloating: true, suits: readsAsDate },
  ),
  rule(`(?<first>\\d{1,2})(?<sep>[/-])(?<second>\\d{1,2})\\k<sep>(?<year>(?:19|20)\\d{2})`, (groups, context) =>
    oneDay(numericDate(groups, context)),
  ),
  rule('(?<first>\\d{1,2})/(?<second>\\d{1,2})/(?<year>\\d{2})', (groups, context) =>
    oneDay(numericDate(groups, context)),
  ),
  rule(
    `(?<cue>this\\s+|${WEEKDAY},?\\s+)?(?<first>\\d{1,2})/(?<second>\\d{1,2})`,
    (groups, context) => oneDay(numericDate(groups, context)),
    { isFloating: true, suits: (company) => /^\p{L}/u.test(company.match) || followsDayCue(company) },
  ),
  rule(
    `(?:the\\s+)?(?<date>${ORDINAL})(?:\\s+day)?\\s+(?:of\\s+)?(?:the\\s+)?(?<which>this|last|next|previous|following|past)\\s+month`,
    (groups, context) => oneDay(dateOfMonth(groups, context)),
  ),
  rule(`the\\s+(?<date>\\d{1,2}(?:st|nd|rd|th))`, (groups, context) => oneDay(dateOfMonth(groups, context)), {
    suits: ({ before, after }) =>
      /(?:^|\s)(?:on|since|until)\s+$/i.test(before) &&
      /^\s*(?:$|[?!,;.)]|(?:at|from|between|we|i|you)\b)/i.test(after),
  }),
]
