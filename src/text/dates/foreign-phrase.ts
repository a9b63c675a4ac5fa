import type { DaySpan } from './calendar.ts'
import { openSpan } from './find-phrase.ts'
import type { Language } from './language-of.ts'
import { lexiconOf } from './lexicon/lexicon-of.ts'
import type { Phrase } from './read-part.ts'
import type { DateContext } from './rule.ts'
import { matchTokens, skipFillers } from './token-match.ts'
import { readTokenPart, type TokenPhrase, type TokenReading } from './token-phrase.ts'
import { readTokens, type Token } from './tokens.ts'

/** Every phrase has one of these. */
const ANCHORS: readonly (keyof Token['roles'])[] = [
  'period',
  'either',
  'steps',
  'day',
  'month',
  'year',
  'holiday',
  'isMarked',
  'dayAndMonth',
]

/** What makes a time of a unit or of a short name of a weekday. */
const COMPANY: readonly (keyof Token['roles'])[] = [
  'which',
  'ordinal',
  'half',
  'early',
  'middle',
  'late',
  'date',
  'number',
]

function namesTime(tokens: readonly Token[]): boolean {
  const hasAny = (roles: readonly (keyof Token['roles'])[]): boolean =>
    tokens.some((token) => roles.some((role) => token.roles[role] !== undefined))
  if (hasAny(ANCHORS) || tokens.some(({ roles }) => roles.weekday !== undefined && !roles.isShort)) return true
  return hasAny(['unit', 'weekday']) && hasAny(COMPANY)
}

/** The first words of a question in this language that mean a day or period. */
export function findForeignPhrase(
  text: string,
  language: Language,
  context: DateContext,
  timeZone: string,
): Phrase | undefined {
  const tokens = readTokens(text, lexiconOf(language), timeZone)
  if (!namesTime(tokens)) return undefined
  const looksAhead = context.looksAhead || tokens.some(({ roles }) => roles.future)
  const reading: TokenReading = { tokens, context: withDirection(context, looksAhead), isCued: false }
  for (let at = 0; at < tokens.length; at++) {
    const roles: Token['roles'] = tokens[at]?.roles ?? {}
    const names = Object.keys(roles)
    if (names.length === 0 || (names.length === 1 && roles.filler)) continue
    const phrase = readOpen(reading, at) ?? readRange(reading, at)
    if (phrase !== undefined) return toPhrase(withOpenEnd(phrase, reading), tokens)
  }
  return undefined
}

/** Not spread: today is made out when it is asked for. */
function withDirection(context: DateContext, looksAhead: boolean): DateContext {
  return {
    get today() {
      return context.today
    },
    dayInMinutes: context.dayInMinutes,
    looksAhead,
    isDayFirst: context.isDayFirst,
    isSouthern: context.isSouthern,
  }
}

function toPhrase({ span, start, end, isFloating }: TokenPhrase, tokens: readonly Token[]): Phrase {
  const [first, last] = [tokens[start], tokens[end - 1]]
  return { span, from: first?.from ?? 0, to: last?.to ?? 0, isFloating }
}

/** "between A and B", "from A to B", "A – B"; else the day or period A. */
function readRange(reading: TokenReading, at: number): TokenPhrase | undefined {
  const { tokens } = reading
  const between = matchTokens(tokens, at, ['between'])
  const opening = between ?? matchTokens(tokens, at, ['from'])
  const start = skipFillers(tokens, opening?.end ?? at)
  const first = readTokenPart({ ...reading, isCued: opening !== undefined || isJoined(tokens, start) }, start)
  const joint = first && matchTokens(tokens, first.end, between ? ['and'] : ['to'])
  const second = joint && readTokenPart({ ...reading, isCued: true }, skipFillers(tokens, joint.end))
  if (second) {
    const range = joinRange(reading, first, second)
    const closing = matchTokens(tokens, range.end, ['behind'])
    const isUntil = closing?.found[0]?.behind === 'until'
    return { ...range, start: at, end: isUntil ? closing.end : range.end }
  }
  // "De" is "from" in a range and "of" elsewhere.
  const isCertain = opening?.found[0]?.from && !opening.found[0].filler
  return isCertain && first ? { ...first, start: at } : readTokenPart(reading, at)
}

/** Whether a sign or word for "to" follows: then bare months and years are dates. */
function isJoined(tokens: readonly Token[], at: number): boolean {
  const [word, sign, other] = [tokens[at]?.roles, tokens[at + 1]?.roles, tokens[at + 2]?.roles]
  const isPeriod = (roles: Token['roles'] | undefined): boolean =>
    roles?.month !== undefined || roles?.year !== undefined || roles?.dayAndMonth !== undefined
  if (isPeriod(word) && matchTokens(tokens, at + 1, ['to?', 'behind']) !== undefined) return true
  return (
    isPeriod(word) &&
    sign?.to !== undefined &&
    other !== undefined &&
    (isPeriod(other) || other.date !== undefined || other.day !== undefined)
  )
}

/** From the first to the second, the year of one deciding that of the other. */
function joinRange(reading: TokenReading, first: TokenPhrase, second: TokenPhrase): TokenPhrase {
  const reread = (phrase: TokenPhrase, today: number, looksAhead: boolean): DaySpan => {
    const context = { ...withDirection(reading.context, looksAhead), today }
    return readTokenPart({ ...reading, context, isCued: true }, phrase.start)?.span ?? phrase.span
  }
  let [a, b] = [first.span, second.span]
  if (first.isFloating) a = reread(first, b.to - 1, false)
  else if (second.isFloating) b = reread(second, a.from, true)
  return {
    span: { from: Math.min(a.from, b.from), to: Math.max(a.to, b.to) },
    start: first.start,
    end: second.end,
    isFloating: first.isFloating && second.isFloating,
  }
}

/** "since A", "before A": a range with one end. */
function readOpen(reading: TokenReading, at: number): TokenPhrase | undefined {
  const { tokens, context } = reading
  for (const word of ['since', 'before', 'after'] as const) {
    const opening = matchTokens(tokens, at, [word])
    const phrase = opening && readTokenPart({ ...reading, isCued: true }, skipFillers(tokens, opening.end))
    if (phrase) return { ...phrase, start: at, span: openSpan(word, phrase.span, context) }
  }
  return undefined
}

/** "A since", "A before": languages that put such words behind. */
function withOpenEnd(phrase: TokenPhrase, { tokens, context }: TokenReading): TokenPhrase {
  const closing = matchTokens(tokens, phrase.end, ['to?', 'behind'])
  const word = closing?.found[1]?.behind
  if (closing === undefined || word === undefined) return phrase
  return { ...phrase, end: closing.end, span: openSpan(word, phrase.span, context) }
}
