import { QUERY_CHARS, QUERY_WORDS } from '../options.ts'
import type { QueryTerm } from '../store/memory-store.ts'
import { parseWhen, type When } from '../text/dates.ts'
import { keepEnds } from '../text/keep-ends.ts'
import { foldText, tokenize } from '../text/tokenize.ts'
import { functionTerms } from './function-words.ts'

/** A distinct word of a query. */
export interface QueryWord {
  term: string
  /** Factor on its contribution. */
  weight: number
  /** Extra forms (a compound, a camelCase piece) help when they match and are not missed when they do not. */
  optional: boolean
}

/** What a query asks, taken apart. */
export interface QueryAnalysis {
  text: string
  words: QueryWord[]
  /** Quoted phrases, folded. */
  phrases: string[]
  when: When | null
  /** The query says nothing but a time ("what happened yesterday"). */
  isDateOnly: boolean
}

/** Words that ask about the past without saying what about. */
const ASKING_WORDS =
  'happen happened do did done go went going on note notes anything everything something tell show list remember recall know'
const QUOTED = /["“”«»]([^"“”«»]{2,120})["“”«»]/g
/** Words of the date expression itself: some notes write it out, but it must not decide. */
const DATE_WORD_WEIGHT = 0.2
const PART_WEIGHT = 0.5

/**
 * Takes a query apart: terms of any script, quoted phrases, and the day or range that it names in the user's zone. Of a
 * longer one, pasted text, the beginning and the end count. `context`: null where no time is asked for, as in a text that is not a question.
 */
export function analyzeQuery(whole: string, context: { now: Date; timeZone: string } | null): QueryAnalysis {
  const text = keepEnds(whole, QUERY_CHARS)
  const when = context && parseWhen(text, context)
  const dateTerms = new Set(when ? tokenize(when.text).map(({ term }) => term) : [])
  const tokens = tokenize(text)
  const small = functionTerms(text)
  const hasContent = tokens.some(({ kind, term }) => kind === 'word' && !dateTerms.has(term) && !small.has(term))
  const words = new Map<string, QueryWord>()
  for (const { term, kind } of tokens) {
    if (kind === 'character' || ((kind === 'stop' || small.has(term)) && hasContent)) continue
    const optional = kind === 'compound' || kind === 'part'
    const weight = dateTerms.has(term) ? DATE_WORD_WEIGHT : kind === 'part' ? PART_WEIGHT : 1
    const known = words.get(term)
    if (!known) words.set(term, { term, weight, optional })
    else if (!optional) known.optional = false
  }
  const isDateOnly =
    when !== null && tokens.every(({ kind, term }) => kind !== 'word' || dateTerms.has(term) || askingTerms().has(term))
  return {
    text,
    words: keepFirstAndLast([...words.values()], QUERY_WORDS),
    phrases: [...text.matchAll(QUOTED)].map((match) => foldText((match[1] ?? '').trim())).filter(Boolean),
    when,
    isDateOnly,
  }
}

let known: ReadonlySet<string> | undefined

/** Made when a query names a time: most name none. */
function askingTerms(): ReadonlySet<string> {
  known ??= new Set(tokenize(ASKING_WORDS).map(({ term }) => term))
  return known
}

function keepFirstAndLast<T>(items: readonly T[], count: number): T[] {
  return items.length <= count ? [...items] : [...items.slice(0, count / 2), ...items.slice(-count / 2)]
}

/** The posting lists that a query reads: each word in the body, the headings and the path, in this order. */
export function toQueryTerms(words: readonly QueryWord[]): QueryTerm[] {
  return words.flatMap(({ term, weight }) => [
    { term, field: 'text' as const, weight },
    { term, field: 'header' as const, weight },
    { term, field: 'path' as const, weight },
  ])
}
