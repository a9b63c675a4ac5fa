import type { Anchor } from './anchors.ts'
import { type DayNumber, type DaySpan, dayNumber } from './calendar.ts'
import { directionOf, WHICH } from './relative-rules.ts'
import { type Company, type DateRule, END, needing, rule } from './rule.ts'
import { monthSpan, nthWeekday, relativeYearly, resolveYearly } from './spans.ts'
import { ANY_YEAR, readYear } from './words.ts'

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

const HOLIDAYS: readonly (readonly [string, (year: number) => DayNumber, Anchor?])[] = [
  ['christmas\\s+eve', (year) => dayNumber(year, 12, 24)],
  ['christmas(?:\\s+day)?', (year) => dayNumber(year, 12, 25)],
  ['boxing\\s+day', (year) => dayNumber(year, 12, 26)],
  ['new\\s+year’?s?\\s+eve', (year) => dayNumber(year, 12, 31), 'unit'],
  ['new\\s+year’?s?(?:\\s+day)?', (year) => dayNumber(year, 1, 1), 'unit'],
  ['valentine’?s?(?:\\s+day)?', (year) => dayNumber(year, 2, 14)],
  ['(?:saint|st\\.?)\\s+patrick’?s?(?:\\s+day)?', (year) => dayNumber(year, 3, 17)],
  ['good\\s+friday', (year) => easter(year) - 2, 'weekday'],
  ['easter\\s+monday', (year) => easter(year) + 1],
  ['easter(?:\\s+sunday)?', easter],
  ['halloween', (year) => dayNumber(year, 10, 31)],
  ['thanksgiving(?:\\s+day)?', thanksgiving],
  ['black\\s+friday', (year) => thanksgiving(year) + 1, 'weekday'],
  ['labou?r\\s+day', (year) => nthWeekday(monthSpan(year, 9), 0, 1)],
]

/** Not in "easter egg" or "christmas tree". */
function standsAlone({ before, after }: Company): boolean {
  return /(?:^|\s)(?:on|at|since|before|after|around|until|till|over|during|by)\s+$/i.test(before) || END.test(after)
}

function holidayRules([name, dayIn, anchor = 'holiday']: (typeof HOLIDAYS)[number]): DateRule[] {
  const spanOf = (year: number): DaySpan => ({ from: dayIn(year), to: dayIn(year) + 1 })
  return needing(
    [anchor],
    [
      rule(`${name}(?:\\s+(?:of|in))?\\s+(?<year>${ANY_YEAR})`, ({ year = '' }) => spanOf(readYear(year))),
      rule(`(?:the\\s+)?${WHICH}\\s+${name}`, ({ which = '' }, context) =>
        relativeYearly(spanOf, directionOf(which), context),
      ),
      rule(name, (_, context) => resolveYearly(spanOf, context), { isFloating: true, suits: standsAlone }),
    ],
  )
}

/** Holidays that people date things by. */
export const HOLIDAY_RULES: readonly DateRule[] = HOLIDAYS.flatMap(holidayRules)
