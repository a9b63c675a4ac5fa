import { type Anchor, anchorsOf } from './anchors.ts'
import type { DayNumber, DaySpan } from './calendar.ts'
import { findWrittenDates } from './find-dates.ts'
import { matchAt, type Phrase, type Reading, readPart } from './read-part.ts'
import type { DateContext } from './rule.ts'
import { foldForDates } from './words.ts'

/** A range that is open to the past begins with the first day that computers count. */
const FIRST_DAY: DayNumber = 0
const OPEN_FUTURE_DAYS = 366

const PHRASE_START = /(?<=^|[\s([{"’“‘,;!?—–~]|[a-z]:)[0-9a-z_\u00aa-\u1fff’]/g
/** How every phrase begins, small words aside. Most words of most texts do not, and then no rule is tried or compiled. */
const TRIGGER = new RegExp(
  '(?:(?:the|an?|at|on|in|within|of|over|during|about|between|ever|from|since|after|before|than|prior|to|until|till|early|late|earlier|later|mid)[\\s-]+)*' +
    '(?:\\d|’\\d|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun|yesterday|to(?:day|night|morrow)|' +
    'last|past|previous|prec|this|current|next|coming|following|upcoming|day|week|fortnight|month|quarter|year|decade|calendar|' +
    'one|two|three|four|fi|six|seven|eigh|nin|ten|elev|twel|twent|thirt|fort|couple|few|several|half|first|second|third|' +
    '[qh][1-4]|spring|summer|autumn|fall|winter|beginning|start|middle|end|christmas|boxing|new|valentine|saint|st|good|easter|' +
    'halloween|thanksgiving|black|labou?r)',
  'y',
)
/** Every phrase has one of these: words such as "next" or "in" make none alone. */
const NECESSARY: readonly Anchor[] = [
  'digit',
  'month',
  'weekday',
  'unit',
  'clock',
  'named day',
  'part of day',
  'season',
  'holiday',
]
const BETWEEN = /(?:in\s+)?between\s+/y
const FROM = /from\s+/y
const AND = /\s+(?:and|to)\s+|\s*[-–—~]\s*/y
const TO = /\s+(?:to|through|thru|till|until|up\s+to)\s+|\s*[-–—~]\s*/y
const OPEN_BEFORE = /(?<word>ever\s+since|since|after|later\s+than|before|earlier\s+than|prior\s+to|until|till)\s+/y
const OPEN_BEHIND = /\s+(?<word>or\s+later|and\s+after|and\s+later|onwards?|or\s+earlier|and\s+before|and\s+earlier)\b/y

/** The first words of a text that mean a day or period. */
export function findPhrase(text: string, context: DateContext, timeZone: string): Phrase | undefined {
  const folded = foldForDates(text)
  const anchors = anchorsOf(folded)
  if (!NECESSARY.some((anchor) => anchors.has(anchor))) return undefined
  const written = new Map(findWrittenDates(text, timeZone).map((date) => [date.index, date]))
  const reading: Reading = { text, folded, written, context, anchors, isCued: false }
  const starts = new Set([...[...folded.matchAll(PHRASE_START)].map((match) => match.index), ...written.keys()])
  for (const at of [...starts].sort((a, b) => a - b)) {
    if (!written.has(at) && matchAt(TRIGGER, folded, at) === null) continue
    const phrase = readOpen(reading, at) ?? readRange(reading, at)
    if (phrase !== undefined) return withOpenEnd(phrase, reading)
  }
  return undefined
}

/** "between A and B", "from A to B", "A – B"; else the day or period A. */
function readRange(reading: Reading, at: number): Phrase | undefined {
  const between = matchAt(BETWEEN, reading.folded, at)
  const opening = between ?? matchAt(FROM, reading.folded, at)
  const first = readPart({ ...reading, isCued: opening !== null }, at + (opening?.[0].length ?? 0))
  const joint = first && matchAt(between ? AND : TO, reading.folded, first.to)
  const second = joint && readPart({ ...reading, isCued: true }, first.to + joint[0].length)
  if (second) return { ...joinRange(reading, first, second), from: at }
  return readPart(reading, at)
}

/** From the first to the second, the year of one deciding that of the other. */
function joinRange(reading: Reading, first: Phrase, second: Phrase): Phrase {
  const reread = (phrase: Phrase, today: DayNumber, looksAhead: boolean): DaySpan => {
    const context = { ...reading.context, today, looksAhead }
    return readPart({ ...reading, context, isCued: true }, phrase.from)?.span ?? phrase.span
  }
  let [a, b] = [first.span, second.span]
  // Words without a year count from "not after the end" back, or from the beginning on.
  if (first.isFloating) a = reread(first, b.to - 1, false)
  else if (second.isFloating) b = reread(second, a.from, true)
  return {
    span: { from: Math.min(a.from, b.from), to: Math.max(a.to, b.to) },
    from: first.from,
    to: second.to,
    isFloating: first.isFloating && second.isFloating,
  }
}

/** "since A", "before A": a range with one end. */
function readOpen(reading: Reading, at: number): Phrase | undefined {
  const opening = matchAt(OPEN_BEFORE, reading.folded, at)
  const phrase = opening && readPart(reading, at + opening[0].length)
  if (!phrase) return undefined
  return { ...phrase, from: at, span: openSpan(opening.groups?.word ?? '', phrase.span, reading.context) }
}

/** "2018 or later", "May onwards". */
function withOpenEnd(phrase: Phrase, { folded, context }: Reading): Phrase {
  const ending = matchAt(OPEN_BEHIND, folded, phrase.to)
  if (ending === null) return phrase
  return {
    ...phrase,
    to: phrase.to + ending[0].length,
    span: openSpan(ending.groups?.word ?? '', phrase.span, context),
  }
}

export function openSpan(word: string, span: DaySpan, { today }: DateContext): DaySpan {
  if (/^(?:or|and)\s+(?:earlier|before)/.test(word)) return { from: Math.min(FIRST_DAY, span.from), to: span.to }
  if (/^before|^prior|^earlier/.test(word)) return { from: Math.min(FIRST_DAY, span.from), to: span.from }
  if (/^until|^till/.test(word)) return span.from > today ? { from: today, to: span.to } : span
  const from = /^after|^later/.test(word) ? span.to : span.from
  return { from, to: from <= today ? today + 1 : from + OPEN_FUTURE_DAYS }
}
