import type { DayNumber, DaySpan } from './calendar.ts'
import { DAY_RULES, moveDay, STEPS } from './day-rules.ts'
import { findWrittenDates, type WrittenDate } from './find-dates.ts'
import { PERIOD_RULES } from './period-rules.ts'
import { type DateContext, type DateRule, type Groups, oneDay } from './rule.ts'
import { type PeriodUnit, unitSpan, weekSpan } from './spans.ts'
import { WEEKDAY } from './words.ts'

/** Days that words of a text mean. */
export interface Phrase {
  span: DaySpan
  /** Offsets of the words, `to` exclusive. */
  from: number
  to: number
  /** Whether the context decided the year. */
  isFloating: boolean
}

interface Source {
  text: string
  written: ReadonlyMap<number, WrittenDate>
}

/** How a phrase is read: `isCued` where the words before leave no doubt that a date follows. */
interface Reading {
  source: Source
  context: DateContext
  isCued: boolean
}

const RULES: readonly DateRule[] = [...DAY_RULES, ...PERIOD_RULES]
const COMPANY_CHARS = 40
/** A range that is open to the past begins with the first day that computers count. */
const FIRST_DAY: DayNumber = 0
const OPEN_FUTURE_DAYS = 366

const PHRASE_START = /(?<=^|[\s([{"'“‘,;!?—–~])[\p{L}\p{N}'’]/gu
const BEFORE_WRITTEN = new RegExp(`(?:${WEEKDAY})\\.?,?\\s+`, 'iuy')
const BETWEEN = /(?:in\s+)?between\s+/iuy
const FROM = /from\s+/iuy
const AND = /\s+(?:and|to)\s+|\s*[-–—~]\s*/iuy
const TO = /\s+(?:to|through|thru|till|until|up\s+to)\s+|\s*[-–—~]\s*/iuy
const OPEN_BEFORE = /(?<word>ever\s+since|since|after|before|prior\s+to|until|till)\s+/iuy
const OPEN_BEHIND =
  /\s+(?<word>or\s+later|and\s+after|and\s+later|onwards?|or\s+earlier|and\s+before|and\s+earlier)\b/iuy
const PART =
  /(?:(?:at\s+)?the\s+)?(?<part>early|mid|late|beginning\s+of|start\s+of|middle\s+of|end\s+of)(?:\s+|-)(?:in\s+)?/iuy
const BARE_UNIT = /(?:the\s+)?(?<unit>week|month|quarter|year)(?![\p{L}\p{N}])/iuy
const WEEK_OF = /(?:the\s+)?(?<unit>week|weekend)\s+(?:of|starting|beginning|commencing|from)\s+(?:on\s+)?/iuy
const STEPS_FROM = new RegExp(`(?<steps>${STEPS})\\s+(?<word>after|from|before|prior\\s+to)\\s+`, 'iuy')

/** The first words of a text that mean a day or period. */
export function findPhrase(text: string, context: DateContext, timeZone: string): Phrase | undefined {
  const written = new Map(findWrittenDates(text, timeZone).map((date) => [date.index, date]))
  const reading: Reading = { source: { text, written }, context, isCued: false }
  const starts = new Set([...[...text.matchAll(PHRASE_START)].map((match) => match.index), ...written.keys()])
  for (const at of [...starts].sort((a, b) => a - b)) {
    const phrase = readOpen(reading, at) ?? readRange(reading, at)
    if (phrase !== undefined) return withOpenEnd(phrase, reading)
  }
  return undefined
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

/** "between A and B", "from A to B", "A – B"; else the day or period A. */
function readRange(reading: Reading, at: number): Phrase | undefined {
  const { text } = reading.source
  const between = matchAt(BETWEEN, text, at)
  const opening = between ?? matchAt(FROM, text, at)
  const first = readPart({ ...reading, isCued: opening !== null }, at + (opening?.[0].length ?? 0))
  if (first === undefined) return undefined
  const joint = matchAt(between ? AND : TO, text, first.to)
  const second = joint && readPart({ ...reading, isCued: true }, first.to + joint[0].length)
  if (second) return { ...joinRange(reading, first, second), from: at }
  if (opening === null) return first
  return between ? undefined : readPart(reading, at + opening[0].length)
}

/** From the first to the second, the year of one deciding that of the other. */
function joinRange(reading: Reading, first: Phrase, second: Phrase): Phrase {
  const { context } = reading
  const reread = (phrase: Phrase, today: DayNumber, looksAhead: boolean): DaySpan => {
    return (
      readPart({ ...reading, context: { ...context, today, looksAhead }, isCued: true }, phrase.from)?.span ??
      phrase.span
    )
  }
  let [a, b] = [first.span, second.span]
  if (first.isFloating && !(second.isFloating && context.looksAhead)) a = reread(first, b.to - 1, false)
  else if (second.isFloating) b = reread(second, a.from, true)
  return {
    span: { from: Math.min(a.from, b.from), to: Math.max(a.to, b.to) },
    from: first.from,
    to: second.to,
    isFloating: first.isFloating && second.isFloating,
  }
}

/** "since A", "before A", "A or later": a range with one end. */
function readOpen(reading: Reading, at: number): Phrase | undefined {
  const opening = matchAt(OPEN_BEFORE, reading.source.text, at)
  if (opening === null) return undefined
  const phrase = readPart({ ...reading, isCued: false }, at + opening[0].length)
  if (phrase === undefined) return undefined
  return { ...phrase, from: at, span: openSpan(opening.groups?.word ?? '', phrase.span, reading.context) }
}

/** "2018 or later", "from May onwards". */
function withOpenEnd(phrase: Phrase, { source, context }: Reading): Phrase {
  const ending = matchAt(OPEN_BEHIND, source.text, phrase.to)
  if (ending === null) return phrase
  return {
    ...phrase,
    to: phrase.to + ending[0].length,
    span: openSpan(ending.groups?.word ?? '', phrase.span, context),
  }
}

function openSpan(words: string, span: DaySpan, { today }: DateContext): DaySpan {
  const word = words.toLowerCase()
  if (/before|prior/.test(word)) return { from: Math.min(FIRST_DAY, span.from), to: span.from }
  if (/earlier/.test(word)) return { from: Math.min(FIRST_DAY, span.from), to: span.to }
  if (/until|till/.test(word)) return span.from > today ? { from: today, to: span.to } : span
  const from = /^after/.test(word) ? span.to : span.from
  return { from, to: from <= today ? today + 1 : from + OPEN_FUTURE_DAYS }
}

/** One day or period, with what narrows or moves it: "early May", "the week of 3 May", "two days after Monday". */
function readPart(reading: Reading, at: number): Phrase | undefined {
  return readThird(reading, at) ?? readWeekOf(reading, at) ?? readMoved(reading, at) ?? readPlain(reading, at)
}

function readThird(reading: Reading, at: number): Phrase | undefined {
  const { text } = reading.source
  const opening = matchAt(PART, text, at)
  if (opening === null) return undefined
  const inner = at + opening[0].length
  const unit = matchAt(BARE_UNIT, text, inner)
  const whole: Phrase | undefined =
    unit === null
      ? readPlain({ ...reading, isCued: true }, inner)
      : {
          span: unitSpan(unit.groups?.unit?.toLowerCase() as PeriodUnit, 0, reading.context.today),
          from: at,
          to: inner + unit[0].length,
          isFloating: false,
        }
  if (whole === undefined) return undefined
  return { ...whole, from: at, span: thirdOf(whole.span, opening.groups?.part?.toLowerCase() ?? '') }
}

/** The first, middle or last third; a day stays whole. */
function thirdOf({ from, to }: DaySpan, part: string): DaySpan {
  const third = Math.floor((to - from) / 3)
  if (third === 0) return { from, to }
  if (/early|beginning|start/.test(part)) return { from, to: from + third }
  return /mid/.test(part) ? { from: from + third, to: from + 2 * third } : { from: from + 2 * third, to }
}

function readWeekOf(reading: Reading, at: number): Phrase | undefined {
  const opening = matchAt(WEEK_OF, reading.source.text, at)
  const day = opening && readPlain({ ...reading, isCued: true }, at + opening[0].length)
  if (!day) return undefined
  const week = weekSpan(day.span.from)
  const isWeekend = opening.groups?.unit?.toLowerCase() === 'weekend'
  return { ...day, from: at, span: isWeekend ? { from: week.to - 2, to: week.to } : week }
}

function readMoved(reading: Reading, at: number): Phrase | undefined {
  const opening = matchAt(STEPS_FROM, reading.source.text, at)
  const day = opening && readPlain({ ...reading, isCued: true }, at + opening[0].length)
  if (!day) return undefined
  const direction = /before|prior/i.test(opening.groups?.word ?? '') ? -1 : 1
  const moved = moveDay(day.span.from, opening.groups?.steps ?? '', direction)
  return { ...day, from: at, span: { from: moved, to: moved + 1 } }
}

/** The longest match of all rules. */
function readPlain({ source, context, isCued }: Reading, at: number): Phrase | undefined {
  const { text } = source
  let best = readWritten(source, at)
  for (const rule of RULES) {
    const match = matchAt(rule.pattern, text, at)
    if (match === null || at + match[0].length <= (best?.to ?? at)) continue
    const end = at + match[0].length
    const company = {
      before: text.slice(Math.max(0, at - COMPANY_CHARS), at),
      match: match[0],
      after: text.slice(end, end + COMPANY_CHARS),
    }
    if (!isCued && rule.suits && !rule.suits(company)) continue
    const span = rule.read(lowerCase(match.groups), context)
    if (span !== undefined) best = { span, from: at, to: end, isFloating: rule.isFloating }
  }
  return best
}

function lowerCase(groups: Record<string, string | undefined> | undefined): Groups {
  return Object.fromEntries(Object.entries(groups ?? {}).map(([name, words]) => [name, words?.toLowerCase()]))
}

/** A date in full, its weekday before it or not. */
function readWritten({ text, written }: Source, at: number): Phrase | undefined {
  const weekday = matchAt(BEFORE_WRITTEN, text, at)
  const date = written.get(at) ?? (weekday === null ? undefined : written.get(at + weekday[0].length))
  const span = oneDay(date?.day)
  if (date === undefined || span === undefined) return undefined
  return { span, from: at, to: date.index + date.length, isFloating: false }
}
