import {
  BY_DAY,
  DAY_BEFORE,
  DECIDED,
  DONE,
  FILLING,
  GOAL,
  GOAL_HEADING,
  GOOD,
  I_DID,
  INTENT,
  NEGATED,
  NOT_YET,
  PROBLEM,
  QUESTION_HEADING,
  REMIND,
  SUPPOSED,
  TAKES_PLACE,
  TODO,
  UNKNOWN,
  WATCH,
} from './cue-words.ts'
import { neededWords } from './needed-words.ts'
import { RECURS } from './recurrence.ts'

/** Expressions that are only tried where a word stands that they need; each list has one bit. */
const WATCHED: ReadonlyArray<readonly RegExp[]> = [
  ...[BY_DAY, DAY_BEFORE, DECIDED, DONE, FILLING, GOAL, GOAL_HEADING, GOOD, I_DID, INTENT, NEGATED, NOT_YET].map(alone),
  ...[PROBLEM, QUESTION_HEADING, REMIND, SUPPOSED, TAKES_PLACE, TODO, UNKNOWN, WATCH].map(alone),
  RECURS,
]

/** What may be said in a text, by the words in it: a set of expressions, of which some match and all others do not. */
export type Signs = number

interface Signpost {
  bits: ReadonlyMap<RegExp, Signs>
  /** Of words, by their hash: what shares one is only tried in vain. */
  words: ReadonlyMap<number, Signs>
  /** Of other characters, by UTF-16 unit. */
  characters: ReadonlyMap<number, Signs>
  /** What needs no word. */
  always: Signs
}

let known: Signpost | undefined

function alone(expression: RegExp): readonly RegExp[] {
  return [expression]
}

/** Made when it is first asked for: whoever only reads a store does without. */
function signpost(): Signpost {
  known ??= createSignpost()
  return known
}

function createSignpost(): Signpost {
  const bits = new Map<RegExp, Signs>()
  const words = new Map<number, Signs>()
  const characters = new Map<number, Signs>()
  let always = 0
  WATCHED.forEach((expressions, at) => {
    for (const expression of expressions) {
      const bit = 1 << at
      bits.set(expression, bit)
      const needed = neededWords(expression)
      if (needed === null) always |= bit
      for (const word of needed ?? []) {
        const isWord = /^[a-z]/.test(word)
        const map = isWord ? words : characters
        for (const key of isWord ? [hashOf(word)] : unitsOf(word)) map.set(key, (map.get(key) ?? 0) | bit)
      }
    }
  })
  // "ſ" and "K" are letters of ASCII to an expression that ignores case.
  for (const unit of unitsOf('ſ\u212a')) characters.set(unit, -1)
  return { bits, words, characters, always }
}

function unitsOf(character: string): number[] {
  return [character.toLowerCase(), character.toUpperCase()].map((one) => one.charCodeAt(0))
}

function hashOf(word: string): number {
  let hash = 0
  for (let at = 0; at < word.length; at++) hash = step(hash, word.charCodeAt(at))
  return hash
}

function step(hash: number, letter: number): number {
  return (Math.imul(hash, 31) + letter) & 0x3fffffff
}

/** The signs of any of these expressions. */
export function signsOf(expressions: readonly RegExp[]): Signs {
  const { bits } = signpost()
  return expressions.reduce((signs, expression) => signs | (bits.get(expression) ?? -1), 0)
}

/** What a text may say: one look at each character. */
export function readSigns(text: string): Signs {
  const { words, characters, always } = signpost()
  let signs = always
  let hash = 0
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    const letter = unit | 32
    if (letter >= 97 && letter <= 122 && unit < 128) {
      hash = step(hash, letter)
      continue
    }
    if (hash !== 0) signs |= words.get(hash) ?? 0
    hash = 0
    if (unit >= 128) signs |= characters.get(unit) ?? 0
  }
  return hash === 0 ? signs : signs | (words.get(hash) ?? 0)
}

/** Whether an expression matches in a text with these signs. */
export function says({ plain, signs }: SignedText, expression: RegExp): boolean {
  return maySay(signs, expression) && expression.test(plain)
}

/** Where it does, and what. */
export function findWhatSays({ plain, signs }: SignedText, expression: RegExp): RegExpExecArray | null {
  return maySay(signs, expression) ? expression.exec(plain) : null
}

/** Whether an expression may match at all. */
export function maySay(signs: Signs, expression: RegExp): boolean {
  const bit = signpost().bits.get(expression)
  return bit === undefined || (signs & bit) !== 0
}

export interface SignedText {
  plain: string
  signs: Signs
}
