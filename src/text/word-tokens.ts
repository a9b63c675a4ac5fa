import { stemmer } from 'stemmer'
import { MAX_REMEMBERED_WORDS } from '../options.ts'
import { STOP_WORDS } from './stop-words.ts'

/**
 * One token of a text.
 * - `word`: what the text says, stemmed where English; counts towards length
 * - `stop`: an English function word
 * - `compound`: words joined by punctuation as one name (`req-0417` for "REQ-0417", `req_0417`); beside its words
 * - `part`: a piece of a camelCase word; beside the word
 * - `character`: a character inside a run of a script in which one alone can be a word; beside the pairs. Texts hold them so
 *   that a query of one character finds its word; a query takes none from a longer run, since the pairs say more
 */
export interface Token {
  readonly term: string
  readonly kind: 'word' | 'stop' | 'compound' | 'part' | 'character'
}

/** What one run of letters and digits gives. The same word gives the same objects: texts repeat their words. */
export interface WordTokens {
  tokens: readonly Token[]
  /** The word as it stands in a compound; undefined for a run of a script without spaces, which joins none. */
  folded: string | undefined
}

/** Scripts whose words do not stand between spaces as they are: written without them or, in Korean, with particles joined on. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]+/gu
const HAS_UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
/** Scripts whose single characters are words or the stems of them: 泵 (pump), 물 (water). A lone kana or Thai letter says nothing. */
const WORD_CHARACTER = /^[\p{Script=Han}\p{Script=Hangul}]$/u
const NON_ASCII = /[^\x00-\x7f]/
const COMBINING = /[\u0300-\u036f]/g
const CAMEL = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g
const PLAIN_ENGLISH = /^[a-z]+$/
/** Longest term, in characters: what is longer is no word. */
export const MAX_TERM = 64

const remembered = new Map<string, WordTokens>()

/** The tokens of one run of letters and digits, worked out once for each that comes often. */
export function tokensOfWord(raw: string): WordTokens {
  const known = remembered.get(raw)
  if (known) return known
  // A piece of a text keeps all of the text in memory, and so would everything that is made of the piece.
  const word = copyText(raw)
  const result = readWord(word)
  if (word.length <= MAX_TERM) {
    if (remembered.size >= MAX_REMEMBERED_WORDS) remembered.clear()
    remembered.set(word, result)
  }
  return result
}

function copyText(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le')
}

function readWord(raw: string): WordTokens {
  const tokens: Token[] = []
  if (NON_ASCII.test(raw) && HAS_UNSPACED.test(raw)) {
    pushUnspaced(raw, tokens)
    return { tokens, folded: undefined }
  }
  return { folded: pushWord(raw, tokens), tokens }
}

function stem(word: string): string {
  return word.length < 3 || !PLAIN_ENGLISH.test(word) ? word : stemmer(word)
}

/** Lower case, compatibility forms unified, accents of Latin, Greek and Cyrillic letters dropped. */
export function foldText(text: string): string {
  if (!NON_ASCII.test(text)) return text.toLowerCase()
  return text.normalize('NFKD').replace(COMBINING, '').normalize('NFC').toLowerCase()
}

/** Adds the tokens of one spaced word and returns its folded form. */
function pushWord(raw: string, tokens: Token[]): string {
  const folded = foldText(raw)
    .replace(/['’]s$/, '')
    .replace(/['’]/g, '')
  const word = folded.length > MAX_TERM ? folded.slice(0, MAX_TERM) : folded
  if (word === '') return word
  tokens.push(STOP_WORDS.has(word) ? { term: word, kind: 'stop' } : { term: stem(word), kind: 'word' })
  if (/[a-z][A-Z]/.test(raw)) {
    for (const part of raw.match(CAMEL) ?? []) {
      const lower = part.toLowerCase()
      if (lower.length > 1 && !STOP_WORDS.has(lower)) tokens.push({ term: stem(lower), kind: 'part' })
    }
  }
  return word
}

/** Runs of unspaced script as character pairs (a lone character as itself), what stands between them as words. */
function pushUnspaced(raw: string, tokens: Token[]): void {
  let last = 0
  for (const run of raw.matchAll(UNSPACED)) {
    if (run.index > last) pushWord(raw.slice(last, run.index), tokens)
    last = run.index + run[0].length
    const characters = foldText(run[0]).match(/\P{M}\p{M}*/gu) ?? []
    if (characters.length === 1) tokens.push({ term: characters[0] ?? '', kind: 'word' })
    for (let i = 0; i + 1 < characters.length; i++) {
      tokens.push({ term: `${characters[i]}${characters[i + 1]}`, kind: 'word' })
    }
    if (characters.length < 2) continue
    for (const character of characters) {
      if (WORD_CHARACTER.test(character)) tokens.push({ term: character, kind: 'character' })
    }
  }
  if (last < raw.length) pushWord(raw.slice(last), tokens)
}
