import type { Language } from '../language-of.ts'
import { CHINESE, JAPANESE, KOREAN } from './east-asian.ts'
import { DUTCH, GERMAN, SWEDISH } from './germanic.ts'
import { ARABIC, HINDI, TURKISH } from './other.ts'
import { type Lexicon, readLexicon } from './read-lexicon.ts'
import { FRENCH, ITALIAN, PORTUGUESE, SPANISH } from './romance.ts'
import { RUSSIAN, UKRAINIAN } from './slavic.ts'

const SOURCES: Readonly<Record<Language, string>> = {
  ar: ARABIC,
  de: GERMAN,
  es: SPANISH,
  fr: FRENCH,
  hi: HINDI,
  it: ITALIAN,
  ja: JAPANESE,
  ko: KOREAN,
  nl: DUTCH,
  pt: PORTUGUESE,
  ru: RUSSIAN,
  sv: SWEDISH,
  tr: TURKISH,
  uk: UKRAINIAN,
  zh: CHINESE,
}

const cache = new Map<Language, Lexicon>()

/** The words of a language, read when first asked for. */
export function lexiconOf(language: Language): Lexicon {
  const known = cache.get(language)
  if (known !== undefined) return known
  const lexicon = readLexicon(SOURCES[language])
  cache.set(language, lexicon)
  return lexicon
}
