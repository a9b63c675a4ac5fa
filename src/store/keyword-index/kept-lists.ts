import { KEPT_LIST_NUMBERS } from '../../options.ts'
import type { PostingLists } from './keyword-scorer.ts'

/**
 * The posting lists that were read lately, so that a search which asks for the same words as the one before reads nothing: the two of a
 * recall, and those of a conversation, do. At most KEPT_LIST_NUMBERS numbers; the list that was not used for longest goes first.
 */
export class KeptLists implements PostingLists {
  readonly #lists: PostingLists
  readonly #kept = new Map<string, Int32Array>()
  #numbers = 0
  #sequence = -1

  constructor(lists: PostingLists) {
    this.#lists = lists
  }

  /** Forgets all where the store's sequence number is another one; to be called within the transaction that reads. */
  refresh(sequence: number): void {
    if (sequence === this.#sequence) return
    this.#kept.clear()
    this.#numbers = 0
    this.#sequence = sequence
  }

  read(term: string): Int32Array {
    const known = this.#kept.get(term)
    const list = known ?? this.#lists.read(term)
    // Deleted first, so that the map's order is the order of use.
    if (known) this.#kept.delete(term)
    // Lists may be views of larger arrays: it is those that memory holds.
    else this.#numbers += sizeOf(list)
    this.#kept.set(term, list)
    this.#dropOldest()
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

/** Numbers that the list keeps in memory, and as many as an entry of the map takes for each. */
function sizeOf(list: Int32Array): number {
  return list.buffer.byteLength / Int32Array.BYTES_PER_ELEMENT + ENTRY_NUMBERS
}

const ENTRY_NUMBERS = 64
