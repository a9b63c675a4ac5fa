import type { Anchor } from './anchors.ts'
import type { DayNumber, DaySpan } from './calendar.ts'
import { WORD_CHARACTER, withoutNumberWords } from './words.ts'

/** From where and in which direction words such as "Monday" or "March" are read. */
export interface DateContext {
  today: DayNumber
  /** The day that it is some minutes from now. */
  dayInMinutes: (minutes: number) => DayNumber
  /** Whether a day without a year is the next one; else it is the latest that is not in the future. */
  looksAhead: boolean
  /** Whether 5/3 is 5 March. */
  isDayFirst: boolean
  /** Whether December is in summer. */
  isSouthern: boolean
}

export type Groups = Readonly<Record<string, string | undefined>>

/** The words around a match, and the match, as written. */
export interface Company {
  before: string
  match: string
  after: string
}

/** One way to write a day or a period. */
export interface DateRule {
  /** Sticky: matches at `lastIndex` or not at all. Compiled when first asked for. */
  pattern(hasNumberWords: boolean): RegExp
  /** Anchors without which a text cannot match. */
  needs: readonly Anchor[]
  /** The days meant, or undefined if the words mean none. Groups are folded. */
  read(groups: Groups, context: DateContext): DaySpan | undefined
  /** Whether the context decides which year is meant. */
  isFloating: boolean
  /** Whether the words around make a date of words that are also something else (may, march, sat, 7/6); absent: always. */
  suits?: (company: Company) => boolean
}

/** Builds a rule. The source is matched against folded text, must end with a word, and writes apostrophes as ’. */
export function rule(
  source: string,
  read: DateRule['read'],
  kind: { isFloating?: boolean; suits?: (company: Company) => boolean; needs?: readonly Anchor[] } = {},
): DateRule {
  const compiled = new Map<boolean, RegExp>()
  return {
    pattern: (hasNumberWords) => {
      const known = compiled.get(hasNumberWords)
      if (known !== undefined) return known
      const body = hasNumberWords ? source : withoutNumberWords(source)
      const pattern = new RegExp(`(?:${body})(?!${WORD_CHARACTER}|[.:/]\\d)`, 'y')
      compiled.set(hasNumberWords, pattern)
      return pattern
    },
    needs: kind.needs ?? [],
    read,
    isFloating: kind.isFloating ?? false,
    ...(kind.suits && { suits: kind.suits }),
  }
}

/** Rules that match no text without these anchors, beside what each of them needs. */
export function needing(anchors: readonly Anchor[], rules: readonly DateRule[]): DateRule[] {
  return rules.map((one) => ({ ...one, needs: [...anchors, ...one.needs] }))
}

export function oneDay(day: DayNumber | undefined): DaySpan | undefined {
  return day === undefined ? undefined : { from: day, to: day + 1 }
}

const DAY_CUE =
  /(?:^|[\s(])(?:on|since|until|till?|from|by|before|after|between|due|around|starting|beginning|through|last|next)\s+(?:the\s+)?$/i
const PERIOD_CUE =
  /(?:^|[\s(])(?:in|during|since|until|till?|before|after|by|of|throughout|through|from|between|than|early|mid|late|around|for all of)[\s-]+$/i
export const END = /^\s*(?:$|[?!,;)\]]|\.(?:\s|$)|[-–—]\s)/
const CAPITAL = /(?:^|[^\p{L}])\p{Lu}/u

/** A word before it that only dates follow. */
export function followsDayCue({ before }: Company): boolean {
  return DAY_CUE.test(before)
}

/** A word before it that periods follow. */
export function followsPeriodCue({ before }: Company): boolean {
  return PERIOD_CUE.test(before)
}

/** For "may 5" and "5 march": written as a name, or after a cue, or with nothing behind it. */
export function readsAsDate(company: Company): boolean {
  if (!/\b(?:may|mar|march)\b/i.test(company.match)) return true
  return CAPITAL.test(company.match) || followsDayCue(company) || END.test(company.after)
}

/** For "this may": not the verb. */
export function isNoVerb(company: Company): boolean {
  return (
    !/\bmay$/.test(company.match) ||
    END.test(company.after) ||
    /^\s+(?:to|and|we|i|you|they|he|she)\b/.test(company.after)
  )
}
