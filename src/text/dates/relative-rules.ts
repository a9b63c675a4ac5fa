import type { DayNumber, DaySpan } from './calendar.ts'
import { type DateContext, type DateRule, type Groups, needing, oneDay, rule } from './rule.ts'
import { type PeriodUnit, shiftDay, unitSpan } from './spans.ts'
import { COUNT, DAY_PART, readNumber } from './words.ts'

const UNIT = '(?:day|week|fortnight|month|quarter|year|decade)'
/** "2 weeks", "2 years, 1 month and 21 days". */
export const STEPS = `${COUNT}\\s+${UNIT}s?\\b(?:(?:,?\\s+and|,)?\\s+${COUNT}\\s+${UNIT}s?\\b)*`
const STEP = new RegExp(`(?<count>${COUNT})\\s+(?<unit>${UNIT})`, 'g')
const CLOCK_STEPS = `(?<count>\\d{1,4}|${COUNT}|half\\s+an)\\s*(?<clock>hours?|hrs?|h|minutes?|mins?)`
const WHICH_WORDS =
  'last|past|previous|prior|preceding|this\\s+past|this\\s+coming|this\\s+upcoming|this|current|next|coming|following|upcoming'
/** "last", "this coming", …: which of several like it. */
export const WHICH = `(?<which>${WHICH_WORDS})`
const CALENDAR_UNIT = '(?:calendar\\s+)?(?<unit>day|weekend|week|fortnight|month|quarter|year|decade)'

/** Back, here or ahead, from a word such as "last". */
export function directionOf(which: string): -1 | 0 | 1 {
  if (/last|past|previous|prior|preceding/.test(which)) return -1
  return /next|coming|following/.test(which) ? 1 : 0
}

/** Moves a day by steps such as "two weeks"; `direction` -1 is back. */
export function moveDay(day: DayNumber, steps: string, direction: 1 | -1): DayNumber {
  return [...steps.matchAll(STEP)].reduce((moved, { groups }) => {
    return shiftDay(moved, (groups?.unit ?? 'day') as PeriodUnit, direction * readNumber(groups?.count ?? ''))
  }, day)
}

const NAMED_DAYS: readonly (readonly [RegExp, number])[] = [
  [/before\s+yesterday/, -2],
  [/yesterday|last\s+night/, -1],
  [/after\s+tomorrow/, 2],
  [/tomorrow/, 1],
]

function namedDay({ name = '' }: Groups, { today }: DateContext): DaySpan | undefined {
  return oneDay(today + (NAMED_DAYS.find(([pattern]) => pattern.test(name))?.[1] ?? 0))
}

/** "last week" is a calendar week; "the past week" and "the last three weeks" reach up to today, "the next two" begin tomorrow. */
function relativeUnit({ which = '', count, unit = '' }: Groups, { today }: DateContext): DaySpan | undefined {
  const period = unit as PeriodUnit
  const direction = directionOf(which)
  if (count === undefined) {
    if (period === 'day') return undefined
    const isRolling = /^(?:the\s+)?(?:this\s+)?past$/.test(which) && period !== 'weekend'
    return isRolling ? { from: shiftDay(today, period, -1), to: today + 1 } : unitSpan(period, direction, today)
  }
  const amount = readNumber(count)
  if (direction === 0 || amount === 0) return undefined
  if (period === 'quarter' || period === 'weekend') {
    const [first, last] = direction < 0 ? [-amount, -1] : [1, amount]
    return { from: unitSpan(period, first, today).from, to: unitSpan(period, last, today).to }
  }
  if (direction < 0) return { from: shiftDay(today, period, -amount), to: today + 1 }
  return { from: today + 1, to: shiftDay(today, period, amount) + 1 }
}

function clockMinutes({ count = '', clock = '' }: Groups): number {
  const amount = count.startsWith('half') ? 0.5 : readNumber(count)
  return amount * (clock.startsWith('h') ? 60 : 1)
}

function minutesAway(groups: Groups, context: DateContext, direction: 1 | -1): DaySpan | undefined {
  return oneDay(context.dayInMinutes(direction * clockMinutes(groups)))
}

/** The days that a stretch of hours up to now touches. */
function lastHours(groups: Groups, context: DateContext): DaySpan | undefined {
  const minutes = clockMinutes({ ...groups, count: groups.count ?? '1' })
  if (directionOf(groups.which ?? '') > 0) return { from: context.today, to: context.dayInMinutes(minutes) + 1 }
  return { from: context.dayInMinutes(-minutes), to: context.today + 1 }
}

const NAMED_RULES: readonly DateRule[] = [
  rule(
    `(?:(?:later|earlier|early|late)\\s+(?:in\\s+)?)?(?:the\\s+)?(?<name>day\\s+before\\s+yesterday|day\\s+after\\s+tomorrow|yesterday|last\\s+night|today|tonight|tomorrow)${DAY_PART}`,
    namedDay,
    { needs: ['named day'] },
  ),
  rule('(?:(?:later|earlier|early|late)\\s+)?this\\s+(?:morning|afternoon|evening)', namedDay, {
    needs: ['part of day'],
  }),
]

const STEP_RULES: readonly DateRule[] = needing(
  ['unit'],
  [
    rule(
      `(?<steps>${STEPS})\\s+(?:ago|earlier|back)`,
      ({ steps = '' }, { today }) => oneDay(moveDay(today, steps, -1)),
      { needs: ['back'] },
    ),
    rule(
      `in\\s+(?:about\\s+)?(?<steps>${STEPS})(?:’s?)?(?:\\s+time)?(?!\\s+(?:ago|earlier|back|before)\\b)`,
      ({ steps = '' }, { today }) => oneDay(moveDay(today, steps, 1)),
      { needs: ['in'] },
    ),
    rule(
      `(?<steps>${STEPS})\\s+(?:from\\s+now|later|hence)`,
      ({ steps = '' }, { today }) => oneDay(moveDay(today, steps, 1)),
      { needs: ['ahead'] },
    ),
  ],
)

const CLOCK_RULES: readonly DateRule[] = needing(
  ['clock'],
  [
    rule(`${CLOCK_STEPS}\\s+(?:ago|earlier|back)`, (groups, context) => minutesAway(groups, context, -1), {
      needs: ['back'],
    }),
    rule(`(?:in|within)\\s+(?:about\\s+)?${CLOCK_STEPS}`, (groups, context) => minutesAway(groups, context, 1), {
      needs: ['in'],
    }),
    rule(`${CLOCK_STEPS}\\s+(?:from\\s+now|later)`, (groups, context) => minutesAway(groups, context, 1), {
      needs: ['ahead'],
    }),
    rule(`(?:the\\s+)?(?<which>last|past|next)\\s+(?:(?<count>${COUNT})\\s+)?(?<clock>hours?|minutes?)`, lastHours, {
      needs: ['which'],
    }),
  ],
)

const UNIT_RULES: readonly DateRule[] = needing(
  ['unit'],
  [
    rule(
      `(?:(?:earlier|later)\\s+)?(?:the\\s+)?${WHICH}\\s+(?:(?<count>${COUNT})\\s+)?${CALENDAR_UNIT}s?`,
      relativeUnit,
      { needs: ['which'] },
    ),
    rule(`(?<count>${COUNT})\\s+(?<which>past|last|previous|next|coming)\\s+${CALENDAR_UNIT}s`, relativeUnit, {
      needs: ['which'],
    }),
    rule(
      '(?:the\\s+)?(?<unit>week|weekend|month|quarter|year)\\s+(?<which>before\\s+last|after\\s+next)',
      ({ unit, which = '' }, { today }) => unitSpan(unit as PeriodUnit, which.startsWith('before') ? -2 : 2, today),
      { needs: ['which'] },
    ),
    rule('(?:earlier|later)\\s+in\\s+the\\s+(?<unit>week|month|year)', ({ unit }, { today }) =>
      unitSpan(unit as PeriodUnit, 0, today),
    ),
    rule(
      '(?:at|on|over|during)\\s+the\\s+weekend',
      // A weekend that has not begun is not what was done at it.
      (_, { today, looksAhead }) => {
        const thisWeekend = unitSpan('weekend', 0, today)
        return looksAhead || thisWeekend.from <= today ? thisWeekend : unitSpan('weekend', -1, today)
      },
    ),
  ],
)

/** Days and periods counted from today. */
export const RELATIVE_RULES: readonly DateRule[] = [...NAMED_RULES, ...STEP_RULES, ...CLOCK_RULES, ...UNIT_RULES]
