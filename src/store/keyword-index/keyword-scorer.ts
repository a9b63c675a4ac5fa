import { WINDOW_RADIUS } from '../../options.ts'
import { termKey } from '../../text/index-terms.ts'
import { inverseDocumentFrequency, saturate } from '../bm25.ts'
import type { QueryTerm, TermKey } from '../memory-store.ts'
import type { TenantTotals } from './kept-layout.ts'
import { type Layout, NONE } from './layout.ts'

/** The inverted index, by posting keys (`termKey`). */
export interface PostingLists {
  /** All memories that hold the term, by ascending ordinal: ordinal, frequency, ordinal, frequency, … */
  read(term: string): Int32Array
  /** How many hold it. */
  count(term: string): number
  /** Makes ready what is read next, where that is done better together. */
  fetch?(terms: readonly string[]): void
}

/** A sum for each of many numbers, of which few are used at a time: remembers which, so that clearing is cheap. */
class SparseSums {
  values = new Float64Array(0)
  touched = new Int32Array(0)
  count = 0

  /** Empties it and makes room for numbers below `capacity`. */
  reset(capacity: number): void {
    for (let i = 0; i < this.count; i++) this.values[this.touched[i] ?? 0] = 0
    this.count = 0
    if (capacity <= this.values.length) return
    this.values = new Float64Array(capacity)
    this.touched = new Int32Array(capacity)
  }

  add(index: number, amount: number): void {
    if (amount <= 0) return
    const before = this.values[index] ?? 0
    if (before === 0) this.touched[this.count++] = index
    this.values[index] = before + amount
  }
}

/** The scores of one query, by ordinal (`documents`: by number of document). Valid until the next query. */
export interface KeywordResult {
  text: SparseSums
  window: SparseSums
  /** Weight of heading and path terms. */
  field: SparseSums
  documents: SparseSums
  /** What each term of the query matched, in the tenant. */
  lists: Int32Array[]
}

/** A query, the state of the store that it was asked of, and what its terms matched. */
interface Scored {
  sequence: number
  tenant: string
  terms: readonly QueryTerm[]
  lists: Int32Array[]
}

function beginsWith(terms: readonly QueryTerm[], first: readonly QueryTerm[]): boolean {
  if (first.length > terms.length) return false
  return first.every(({ term, field, weight }, index) => {
    const other = terms[index]
    return other?.term === term && other.field === field && other.weight === weight
  })
}

/** Computes the BM25 scores of every memory of a tenant for a query, exactly, from the posting lists. */
export class KeywordScorer {
  readonly #layout: Layout
  readonly #postings: PostingLists
  readonly #text = new SparseSums()
  readonly #window = new SparseSums()
  readonly #field = new SparseSums()
  readonly #documents = new SparseSums()
  /** Occurrences of one term, by window and by document. */
  readonly #windowCounts = new SparseSums()
  readonly #documentCounts = new SparseSums()
  /** What the sums hold. */
  #scored: Scored | null = null

  constructor(layout: Layout, postings: PostingLists) {
    this.#layout = layout
    this.#postings = postings
  }

  /** The layout must be up to date. */
  score(terms: readonly QueryTerm[], tenant: string): KeywordResult {
    const { sequence } = this.#layout
    // A query that goes on where the last one ended (the same one for more results, or with words of the conversation added) adds to its sums.
    const begun = this.#scored
    const goesOn = begun?.sequence === sequence && begun.tenant === tenant && beginsWith(terms, begun.terms)
    const known = goesOn ? begun.lists : []
    // Sums that an error left half done are of no query.
    this.#scored = null
    if (!goesOn) this.#clear()
    const lists = [...known, ...this.#add(terms.slice(known.length), tenant)]
    this.#scored = { sequence, tenant, terms: [...terms], lists }
    return { text: this.#text, window: this.#window, field: this.#field, documents: this.#documents, lists }
  }

  #clear(): void {
    const { capacity, documentCapacity } = this.#layout
    for (const sums of [this.#text, this.#window, this.#field]) sums.reset(capacity)
    this.#documents.reset(documentCapacity)
  }

  /** Adds what the terms contribute; returns their lists. */
  #add(terms: readonly QueryTerm[], tenant: string): Int32Array[] {
    const totals = this.#layout.totals(tenant)
    this.#postings.fetch?.(terms.map(({ term, field }) => termKey(field, term)))
    return terms.map(({ term, field, weight }) => {
      const list = this.#ofTenant(this.#postings.read(termKey(field, term)), tenant)
      const factor = weight * inverseDocumentFrequency(totals.memories, list.length / 2)
      if (field === 'text') {
        this.#addText(list, factor, totals)
        this.#addWindows(list, factor, totals)
        this.#addDocuments(list, weight, totals)
      } else {
        for (let at = 0; at < list.length; at += 2) this.#field.add(list[at] ?? 0, factor)
      }
      return list
    })
  }

  /** How many memories of the tenant hold each term. */
  countHolders(terms: readonly TermKey[], tenant: string): number[] {
    const keys = terms.map(({ term, field }) => termKey(field, term))
    this.#postings.fetch?.(keys)
    return keys.map((key) => {
      if (!this.#layout.hasOneTenant()) return this.#ofTenant(this.#postings.read(key), tenant).length / 2
      return this.#layout.totals(tenant).memories > 0 ? this.#postings.count(key) : 0
    })
  }

  /** The entries of a list that belong to the tenant. */
  #ofTenant(list: Int32Array, tenant: string): Int32Array {
    if (this.#layout.hasOneTenant()) return this.#layout.totals(tenant).memories > 0 ? list : new Int32Array(0)
    const scopes = this.#layout.mapScopes((scope) => scope.tenant === tenant)
    const own: number[] = []
    for (let at = 0; at < list.length; at += 2) {
      const ordinal = list[at] ?? 0
      if (scopes[this.#layout.scope[ordinal] ?? 0] === 1) own.push(ordinal, list[at + 1] ?? 1)
    }
    return Int32Array.from(own)
  }

  #addText(list: Int32Array, factor: number, totals: TenantTotals): void {
    const { length } = this.#layout
    const average = totals.words / totals.memories
    for (let at = 0; at < list.length; at += 2) {
      const ordinal = list[at] ?? 0
      this.#text.add(ordinal, factor * saturate(list[at + 1] ?? 1, length[ordinal] ?? 1, average))
    }
  }

  #addWindows(list: Int32Array, factor: number, totals: TenantTotals): void {
    const { capacity, windowLength } = this.#layout
    const counts = this.#windowCounts
    counts.reset(capacity)
    this.#countInWindows(list)
    const average = totals.windowWords / totals.memories
    const { values, touched } = this.#window
    // Without a call for each sum, as in counting them.
    let count = this.#window.count
    for (let i = 0; i < counts.count; i++) {
      const ordinal = counts.touched[i] as number
      const amount = factor * saturate(counts.values[ordinal] as number, windowLength[ordinal] as number, average)
      if (amount <= 0) continue
      if (values[ordinal] === 0) touched[count++] = ordinal
      values[ordinal] = (values[ordinal] as number) + amount
    }
    this.#window.count = count
  }

  /** A memory stands in its own window and in those of the WINDOW_RADIUS memories on either side. */
  #countInWindows(list: Int32Array): void {
    const { previous, next } = this.#layout
    const { values, touched } = this.#windowCounts
    // Without a call for each of five windows: for a common word that is most of a search.
    let count = 0
    for (let at = 0; at < list.length; at += 2) {
      const ordinal = list[at] ?? 0
      const frequency = list[at + 1] ?? 1
      if (values[ordinal] === 0) touched[count++] = ordinal
      values[ordinal] = (values[ordinal] ?? 0) + frequency
      // Not taken apart from a list: uncompiled code, as it runs in short processes, makes that list each time.
      let before = previous[ordinal] ?? NONE
      let after = next[ordinal] ?? NONE
      for (let step = 0; step < WINDOW_RADIUS && before !== NONE; step++) {
        if (values[before] === 0) touched[count++] = before
        values[before] = (values[before] ?? 0) + frequency
        before = previous[before] ?? NONE
      }
      for (let step = 0; step < WINDOW_RADIUS && after !== NONE; step++) {
        if (values[after] === 0) touched[count++] = after
        values[after] = (values[after] ?? 0) + frequency
        after = next[after] ?? NONE
      }
    }
    this.#windowCounts.count = count
  }

  #addDocuments(list: Int32Array, weight: number, totals: TenantTotals): void {
    const { document, documentCapacity, documentLength } = this.#layout
    const counts = this.#documentCounts
    counts.reset(documentCapacity)
    for (let at = 0; at < list.length; at += 2) counts.add(document[list[at] ?? 0] ?? 0, list[at + 1] ?? 1)
    const factor = weight * inverseDocumentFrequency(totals.documents, counts.count)
    const average = totals.words / totals.documents
    for (let i = 0; i < counts.count; i++) {
      const number = counts.touched[i] ?? 0
      this.#documents.add(number, factor * saturate(counts.values[number] ?? 0, documentLength[number] ?? 1, average))
    }
  }
}
