import { blankCode } from '../text/blank-code.ts'
import type { Entity } from '../text/entities/entity.ts'
import { extractEntities } from '../text/entities/extract-entities.ts'
import { findQuantities, type Quantity } from '../text/quantities.ts'
import { findChangeWords, findReplacements } from '../text/statements/changes.ts'
import { type Connective, type ConnectiveKind, findConnectives } from '../text/statements/connectives.ts'
import { type ContentWord, readStatements, type Statement } from '../text/statements/read-statements.ts'
import { tokenize } from '../text/tokenize.ts'
import { blankCitations } from './blank-citations.ts'
import { CO_OCCURRENCE_WEIGHTS, CONFLICT, MIN_QUOTED_WORDS } from './correlation-options.ts'
import { readLinks, type WrittenLink } from './read-links.ts'
import { gramsOf, type QuotableWord, readWords } from './read-words.ts'

const MIN_TERM_CHARS = 2
/** Connectives of a kind that are looked at. */
const MAX_CONNECTIVES = 20

/** A connective with the clause behind it. */
export interface ConnectiveClause {
  start: number
  end: number
  terms: ReadonlySet<string>
}

/** What words say, those aside that only tell which way something goes. */
export function termsOf(words: readonly ContentWord[]): Set<string> {
  return new Set(words.filter(({ isDirection }) => !isDirection).map(({ term }) => term))
}

/** What a text says, taken apart once for all the texts that it is compared with; each part when it is first asked for. */
export class TextReading {
  readonly text: string
  #entities?: readonly Entity[]
  #keys?: ReadonlyMap<string, number>
  #quantities?: readonly Quantity[]
  #statements?: readonly Statement[]
  #changes?: ReadonlyArray<{ start: number; end: number }>
  #replacements?: ReturnType<typeof findReplacements>
  #links?: readonly WrittenLink[]
  #words?: readonly QuotableWord[]
  #grams?: ReadonlyMap<string, number>
  readonly #connectives = new Map<ConnectiveKind, readonly Connective[]>()
  readonly #clauses = new Map<ConnectiveKind, readonly ConnectiveClause[]>()

  constructor(text: string) {
    this.text = text
  }

  get entities(): readonly Entity[] {
    this.#entities ??= extractEntities(this.text)
    return this.#entities
  }

  /** The entities and terms of the text, and what each weighs as long as all of them are equally rare. */
  get keys(): ReadonlyMap<string, number> {
    if (!this.#keys) {
      const weights = new Map<string, number>()
      for (const { kind, term } of tokenize(this.text)) {
        if ((kind === 'word' || kind === 'compound') && term.length >= MIN_TERM_CHARS) {
          weights.set(term, CO_OCCURRENCE_WEIGHTS.term)
        }
      }
      for (const { key } of this.entities) weights.set(key, CO_OCCURRENCE_WEIGHTS.entity)
      this.#keys = weights
    }
    return this.#keys
  }

  get quantities(): readonly Quantity[] {
    this.#quantities ??= findQuantities(blankCode(this.text))
    return this.#quantities
  }

  get statements(): readonly Statement[] {
    this.#statements ??= readStatements(blankCitations(this.text)).slice(0, CONFLICT.maxStatements)
    return this.#statements
  }

  /** Where it speaks of a change. */
  get changes(): ReadonlyArray<{ start: number; end: number }> {
    this.#changes ??= findChangeWords(this.text)
    return this.#changes
  }

  /** What it says to have been replaced. */
  get replacements(): ReturnType<typeof findReplacements> {
    this.#replacements ??= findReplacements(this.text)
    return this.#replacements
  }

  get links(): readonly WrittenLink[] {
    this.#links ??= readLinks(this.text)
    return this.#links
  }

  get words(): readonly QuotableWord[] {
    this.#words ??= readWords(this.text)
    return this.#words
  }

  /** Runs of MIN_QUOTED_WORDS words, and where each first begins. */
  get grams(): ReadonlyMap<string, number> {
    this.#grams ??= gramsOf(this.words, MIN_QUOTED_WORDS)
    return this.#grams
  }

  connectives(kind: ConnectiveKind): readonly Connective[] {
    const known = this.#connectives.get(kind) ?? findConnectives(this.text, kind)
    this.#connectives.set(kind, known)
    return known
  }

  /** The first connectives of a kind, and what the clause behind each says. */
  clauses(kind: ConnectiveKind): readonly ConnectiveClause[] {
    const known =
      this.#clauses.get(kind) ??
      this.connectives(kind)
        .slice(0, MAX_CONNECTIVES)
        .map(({ start, end, after }) => ({
          start,
          end: after.end,
          terms: termsOf(readStatements(this.text.slice(end, after.end)).flatMap(({ words }) => words)),
        }))
    this.#clauses.set(kind, known)
    return known
  }
}

const readings = new WeakMap<object, TextReading>()

/** The reading of a memory's text: made once for as long as the memory is held. */
export function readingOf(memory: { readonly text: string }): TextReading {
  const known = readings.get(memory)
  if (known?.text === memory.text) return known
  const reading = new TextReading(memory.text)
  readings.set(memory, reading)
  return reading
}

/** Lets a memory have the reading of another one whose text is the same. */
export function shareReading(from: { readonly text: string }, to: { readonly text: string }): void {
  const known = readings.get(from)
  if (known?.text === to.text) readings.set(to, known)
}
