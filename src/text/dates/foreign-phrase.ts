import { type DayNumber, type DaySpan, existingDay, weekdayOf } from './calendar.ts'
import type { Language } from './language-of.ts'
import { bounded, type LocaleWords, localeWords } from './locale-words.ts'
import type { Phrase } from './read-part.ts'
import { type DateContext, type Groups, oneDay } from './rule.ts'
import { monthSpan, resolveDate, resolveYearly, shiftDay, unitSpan, weekSpan, yearSpan } from './spans.ts'
import { foldForDates, WORD_CHARACTER } from './words.ts'

const AHEAD =
  /n[äa]chst|kommend|prochain|pr[óo]xim|volgend|komend|prossim|que vi?ene|que vem|nästa|gelecek|önümüzdeki|来|來|下|次|다음|след|наступ|قادم|مقبل|अगल/i
const BACK = /letzt|vergangen|dernier|pasad|passad|vorig|afgelopen|scors|förra|geçen|上|先|지난|прошл|минул|ماضي|पिछल/i
const PREPOSITION = '(?:im|ins|seit|en|au|dès|depuis|desde|in|a|nel|da|dal|sinds|em|no|i|sedan|v|в|с|у|з|في|منذ)'
/** Letters around a weekday in which a word such as "next" is looked for. */
const NEAR = 12

interface Reader {
  pattern: RegExp
  read: (groups: Groups, context: DateContext, near: string) => DaySpan | undefined
}

const readers = new Map<Language, readonly Reader[]>()

/** The first words of a question in this language that mean a day or period, the longest where several begin together. */
export function findForeignPhrase(text: string, language: Language, context: DateContext): Phrase | undefined {
  const folded = foldForDates(text)
  let best: Phrase | undefined
  for (const { pattern, read } of readersOf(language)) {
    const match = pattern.exec(folded)
    if (match === null) continue
    const [from, to] = [match.index, match.index + match[0].length]
    if (best !== undefined && (from > best.from || (from === best.from && to <= best.to))) continue
    const span = read(match.groups ?? {}, context, folded.slice(Math.max(0, from - NEAR), to + NEAR))
    if (span !== undefined) best = { span, from, to, isFloating: false }
  }
  return best
}

function readersOf(language: Language): readonly Reader[] {
  const known = readers.get(language)
  if (known !== undefined) return known
  const words = localeWords(language)
  const built = [...relativeReaders(words), ...nameReaders(words), ...NUMBER_READERS]
  readers.set(language, built)
  return built
}

function relativeReaders(words: LocaleWords): Reader[] {
  const relative: Reader = {
    pattern: new RegExp(`(?<words>${words.relative.source})`),
    read: ({ words: found = '' }, { today, looksAhead }) => {
      const meaning = words.relatives.get(found)
      if (meaning === undefined) return undefined
      // One word for both directions (कल): Intl lists yesterday first.
      const shift = looksAhead && isTwoFaced(found) ? -meaning.shift : meaning.shift
      return unitSpan(meaning.unit, shift, today)
    },
  }
  const steps = words.steps.map(
    ({ pattern, unit, direction }): Reader => ({
      pattern,
      read: ({ count = '' }, { today }) => oneDay(shiftDay(today, unit, direction * numberOf(count, words))),
    }),
  )
  return [relative, ...steps]
}

function isTwoFaced(word: string): boolean {
  return word === 'कल' || word === 'परसों'
}

function numberOf(count: string, { numbers }: LocaleWords): number {
  if (/^\d/.test(count)) return Number(count)
  for (const [pattern, value] of numbers) if (new RegExp(`^(?:${pattern})$`, 'u').test(count)) return value
  return 0
}

function nameReaders(words: LocaleWords): Reader[] {
  const month = `(?<month>${words.month})\\.?`
  const year = '(?<year>(?:19|20)\\d{2})(?!\\d)'
  const of = `(?:\\s+del?|\\s+di|,|’${WORD_CHARACTER}+)?`
  const readDay = (groups: Groups, context: DateContext, near: string): DaySpan | undefined => {
    return oneDay(dayOf(words.months.get(groups.month ?? ''), groups, directed(context, near)))
  }
  const readMonth = (groups: Groups, context: DateContext, near: string): DaySpan | undefined => {
    return monthOf(words.months.get(groups.month ?? ''), groups, directed(context, near))
  }
  return [
    {
      pattern: new RegExp(
        bounded(
          `(?<date>\\d{1,2})(?:\\.|er|º|ª|e)?(?:\\s*-)?\\s*(?:de\\s+|di\\s+|d’)?${month}(?:${of}[\\s-]+${year})?`,
        ),
      ),
      read: readDay,
    },
    { pattern: new RegExp(bounded(`${month}\\s+(?<date>\\d{1,2})(?:${of}\\s+${year})?`)), read: readDay },
    { pattern: new RegExp(bounded(`${month}${of}\\s+${year}`)), read: readMonth },
    { pattern: new RegExp(bounded(`${PREPOSITION}\\s+${month}(?:${of}\\s+${year})?`)), read: readMonth },
    {
      pattern: new RegExp(bounded(`(?<weekday>${words.weekday})`)),
      read: ({ weekday = '' }, context, near) => oneDay(weekdayNear(words.weekdays.get(weekday), context, near)),
    },
  ]
}

function directed(context: DateContext, near: string): DateContext {
  return { ...context, looksAhead: context.looksAhead || AHEAD.test(near) }
}

function dayOf(month: number | undefined, { date, year }: Groups, context: DateContext): DayNumber | undefined {
  if (month === undefined) return undefined
  return year === undefined ? resolveDate(month, Number(date), context) : existingDay(Number(year), month, Number(date))
}

function monthOf(month: number | undefined, { year }: Groups, context: DateContext): DaySpan | undefined {
  if (month === undefined || month < 1 || month > 12) return undefined
  return year === undefined
    ? resolveYearly((other) => monthSpan(other, month), context)
    : monthSpan(Number(year), month)
}

function weekdayNear(weekday: number | undefined, context: DateContext, near: string): DayNumber | undefined {
  if (weekday === undefined) return undefined
  if (AHEAD.test(near)) return weekSpan(context.today + 7).from + weekday
  const ahead = (weekday - weekdayOf(context.today) + 7) % 7
  return context.looksAhead && !BACK.test(near) ? context.today + (ahead || 7) : context.today + ahead - 7
}

/** Day and month as numbers behind a word that announces them; East Asian dates are numbers with a word for each part. */
const NUMBER_READERS: readonly Reader[] = [
  {
    pattern:
      /(?<![a-z\u00aa-\u1fff])(?:el|il|le|am|vom|bis|seit|op|dia|día|du|au|dal|al)\s+(?<date>\d{1,2})[/.](?<month>\d{1,2})(?![\d/]|\.\d)/,
    read: (groups, context) => oneDay(dayOf(Number(groups.month), groups, context)),
  },
  {
    pattern:
      /(?<![\d年년])(?:(?<year>(?:19|20)\d{2})\s?[年년]\s?)?(?<month>\d{1,2})\s?[月월]\s?(?<date>\d{1,2})\s?[日号號일]/,
    read: (groups, context) => oneDay(dayOf(Number(groups.month), groups, context)),
  },
  {
    pattern: /(?<year>(?:19|20)\d{2})\s?[年년](?:\s?(?<month>\d{1,2})\s?[月월])?/,
    read: (groups, context) =>
      groups.month === undefined ? yearSpan(Number(groups.year)) : monthOf(Number(groups.month), groups, context),
  },
  {
    pattern: /(?<![\d年년])(?<month>\d{1,2})\s?[月월](?!\s?\d)/,
    read: (groups, context) => monthOf(Number(groups.month), groups, context),
  },
]
