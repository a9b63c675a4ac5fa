import { type DayNumber, dayNumber, existingDay, monthOf, weekdayOf, yearOf } from './calendar.ts'
import { directionOf, WHICH } from './relative-rules.ts'
import {
  type Company,
  type DateContext,
  type DateRule,
  END,
  followsDayCue,
  type Groups,
  needing,
  oneDay,
  rule,
} from './rule.ts'
import { weekSpan } from './spans.ts'
import { COUNT, DAY_PART, NO_TIME, ORDINAL, readNumber, readWeekday, WEEKDAY } from './words.ts'

/** Within seven years every date from the 1st to the 30th has fallen on every weekday. */
const MAX_MONTHS_TO_WEEKDAY = 84
const WHICH_WEEK = `(?:the\\s+)?${WHICH}\\s+week(?:’s)?`
const LONG_NAME = /^\p{L}+day\b/iu

/** The nearest such weekday that is not today. */
export function nearestWeekday(weekday: number, { today, looksAhead }: DateContext): DayNumber {
  const ahead = (weekday - weekdayOf(today) + 7) % 7
  return looksAhead ? today + (ahead || 7) : today + ahead - 7
}

/** "next Friday" is of next week, "this Friday" of this one; "last" and "coming" count from today. */
function whichWeekday({ which = '', weekday = '' }: Groups, context: DateContext): DayNumber {
  const day = readWeekday(weekday)
  if (directionOf(which) < 0) return nearestWeekday(day, { ...context, looksAhead: false })
  if (/coming/.test(which)) return nearestWeekday(day, { ...context, looksAhead: true })
  return weekSpan(context.today + 7 * directionOf(which)).from + day
}

function weekdayOfWeek({ which = '', weekday = '' }: Groups, { today }: DateContext): DayNumber {
  return weekSpan(today + 7 * directionOf(which)).from + readWeekday(weekday)
}

/** "Friday the 13th": the month in which that date is that weekday, nearest to today in either direction. */
export function weekdayWithDate(weekday: number, date: number, { today }: DateContext): DayNumber | undefined {
  for (let distance = 0; distance <= MAX_MONTHS_TO_WEEKDAY; distance++) {
    for (const months of [-distance, distance]) {
      const monthStart = dayNumber(yearOf(today), monthOf(today) + months, 1)
      const day = existingDay(yearOf(monthStart), monthOf(monthStart), date)
      if (day !== undefined && weekdayOf(day) === weekday) return day
    }
  }
  return undefined
}

/** "Sat" and "sun" are also words: as a day they stand after "on", and with a capital or nothing behind. */
function namesWeekday({ before, match, after }: Company): boolean {
  if (LONG_NAME.test(match)) return true
  return /(?:^|\s)on\s+$/i.test(before) && (/^\p{Lu}/u.test(match) || END.test(after))
}

/** Digits after a weekday are a date only if nothing follows that they would count. */
function endsAsDate(company: Company): boolean {
  return (
    !/\d$/.test(company.match) || followsDayCue(company) || END.test(company.after) || /^\s+at\b/.test(company.after)
  )
}

/** Days of the week. */
export const WEEKDAY_RULES: readonly DateRule[] = needing(
  ['weekday'],
  [
    rule(
      `(?<weekday>${WEEKDAY})${DAY_PART}`,
      ({ weekday = '' }, context) => oneDay(nearestWeekday(readWeekday(weekday), context)),
      {
        isFloating: true,
        suits: namesWeekday,
      },
    ),
    rule(`${WHICH}\\s+(?<weekday>${WEEKDAY})${DAY_PART}`, (groups, context) => oneDay(whichWeekday(groups, context)), {
      suits: ({ before, match }) => !/^this\s+(?:sun|sat)$/.test(match) || /(?:^|\s)on\s+$/i.test(before),
    }),
    rule(`(?<weekday>${WEEKDAY})${DAY_PART}\\s+(?:of\\s+)?${WHICH_WEEK}`, (groups, context) =>
      oneDay(weekdayOfWeek(groups, context)),
    ),
    rule(`${WHICH_WEEK}(?:\\s*[-,]\\s*|\\s+)(?:on\\s+)?(?<weekday>${WEEKDAY})${DAY_PART}`, (groups, context) =>
      oneDay(weekdayOfWeek(groups, context)),
    ),
    rule(
      `(?<weekday>${WEEKDAY}),?\\s+(?<count>${COUNT})\\s+weeks?\\s+(?<direction>ago|from\\s+now)`,
      ({ weekday = '', count = '', direction }, { today }) =>
        oneDay(weekSpan(today + 7 * readNumber(count) * (direction === 'ago' ? -1 : 1)).from + readWeekday(weekday)),
    ),
    rule(
      `(?<weekday>${WEEKDAY}),?\\s+(?:the\\s+)?(?<date>${ORDINAL}|\\d{1,2}${NO_TIME})`,
      ({ weekday = '', date = '' }, context) =>
        oneDay(weekdayWithDate(readWeekday(weekday), readNumber(date), context)),
      { suits: endsAsDate },
    ),
  ],
)
