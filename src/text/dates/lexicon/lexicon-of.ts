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

/** Letters by which a word is recognised whatever its ending. */
const STEM = 5

/** Whether the language's list has a longer word that begins like one of the text: asked before the list is read. */
export function mayKnowWordsOf(folded: string, language: Language): boolean {
  const source = SOURCES[language]
  return (folded.match(/\p{L}{5,}/gu) ?? []).some((word) => source.includes(word.slice(0, STEM)))
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
