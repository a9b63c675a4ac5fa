import { KEPT_LIST_NUMBERS } from '../kept-options.ts'
import type { PostingLists } from './keyword-scorer.ts'

/** Lists that are read several at a time. */
interface ReadableLists extends PostingLists {
  readAll(terms: readonly string[]): Int32Array[]
}

/** Numbers that an entry of a map takes in memory, about. */
const ENTRY_NUMBERS = 64

/**
 * The posting lists that were read lately, so that a search which asks for the same words as the one before reads nothing: the two of a
 * recall, and those of a conversation, do. At most KEPT_LIST_NUMBERS numbers between searches; the lists that were not used for
 * longest go first.
 */
export class KeptLists implements PostingLists {
  readonly #lists: ReadableLists
  readonly #kept = new Map<string, Int32Array>()
  #numbers = 0
  #sequence = -1

  constructor(lists: ReadableLists) {
    this.#lists = lists
  }

  /** Forgets all where the store's sequence number is another one; to be called within the transaction that reads. */
  refresh(sequence: number): void {
    if (sequence === this.#sequence) return
    this.#kept.clear()
    this.#numbers = 0
    this.#sequence = sequence
  }

  fetch(terms: readonly string[]): void {
    this.#dropOldest()
    const unknown = [...new Set(terms)].filter((term) => !this.#kept.has(term))
    const lists = unknown.length > 0 ? this.#lists.readAll(unknown) : []
    lists.forEach((list, index) => {
      this.#kept.set(unknown[index] ?? '', list)
      this.#numbers += sizeOf(list)
    })
  }

  read(term: string): Int32Array {
    if (!this.#kept.has(term)) this.fetch([term])
    const list = this.#kept.get(term) ?? new Int32Array(0)
    // Taken out and put in again, so that the map's order is the order of use.
    this.#kept.delete(term)
    this.#kept.set(term, list)
    return list
  }

  count(term: string): number {
    const known = this.#kept.get(term)
    return known ? known.length / 2 : this.#lists.count(term)
  }

  #dropOldest(): void {
    for (const [term, list] of this.#kept) {
      if (this.#numbers <= KEPT_LIST_NUMBERS) return
      this.#kept.delete(term)
      this.#numbers -= sizeOf(list)
    }
  }
}

/** A list may be a view of a larger array: it is that which memory holds. */
function sizeOf(list: Int32Array): number {
  return list.buffer.byteLength / Int32Array.BYTES_PER_ELEMENT + ENTRY_NUMBERS
}
