import type { MemoryContent } from '../model/memory.ts'
import { MAX_REMEMBERED_WORDS } from '../options.ts'
import { type TermField, termKey, withoutEnding } from './index-terms.ts'
import { nameToken, scanWords, tokenize, type WordVisitor } from './tokenize.ts'
import { WordTable } from './word-table.ts'
import { type Token, tokensOfWord } from './word-tokens.ts'

/** What a word gives that gives more or less than one term. */
const SEVERAL = -1

/**
 * Counts the terms of memory after memory, as `indexTerms` does, under numbers: what a word gives is worked out once and kept in
 * flat arrays, which makes it many times faster where there are many memories. Terms keep their numbers.
 */
export class TermCounter {
  readonly #terms: string[] = []
  readonly #numbers = new Map<string, number>()
  readonly #words = new WordTable()
  /** By word: twice the number of its term, and 1 where it counts towards the length; or SEVERAL. */
  #single: Int32Array = new Int32Array(1024)
  readonly #several = new Map<number, readonly Token[]>()
  /** By term: how often the memory at hand has it. */
  #counts: Int32Array = new Int32Array(1024)
  #found: Int32Array = new Int32Array(256)
  #foundCount = 0
  #length = 0
  readonly #visitor: WordVisitor = {
    word: (source, start, end) => this.#countWord(source, start, end),
    name: (source, start, end) => this.#countName(source, start, end),
  }
  /** The path of the memory before, and its terms: the memories of a document come one after the other. */
  #path = { path: '', terms: [] as readonly number[] }

  /** So many words have been seen that another counter should take the place of this one. */
  get isFull(): boolean {
    return this.#words.size > MAX_REMEMBERED_WORDS || this.#terms.length > MAX_REMEMBERED_WORDS
  }

  /** Above the number of every term. */
  get size(): number {
    return this.#terms.length
  }

  term(number: number): string {
    return this.#terms[number] ?? ''
  }

  /** The number of a term, a new one where it is not known. */
  numberOf(term: string): number {
    const known = this.#numbers.get(term)
    if (known !== undefined) return known
    const number = this.#terms.push(term) - 1
    this.#numbers.set(term, number)
    if (number >= this.#counts.length) this.#counts = grown(this.#counts)
    return number
  }

  /**
   * Calls `visit` with each different term of a memory at a path and how often it has it. Returns how many there are, and the length
   * for BM25.
   */
  count(
    content: Pick<MemoryContent, 'text' | 'headerPath' | 'speaker'>,
    path: string,
    visit: (term: number, frequency: number) => void,
  ): { length: number; termCount: number } {
    this.#clear()
    if (content.speaker) this.#countText(content.speaker)
    for (const header of content.headerPath) {
      if (!content.text.includes(header)) this.#countText(header)
      for (const term of this.#termsOfField('header', header)) this.#add(term)
    }
    this.#countText(content.text)
    for (const term of this.#termsOfPath(path)) this.#add(term)
    const termCount = this.#foundCount
    for (let at = 0; at < termCount; at++) {
      const term = this.#found[at] ?? 0
      visit(term, this.#counts[term] ?? 0)
    }
    return { length: Math.max(1, this.#length), termCount }
  }

  #clear(): void {
    for (let at = 0; at < this.#foundCount; at++) this.#counts[this.#found[at] ?? 0] = 0
    this.#foundCount = 0
    this.#length = 0
  }

  #termsOfPath(path: string): readonly number[] {
    if (this.#path.path !== path) this.#path = { path, terms: this.#termsOfField('path', withoutEnding(path)) }
    return this.#path.terms
  }

  #termsOfField(field: TermField, text: string): number[] {
    return tokenize(text).map(({ term }) => this.numberOf(termKey(field, term)))
  }

  #countText(text: string): void {
    scanWords(text, this.#visitor)
  }

  /** Says whether the word can be a part of a name. */
  #countWord(source: string, start: number, end: number): boolean {
    const before = this.#words.size
    const word = this.#words.numberOf(source, start, end)
    if (word < 0) {
      const { tokens, folded } = tokensOfWord(source.slice(start, end))
      this.#addTokens(tokens)
      return folded !== undefined
    }
    if (word === before) this.#learn(word, tokensOfWord(source.slice(start, end)).tokens)
    this.#addKnown(word)
    return true
  }

  #countName(source: string, start: number, end: number): void {
    const before = this.#words.size
    const word = this.#words.numberOf(source, start, end)
    if (word >= 0 && word < before) this.#addKnown(word)
    else {
      const token = nameToken(source.slice(start, end))
      const tokens = token ? [token] : []
      if (word >= 0) this.#learn(word, tokens)
      this.#addTokens(tokens)
    }
  }

  #learn(word: number, tokens: readonly Token[]): void {
    if (word >= this.#single.length) this.#single = grown(this.#single)
    const [only] = tokens
    if (only && tokens.length === 1) this.#single[word] = 2 * this.numberOf(only.term) + (only.kind === 'word' ? 1 : 0)
    else {
      this.#single[word] = SEVERAL
      this.#several.set(word, tokens)
    }
  }

  #addKnown(word: number): void {
    const single = this.#single[word] ?? SEVERAL
    if (single === SEVERAL) this.#addTokens(this.#several.get(word) ?? [])
    else {
      this.#add(single >>> 1)
      this.#length += single & 1
    }
  }

  #addTokens(tokens: readonly Token[]): void {
    for (const { term, kind } of tokens) {
      this.#add(this.numberOf(term))
      if (kind === 'word') this.#length += 1
    }
  }

  #add(term: number): void {
    const count = this.#counts[term] ?? 0
    this.#counts[term] = count + 1
    if (count > 0) return
    if (this.#foundCount >= this.#found.length) this.#found = grown(this.#found)
    this.#found[this.#foundCount++] = term
  }
}

function grown(array: Int32Array): Int32Array {
  const result = new Int32Array(2 * array.length)
  result.set(array)
  return result
}
