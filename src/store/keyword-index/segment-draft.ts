import type { MemoryContent } from '../../model/memory.ts'
import { TermCounter } from '../../text/term-counter.ts'
import { sortByBytes } from './posting-codec.ts'

/**
 * Gathers the lists of a new segment: notes which memory has which term as the memories come, one after the other in flat arrays,
 * and sorts that by terms once at the end.
 */
export class SegmentDraft {
  readonly #counter: TermCounter
  #terms: Int32Array = new Int32Array(4096)
  #ordinals: Int32Array = new Int32Array(4096)
  #frequencies: Int32Array = new Int32Array(4096)
  #size = 0
  #ordinal = 0
  memories = 0
  first = 0
  last = 0

  constructor(counter = new TermCounter()) {
    this.#counter = counter
  }

  /** Adds the terms of a memory at a path; ordinals in ascending order. Returns how many there are, and the length for BM25. */
  add(
    ordinal: number,
    content: Pick<MemoryContent, 'text' | 'headerPath' | 'speaker'>,
    path: string,
  ): { length: number; termCount: number } {
    this.#begin(ordinal)
    return this.#counter.count(content, path, this.#note)
  }

  /** The same for terms that are known already. */
  addTerms(ordinal: number, frequencies: ReadonlyMap<string, number>): void {
    this.#begin(ordinal)
    for (const [term, frequency] of frequencies) this.#note(this.#counter.numberOf(term), frequency)
  }

  /** Calls `visit` with every term, in the order of SQLite, and its list: entries `from` to before `to`. */
  forEachList(visit: (term: string, entries: Int32Array, from: number, to: number) => void): void {
    const ends = this.#countByTerm()
    const numbers = new Map<string, number>()
    for (let number = 0; number < ends.length - 1; number++) {
      if (ends[number + 1] !== ends[number]) numbers.set(this.#counter.term(number), number)
    }
    const starts = ends.slice(0, -1)
    const entries = new Int32Array(2 * this.#size)
    for (let at = 0; at < this.#size; at++) {
      const term = this.#terms[at] ?? 0
      const place = starts[term] ?? 0
      entries[2 * place] = this.#ordinals[at] ?? 0
      entries[2 * place + 1] = this.#frequencies[at] ?? 0
      starts[term] = place + 1
    }
    for (const term of sortByBytes([...numbers.keys()])) {
      const number = numbers.get(term) ?? 0
      visit(term, entries, 2 * (ends[number] ?? 0), 2 * (ends[number + 1] ?? 0))
    }
  }

  #begin(ordinal: number): void {
    if (this.memories === 0) this.first = ordinal
    this.last = ordinal
    this.memories += 1
    this.#ordinal = ordinal
  }

  readonly #note = (term: number, frequency: number): void => {
    if (this.#size >= this.#terms.length) this.#grow()
    this.#terms[this.#size] = term
    this.#ordinals[this.#size] = this.#ordinal
    this.#frequencies[this.#size] = frequency
    this.#size += 1
  }

  #grow(): void {
    this.#terms = doubled(this.#terms)
    this.#ordinals = doubled(this.#ordinals)
    this.#frequencies = doubled(this.#frequencies)
  }

  /** Where the lists of the terms begin among all entries, by number of term, and where the last one ends. */
  #countByTerm(): Int32Array {
    const starts = new Int32Array(this.#counter.size + 1)
    for (let at = 0; at < this.#size; at++) {
      const term = this.#terms[at] ?? 0
      starts[term + 1] = (starts[term + 1] ?? 0) + 1
    }
    for (let term = 1; term < starts.length; term++) starts[term] = (starts[term] ?? 0) + (starts[term - 1] ?? 0)
    return starts
  }
}

function doubled(array: Int32Array): Int32Array {
  const result = new Int32Array(2 * array.length)
  result.set(array)
  return result
}
