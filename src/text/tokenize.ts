import { MAX_TERM, type Token, tokensOfWord } from './word-tokens.ts'

export { foldText, type Token } from './word-tokens.ts'

const WORD = /[\p{L}\p{N}\p{M}]+(?:['’][\p{L}\p{M}]+)*/uy
const NON_ASCII = /[^\x00-\x7f]/
const MAX_COMPOUND_WORDS = 6

/** What an ASCII character is to a word. */
const OTHER = 0
const DIGIT = 1
const LETTER = 2
const KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code)
  if (/[a-z]/i.test(character)) return LETTER
  return /[0-9]/.test(character) ? DIGIT : OTHER
})
const APOSTROPHE = 0x27
/** What joins two words to a name, by code. */
const JOINERS = new Set(Array.from('-_./:@#+', (character) => character.charCodeAt(0)))

/** What a scan of a text meets, as ranges of the text that it reads (which is normalised). */
export interface WordVisitor {
  /** A run of letters and digits. Returns whether it can be a part of a name. */
  word(source: string, start: number, end: number): boolean
  /** Several such words in a row, joined by punctuation; comes after its words. */
  name(source: string, start: number, end: number): void
}

/** Finds the words of a text, and the names that are made of words. */
export function scanWords(text: string, visitor: WordVisitor): void {
  const source = NON_ASCII.test(text) ? text.normalize('NFKC') : text
  let nameStart = 0
  let nameEnd = -1
  let nameWords = 0
  const closeName = (): void => {
    if (nameWords > 1 && nameWords <= MAX_COMPOUND_WORDS) visitor.name(source, nameStart, nameEnd)
  }
  for (let at = 0; at < source.length; ) {
    const end = endOfWord(source, at)
    if (end === at) {
      at += isPair(source, at) ? 2 : 1
      continue
    }
    if (at !== nameEnd + 1 || !JOINERS.has(source.charCodeAt(nameEnd))) {
      closeName()
      nameStart = at
      nameWords = 0
    }
    nameEnd = end
    if (visitor.word(source, at, end)) nameWords += 1
    at = end
  }
  closeName()
}

/**
 * Splits text into terms, for documents and queries alike. Any script: words between spaces are taken whole (English
 * ones stemmed by Porter's algorithm), runs of scripts without word borders become overlapping character pairs and single
 * characters, which do not depend on the runtime's dictionaries: processes on different Node versions share one index.
 */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = []
  scanWords(text, {
    word(source, start, end) {
      const word = tokensOfWord(source.slice(start, end))
      for (const token of word.tokens) tokens.push(token)
      return word.folded !== undefined
    },
    name(source, start, end) {
      const token = nameToken(source.slice(start, end))
      if (token) tokens.push(token)
    },
  })
  return tokens
}

/** The token that a name gives beside its words; undefined where it is too long to be one. */
export function nameToken(name: string): Token | undefined {
  const words: string[] = []
  scanWords(name, {
    word(source, start, end) {
      const { folded } = tokensOfWord(source.slice(start, end))
      if (folded !== undefined) words.push(folded)
      return false
    },
    name: () => undefined,
  })
  const term = words.join('-')
  return term.length <= MAX_TERM ? { term, kind: 'compound' } : undefined
}

/**
 * Where the word that begins at a place ends: what WORD matches there; the place itself where none begins. Nearly all
 * words are ASCII, and looking at their characters one by one is several times faster than the expression.
 */
function endOfWord(text: string, start: number): number {
  let at = start
  let code = text.charCodeAt(at)
  while (code < 128 && KINDS[code] !== OTHER) code = text.charCodeAt(++at)
  while (at > start && code === APOSTROPHE && KINDS[text.charCodeAt(at + 1)] === LETTER) {
    code = text.charCodeAt(++at)
    while (code < 128 && KINDS[code] === LETTER) code = text.charCodeAt(++at)
  }
  // What is beyond ASCII may be a letter, a mark on the last one, or an apostrophe; so may what follows one.
  if (!(code >= 128 || (at > start && code === APOSTROPHE && text.charCodeAt(at + 1) >= 128))) return at
  WORD.lastIndex = start
  return WORD.test(text) ? WORD.lastIndex : start
}

/** Whether the character is one of two code units. */
function isPair(text: string, at: number): boolean {
  return (text.codePointAt(at) ?? 0) > 0xffff
}
