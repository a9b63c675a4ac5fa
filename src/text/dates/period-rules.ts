import { type DaySpan, dayNumber, yearOf } from './calendar.ts'
import { type Company, type DateContext, type DateRule, followsPeriodCue, type Groups, isNoVerb, rule } from './rule.ts'
import {
  halfSpan,
  isoWeekSpan,
  monthSpan,
  nthWeekSpan,
  type PeriodUnit,
  quarterSpan,
  relativeYearly,
  resolveYearly,
  seasonSpan,
  shiftDay,
  unitSpan,
  yearSpan,
} from './spans.ts'
import { ANY_YEAR, COUNT, MONTH, readMonth, readNumber, readYear, YEAR } from './words.ts'

const UNIT = '(?<unit>day|weekend|week|fortnight|month|quarter|year|decade)s?'
const WHICH =
  '(?<which>last|past|previous|prior|preceding|this\\s+past|this\\s+coming|this|current|next|coming|following|upcoming)'
const SEASON = '(?<season>spring|summer|autumn|fall|winter)'
const NTH = '(?<nth>first|second|third|fourth|fifth|last|1st|2nd|3rd|4th|5th)'
const CENTURY_DECADE = "(?:the\\s+)?(?<decade>(?:19|20)\\d0|['’]?[2-9]0)['’]?s"

function directionOf(which: string): -1 | 0 | 1 {
  if (/last|past|previous|prior|preceding/.test(which)) return -1
  return /next|coming|following/.test(which) ? 1 : 0
}

/** "last week" is a calendar week, "the past week" and "the last three weeks" reach up to today. */
function relativeUnit({ which = '', count, unit = '' }: Groups, { today }: DateContext): DaySpan | undefined {
  const period = unit as PeriodUnit
  const direction = directionOf(which)
  const amount = count === undefined ? 1 : readNumber(count)
  if (count === undefined && period === 'day') return undefined
  const isRolling = count !== undefined || (/past|coming/.test(which) && period !== 'weekend' && period !== 'day')
  if (!isRolling) return unitSpan(period, direction, today)
  if (direction === 0) return undefined
  if (period === 'quarter' || period === 'weekend') {
    const [first, last] = direction < 0 ? [-amount, -1] : [1, amount]
    return { from: unitSpan(period, first, today).from, to: unitSpan(period, last, today).to }
  }
  if (direction < 0) return { from: shiftDay(today, period, -amount), to: today + 1 }
  return { from: today + 1, to: shiftDay(today, period, amount) + 1 }
}

function yearFrom({ year, which = '' }: Groups, { today }: DateContext): number {
  return year === undefined ? yearOf(today) + directionOf(which) : readYear(year)
}

function readNth(nth: string): number {
  return nth === 'last' ? -1 : readNumber(nth)
}

function nthQuarter(groups: Groups, context: DateContext): DaySpan | undefined {
  const nth = readNth(groups.nth ?? '')
  return nth > 4 ? undefined : quarterSpan(yearFrom(groups, context), nth < 0 ? 4 : nth)
}

function weekOfMonth(groups: Groups, context: DateContext): DaySpan {
  const month = readMonth(groups.month ?? '')
  const nth = readNth(groups.nth ?? '')
  if (groups.year !== undefined) return nthWeekSpan(monthSpan(readYear(groups.year), month), nth)
  return resolveYearly((year) => nthWeekSpan(monthSpan(year, month), nth), context)
}

function decadeSpan({ decade = '' }: Groups): DaySpan {
  return yearSpan(readYear(decade), 10)
}

/** Not "in 2000 rows": a year is not followed by what it would count. */
function isNoCount({ after }: Company): boolean {
  return !/^\s+(?!(?:was|is|has|does|his|this|its|us|as|yes|across|business|sales|news)\b)\p{L}+s\b/iu.test(after)
}

const WHICH_YEAR = '(?:the\\s+)?(?<which>this|last|next|previous|coming|following)\\s+year'
const OF_YEAR = `(?:\\s+(?:of|in)\\s+|[\\s,/-]{1,2}|(?=['’]))(?:(?:the\\s+)?year\\s+)?(?<year>${ANY_YEAR})`

/** Ways to write a period. */
export const PERIOD_RULES: readonly DateRule[] = [
  rule(
    `(?:(?:earlier|later)\\s+(?:in\\s+)?)?(?:the\\s+|in\\s+the\\s+)?${WHICH}\\s+(?:(?<count>${COUNT})\\s+)?(?:calendar\\s+)?${UNIT}`,
    relativeUnit,
  ),
  rule(`(?<count>${COUNT})\\s+(?<which>past|last|previous|next|coming)\\s+${UNIT}`, relativeUnit),
  rule(
    '(?:the\\s+)?(?<unit>week|weekend|month|quarter|year)\\s+(?<which>before\\s+last|after\\s+next)',
    (groups, { today }) => unitSpan(groups.unit as PeriodUnit, groups.which?.startsWith('before') ? -2 : 2, today),
  ),
  rule(`(?<month>${MONTH})${OF_YEAR}`, ({ month = '', year = '' }) => monthSpan(readYear(year), readMonth(month))),
  rule(`(?<year>${YEAR})[\\s,/-]{1,2}(?<month>${MONTH})`, ({ month = '', year = '' }) =>
    monthSpan(readYear(year), readMonth(month)),
  ),
  rule(`(?<year>(?:19|20)\\d{2})[-/](?<month>0[1-9]|1[0-2])(?!-\\p{N})`, ({ month = '', year = '' }) =>
    monthSpan(readYear(year), Number(month)),
  ),
  rule(`(?<month>0?[1-9]|1[0-2])[-/](?<year>(?:19|20)\\d{2})`, ({ month = '', year = '' }) =>
    monthSpan(readYear(year), Number(month)),
  ),
  rule(`(?<month>${MONTH})\\s+(?:of\\s+)?${WHICH_YEAR}`, (groups, context) =>
    monthSpan(yearFrom(groups, context), readMonth(groups.month ?? '')),
  ),
  rule(
    `${WHICH}\\s+(?<month>${MONTH})`,
    ({ which = '', month = '' }, context) =>
      relativeYearly((year) => monthSpan(year, readMonth(month)), directionOf(which), context),
    { suits: isNoVerb },
  ),
  rule(
    `(?<month>${MONTH})`,
    ({ month = '' }, context) => resolveYearly((year) => monthSpan(year, readMonth(month)), context),
    { isFloating: true, suits: followsPeriodCue },
  ),
  rule(`(?:the\\s+)?year\\s+(?<year>${ANY_YEAR})`, ({ year = '' }) => yearSpan(readYear(year))),
  rule(`(?<year>${YEAR})`, ({ year = '' }) => yearSpan(readYear(year)), {
    suits: (company) => followsPeriodCue(company) && isNoCount(company),
  }),
  rule(CENTURY_DECADE, decadeSpan, { suits: ({ match }) => /^(?:the|\d{4})/i.test(match) }),
  rule(`q(?<quarter>[1-4])${OF_YEAR}`, ({ quarter, year = '' }) => quarterSpan(readYear(year), Number(quarter))),
  rule(`(?<year>${YEAR})[\\s/-]?q(?<quarter>[1-4])`, ({ quarter, year = '' }) =>
    quarterSpan(readYear(year), Number(quarter)),
  ),
  rule(`q(?<quarter>[1-4])\\s+(?:of\\s+)?${WHICH_YEAR}`, (groups, context) =>
    quarterSpan(yearFrom(groups, context), Number(groups.quarter)),
  ),
  rule(
    'q(?<quarter>[1-4])',
    ({ quarter }, context) => resolveYearly((year) => quarterSpan(year, Number(quarter)), context),
    {
      isFloating: true,
      suits: followsPeriodCue,
    },
  ),
  rule(`h(?<half>[12])${OF_YEAR}`, ({ half, year = '' }) => halfSpan(readYear(year), Number(half))),
  rule(`(?<year>${YEAR})[\\s/-]?h(?<half>[12])`, ({ half, year = '' }) => halfSpan(readYear(year), Number(half))),
  rule(`(?:the\\s+)?${NTH}\\s+quarter\\s+of\\s+(?:(?<year>${ANY_YEAR})|${WHICH_YEAR})`, nthQuarter),
  rule(`${WHICH_YEAR}['’]s\\s+${NTH}\\s+quarter`, nthQuarter),
  rule(`(?:the\\s+)?${NTH}\\s+half\\s+of\\s+(?:(?<year>${ANY_YEAR})|${WHICH_YEAR})`, (groups, context) =>
    halfSpan(yearFrom(groups, context), groups.nth === 'first' || groups.nth === '1st' ? 1 : 2),
  ),
  rule(`${WHICH}\\s+${SEASON}`, ({ which = '', season = '' }, context) =>
    relativeYearly((year) => seasonSpan(season, year, context.isSouthern), directionOf(which), context),
  ),
  rule(`${SEASON}(?:\\s+of\\s+|[\\s,]+)(?<year>${ANY_YEAR})`, ({ season = '', year = '' }, { isSouthern }) =>
    seasonSpan(season, readYear(year), isSouthern),
  ),
  rule(
    `(?:in|during|since)\\s+(?:the\\s+)?${SEASON}`,
    ({ season = '' }, context) => resolveYearly((year) => seasonSpan(season, year, context.isSouthern), context),
    { suits: ({ after, match }) => /the/i.test(match) || /^\s*(?:$|[?!,;.)])/.test(after) },
  ),
  rule(
    `(?:the\\s+)?${NTH}\\s+week\\s+(?:of|in)\\s+(?<month>${MONTH})(?:(?:\\s+of|,)?\\s+(?<year>${ANY_YEAR}))?`,
    weekOfMonth,
  ),
  rule(`(?:the\\s+)?${NTH}\\s+week\\s+(?:of|in)\\s+(?<year>${YEAR})`, ({ nth = '', year = '' }) => {
    const count = readNth(nth)
    return count < 0 ? isoWeekSpan(readYear(year) + 1, 0) : isoWeekSpan(readYear(year), count)
  }),
  rule(
    `(?:the\\s+)?${NTH}\\s+week\\s+(?:of|in)\\s+(?:the\\s+)?(?<which>last|this|next|previous)\\s+(?<unit>month|year)`,
    (groups, { today }) =>
      nthWeekSpan(
        unitSpan(groups.unit as PeriodUnit, directionOf(groups.which ?? ''), today),
        readNth(groups.nth ?? ''),
      ),
  ),
  rule(`(?<year>${YEAR.replace('\\b', '')})-?w(?<week>[0-5]?\\d)`, ({ year = '', week }) =>
    isoWeekSpan(readYear(year), Number(week)),
  ),
  rule(`(?:calendar\\s+)?week\\s+(?<week>[0-5]?\\d)(?:\\s+of|,)?\\s+(?<year>${YEAR})`, ({ week, year = '' }) =>
    isoWeekSpan(readYear(year), Number(week)),
  ),
  rule(
    '(?<calendar>calendar\\s+)?week\\s+(?<week>[0-5]?\\d)',
    ({ week }, { today }) => isoWeekSpan(yearOf(today), Number(week)),
    {
      suits: (company) => /^calendar/i.test(company.match) || /(?:^|\s)(?:in|during|since)\s+$/i.test(company.before),
    },
  ),
  rule('(?:the\\s+)?(?<century>1\\d|20|21)(?:st|th)\\s+century', ({ century }) =>
    yearSpan((Number(century) - 1) * 100, 100),
  ),
  rule("(?:new\\s+year[’']?s?\\s+(?<eve>eve))", (_, context) =>
    resolveYearly((year) => ({ from: dayNumber(year, 12, 31), to: dayNumber(year, 12, 32) }), context),
  ),
]
