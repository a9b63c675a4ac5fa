import { type DayNumber, existingDay, formatDay } from './calendar.ts'
import {
  ANY_YEAR,
  DATE,
  foldForDates,
  MONTH,
  NUMBER_WORDS,
  readMonth,
  readNumber,
  readYear,
  WORD_CHARACTER,
  withoutNumberWords,
  YEAR,
} from './words.ts'
import { localDay } from './zone.ts'

/** An exact calendar day as written in a text. */
export interface WrittenDate {
  index: number
  length: number
  day: DayNumber
}

const START = `(?<!${WORD_CHARACTER}|[.,/:#-])`
/** `sales-2026-05-08.xlsx`, `2026-05-08T10:00Z` and `2026-05-08_gate` name a day; `1.2026-05-08` and longer numbers do not. */
const ISO =
  /(?<![\d.:/#]|\d[-_])(?<year>(?:19|20)\d{2})(?<sep>[-/._])(?<month>\d{1,2})\k<sep>(?<date>\d{1,2})(?<time>[t ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:z|[+-]\d{2}:?\d{2}))?(?!\d|[/.:]\d|-\d(?!\d))/g
const DAY_FIRST = `${START}(?:the )?(?<date>${DATE})(?: day)?(?: of |[ \\-/.]{0,2})(?<month>${MONTH})(?:,? of |,? in |[ ,\\-/.]{1,3}|(?=’))(?<year>${ANY_YEAR})`
/** After a hyphen as well: "Nov 18-Dec 19, 2015". */
const MONTH_FIRST = `(?<!${WORD_CHARACTER}|[.,/:#])(?<month>${MONTH})[ \\-/.]{0,2}(?:the )?(?<date>${DATE})(?:,? of |,? in |[ ,\\-/.]{1,3}|(?=’))(?<year>${ANY_YEAR})`
const YEAR_FIRST = `${START}(?<year>${YEAR})[ ,\\-/.]{1,2}(?<month>${MONTH})[ \\-/.]{1,2}(?<date>${DATE})(?!\\d)`
/** Day first with dots and four digits of year is how most of Europe writes; nothing else looks like it. */
const DOTTED = /(?<![\d.])(?<date>\d{1,2})\.\s?(?<month>\d{1,2})\.\s?(?<year>(?:19|20)\d{2})(?![\d]|\.\d)/g
const EAST_ASIAN = /(?<year>(?:19|20)\d{2})\s?[年년]\s?(?<month>\d{1,2})\s?[月월]\s?(?<date>\d{1,2})\s?[日号號일]/g

/** Every date in full has a year; most texts have none, and then the patterns need not even be compiled. */
const HAS_YEAR = /(?:1\d|20)\d\d|’\d\d|nineteen|twenty|thousand/

/** Compiled only where a month has a name, for the same reason. */
const HAS_MONTH = /jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec/

const NUMERIC = [ISO, DOTTED, EAST_ASIAN]
const NAMED = [DAY_FIRST, MONTH_FIRST, YEAR_FIRST]
const HAS_NUMBER_WORD = new RegExp(NUMBER_WORDS.join('|'))
const compiled = new Map<boolean, readonly RegExp[]>()

function namedPatterns(hasNumberWords: boolean): readonly RegExp[] {
  const known = compiled.get(hasNumberWords)
  if (known !== undefined) return known
  const sources = hasNumberWords ? NAMED : NAMED.map(withoutNumberWords)
  const patterns = sources.map((source) => new RegExp(source, 'g'))
  compiled.set(hasNumberWords, patterns)
  return patterns
}

/** Exact days written in a text, in order of place, none overlapping. An instant with an offset is a day of the zone. */
export function findWrittenDates(text: string, timeZone = 'UTC'): WrittenDate[] {
  const folded = foldForDates(text)
  if (!HAS_YEAR.test(folded)) return []
  const patterns = HAS_MONTH.test(folded) ? [...NUMERIC, ...namedPatterns(HAS_NUMBER_WORD.test(folded))] : NUMERIC
  const found = patterns.flatMap((pattern) =>
    [...folded.matchAll(pattern)].flatMap((match) => readDate(match, timeZone)),
  )
  found.sort((a, b) => a.index - b.index || b.length - a.length)
  return found.filter((date, i) => {
    const before = found[i - 1]
    return before === undefined || date.index >= before.index + before.length
  })
}

function readDate(match: RegExpExecArray, timeZone: string): WrittenDate[] {
  const { year = '', month = '', date = '', time } = match.groups ?? {}
  const monthNumber = /^\d/.test(month) ? Number(month) : readMonth(month)
  const day = existingDay(readYear(year), monthNumber, readNumber(date))
  if (day === undefined) return []
  const place = { index: match.index, length: match[0].length }
  if (time === undefined) return [{ ...place, day }]
  const instant = new Date(`${formatDay(day)}${time.toUpperCase().replace(' ', 'T')}`)
  if (Number.isNaN(instant.getTime())) return []
  const local = new Date(`${localDay(instant, timeZone)}T00:00:00Z`)
  return [{ ...place, day: local.getTime() / 86_400_000 }]
}

/**
 * The exact calendar days (`YYYY-MM-DD`) that a text names in full: ISO, "12 March 2026", "March 12th, 2026", "12.3.2026",
 * 2026年3月12日. In order, each once. An instant with an offset counts as the day it has in the zone (default UTC).
 */
export function findDates(text: string, options: { timeZone?: string } = {}): string[] {
  return [...new Set(findWrittenDates(text, options.timeZone).map(({ day }) => formatDay(day)))]
}

/** Times of a clock: `07:30`, `07:30:15`. */
const CLOCK = /(?<![\d.:])\d{1,2}:\d{2}(?::\d{2})?(?![\d:])/g

/** The text of the same length in which the days that it names in full and its times of a clock are blank. */
export function blankDates(text: string): string {
  let blank = text
  for (const { index, length } of findWrittenDates(text)) {
    blank = blank.slice(0, index) + ' '.repeat(length) + blank.slice(index + length)
  }
  return blank.replace(CLOCK, (time) => ' '.repeat(time.length))
}
