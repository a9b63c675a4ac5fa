import { VarintWriter } from './varint.ts'

/** Ordinals of memories in ascending order, and how often each holds the term. */
export class PostingList {
  ordinals: Int32Array
  frequencies: Int32Array
  count = 0

  constructor(capacity = 16) {
    this.ordinals = new Int32Array(capacity)
    this.frequencies = new Int32Array(capacity)
  }

  push(ordinal: number, frequency: number): void {
    if (this.count === this.ordinals.length) this.#grow()
    this.ordinals[this.count] = ordinal
    this.frequencies[this.count] = frequency
    this.count += 1
  }

  /** Whether the list holds this ordinal. */
  has(ordinal: number): boolean {
    let low = 0
    let high = this.count - 1
    while (low <= high) {
      const middle = (low + high) >>> 1
      const value = this.ordinals[middle] ?? 0
      if (value === ordinal) return true
      if (value < ordinal) low = middle + 1
      else high = middle - 1
    }
    return false
  }

  #grow(): void {
    const ordinals = new Int32Array(this.ordinals.length * 2)
    const frequencies = new Int32Array(ordinals.length)
    ordinals.set(this.ordinals)
    frequencies.set(this.frequencies)
    this.ordinals = ordinals
    this.frequencies = frequencies
  }
}

const writer = new VarintWriter(4096)

/**
 * Packs entries [from, to) of a list. Ordinals are written as distances, the first one from `base`; the lowest bit of
 * a distance says whether a frequency above 1 follows, as most terms stand once in a memory.
 */
export function encodeBlock(list: PostingList, from: number, to: number, base: number): Uint8Array {
  let previous = base
  for (let i = from; i < to; i++) {
    const ordinal = list.ordinals[i] ?? 0
    const frequency = list.frequencies[i] ?? 1
    const distance = (ordinal - previous) * 2
    if (frequency === 1) writer.push(distance)
    else {
      writer.push(distance + 1)
      writer.push(frequency)
    }
    previous = ordinal
  }
  return writer.take()
}

/** Appends the entries of a block to a list. */
export function decodeBlock(data: Uint8Array, base: number, list: PostingList): void {
  let offset = 0
  let ordinal = base
  const length = data.length
  const next = (): number => {
    let byte = data[offset++] ?? 0
    let value = byte & 0x7f
    for (let shift = 7; byte >= 0x80 && offset < length; shift += 7) {
      byte = data[offset++] ?? 0
      value |= (byte & 0x7f) << shift
    }
    return value
  }
  while (offset < length) {
    const distance = next()
    ordinal += distance >>> 1
    list.push(ordinal, (distance & 1) === 1 ? next() : 1)
  }
}
