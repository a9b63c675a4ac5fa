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
  /** The parts of the index that it was read from. */
  parts: readonly ListPart[]
}

/** A part of the index: the memories from ordinal `first` on that are before the next part's. It is the same while its version is. */
export interface ListPart {
  first: number
  version: string
}

/** A list that is to be read, or what follows of it from an ordinal on. */
export interface LackingList {
  term: string
  from: number
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
  /** Of the index as it is now; none where a store does not tell of parts. */
  #parts: readonly ListPart[] = []
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

  /**
   * In place of `refresh`, for an index that tells which of its parts changed: goes along to these parts, in order, within the
   * transaction that reads. What was kept of parts that are as they were stays.
   */
  follow(parts: readonly ListPart[]): void {
    this.#parts = parts
  }

  fetch(terms: readonly string[]): void {
    const lacking = this.findLacking(terms)
    if (lacking.length > 0) this.keep(lacking, this.#lists.readPieces(lacking.map(({ term }) => term)))
  }

  /** What is to be read of the lists of these terms, each once. Whoever cannot read it at once reads it now and gives it to `keep`. */
  findLacking(terms: readonly string[]): LackingList[] {
    this.#dropOldest()
    return [...new Set(terms)].flatMap((term) => {
      const list = this.#kept.get(term)
      if (!list) return [{ term, from: 0 }]
      const from = findDifference(list.parts, this.#parts)
      if (from !== null) return [{ term, from }]
      list.parts = this.#parts
      return []
    })
  }

  /** Keeps what was read of what was lacking: for each the pieces of its list; they may begin before it does. */
  keep(lacking: readonly LackingList[], lists: readonly Uint8Array[][]): void {
    lacking.forEach(({ term, from }, index) => {
      // A piece is a view of the page that it stands on, which is not to be kept with it.
      const pieces = (lists[index] ?? []).map((piece) => piece.slice())
      const known = this.#kept.get(term)
      if (known) this.#numbers -= sizeOf(known)
      const list = known ? extend(known, from, pieces) : toList(pieces)
      this.#kept.delete(term)
      this.#kept.set(term, { ...list, parts: this.#parts })
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
    const list = this.#kept.get(term) ?? { ...toList([]), parts: this.#parts }
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

function toList(pieces: readonly Uint8Array[]): Omit<KeptList, 'parts'> {
  return { pieces, entries: null, count: pieces.reduce((sum, piece) => sum + countPacked(piece), 0) }
}

/** A list as it is kept below an ordinal, and as the pieces have it from there on. */
function extend(
  { pieces: old, entries }: KeptList,
  from: number,
  pieces: readonly Uint8Array[],
): Omit<KeptList, 'parts'> {
  const before = entries ?? unpackPieces(old)
  const added = unpackPieces(pieces)
  const [end, start] = [placeOf(before, from), placeOf(added, from)]
  const joined = new Int32Array(end + added.length - start)
  joined.set(before.subarray(0, end))
  joined.set(added.subarray(start), end)
  return { pieces: [], entries: joined, count: joined.length / 2 }
}

/** Where entries of this ordinal and of those after it begin. */
function placeOf(entries: Int32Array, ordinal: number): number {
  let [low, high] = [0, entries.length / 2]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((entries[middle * 2] ?? 0) < ordinal) low = middle + 1
    else high = middle
  }
  return low * 2
}

/** The ordinal from which on the parts are others; null where none is. */
function findDifference(before: readonly ListPart[], now: readonly ListPart[]): number | null {
  if (before === now) return null
  for (let at = 0; at < Math.max(before.length, now.length); at++) {
    const [old, part] = [before[at], now[at]]
    if (old?.version === part?.version && old?.first === part?.first) continue
    return Math.min(old?.first ?? Number.POSITIVE_INFINITY, part?.first ?? Number.POSITIVE_INFINITY)
  }
  return null
}

/** Entries may be a view of a larger array: it is that which memory holds. */
function sizeOf({ pieces, entries }: Omit<KeptList, 'parts'>): number {
  const bytes = pieces.reduce((sum, piece) => sum + piece.byteLength, entries?.buffer.byteLength ?? 0)
  return bytes / Int32Array.BYTES_PER_ELEMENT + ENTRY_NUMBERS
}
