import type { DayNumber, DaySpan } from './calendar.ts'
import { findWrittenDates } from './find-dates.ts'
import { matchAt, type Phrase, type Reading, readPart } from './read-part.ts'
import type { DateContext } from './rule.ts'

/** A range that is open to the past begins with the first day that computers count. */
const FIRST_DAY: DayNumber = 0
const OPEN_FUTURE_DAYS = 366

const PHRASE_START = /(?<=^|[\s([{"'“‘,;!?—–~]|\p{L}:)[\p{L}\p{N}'’]/gu
const BETWEEN = /(?:in\s+)?between\s+/iuy
const FROM = /from\s+/iuy
const AND = /\s+(?:and|to)\s+|\s*[-–—~]\s*/iuy
const TO = /\s+(?:to|through|thru|till|until|up\s+to)\s+|\s*[-–—~]\s*/iuy
const OPEN_BEFORE = /(?<word>ever\s+since|since|after|later\s+than|before|earlier\s+than|prior\s+to|until|till)\s+/iuy
const OPEN_BEHIND =
  /\s+(?<word>or\s+later|and\s+after|and\s+later|onwards?|or\s+earlier|and\s+before|and\s+earlier)\b/iuy

/** The first words of a text that mean a day or period. */
export function findPhrase(text: string, context: DateContext, timeZone: string): Phrase | undefined {
  const written = new Map(findWrittenDates(text, timeZone).map((date) => [date.index, date]))
  const reading: Reading = { text, written, context, isCued: false }
  const starts = new Set([...[...text.matchAll(PHRASE_START)].map((match) => match.index), ...written.keys()])
  for (const at of [...starts].sort((a, b) => a - b)) {
    const phrase = readOpen(reading, at) ?? readRange(reading, at)
    if (phrase !== undefined) return withOpenEnd(phrase, reading)
  }
  return undefined
}

/** "between A and B", "from A to B", "A – B"; else the day or period A. */
function readRange(reading: Reading, at: number): Phrase | undefined {
  const { text } = reading
  const between = matchAt(BETWEEN, text, at)
  const opening = between ?? matchAt(FROM, text, at)
  const first = readPart({ ...reading, isCued: opening !== null }, at + (opening?.[0].length ?? 0))
  const joint = first && matchAt(between ? AND : TO, text, first.to)
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
  const opening = matchAt(OPEN_BEFORE, reading.text, at)
  const phrase = opening && readPart(reading, at + opening[0].length)
  if (!phrase) return undefined
  return { ...phrase, from: at, span: openSpan(opening.groups?.word ?? '', phrase.span, reading.context) }
}

/** "2018 or later", "May onwards". */
function withOpenEnd(phrase: Phrase, { text, context }: Reading): Phrase {
  const ending = matchAt(OPEN_BEHIND, text, phrase.to)
  if (ending === null) return phrase
  return {
    ...phrase,
    to: phrase.to + ending[0].length,
    span: openSpan(ending.groups?.word ?? '', phrase.span, context),
  }
}

function openSpan(words: string, span: DaySpan, { today }: DateContext): DaySpan {
  const word = words.toLowerCase()
  if (/^(?:or|and)\s+(?:earlier|before)/.test(word)) return { from: Math.min(FIRST_DAY, span.from), to: span.to }
  if (/^before|^prior|^earlier/.test(word)) return { from: Math.min(FIRST_DAY, span.from), to: span.from }
  if (/^until|^till/.test(word)) return span.from > today ? { from: today, to: span.to } : span
  const from = /^after|^later/.test(word) ? span.to : span.from
  return { from, to: from <= today ? today + 1 : from + OPEN_FUTURE_DAYS }
}
