import type { Quantity } from '../text/quantities.ts'
import { tokenize } from '../text/tokenize.ts'
import type { QueryAnalysis } from './analyze-query.ts'

/** A query that asks for the value that something has now. */
export interface AskedValue {
  /** What it says of the thing, without the words that ask. */
  terms: ReadonlySet<string>
  /** Kinds of values that answer it. */
  kinds: ReadonlySet<Quantity['kind']>
}

type Kinds = readonly Quantity['kind'][]
const NUMBERS: Kinds = ['number', 'ordinal', 'ratio']
const TIMES: Kinds = ['date', 'time', 'weekday']
const ALL: Kinds = [...NUMBERS, ...TIMES, 'version']

const HOW_MUCH = /\bhow (?:many|much|often|long|far|old|big|large|tall|fast)\b|\b(?:number|amount) of\b/i
const WHEN = /\bwhen\b|\b(?:what|which) (?:date|day|time)\b/i
/** What is over does not change: another date is another occasion. */
const WHEN_IT_WAS = /\bwhen (?:was|were|did|had)\b/i
const WHICH = /\b(?:what|which|where|who|whose|whom)\b/i
/** How something is done, why, or whether it is so: no value answers that. */
const NO_VALUE =
  /\b(?:how|why)\b|^\W*(?:can|could|would|will|should|may|do|does|did|have|has|had|is|are|was|were|please|help|explain|show|describe|i|im|i['’]m|we)\b/i
/** What it was before, how it came about, or what several make together: the older values are asked for too. */
const MORE_THAN_NOW =
  /\b(?:total|altogether|combined|overall|different|differences?|compare[ds]?|comparison|history|sequence|order|timeline|summar\w+|over time|evolved?|progress\w*|previous(?:ly)?|initial(?:ly)?|original(?:ly)?|former(?:ly)?|earlier|prior|used to|at first|between|before|across|(?:what|which) (?:dates|days|times|values|amounts|prices)|from .{1,40} to)\b/i
const ASKING = 'many much often long far old current currently recent recently latest now today date day time'

let known: ReadonlySet<string> | undefined

/** Words that ask, and say nothing of the thing. */
function askingTerms(): ReadonlySet<string> {
  known ??= new Set(tokenize(ASKING).map(({ term }) => term))
  return known
}

/** The word that asks first decides: "what was the amount when I got it" asks for an amount. */
function readKinds(text: string): Kinds {
  if (MORE_THAN_NOW.test(text)) return []
  const place = (pattern: RegExp): number => pattern.exec(text)?.index ?? Number.POSITIVE_INFINITY
  const [howMuch, when, which] = [place(HOW_MUCH), place(WHEN), place(WHICH)]
  const first = Math.min(howMuch, when, which)
  if (first === Number.POSITIVE_INFINITY) return NO_VALUE.test(text) ? [] : ALL
  if (first === howMuch) return NUMBERS
  if (first !== when) return ALL
  return WHEN_IT_WAS.test(text) ? [] : TIMES
}

/**
 * What a query asks the present value of: a question for a number, a time or a name, or words alone. Null where it asks for
 * what was before, for several values together, or for no value.
 */
export function readAskedValue({ text, words }: Pick<QueryAnalysis, 'text' | 'words'>): AskedValue | null {
  const kinds = readKinds(text)
  if (kinds.length === 0) return null
  const asking = askingTerms()
  const terms = words.filter(({ optional, term }) => !optional && !asking.has(term)).map(({ term }) => term)
  return terms.length === 0 ? null : { terms: new Set(terms), kinds: new Set(kinds) }
}
