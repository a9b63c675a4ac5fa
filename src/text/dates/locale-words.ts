import type { Language } from './language-of.ts'
import type { PeriodUnit } from './spans.ts'
import { foldForDates, WORD_CHARACTER } from './words.ts'

/** How a language says the days and periods near today, and names months and weekdays: from the locale data of Intl. */
export interface LocaleWords {
  /** Finds "yesterday", "last week", …; the group tells which of `relatives`. */
  relative: RegExp
  relatives: ReadonlyMap<string, { unit: PeriodUnit; shift: number }>
  /** Finds "three weeks ago", "in 2 days"; group `count`, and the unit and direction by the words around it. */
  steps: readonly { pattern: RegExp; unit: PeriodUnit; direction: 1 | -1 }[]
  /** Pattern source of month names, longest first. */
  month: string
  /** 1–12 by name. */
  months: ReadonlyMap<string, number>
  weekday: string
  /** 0 Monday – 6 Sunday by name. */
  weekdays: ReadonlyMap<string, number>
  /** Numbers that are written as words. */
  numbers: ReadonlyMap<string, number>
}

/** Further ways to say what Intl has one word for. */
const MORE_RELATIVES: Partial<Record<Language, readonly (readonly [string, PeriodUnit, number])[]>> = {
  zh: [
    ['昨日', 'day', -1],
    ['今日', 'day', 0],
    ['明日', 'day', 1],
    ['上星期', 'week', -1],
    ['上个星期', 'week', -1],
    ['这周', 'week', 0],
    ['这个星期', 'week', 0],
    ['下星期', 'week', 1],
    ['下个星期', 'week', 1],
    ['上月', 'month', -1],
    ['这个月', 'month', 0],
    ['下月', 'month', 1],
    ['後天', 'day', 2],
    ['上週', 'week', -1],
    ['下週', 'week', 1],
    ['上個月', 'month', -1],
    ['下個月', 'month', 1],
  ],
  ja: [
    ['おととい', 'day', -2],
    ['きのう', 'day', -1],
    ['きょう', 'day', 0],
    ['本日', 'day', 0],
    ['あした', 'day', 1],
    ['あさって', 'day', 2],
    ['去年', 'year', -1],
  ],
  ko: [
    ['지난 주', 'week', -1],
    ['이번주', 'week', 0],
    ['다음주', 'week', 1],
    ['지난 달', 'month', -1],
    ['지난해', 'year', -1],
  ],
  hi: [
    ['पिछले हफ्ते', 'week', -1],
    ['पिछले सप्ताह', 'week', -1],
    ['इस हफ्ते', 'week', 0],
    ['अगले हफ्ते', 'week', 1],
    ['पिछले महीने', 'month', -1],
    ['इस महीने', 'month', 0],
    ['अगले महीने', 'month', 1],
    ['पिछले साल', 'year', -1],
    ['इस साल', 'year', 0],
    ['अगले साल', 'year', 1],
  ],
  sv: [
    ['igår', 'day', -1],
    ['idag', 'day', 0],
    ['imorgon', 'day', 1],
  ],
  nl: [
    ['afgelopen week', 'week', -1],
    ['afgelopen maand', 'month', -1],
    ['afgelopen jaar', 'year', -1],
  ],
  tr: [['önceki gün', 'day', -2]],
}

/** One to ten as people write them; Intl spells no numbers. */
const NUMBER_WORDS: Partial<Record<Language, string>> = {
  de: 'ein(?:e[mnrs]?)? zwei drei vier fünf sechs sieben acht neun zehn',
  es: 'un[ao]? dos tres cuatro cinco seis siete ocho nueve diez',
  fr: 'une? deux trois quatre cinq six sept huit neuf dix',
  it: 'un[ao’]? due tre quattro cinque sei sette otto nove dieci',
  nl: 'een twee drie vier vijf zes zeven acht negen tien',
  pt: 'uma? (?:dois|duas) três quatro cinco seis sete oito nove dez',
  sv: 'e(?:n|tt) två tre fyra fem sex sju åtta nio tio',
  tr: 'bir iki üç dört beş altı yedi sekiz dokuz on',
  ru: 'одн(?:у|ин) (?:два|две) три четыре пять шесть семь восемь девять десять',
  zh: '一 [二两兩] 三 四 五 六 七 八 九 十',
  ja: '一 二 三 四 五 六 七 八 九 十',
  ko: '(?:한|일) (?:두|이) (?:세|삼) (?:네|사) (?:다섯|오) 여섯 일곱 여덟 아홉 열',
}

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u
const RELATIVE_SHIFTS: readonly (readonly [PeriodUnit, readonly number[]])[] = [
  ['day', [-2, -1, 0, 1, 2]],
  ['week', [-1, 0, 1]],
  ['month', [-1, 0, 1]],
  ['year', [-1, 0, 1]],
]
const STEP_UNITS = ['day', 'week', 'month', 'year'] as const
/** Counts with different plural forms. */
const SAMPLE_COUNTS = [1, 2, 3, 5]
/** 5 January 2026 is a Monday. */
const MONDAY = Date.UTC(2026, 0, 5)
const DAY_MS = 86_400_000

const cache = new Map<Language, LocaleWords>()

/** The words of a language, made when first asked for. */
export function localeWords(language: Language): LocaleWords {
  const known = cache.get(language)
  if (known !== undefined) return known
  const words = buildWords(language)
  cache.set(language, words)
  return words
}

function buildWords(language: Language): LocaleWords {
  const relatives = relativeWords(language)
  const months = namesOf(
    language,
    12,
    (n) => Date.UTC(2026, n, 15),
    [{ month: 'long' }, { month: 'long', day: 'numeric' }, { month: 'short', day: 'numeric' }],
    'month',
  )
  const weekdays = namesOf(language, 7, (n) => MONDAY + n * DAY_MS, [{ weekday: 'long' }], 'weekday')
  const numbers = (NUMBER_WORDS[language] ?? '').split(' ').filter((word) => word !== '')
  return {
    relative: new RegExp(bounded(alternatives([...relatives.keys()]))),
    relatives,
    steps: stepPatterns(language, numbers),
    month: alternatives([...months].filter(([, n]) => n >= 0).map(([name]) => name)),
    months: new Map([...months].map(([name, n]) => [name, n + 1])),
    weekday: alternatives([...weekdays.keys()]),
    weekdays,
    numbers: new Map(numbers.map((word, i) => [word, i + 1])),
  }
}

function relativeWords(language: Language): Map<string, { unit: PeriodUnit; shift: number }> {
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  const words = new Map<string, { unit: PeriodUnit; shift: number }>()
  const add = (phrase: string, unit: PeriodUnit, shift: number): void => {
    const key = withoutArticle(foldForDates(phrase))
    if (!words.has(key) && !/\d/.test(key)) words.set(key, { unit, shift })
  }
  for (const [unit, shifts] of RELATIVE_SHIFTS) {
    for (const shift of shifts) add(format.format(shift, unit as Intl.RelativeTimeFormatUnit), unit, shift)
  }
  for (const [phrase, unit, shift] of MORE_RELATIVES[language] ?? []) add(phrase, unit, shift)
  if (language === 'de')
    for (const [phrase, meaning] of [...words]) for (const form of inflected(phrase)) words.set(form, meaning)
  return words
}

/** "letzte Woche" is also "letzter Woche", "letztes Jahr" also "letzten Jahres". */
function inflected(phrase: string): string[] {
  const match = /^(letzt|dies|nächst)e[nrs]? (.+)$/.exec(phrase)
  if (match === null) return []
  return ['e', 'en', 'er', 'es', 'em'].flatMap((ending) => {
    const form = `${match[1]}${ending} ${match[2]}`
    return [form, `${form}s`, `${form}es`]
  })
}

function stepPatterns(language: Language, numbers: readonly string[]): LocaleWords['steps'] {
  const format = new Intl.RelativeTimeFormat(language)
  const count = `(?<count>\\d{1,3}${numbers.map((word) => `|${word}`).join('')})`
  const patterns = new Map<string, { unit: PeriodUnit; direction: 1 | -1 }>()
  for (const unit of STEP_UNITS) {
    for (const direction of [-1, 1] as const) {
      for (const sample of SAMPLE_COUNTS) {
        const phrase = foldForDates(format.format(direction * sample, unit))
        if (!phrase.includes(String(sample))) continue
        const source = phrase.split(String(sample)).map(escapePattern).join(count).replaceAll(' ', '\\s*')
        if (!patterns.has(source)) patterns.set(source, { unit, direction })
      }
    }
  }
  return [...patterns].map(([source, step]) => ({ ...step, pattern: new RegExp(bounded(source)) }))
}

/** Names in all forms, by number from 0. */
function namesOf(
  language: Language,
  count: number,
  instantOf: (n: number) => number,
  forms: readonly Intl.DateTimeFormatOptions[],
  part: 'month' | 'weekday',
): Map<string, number> {
  const names = new Map<string, number>()
  for (const form of forms) {
    const format = new Intl.DateTimeFormat(language, { ...form, timeZone: 'UTC' })
    for (let n = 0; n < count; n++) {
      const name = foldForDates(
        format.formatToParts(instantOf(n)).find(({ type }) => type === part)?.value ?? '',
      ).replace(/\.$/, '')
      // Months that are numbers are read as numbers.
      if (/^\p{L}/u.test(name) && !names.has(name)) names.set(name, n)
    }
  }
  return names
}

function withoutArticle(phrase: string): string {
  return phrase.replace(/^(?:la|le|el|il|l’|o|a|на|в)(?:\s|(?<=’))/u, '')
}

function alternatives(words: readonly string[]): string {
  const sorted = [...words].sort((a, b) => b.length - a.length).map(escapePattern)
  return sorted.length === 0 ? '(?!)' : `(?:${sorted.join('|')})`
}

/** Whole words where the script has spaces; a suffix after an apostrophe is none of the word. */
export function bounded(source: string): string {
  return UNSPACED.test(source) ? `(?:${source})` : `(?<!${WORD_CHARACTER})(?:${source})(?!${WORD_CHARACTER})`
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
