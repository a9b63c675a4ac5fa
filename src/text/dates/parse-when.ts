import { type DayNumber, formatDay } from './calendar.ts'
import { findPhrase } from './find-phrase.ts'
import { findForeignPhrase } from './foreign-phrase.ts'
import { type Language, type LanguageScore, rankLanguages } from './language-of.ts'
import { mayKnowWordsOf } from './lexicon/lexicon-of.ts'
import type { Phrase } from './read-part.ts'
import type { DateContext } from './rule.ts'
import { foldForDates } from './words.ts'
import { localDayNumber, startOfDay } from './zone.ts'

/** The time that a query asks about. */
export interface When {
  /** First instant, inclusive. */
  from: Date
  /** Exclusive. */
  to: Date
  /** The words of the query that say so. */
  text: string
  granularity: 'day' | 'range'
  /** The local days of it, `YYYY-MM-DD`; empty where they are more than 366 or the beginning is open. */
  days: string[]
}

export interface WhenOptions {
  now: Date
  /** IANA zone in which days are counted. */
  timeZone: string
}

const MINUTE_MS = 60_000
const MAX_LISTED_DAYS = 366
const DAY_FIRST_ZONES = /^(?:Europe|Africa|Australia|Asia|Indian|Atlantic)\/|^Pacific\/Auckland$/
const SOUTHERN_ZONES =
  /^(?:Australia|Antarctica)\/|^Pacific\/Auckland$|^Africa\/(?:Johannesburg|Harare|Maputo|Windhoek)$|^America\/(?:Sao_Paulo|Buenos_Aires|Argentina\/.*|Santiago|Montevideo|Asuncion|La_Paz|Lima)$/
const LOOKS_AHEAD =
  /\b(?:will|shall|going to|gonna|upcoming|due|deadlines?|scheduled|planned|remind(?:er)?)\b|['’]ll\b/i
const LOOKS_BACK = /\b(?:was|were|did|had|been|happened)\b/i

/**
 * The day or range that a query speaks of, or null. Words look back ("Monday" is the last one, "in March" the latest) unless
 * they look ahead ("tomorrow", "next week", "what is due on Friday"). Never a date from a time alone, a version, a number, or a
 * word that is also a month or weekday. English by rules of its own; fifteen other languages by word lists and one grammar;
 * dates in full in any language.
 */
export function parseWhen(query: string, options: WhenOptions): When | null {
  const ranked = rankLanguages(query)
  const english = ranked.find(({ language }) => language === 'en')?.score ?? 0
  const foreign = ranked.filter(isForeign)
  const likely = foreign.filter(({ score }) => score > english && score * 2 > (foreign[0]?.score ?? 0))
  let today: DayNumber | undefined
  const context: DateContext = {
    // Made out when words ask for it: most prompts name no time, and a zone takes long to load.
    get today() {
      today ??= localDayNumber(options.now, options.timeZone)
      return today
    },
    dayInMinutes: (minutes) => localDayNumber(new Date(options.now.getTime() + minutes * MINUTE_MS), options.timeZone),
    looksAhead: LOOKS_AHEAD.test(query) && !LOOKS_BACK.test(query),
    isDayFirst: likely.length > 0 || DAY_FIRST_ZONES.test(options.timeZone),
    isSouthern: SOUTHERN_ZONES.test(options.timeZone),
  }
  const found =
    findInLanguages(query, likely, context, options.timeZone) ??
    findPhrase(query, context, options.timeZone) ??
    findUnlikely(query, foreign, english, context, options.timeZone)
  return found ? toWhen(query, found, options.timeZone) : null
}

interface ForeignScore {
  language: Language
  score: number
}

function isForeign(score: LanguageScore): score is ForeignScore {
  return score.language !== 'en'
}

/** The first phrase that a language reads, the longest where several begin together. */
function findInLanguages(
  query: string,
  scores: readonly ForeignScore[],
  context: DateContext,
  timeZone: string,
): Phrase | undefined {
  let best: Phrase | undefined
  for (const { language } of scores) {
    const phrase = findForeignPhrase(query, language, context, timeZone)
    if (phrase === undefined) continue
    const isBetter = best === undefined || phrase.from < best.from || (phrase.from === best.from && phrase.to > best.to)
    if (isBetter) best = phrase
  }
  return best
}

/** In a language that little speaks for, only by a word that is long enough to be of that language alone. */
function findUnlikely(
  query: string,
  foreign: readonly ForeignScore[],
  english: number,
  context: DateContext,
  timeZone: string,
): Phrase | undefined {
  const folded = foldForDates(query)
  const possible = foreign.filter(
    ({ language, score }) => score <= english && (score > 0 || english === 0) && mayKnowWordsOf(folded, language),
  )
  const phrase = findInLanguages(query, possible, context, timeZone)
  return phrase && /\p{L}{5}/u.test(query.slice(phrase.from, phrase.to)) ? phrase : undefined
}

function toWhen(query: string, { span, from, to }: Phrase, timeZone: string): When {
  const count = span.to - span.from
  const days = count > MAX_LISTED_DAYS ? [] : Array.from({ length: count }, (_, i): DayNumber => span.from + i)
  return {
    from: startOfDay(span.from, timeZone),
    to: startOfDay(span.to, timeZone),
    text: query.slice(from, to),
    granularity: count === 1 ? 'day' : 'range',
    days: days.map(formatDay),
  }
}
