import { countsOrDates, isNegation, saysWhichWay } from './fact-words.ts'
import { toNormalForm } from './normal-form.ts'

const WORD = /[\p{L}\p{M}]+(?:['’-][\p{L}\p{M}]+)*/gu
const HAS_DIGIT = /\p{N}/u
const HAS_CAPITAL = /\p{Lu}/u
const HAS_LETTER = /[\p{L}\p{N}]/u
/** A word whose pieces a mark joins: a path, an address, an identifier. */
const IS_JOINED = /[.:/_@&#\\+=]/
const CAPITALIZED = /^\p{Lu}/u
const SENTENCE_END = /(?:[.!?。！？:\n]\s*|^\s*(?:[#>*-]\s*)*)$/
/** Longest unit of measure after a number, in characters. */
const MAX_UNIT_CHARS = 3

/** Words, in lower case, that have a capital inside a sentence. */
function findNames(text: string): string[] {
  const names: string[] = []
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (!CAPITALIZED.test(word)) continue
    if (!SENTENCE_END.test(text.slice(Math.max(0, index - 4), index))) names.push(word.toLowerCase())
  }
  return names
}

/** The units of a text that carry a fact by themselves, in order. */
function listFacts(normalForm: string, names: ReadonlySet<string>): string[] {
  let previous = ''
  return normalForm.split(/\s+/).filter((unit) => {
    const isMeasure = HAS_DIGIT.test(previous) && unit.length <= MAX_UNIT_CHARS
    previous = unit
    return (
      HAS_DIGIT.test(unit) ||
      (isMeasure && HAS_LETTER.test(unit)) ||
      names.has(unit) ||
      isNegation(unit) ||
      saysWhichWay(unit) ||
      countsOrDates(unit) ||
      (unit.length > 1 && HAS_CAPITAL.test(unit)) ||
      IS_JOINED.test(unit) ||
      !(HAS_LETTER.test(unit) || unit === ',' || unit === '↳')
    )
  })
}

/**
 * Whether two similar texts differ in a number or its unit, a name, a date, an identifier, a negation, a direction, a sign, or the
 * order of these: then they state different facts, however much of their wording they share. Texts that differ in form alone
 * (`toNormalForm`) never do.
 */
export function differInFact(a: string, b: string): boolean {
  const [formA, formB] = [toNormalForm(a), toNormalForm(b)]
  if (formA === formB) return false
  const names = new Set([...findNames(a), ...findNames(b)])
  return listFacts(formA, names).join('\0') !== listFacts(formB, names).join('\0')
}
