import { POSTING_PAGE_BYTES } from '../../options.ts'
import { VarintWriter } from './varint.ts'

/** Memories that hold a term, by ascending ordinal, and how often: ordinal, frequency, ordinal, frequency, … */
export type PostingEntries = number[]

const writer = new VarintWriter(4096)

/**
 * Packs a list, or the part of it from place `from` to before `to`, in pieces of at most `maxBytes` (a few bytes more at the end of one).
 * Ordinals are written as distances, the first of a piece from 0; the lowest bit of a distance says whether a frequency above 1
 * follows, as most terms stand once in a memory.
 */
export function packEntries(
  entries: ArrayLike<number>,
  { maxBytes = Number.POSITIVE_INFINITY, from = 0, to = entries.length } = {},
): PackedPiece[] {
  const pieces: PackedPiece[] = []
  let first = 0
  let previous = 0
  for (let at = from; at < to; at += 2) {
    const ordinal = entries[at] ?? 0
    const frequency = entries[at + 1] ?? 1
    if (writer.length === 0) first = ordinal
    const distance = (ordinal - previous) * 2
    if (frequency === 1) writer.push(distance)
    else {
      writer.push(distance + 1)
      writer.push(frequency)
    }
    previous = ordinal
    if (writer.length >= maxBytes) {
      pieces.push({ first, bytes: writer.take() })
      previous = 0
    }
  }
  if (writer.length > 0) pieces.push({ first, bytes: writer.take() })
  return pieces
}

/** A part of a packed list and its first ordinal. */
export interface PackedPiece {
  first: number
  bytes: Uint8Array
}

/** Merges unpack hundreds of thousands of short lists: each needs no array of its own. */
let scratch = new Int32Array(2 * POSTING_PAGE_BYTES)

/** Appends the entries of a packed list to `entries`. */
export function unpackEntries(bytes: Uint8Array, entries: PostingEntries): void {
  if (scratch.length < 2 * bytes.length) scratch = new Int32Array(4 * bytes.length)
  const count = unpackPiece(bytes, scratch, 0)
  for (let at = 0; at < count; at++) entries.push(scratch[at] ?? 0)
}

/** The entries of the pieces of a list, one after the other. */
export function unpackPieces(pieces: readonly Uint8Array[]): Int32Array {
  let bytes = 0
  for (const piece of pieces) bytes += piece.length
  // An entry takes a byte at least.
  const entries = new Int32Array(2 * bytes)
  let count = 0
  for (const piece of pieces) count = unpackPiece(piece, entries, count)
  return entries.subarray(0, count)
}

/** The number of entries of a packed piece. */
export function countPacked(bytes: Uint8Array): number {
  let count = 0
  let isFrequency = false
  let isFirstByte = true
  let hasFrequency = false
  for (let offset = 0; offset < bytes.length; offset++) {
    const byte = bytes[offset] ?? 0
    // The lowest bit of a distance stands in its first byte.
    if (isFirstByte) hasFrequency = !isFrequency && (byte & 1) === 1
    isFirstByte = byte < 0x80
    if (!isFirstByte) continue
    if (!isFrequency) count += 1
    isFrequency = hasFrequency
  }
  return count
}

/** Writes entries from place `at` on; returns the place after the last. */
function unpackPiece(bytes: Uint8Array, entries: Int32Array, at: number): number {
  let ordinal = 0
  let value = 0
  let shift = 0
  let isFrequency = false
  for (let offset = 0; offset < bytes.length; offset++) {
    const byte = bytes[offset] ?? 0
    value |= (byte & 0x7f) << shift
    shift += 7
    if (byte >= 0x80) continue
    if (isFrequency) {
      entries[at++] = value
      isFrequency = false
    } else {
      ordinal += value >>> 1
      entries[at++] = ordinal
      isFrequency = (value & 1) === 1
      if (!isFrequency) entries[at++] = 1
    }
    value = 0
    shift = 0
  }
  return at
}

/** Collects terms with short lists, in ascending order of their bytes, and gives them out as pages. */
export class PageBuilder {
  readonly #emit: (firstTerm: string, page: Uint8Array) => void
  readonly #page = new VarintWriter(POSTING_PAGE_BYTES * 2)
  #firstTerm = ''

  constructor(emit: (firstTerm: string, page: Uint8Array) => void) {
    this.#emit = emit
  }

  add(term: string, list: Uint8Array): void {
    const bytes = Buffer.from(term)
    if (this.#page.length > 0 && this.#page.length + bytes.length + list.length + 4 > POSTING_PAGE_BYTES) this.flush()
    if (this.#page.length === 0) this.#firstTerm = term
    this.#page.push(bytes.length)
    this.#page.pushBytes(bytes)
    this.#page.push(list.length)
    this.#page.pushBytes(list)
  }

  flush(): void {
    if (this.#page.length > 0) this.#emit(this.#firstTerm, this.#page.take())
  }
}

/** Calls `visit` with every term of a page, in order, and where its list stands, until it returns false. */
export function scanPage(
  page: Uint8Array,
  visit: (term: Uint8Array, listStart: number, listEnd: number) => boolean,
): void {
  let offset = 0
  const readLength = (): number => {
    const byte = page[offset++] ?? 0
    return byte < 0x80 ? byte : (byte & 0x7f) | ((page[offset++] ?? 0) << 7)
  }
  while (offset < page.length) {
    const termLength = readLength()
    const termStart = offset
    offset += termLength
    const listLength = readLength()
    const listStart = offset
    offset += listLength
    if (!visit(page.subarray(termStart, termStart + termLength), listStart, offset)) return
  }
}

/** The packed list of a term on a page; empty when the page has none. Compares where the bytes lie: a search looks through hundreds of pages. */
export function findOnPage(page: Uint8Array, wanted: Uint8Array): Uint8Array {
  let offset = 0
  while (offset < page.length) {
    let termLength = page[offset++] ?? 0
    if (termLength >= 0x80) termLength = (termLength & 0x7f) | ((page[offset++] ?? 0) << 7)
    const order = compareAt(page, offset, termLength, wanted)
    if (order > 0) break
    offset += termLength
    let listLength = page[offset++] ?? 0
    if (listLength >= 0x80) listLength = (listLength & 0x7f) | ((page[offset++] ?? 0) << 7)
    if (order === 0) return page.subarray(offset, offset + listLength)
    offset += listLength
  }
  return page.subarray(0, 0)
}

/** Compares so many bytes of a page from an offset on with others, as `Buffer.compare` does. */
function compareAt(page: Uint8Array, offset: number, length: number, other: Uint8Array): number {
  const shared = Math.min(length, other.length)
  for (let at = 0; at < shared; at++) {
    const difference = (page[offset + at] ?? 0) - (other[at] ?? 0)
    if (difference !== 0) return difference
  }
  return length - other.length
}

/** All terms of a page with their packed lists. */
export function readPage(page: Uint8Array): Array<{ term: string; list: Uint8Array }> {
  const entries: Array<{ term: string; list: Uint8Array }> = []
  scanPage(page, (term, from, to) => {
    const text = Buffer.from(term.buffer, term.byteOffset, term.length).toString()
    entries.push({ term: text, list: page.subarray(from, to) })
    return true
  })
  return entries
}

/** Orders texts as SQLite does: by their bytes in UTF-8. */
export function sortByBytes(terms: string[]): string[] {
  // UTF-16 gives the same order unless a term holds characters beyond 16 bits.
  if (!terms.some((term) => /[\ud800-\udfff]/.test(term))) return terms.sort()
  return terms.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
}
