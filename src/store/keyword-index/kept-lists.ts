import { KEPT_LIST_NUMBERS } from '../kept-options.ts'
import type { PostingLists } from './keyword-scorer.ts'
import { countPacked, unpackPieces } from './posting-codec.ts'

/** Packed lists that are read several at a time. */
interface ReadableLists {
  /** For each term the pieces of its list; they may be views of larger arrays. */
  readPieces(terms: readonly string[]): Uint8Array[][]
}

/** A list as it was read; unpacked once somebody wants more of it than how many it holds. */
interface KeptList {
  pieces: readonly Uint8Array[]
  entries: Int32Array | null
  count: number
}

/** Numbers that an entry of a map takes in memory, about. */
const ENTRY_NUMBERS = 64

/**
 * The posting lists that were read lately, so that a search which asks for the same words as the one before reads nothing: the two of a
 * recall, and those of a conversation, do, and who asks how common words are asks for some of them next. At most KEPT_LIST_NUMBERS
 * numbers between searches; the lists that were not used for longest go first.
 */
export class KeptLists implements PostingLists {
  readonly #lists: ReadableLists
  readonly #kept = new Map<string, KeptList>()
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
    const unknown = this.findUnknown(terms)
    if (unknown.length > 0) this.keep(unknown, this.#lists.readPieces(unknown))
  }

  /** Those of these terms whose lists are to be read, each once. Whoever cannot read them at once reads them now and gives them to `keep`. */
  findUnknown(terms: readonly string[]): string[] {
    this.#dropOldest()
    return [...new Set(terms)].filter((term) => !this.#kept.has(term))
  }

  /** Keeps what was read of unknown terms: for each the pieces of its list. */
  keep(unknown: readonly string[], lists: readonly Uint8Array[][]): void {
    lists.forEach((read, index) => {
      // A piece is a view of the page that it stands on, which is not to be kept with it.
      const pieces = read.map((piece) => piece.slice())
      const count = pieces.reduce((sum, piece) => sum + countPacked(piece), 0)
      const list = { pieces, count, entries: null }
      this.#kept.set(unknown[index] ?? '', list)
      this.#numbers += sizeOf(list)
    })
  }

  read(term: string): Int32Array {
    const list = this.#use(term)
    if (!list.entries) {
      this.#numbers -= sizeOf(list)
      list.entries = unpackPieces(list.pieces)
      list.pieces = []
      this.#numbers += sizeOf(list)
    }
    return list.entries
  }

  count(term: string): number {
    return this.#use(term).count
  }

  #use(term: string): KeptList {
    if (!this.#kept.has(term)) this.fetch([term])
    const list = this.#kept.get(term) ?? { pieces: [], entries: null, count: 0 }
    // Taken out and put in again, so that the map's order is the order of use.
    this.#kept.delete(term)
    this.#kept.set(term, list)
    return list
  }

  #dropOldest(): void {
    for (const [term, list] of this.#kept) {
      if (this.#numbers <= KEPT_LIST_NUMBERS) return
      this.#kept.delete(term)
      this.#numbers -= sizeOf(list)
    }
  }
}

/** Entries may be a view of a larger array: it is that which memory holds. */
function sizeOf({ pieces, entries }: KeptList): number {
  const bytes = pieces.reduce((sum, piece) => sum + piece.byteLength, entries?.buffer.byteLength ?? 0)
  return bytes / Int32Array.BYTES_PER_ELEMENT + ENTRY_NUMBERS
}
