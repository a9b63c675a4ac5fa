import { type DaySpan, yearOf } from './calendar.ts'
import { directionOf, WHICH } from './relative-rules.ts'
import {
  type Company,
  type DateContext,
  type DateRule,
  followsPeriodCue,
  type Groups,
  isNoVerb,
  needing,
  rule,
} from './rule.ts'
import {
  halfSpan,
  isoWeekSpan,
  monthSpan,
  quarterSpan,
  relativeYearly,
  resolveYearly,
  seasonSpan,
  yearSpan,
} from './spans.ts'
import { ANY_YEAR, MONTH, readMonth, readNumber, readYear, YEAR } from './words.ts'

const SEASON = '(?<season>spring|summer|autumn|fall|winter)'
const NTH = '(?<nth>first|second|third|fourth|last|1st|2nd|3rd|4th)'
const WHICH_YEAR = '(?:the\\s+)?(?<which>this|last|next|previous|coming|following)\\s+year'
const OF_YEAR = `(?:\\s+(?:of|in)\\s+|[\\s,/-]{1,2}|(?=’))(?:(?:the\\s+)?year\\s+)?(?<year>${ANY_YEAR})`
const OF_ANY_YEAR = `\\s+of\\s+(?:(?<year>${ANY_YEAR})|${WHICH_YEAR})`
/** Digits in front of a letter: `\b` of YEAR does not stand there. */
const YEAR_DIGITS = '(?<year>(?:19|20)\\d{2})'

function yearFrom({ year, which = '' }: Groups, { today }: DateContext): number {
  return year === undefined ? yearOf(today) + directionOf(which) : readYear(year)
}

function monthOfYear(groups: Groups, context: DateContext): DaySpan {
  const month = groups.month ?? ''
  return monthSpan(yearFrom(groups, context), /^\d/.test(month) ? Number(month) : readMonth(month))
}

function quarterOfYear(groups: Groups, context: DateContext): DaySpan {
  return quarterSpan(yearFrom(groups, context), Number(groups.quarter))
}

/** "the last quarter of 2025" is the fourth. */
function nthPart({ nth = '', ...rest }: Groups, context: DateContext, parts: number): DaySpan | undefined {
  const number = nth === 'last' ? parts : readNumber(nth)
  if (number > parts) return undefined
  const year = yearFrom(rest, context)
  return parts === 2 ? halfSpan(year, number) : quarterSpan(year, number)
}

/** Not "in 2000 rows": a year is not followed by what it would count. */
function isNoCount({ after }: Company): boolean {
  return !/^\s+(?!(?:was|is|has|does|his|this|its|us|as|yes|across|business|sales|news)\b)\p{L}+s\b/iu.test(after)
}

function namesYear(company: Company): boolean {
  const isBound = /^\s+(?:or|and)\s+(?:later|earlier|after|before)\b/i.test(company.after)
  return isBound || (followsPeriodCue(company) && isNoCount(company))
}

const MONTH_RULES: readonly DateRule[] = needing(
  ['month'],
  [
    rule(`(?<month>${MONTH})${OF_YEAR}`, monthOfYear),
    rule(`(?<year>${YEAR})[\\s,/-]{1,2}(?<month>${MONTH})`, monthOfYear),
    rule(`(?<month>${MONTH})\\s+(?:of\\s+)?${WHICH_YEAR}`, monthOfYear, { needs: ['unit'] }),
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
  ],
)

const NUMERIC_MONTH_RULES: readonly DateRule[] = needing(
  ['digit'],
  [
    rule(`${YEAR_DIGITS}[-/](?<month>0[1-9]|1[0-2])(?!-\\d)`, monthOfYear),
    rule(`(?<month>0?[1-9]|1[0-2])[-/]${YEAR_DIGITS}`, monthOfYear),
  ],
)

const YEAR_RULES: readonly DateRule[] = [
  rule(`(?:the\\s+)?year\\s+(?<year>${ANY_YEAR})`, ({ year = '' }) => yearSpan(readYear(year)), { needs: ['unit'] }),
  rule(`(?<year>${YEAR})`, ({ year = '' }) => yearSpan(readYear(year)), { suits: namesYear, needs: ['digit'] }),
  rule(
    `(?:between\\s+|from\\s+)?(?<first>${YEAR})\\s?[-–—~]\\s?(?<last>${YEAR})`,
    ({ first, last }) => {
      const years = Number(last) - Number(first) + 1
      return years > 1 ? yearSpan(Number(first), years) : undefined
    },
    { needs: ['digit'] },
  ),
  rule('(?:the\\s+)?(?<decade>(?:19|20)\\d0)’?s', ({ decade = '' }) => yearSpan(readYear(decade), 10), {
    needs: ['digit'],
  }),
  rule('the\\s+’?(?<decade>[2-9]0)’?s', ({ decade = '' }) => yearSpan(readYear(decade), 10), { needs: ['digit'] }),
  rule(
    '(?:the\\s+)?(?<century>1\\d|20|21)(?:st|th)\\s+century',
    ({ century }) => yearSpan((Number(century) - 1) * 100, 100),
    { needs: ['digit', 'century'] },
  ),
]

const QUARTER_RULES: readonly DateRule[] = needing(
  ['quarter'],
  [
    rule(`q(?<quarter>[1-4])${OF_YEAR}`, quarterOfYear),
    rule(`${YEAR_DIGITS}[\\s/-]?q(?<quarter>[1-4])`, quarterOfYear),
    rule(`q(?<quarter>[1-4])\\s+(?:of\\s+)?${WHICH_YEAR}`, quarterOfYear),
    rule(
      'q(?<quarter>[1-4])',
      ({ quarter }, context) => resolveYearly((year) => quarterSpan(year, Number(quarter)), context),
      {
        isFloating: true,
        suits: followsPeriodCue,
      },
    ),
    rule(`(?:the\\s+)?${NTH}\\s+quarter${OF_ANY_YEAR}`, (groups, context) => nthPart(groups, context, 4)),
    rule(`${WHICH_YEAR}’s\\s+${NTH}\\s+quarter`, (groups, context) => nthPart(groups, context, 4)),
  ],
)

const HALF_RULES: readonly DateRule[] = needing(
  ['half'],
  [
    rule(`h(?<half>[12])${OF_YEAR}`, ({ half, year = '' }) => halfSpan(readYear(year), Number(half))),
    rule(`${YEAR_DIGITS}[\\s/-]?h(?<half>[12])`, ({ half, year = '' }) => halfSpan(readYear(year), Number(half))),
    rule(`(?:the\\s+)?${NTH}\\s+half${OF_ANY_YEAR}`, (groups, context) => nthPart(groups, context, 2)),
  ],
)

const SEASON_RULES: readonly DateRule[] = needing(
  ['season'],
  [
    rule(`${WHICH}\\s+${SEASON}`, ({ which = '', season = '' }, context) =>
      relativeYearly((year) => seasonSpan(season, year, context.isSouthern), directionOf(which), context),
    ),
    rule(`${SEASON}(?:\\s+of\\s+|[\\s,]+)(?<year>${ANY_YEAR})`, ({ season = '', year = '' }, { isSouthern }) =>
      seasonSpan(season, readYear(year), isSouthern),
    ),
    rule(`(?:in|during|since)\\s+the\\s+${SEASON}`, ({ season = '' }, context) =>
      resolveYearly((year) => seasonSpan(season, year, context.isSouthern), context),
    ),
  ],
)

const WEEK_RULES: readonly DateRule[] = needing(
  ['digit'],
  [
    rule(`${YEAR_DIGITS}-?w(?<week>[0-5]?\\d)`, ({ year = '', week }) => isoWeekSpan(readYear(year), Number(week))),
    rule(
      `(?:calendar\\s+)?week\\s+(?<week>[0-5]?\\d)(?:\\s+of|,)?\\s+(?<year>${YEAR})`,
      ({ week, year = '' }) => isoWeekSpan(readYear(year), Number(week)),
      { needs: ['unit'] },
    ),
    rule(
      '(?:calendar\\s+)?week\\s+(?<week>[0-5]?\\d)',
      ({ week }, { today }) => isoWeekSpan(yearOf(today), Number(week)),
      {
        needs: ['unit'],
        suits: ({ before, match }) =>
          /^calendar/i.test(match) || /(?:^|\s)(?:in|during|since|of)\s+(?:the\s+)?$/i.test(before),
      },
    ),
  ],
)

/** Months, years, quarters, seasons and numbered weeks. */
export const PERIOD_RULES: readonly DateRule[] = [
  ...MONTH_RULES,
  ...NUMERIC_MONTH_RULES,
  ...YEAR_RULES,
  ...QUARTER_RULES,
  ...HALF_RULES,
  ...SEASON_RULES,
  ...WEEK_RULES,
]
