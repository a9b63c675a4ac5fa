import type { Anchor } from './anchors.ts'
import type { DayNumber, DaySpan } from './calendar.ts'
import { DATE_RULES } from './date-rules.ts'
import type { WrittenDate } from './find-dates.ts'
import { HOLIDAY_RULES } from './holiday-rules.ts'
import { PERIOD_RULES } from './period-rules.ts'
import { moveDay, RELATIVE_RULES, STEPS } from './relative-rules.ts'
import { type DateContext, type DateRule, type Groups, oneDay } from './rule.ts'
import { nthWeekday, nthWeekSpan, type PeriodUnit, shiftDay, unitSpan, weekSpan } from './spans.ts'
import { WEEKDAY_RULES } from './weekday-rules.ts'
import { COUNT, DAY_PART, readNumber, readWeekday, WEEKDAY } from './words.ts'

/** Days that words of a text mean. */
export interface Phrase {
  span: DaySpan
  /** Offsets of the words, `to` exclusive. */
  from: number
  to: number
  /** Whether the context decided the year or week. */
  isFloating: boolean
}

/** How words are read. */
export interface Reading {
  /** As written. */
  text: string
  /** The same, folded: what patterns match. */
  folded: string
  /** Dates in full, by offset. */
  written: ReadonlyMap<number, WrittenDate>
  context: DateContext
  /** What the text holds that rules ask for. */
  anchors: ReadonlySet<Anchor>
  /** Whether the words before leave no doubt that a date follows. */
  isCued: boolean
}

const RULES: readonly DateRule[] = [
  ...RELATIVE_RULES,
  ...WEEKDAY_RULES,
  ...DATE_RULES,
  ...PERIOD_RULES,
  ...HOLIDAY_RULES,
]
/** Characters around a match that decide whether it is a date. */
const COMPANY_CHARS = 40

const BEFORE_WRITTEN = new RegExp(`(?:${WEEKDAY})\\.?,?\\s+`, 'y')
const THIRD =
  /(?:(?:at\s+)?the\s+)?(?<part>early|mid|late|beginning\s+of|start\s+of|middle\s+of|end\s+of)(?:\s+|-)(?:in\s+)?/y
const BARE_UNIT = /(?:the\s+)?(?<unit>week|month|quarter|year)(?![0-9a-z_\u00aa-\u1fff])/y
const WEEK_OF = /(?:the\s+)?(?<unit>week|weekend)\s+(?:of|starting|beginning|commencing|from)\s+(?:on\s+)?/y
const STEPS_FROM = new RegExp(`(?<steps>${STEPS})\\s+(?<word>after|from|before|prior\\s+to)\\s+`, 'y')
const BESIDE = new RegExp(
  `(?:the\\s+)?(?:(?<weekday>${WEEKDAY})|(?<unit>day|weekend|week|month|year))\\s+(?<word>before|after|prior\\s+to|following)\\s+`,
  'y',
)
const NTH_OF = new RegExp(
  `(?:the\\s+)?(?<nth>first|second|third|fourth|fifth|last|1st|2nd|3rd|4th|5th)\\s+(?:(?<count>${COUNT})\\s+)?` +
    `(?:(?<weekday>${WEEKDAY})${DAY_PART}|(?<unit>day|weekend|week|month)s?)\\s+(?:of|in)\\s+`,
  'y',
)

/** Matches a sticky pattern at an offset. */
export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

/** One day or period at an offset, with what narrows or moves it: "early May", "the week of 3 May", "two days after Monday". */
export function readPart(reading: Reading, at: number): Phrase | undefined {
  const { anchors } = reading
  const hasUnit = anchors.has('unit')
  const hasDay = hasUnit || anchors.has('weekday')
  return (
    readThird(reading, at) ??
    (hasDay ? readNth(reading, at) : undefined) ??
    (hasUnit ? readWeekOf(reading, at) : undefined) ??
    (hasUnit ? readMoved(reading, at) : undefined) ??
    (hasDay ? readBeside(reading, at) : undefined) ??
    readPlain(reading, at)
  )
}

/** A period that a word such as "of" announces; there "the month" is this month. */
function readAnnounced(reading: Reading, at: number): Phrase | undefined {
  const unit = matchAt(BARE_UNIT, reading.folded, at)
  if (unit === null) return readPlain({ ...reading, isCued: true }, at)
  const span = unitSpan(unit.groups?.unit as PeriodUnit, 0, reading.context.today)
  return { span, from: at, to: at + unit[0].length, isFloating: false }
}

function readThird(reading: Reading, at: number): Phrase | undefined {
  const opening = matchAt(THIRD, reading.folded, at)
  const whole = opening && readAnnounced(reading, at + opening[0].length)
  if (!whole) return undefined
  return { ...whole, from: at, span: thirdOf(whole.span, opening.groups?.part ?? '') }
}

/** The first, middle or last third; a day stays whole. */
export function thirdOf({ from, to }: DaySpan, part: string): DaySpan {
  const third = Math.floor((to - from) / 3)
  if (third === 0) return { from, to }
  if (/early|beginning|start/.test(part)) return { from, to: from + third }
  return /mid/.test(part) ? { from: from + third, to: from + 2 * third } : { from: from + 2 * third, to }
}

/** "the first week of May", "the last three months of 2025", "the second Tuesday of next month". */
function readNth(reading: Reading, at: number): Phrase | undefined {
  const opening = matchAt(NTH_OF, reading.folded, at)
  const whole = opening && readAnnounced(reading, at + opening[0].length)
  if (!whole) return undefined
  const span = nthOf(whole.span, opening.groups ?? {})
  return span && { ...whole, from: at, span }
}

function nthOf(span: DaySpan, { nth = '', count, weekday, unit }: Groups): DaySpan | undefined {
  const number = nth === 'last' ? -1 : readNumber(nth)
  if (weekday !== undefined) return oneDay(nthWeekday(span, readWeekday(weekday), number))
  const period = unit as PeriodUnit
  if (count !== undefined) {
    const amount = readNumber(count)
    if (number < 0) return { from: shiftDay(span.to, period, -amount), to: span.to }
    return number === 1 ? { from: span.from, to: shiftDay(span.from, period, amount) } : undefined
  }
  if (period === 'week') return nthWeekSpan(span, number)
  if (period === 'weekend') {
    const saturday = nthWeekday(span, 5, number)
    return { from: saturday, to: saturday + 2 }
  }
  const from = number < 0 ? shiftDay(span.to, period, -1) : shiftDay(span.from, period, number - 1)
  return { from, to: shiftDay(from, period, 1) }
}

function readWeekOf(reading: Reading, at: number): Phrase | undefined {
  const opening = matchAt(WEEK_OF, reading.folded, at)
  const day = opening && readPlain({ ...reading, isCued: true }, at + opening[0].length)
  if (!day) return undefined
  const week = weekSpan(day.span.from)
  const isWeekend = opening.groups?.unit === 'weekend'
  return { ...day, from: at, span: isWeekend ? { from: week.to - 2, to: week.to } : week }
}

function readMoved(reading: Reading, at: number): Phrase | undefined {
  const opening = matchAt(STEPS_FROM, reading.folded, at)
  const day = opening && readPlain({ ...reading, isCued: true }, at + opening[0].length)
  if (!day) return undefined
  const direction = /before|prior/.test(opening.groups?.word ?? '') ? -1 : 1
  const moved: DayNumber = moveDay(day.span.from, opening.groups?.steps ?? '', direction)
  return { ...day, from: at, span: { from: moved, to: moved + 1 } }
}

/** "the week before 3 May", "the Friday after Easter". */
function readBeside(reading: Reading, at: number): Phrase | undefined {
  const opening = matchAt(BESIDE, reading.folded, at)
  const whole = opening && readPlain({ ...reading, isCued: true }, at + opening[0].length)
  return whole ? { ...whole, from: at, span: besideOf(whole.span, opening.groups ?? {}) } : undefined
}

function besideOf({ from, to }: DaySpan, { weekday, unit, word = '' }: Groups): DaySpan {
  const isBefore = /before|prior/.test(word)
  if (unit !== undefined && unit !== 'weekend') {
    const period = unit as PeriodUnit
    return isBefore ? { from: shiftDay(from, period, -1), to: from } : { from: to, to: shiftDay(to, period, 1) }
  }
  // A weekend is counted by its Saturday.
  const first = weekday === undefined ? 5 : readWeekday(weekday)
  const length = weekday === undefined ? 2 : 1
  const start = isBefore
    ? nthWeekday({ from: from - 14, to: from - length + 1 }, first, -1)
    : nthWeekday({ from: to, to }, first, 1)
  return { from: start, to: start + length }
}

/** The longest match of all rules. */
function readPlain(reading: Reading, at: number): Phrase | undefined {
  const { text, folded, context, anchors, isCued } = reading
  const date = readWritten(reading, at)
  // Nothing that begins there is longer, and most of the patterns need not be compiled.
  if (date !== undefined) return date
  let best: Phrase | undefined
  for (const rule of RULES) {
    if (!rule.needs.every((anchor) => anchors.has(anchor))) continue
    const match = matchAt(rule.pattern(anchors.has('number word')), folded, at)
    if (match === null || at + match[0].length <= (best?.to ?? at)) continue
    const end = at + match[0].length
    const company = {
      before: text.slice(Math.max(0, at - COMPANY_CHARS), at),
      match: text.slice(at, end),
      after: text.slice(end, end + COMPANY_CHARS),
    }
    if (!isCued && rule.suits && !rule.suits(company)) continue
    const span = rule.read(match.groups ?? {}, context)
    if (span !== undefined) best = { span, from: at, to: end, isFloating: rule.isFloating }
  }
  return best
}

/** A date in full, its weekday before it or not. */
function readWritten({ folded, written }: Reading, at: number): Phrase | undefined {
  if (written.size === 0) return undefined
  const weekday = matchAt(BEFORE_WRITTEN, folded, at)
  const date = written.get(at) ?? (weekday === null ? undefined : written.get(at + weekday[0].length))
  const span = oneDay(date?.day)
  if (date === undefined || span === undefined) return undefined
  return { span, from: at, to: date.index + date.length, isFloating: false }
}
