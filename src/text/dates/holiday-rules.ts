import type { Anchor } from './anchors.ts'
import type { DaySpan } from './calendar.ts'
import { type Holiday, holidayDay } from './holidays.ts'
import { directionOf, WHICH } from './relative-rules.ts'
import { type Company, type DateRule, END, needing, rule } from './rule.ts'
import { relativeYearly, resolveYearly } from './spans.ts'
import { ANY_YEAR, readYear } from './words.ts'

const HOLIDAYS: readonly (readonly [string, Holiday, Anchor?])[] = [
  ['christmas\\s+eve', 'christmas-eve'],
  ['christmas(?:\\s+day)?', 'christmas'],
  ['boxing\\s+day', 'boxing-day'],
  ['new\\s+year’?s?\\s+eve', 'new-years-eve', 'unit'],
  ['new\\s+year’?s?(?:\\s+day)?', 'new-year', 'unit'],
  ['valentine’?s?(?:\\s+day)?', 'valentine'],
  ['(?:saint|st\\.?)\\s+patrick’?s?(?:\\s+day)?', 'patrick'],
  ['good\\s+friday', 'good-friday', 'weekday'],
  ['easter\\s+monday', 'easter-monday'],
  ['easter(?:\\s+sunday)?', 'easter'],
  ['halloween', 'halloween'],
  ['thanksgiving(?:\\s+day)?', 'thanksgiving'],
  ['black\\s+friday', 'black-friday', 'weekday'],
  ['labou?r\\s+day', 'labor-day'],
]

/** Not in "easter egg" or "christmas tree". */
function standsAlone({ before, after }: Company): boolean {
  return /(?:^|\s)(?:on|at|since|before|after|around|until|till|over|during|by)\s+$/i.test(before) || END.test(after)
}

function holidayRules([name, holiday, anchor = 'holiday']: (typeof HOLIDAYS)[number]): DateRule[] {
  const spanOf = (year: number): DaySpan => ({ from: holidayDay(holiday, year), to: holidayDay(holiday, year) + 1 })
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
