import { foldText } from './tokenize.ts'

const WORDS = /[\p{L}\p{N}\p{M}][\p{L}\p{N}\p{M}'’.:/_-]*[\p{L}\p{N}\p{M}]|[\p{L}\p{N}\p{M}]/gu
const NEGATION = new Set(
  "not no never none nothing nobody without cannot can't won't don't doesn't didn't isn't aren't wasn't weren't nicht kein keine nie ohne pas jamais sans nunca sin 不 没 无 未 ない".split(
    ' ',
  ),
)
const HAS_DIGIT = /\p{N}/u
const CAPITALIZED = /^\p{Lu}/u
const SENTENCE_END = /[.!?。！？:\n]\s*$/

/** Words that carry a fact by themselves: numbers, identifiers and dates, negations, and names (capitalised inside a sentence). */
function factWords(text: string): Map<string, number> {
  const found = new Map<string, number>()
  for (const match of text.matchAll(WORDS)) {
    const word = match[0]
    const folded = foldText(word)
    const isName =
      CAPITALIZED.test(word) &&
      match.index > 0 &&
      !SENTENCE_END.test(text.slice(Math.max(0, match.index - 3), match.index))
    if (HAS_DIGIT.test(word) || NEGATION.has(folded) || isName) found.set(folded, (found.get(folded) ?? 0) + 1)
  }
  return found
}

/**
 * Whether two similar texts differ in a number, name, date or negation: then they state different facts, however much
 * of their wording they share.
 */
export function differInFact(a: string, b: string): boolean {
  const [wordsA, wordsB] = [factWords(a), factWords(b)]
  if (wordsA.size !== wordsB.size) return true
  for (const [word, count] of wordsA) if (wordsB.get(word) !== count) return true
  return false
}
