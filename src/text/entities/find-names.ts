import { STOP_WORDS } from '../stop-words.ts'
import { foldText } from '../word-tokens.ts'
import { isCommonStart } from './sentence-starts.ts'

/** A name of one or more capitalised words. */
export interface FoundName {
  key: string
  start: number
  end: number
}

const WORD = /[\p{L}\p{M}\p{N}]+(?:[’'][\p{L}\p{M}]+)*/gu
const CAPITAL = /^\p{Lu}/u
const SMALL = /^\p{Ll}/u
/** What may stand between two words of one name. */
const JOINT = /^(?:[ \u00a0]|-|\. )$/u
const SENTENCE_START = /(?:^|[.!?。！？:;\n|>•]["'”’)\]]*\s*|\n\s*(?:[#>*+-]+\s+|\d+[.)]\s+|\[[ xX]\]\s+)*|["“«(]\s*)$/u
const TITLES = new Set(
  'mr mrs ms dr prof professor sir lady lord frau herr mme monsieur señor señora saint captain'.split(' '),
)
const PARTICLES = new Set('de da di del della der den van von la le el al bin ibn of the'.split(' '))
/** What is looked at before a word to tell whether a sentence begins with it, characters. */
const LOOK_BACK = 12
/** Words of one name at most: a line in title case is a heading. */
const MAX_WORDS = 6

interface Word {
  raw: string
  start: number
  end: number
  isCapitalised: boolean
  isStart: boolean
}

/**
 * Names in any script that has capitals: runs of capitalised words with what joins them ("Ludwig van Beethoven"), titles and the
 * possessive left out. A word that begins a sentence counts only when the text has it with a capital elsewhere, or when it is no
 * word that sentences commonly begin with and the text does not have it in small letters. All nouns of German are names by this.
 */
export function findNames(text: string): FoundName[] {
  const words = readWords(text)
  const inside = new Set(words.filter(({ isCapitalised, isStart }) => isCapitalised && !isStart).map(({ raw }) => raw))
  const small = new Set(words.filter(({ raw }) => SMALL.test(raw)).map(({ raw }) => raw))
  const isName = (word: Word, next: Word | undefined): boolean => {
    if (!word.isCapitalised || word.raw === 'I' || /^I['’]/.test(word.raw)) return false
    const folded = word.raw.toLowerCase()
    if (!word.isStart) return !STOP_WORDS.has(folded)
    if (STOP_WORDS.has(folded) || small.has(folded)) return false
    if (inside.has(word.raw)) return true
    if (TITLES.has(folded)) return next?.isCapitalised === true
    return !isCommonStart(folded)
  }
  const found: FoundName[] = []
  for (let at = 0; at < words.length; at++) {
    const first = words[at]
    if (!first || !isName(first, words[at + 1])) continue
    let last = at
    for (let next = at + 1; next < words.length && next - at < MAX_WORDS; next++) {
      const [before, word] = [words[next - 1], words[next]]
      if (!before || !word || !isJoined(text, before, word)) break
      if (word.isCapitalised && !STOP_WORDS.has(word.raw.toLowerCase())) last = next
      else if (!PARTICLES.has(word.raw)) break
    }
    const name = toName(words.slice(at, last + 1))
    if (name) found.push(name)
    at = last
  }
  return found
}

function readWords(text: string): Word[] {
  return Array.from(text.matchAll(WORD), ({ 0: raw, index }) => {
    const before = text.slice(Math.max(0, index - LOOK_BACK), index)
    // A cut look-back must not look like the beginning of the text.
    const isStart = SENTENCE_START.test(index > LOOK_BACK ? `,${before}` : before) && !endsInTitle(before)
    return { raw, start: index, end: index + raw.length, isCapitalised: CAPITAL.test(raw), isStart }
  })
}

/** The full stop of "Dr. Smith" ends no sentence. */
function endsInTitle(before: string): boolean {
  const word = /(\p{L}+)\.\s?$/u.exec(before)?.[1]
  return word !== undefined && (TITLES.has(word.toLowerCase()) || /^\p{Lu}$/u.test(word))
}

function isJoined(text: string, before: Word, word: Word): boolean {
  const between = text.slice(before.end, word.start)
  return (
    JOINT.test(between) &&
    (!between.startsWith('.') || /^\p{Lu}$/u.test(before.raw) || TITLES.has(before.raw.toLowerCase()))
  )
}

function toName(words: readonly Word[]): FoundName | undefined {
  const named = words.filter(({ raw }, index) => !(index < words.length - 1 && TITLES.has(raw.toLowerCase())))
  const [first, last] = [named[0], named.at(-1)]
  if (!first || !last) return undefined
  const key = named.map(({ raw }) => foldText(raw).replace(/['’]s?$/, '')).join(' ')
  if (key.length < 2 || !/\p{L}/u.test(key)) return undefined
  const possessive = /['’]s?$/u.exec(last.raw)?.[0].length ?? 0
  return { key, start: first.start, end: last.end - possessive }
}
