import type { DaySpan } from './calendar.ts'
import type { Roles } from './lexicon/roles.ts'
import { thirdOf } from './read-part.ts'
import { type DateContext, oneDay } from './rule.ts'
import { nthWeekday, nthWeekSpan, type PeriodUnit, shiftDay, unitSpan } from './spans.ts'
import { type Element, matchTokens, skipFillers } from './token-match.ts'
import { stepsAway, TOKEN_RULES } from './token-rules.ts'
import type { Token } from './tokens.ts'

/** A day or period that tokens from `start` to before `end` mean. */
export interface TokenPhrase {
  span: DaySpan
  start: number
  end: number
  isFloating: boolean
}

/** How tokens are read. */
export interface TokenReading {
  tokens: readonly Token[]
  context: DateContext
  /** Whether the words before leave no doubt that a date follows. */
  isCued: boolean
}

/** A part of a period: the words that say which, before or behind those of the period. */
interface Narrowing {
  /** Also of a bare unit: "the end of the month" is of this month. */
  ofUnit?: true
  elements: readonly Element[]
  read(found: readonly (Roles | undefined)[], whole: DaySpan): DaySpan | undefined
}

const MOVES = [
  ['after', 1],
  ['from', 1],
  ['since', 1],
  ['before', -1],
] as const
const WEEK_DAYS = 7
const MONTH_DAYS = 31

const NARROWINGS: readonly Narrowing[] = [
  { elements: ['early'], ofUnit: true, read: (_, whole) => thirdOf(whole, 'early') },
  { elements: ['middle'], ofUnit: true, read: (_, whole) => thirdOf(whole, 'mid') },
  { elements: ['late'], ofUnit: true, read: (_, whole) => thirdOf(whole, 'late') },
  { elements: ['half'], read: ([a], whole) => halfOf(whole, a?.half ?? 1) },
  { elements: ['ordinal', 'unit'], read: ([a, b], whole) => nthUnit(a?.ordinal ?? 1, b?.unit ?? 'day', whole) },
  {
    elements: ['which', 'unit'],
    read: ([a, b], whole) => (a?.which === -1 ? nthUnit(-1, b?.unit ?? 'day', whole) : undefined),
  },
  { elements: ['ordinal', 'weekday'], read: ([a, b], whole) => nthDay(b, a?.ordinal ?? 1, whole) },
  { elements: ['which', 'weekday'], read: ([a, b], whole) => (a?.which === -1 ? nthDay(b, -1, whole) : undefined) },
  { elements: ['which', 'steps'], read: ([a, b], whole) => lastSteps(a, b, whole) },
  { elements: ['steps', 'which'], read: ([b, a], whole) => lastSteps(a, b, whole) },
  {
    elements: ['weekday'],
    read: ([a], whole) => (whole.to - whole.from === WEEK_DAYS ? oneDay(whole.from + (a?.weekday ?? 0)) : undefined),
  },
  {
    elements: ['weekNumber'],
    read: ([a], whole) =>
      whole.to - whole.from === WEEK_DAYS ? oneDay(whole.from + (a?.weekNumber ?? 1) - 1) : undefined,
  },
  { elements: ['date', 'to', 'date'], read: ([a, , b], whole) => datesOf(a?.date ?? 0, b?.date ?? 0, whole) },
  { elements: ['date'], read: ([a], whole) => datesOf(a?.date ?? 0, a?.date ?? 0, whole) },
]

function nthUnit(nth: number, unit: string, whole: DaySpan): DaySpan | undefined {
  if (unit === 'week') return nthWeekSpan(whole, nth)
  if (unit === 'weekend') {
    const saturday = nthWeekday(whole, 5, nth)
    return { from: saturday, to: saturday + 2 }
  }
  const months = { day: 0, month: 1, quarter: 3, half: 6 }[unit]
  if (months === undefined) return undefined
  const step = (day: number, count: number): number =>
    months === 0 ? day + count : shiftDay(day, 'month', count * months)
  const from = nth < 0 ? step(whole.to, nth) : step(whole.from, nth - 1)
  const span = { from, to: step(from, 1) }
  return span.from >= whole.from && span.to <= whole.to ? span : undefined
}

/** Of a year by its months, else by days. */
function halfOf(whole: DaySpan, half: 1 | 2): DaySpan {
  const length = whole.to - whole.from
  const middle = length > 360 ? shiftDay(whole.from, 'month', 6) : whole.from + Math.floor(length / 2)
  return half === 1 ? { from: whole.from, to: middle } : { from: middle, to: whole.to }
}

function nthDay(roles: Roles | undefined, nth: number, whole: DaySpan): DaySpan | undefined {
  const day = nthWeekday(whole, roles?.weekday ?? 0, nth)
  return day >= whole.from && day < whole.to ? oneDay(day) : undefined
}

function lastSteps(which: Roles | undefined, counted: Roles | undefined, whole: DaySpan): DaySpan | undefined {
  const [step, ...more] = counted?.steps ?? []
  if (which?.which !== -1 || step === undefined || more.length > 0) return undefined
  if (!['day', 'week', 'month', 'quarter', 'year'].includes(step.unit)) return undefined
  const from = shiftDay(whole.to, step.unit as PeriodUnit, -step.count)
  return from >= whole.from ? { from, to: whole.to } : undefined
}

function datesOf(first: number, last: number, whole: DaySpan): DaySpan | undefined {
  const length = whole.to - whole.from
  const isMonth = length >= MONTH_DAYS - 3 && length <= MONTH_DAYS
  return isMonth && first >= 1 && first <= last && last <= length
    ? { from: whole.from + first - 1, to: whole.from + last }
    : undefined
}

/** The longest day or period at a token, with what narrows or moves it. */
export function readTokenPart(reading: TokenReading, at: number): TokenPhrase | undefined {
  const candidates = [readPlain(reading, at), readNarrowed(reading, at), readMoved(reading, at)]
  return longest(candidates)
}

function longest(candidates: readonly (TokenPhrase | undefined)[]): TokenPhrase | undefined {
  let best: TokenPhrase | undefined
  for (const one of candidates) if (one !== undefined && one.end > (best?.end ?? -1)) best = one
  return best
}

/** The longest match of all rules. */
function readPlain(reading: TokenReading, at: number): TokenPhrase | undefined {
  return longest(readAll(reading, at))
}

/** What every rule finds at a token. */
function readAll({ tokens, context, isCued }: TokenReading, at: number): TokenPhrase[] {
  const found: TokenPhrase[] = []
  for (const rule of TOKEN_RULES) {
    if (rule.isCued && !isCued) continue
    const match = matchTokens(tokens, at, rule.elements)
    const span = match && rule.read(match.found, context)
    if (span) found.push({ span, start: at, end: match.end, isFloating: rule.isFloating ?? false })
  }
  return found
}

/**
 * Wholes that something may narrow, the longest first: there a period needs no word that announces it, and "the month" is this
 * month. All of them, since a word such as "last" may belong to the whole or to the part.
 */
function readWholes(reading: TokenReading, at: number, ofUnit: boolean): TokenPhrase[] {
  const start = skipFillers(reading.tokens, at)
  const found = readAll({ ...reading, isCued: true }, start)
  if (found.length > 0) return found.sort((a, b) => b.end - a.end)
  const unit = reading.tokens[start]?.roles.unit
  if (!ofUnit) return []
  if (unit !== 'week' && unit !== 'month' && unit !== 'year') return []
  return [{ span: unitSpan(unit, 0, reading.context.today), start, end: start + 1, isFloating: false }]
}

function readNarrowed(reading: TokenReading, at: number): TokenPhrase | undefined {
  const { tokens } = reading
  const found: TokenPhrase[] = []
  const [wholes, withUnits] = [false, true].map((ofUnit) => readWholes(reading, at, ofUnit))
  for (const { elements, read, ofUnit } of NARROWINGS) {
    const before = matchTokens(tokens, at, elements)
    for (const whole of before ? readWholes(reading, skipIn(tokens, before.end), ofUnit ?? false) : []) {
      const span = before && read(before.found, whole.span)
      if (span) found.push({ ...whole, start: at, span })
    }
    for (const whole of (ofUnit ? withUnits : wholes) ?? []) {
      const after = matchTokens(tokens, skipIn(tokens, whole.end), elements)
      const span = after && read(after.found, whole.span)
      if (span) found.push({ ...whole, start: at, end: after.end, span })
    }
  }
  return longest(found)
}

/** "the first week in May". */
function skipIn(tokens: readonly Token[], at: number): number {
  const place = skipFillers(tokens, at)
  return tokens[place]?.roles.in &&
    tokens[place + 1]?.roles.month === undefined &&
    tokens[place + 1]?.roles.year === undefined
    ? place + 1
    : place
}

/** "two days after Easter", "two days from today". */
function readMoved(reading: TokenReading, at: number): TokenPhrase | undefined {
  const { tokens, context } = reading
  for (const [word, direction] of MOVES) {
    const opening = matchTokens(tokens, at, ['steps', word])
    const day = opening && readPlain({ ...reading, isCued: true }, skipFillers(tokens, opening.end))
    if (day) return { ...day, start: at, span: moved(opening.found[0], day.span, direction, context) }
  }
  return readMovedBehind(reading, at)
}

/** The same with the words the other way round: 今天以后两周. */
function readMovedBehind(reading: TokenReading, at: number): TokenPhrase | undefined {
  const first = readPlain(reading, at)
  const closing = first && matchTokens(reading.tokens, first.end, ['behind', 'steps'])
  if (!first || !closing) return undefined
  const direction = closing.found[0]?.behind === 'before' ? -1 : 1
  return { ...first, end: closing.end, span: moved(closing.found[1], first.span, direction, reading.context) }
}

function moved(roles: Roles | undefined, { from }: DaySpan, direction: 1 | -1, context: DateContext): DaySpan {
  const day = stepsAway(from, roles?.steps ?? [], direction, context)
  return { from: day, to: day + 1 }
}
