import { formatDay } from './dates/calendar.ts'
import { findWrittenDates } from './dates/find-dates.ts'
import { DATE, foldForDates, MONTH, readMonth, readNumber, WEEKDAY } from './dates/words.ts'
import { STOP_WORDS } from './stop-words.ts'
import { tokensOfWord } from './word-tokens.ts'

/** What a quantity measures: numbers of one kind and unit can be compared with each other. */
export type QuantityKind = 'number' | 'date' | 'time' | 'weekday' | 'version' | 'ratio' | 'ordinal'

/** A value that a text states. Offsets are UTF-16 units of the text, `end` not included. */
export interface Quantity {
  kind: QuantityKind
  /** Two quantities of one kind have the same value when these are equal. */
  value: string
  /** What is counted or measured: a unit, or the words after the number, stemmed; empty where nothing follows. */
  units: readonly string[]
  /** Whether the unit is one by form (a currency, a percent sign, a measure) and not only the next word. */
  isMeasure: boolean
  start: number
  end: number
}

/** A character of a script in which numbers stand between words without a space, and what counts follows at once. */
const UNSPACED = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]`
const COUNTER = new RegExp(`${UNSPACED}`, 'uy')
const CURRENCY = '[$€£¥₹₩]|(?:USD|EUR|GBP|CHF|JPY)\\b'
const NUMBER = String.raw`\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:[.,]\d+)?`
const DIGITS = new RegExp(
  String.raw`(?<!(?!${UNSPACED})[\p{L}\p{N}_#/@]|[\p{L}\d]:|\d[.,]|[\p{L}\p{N}]-)(?<front>${CURRENCY})?\s?(?<sign>[-−])?(?<number>${NUMBER})(?<factor>[kM](?![\p{L}\p{N}]))?(?<back>\s?(?:[%€°]|percent\b)|(?=[\s-]?\p{L}))?(?!\p{N}|[.:/]\d)`,
  'gu',
)
const RATIO = /(?<![\p{L}\p{N}_/.-])(\d{1,4})(?:\/| out of )(\d{1,4})(?![\p{L}\p{N}_/]|[.-]\d)/gu
const TIME =
  /(?<![\p{N}:.])(?:(?<hour>[01]?\d|2[0-3]):(?<minute>[0-5]\d)(?!:?\d)(?:\s?(?<half>[ap])\.?m\b)?|(?<fullHour>\d{1,2})\s?(?<fullHalf>[ap])\.?m\b)/giu
const VERSION =
  /(?<![\p{L}\p{N}_.-])(?:v\d{1,4}(?:\.\d{1,6}){0,3}|\d{1,4}(?:\.\d{1,6}){2,3})(?:-[a-z]+[.\d]{0,8})?(?![\p{L}\p{N}]|[.-]\d)/giu
const ORDINAL = /(?<![\p{L}\p{N}])(\d{1,4})(?:st|nd|rd|th)(?![\p{L}\p{N}])/giu
const MONTH_DAY = new RegExp(
  `(?<![\\w])(?:(?<m1>${MONTH})[ .]{1,2}(?<d1>${DATE})|(?:the )?(?<d2>${DATE})(?: of |[. ]{1,2})(?<m2>${MONTH})(?![a-z]))`,
  'g',
)
const WEEKDAYS = new RegExp(`\\b(?:${WEEKDAY})s?\\b`, 'g')
const MONTH_YEAR = new RegExp(`\\b(?<month>${MONTH}),? (?<year>(?:19|20)\\d{2})\\b`, 'g')
const NUMBER_WORDS = new Map(
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'
    .split(' ')
    .map((word, value) => [word, value]),
)
for (const [word, value] of [
  ['thirty', 30],
  ['forty', 40],
  ['fifty', 50],
  ['hundred', 100],
  ['twice', 2],
  ['once', 1],
] as const) {
  NUMBER_WORDS.set(word, value)
}
const ORDINAL_WORDS = new Map(
  'first second third fourth fifth sixth seventh eighth ninth tenth'.split(' ').map((word, index) => [word, index + 1]),
)
for (const [word, value] of [
  ['twentieth', 20],
  ['thirtieth', 30],
  ['hundredth', 100],
] as const)
  ORDINAL_WORDS.set(word, value)
const LETTERS = /[\p{L}\p{M}]+/gu
const NEXT_WORD = /[\s-]{0,2}([\p{L}\p{M}µ]+(?:\/[\p{L}]+)?)/uy
const MEASURES = new Set(
  (
    'ms s sec secs second seconds min mins minute minutes h hr hrs hour hours day days week weeks month months year years b kb mb gb tb kib mib gib px em rem pt ' +
    'mm cm m km mi mile miles ft in inch inches g mg kg t lb lbs oz ml cl l w kw mw kwh v mv a ma hz khz mhz ghz bar psi pa kpa hpa k c f deg degrees celsius ' +
    'fahrenheit percent pct usd eur gbp chf dollars euros pounds yen rpm rps qps fps bps mbps gbps tokens'
  ).split(' '),
)

/**
 * The values that a text states, in order and none inside another: numbers with their unit or what they count, amounts of money,
 * percentages, shares ("6/7"), dates, times, weekdays, versions, ordinals. Linear in the length of the text.
 */
export function findQuantities(text: string): Quantity[] {
  const found: Quantity[] = []
  const taken = new Uint8Array(text.length)
  const add = (quantity: Quantity): void => {
    if (quantity.end > text.length || quantity.end <= quantity.start) return
    for (let at = quantity.start; at < quantity.end; at++) if (taken[at] === 1) return
    taken.fill(1, quantity.start, quantity.end)
    found.push(quantity)
  }
  const folded = foldForDates(text)
  for (const date of findDays(folded, text)) add(date)
  for (const match of text.matchAll(TIME)) add(readTime(match))
  for (const match of text.matchAll(VERSION)) add(plain('version', match[0].toLowerCase().replace(/^v/, ''), match))
  for (const match of text.matchAll(RATIO)) add(plain('ratio', `${Number(match[1])}/${Number(match[2])}`, match))
  for (const match of text.matchAll(ORDINAL))
    add({
      ...plain('ordinal', String(Number(match[1])), match),
      units: wordsAfter(text, match.index + match[0].length),
    })
  for (const match of text.matchAll(DIGITS)) add(readDigits(match, text))
  for (const match of text.matchAll(LETTERS)) {
    const word = match[0].toLowerCase()
    const number = NUMBER_WORDS.get(word)
    const ordinal = ORDINAL_WORDS.get(word)
    if (number === undefined && ordinal === undefined) continue
    const units = wordsAfter(text, match.index + word.length)
    // "One of them" and "no one" count nothing.
    if (word === 'one' && units.length === 0) continue
    add({ ...plain(number === undefined ? 'ordinal' : 'number', String(number ?? ordinal), match), units })
  }
  return found.sort((a, b) => a.start - b.start)
}

function plain(kind: QuantityKind, value: string, match: RegExpExecArray): Quantity {
  return {
    kind,
    value,
    units: [],
    isMeasure: kind !== 'ordinal',
    start: match.index,
    end: match.index + match[0].length,
  }
}

function* findDays(folded: string, text: string): Generator<Quantity> {
  for (const { index, length, day } of findWrittenDates(text)) {
    yield { kind: 'date', value: formatDay(day), units: ['day'], isMeasure: true, start: index, end: index + length }
  }
  for (const match of folded.matchAll(MONTH_YEAR)) {
    const { month = '', year = '' } = match.groups ?? {}
    yield { ...plain('date', `${year}-${pad(readMonth(month))}`, match), units: ['month'] }
  }
  for (const match of folded.matchAll(MONTH_DAY)) {
    const { m1, d1, m2, d2 } = match.groups ?? {}
    const date = readNumber(d1 ?? d2 ?? '')
    if (date < 1 || date > 31) continue
    yield { ...plain('date', `${pad(readMonth(m1 ?? m2 ?? ''))}-${pad(date)}`, match), units: ['day'] }
  }
  for (const match of folded.matchAll(WEEKDAYS)) yield plain('weekday', match[0].slice(0, 3), match)
}

function pad(value: number): string {
  return String(value).padStart(2, '0')
}

function readTime(match: RegExpExecArray): Quantity {
  const { hour, minute = '00', half, fullHour, fullHalf } = match.groups ?? {}
  const clock = Number(hour ?? fullHour)
  const isAfternoon = (half ?? fullHalf)?.toLowerCase() === 'p'
  const hours = isAfternoon && clock < 12 ? clock + 12 : clock
  return plain('time', `${pad(hours)}:${minute}`, match)
}

function readDigits(match: RegExpExecArray, text: string): Quantity {
  const { front, sign = '', number = '', factor, back = '' } = match.groups ?? {}
  const value = readDecimal(number) * (factor === 'k' ? 1000 : factor === 'M' ? 1_000_000 : 1) * (sign === '' ? 1 : -1)
  const space = /^\s*/.exec(match[0])?.[0].length ?? 0
  const start = match.index + space
  const end = match.index + match[0].trimEnd().length
  const base = { kind: 'number' as const, value: String(value), start, end }
  const mark = front ?? back.trim()
  if (mark !== '') return { ...base, units: [mark === 'percent' ? '%' : mark], isMeasure: true }
  COUNTER.lastIndex = end
  const counter = COUNTER.exec(text)?.[0]
  if (counter !== undefined) return { ...base, units: [counter], isMeasure: true }
  const units = wordsAfter(text, end)
  NEXT_WORD.lastIndex = end
  const following = NEXT_WORD.exec(text)
  const next = following?.[1]?.toLowerCase() ?? ''
  const isMeasure = MEASURES.has(next)
  // Letters and digits without a space between are a code: 4956f42.
  if (
    following?.[0].length === next.length &&
    next !== '' &&
    !(isMeasure && !/\p{N}/u.test(text.charAt(NEXT_WORD.lastIndex)))
  ) {
    return { ...base, end: start, units: [], isMeasure: false }
  }
  if (isMeasure) base.end = NEXT_WORD.lastIndex
  if (units.length === 0 && /^(?:19|20)\d{2}$/.test(number)) return { ...base, units: ['year'], isMeasure: true }
  return { ...base, units: isMeasure ? [tokensOfWord(next).tokens[0]?.term ?? next] : units, isMeasure }
}

/** "1,200" and "1200", "2,5" and "2.5" are the same. */
function readDecimal(written: string): number {
  if (/^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(written)) return Number(written.replaceAll(',', ''))
  return Number(written.replace(',', '.'))
}

/** Words after a number that may be what it counts: "12 open design questions". */
const MAX_UNIT_WORDS = 3

/** Stems of the content words right after a place: what a number counts. */
function wordsAfter(text: string, from: number): string[] {
  const units: string[] = []
  let at = from
  while (units.length < MAX_UNIT_WORDS) {
    NEXT_WORD.lastIndex = at
    const match = NEXT_WORD.exec(text)
    const word = match?.[1]
    if (match === null || word === undefined || match[0].length === word.length) break
    if (STOP_WORDS.has(word.toLowerCase())) break
    const term = tokensOfWord(word).tokens[0]?.term
    if (term !== undefined) units.push(term)
    at = NEXT_WORD.lastIndex
  }
  // "2bar" has no space before its unit.
  if (units.length === 0 && from < text.length) {
    NEXT_WORD.lastIndex = from
    const word = NEXT_WORD.exec(text)?.[1]?.toLowerCase()
    if (word !== undefined && MEASURES.has(word)) units.push(tokensOfWord(word).tokens[0]?.term ?? word)
  }
  return units
}

/** Whether two quantities of one kind have the same value: a day without its year is any year's. */
export function isSameValue(a: Quantity, b: Quantity): boolean {
  return a.value === b.value || (a.kind === 'date' && (a.value.endsWith(b.value) || b.value.endsWith(a.value)))
}
