/** Writes whole numbers ≥ 0 as 7-bit groups, lowest first: small ones take one byte. Up to 2^53 − 1. */
export class VarintWriter {
  #bytes: Uint8Array
  #length = 0

  constructor(capacity = 256) {
    this.#bytes = new Uint8Array(capacity)
  }

  get length(): number {
    return this.#length
  }

  push(value: number): void {
    this.#reserve(8)
    while (value > 0x7fffffff) {
      this.#bytes[this.#length++] = (value % 128) | 0x80
      value = Math.floor(value / 128)
    }
    while (value > 0x7f) {
      this.#bytes[this.#length++] = (value & 0x7f) | 0x80
      value >>>= 7
    }
    this.#bytes[this.#length++] = value
  }

  /** Writes a number of either sign. */
  pushSigned(value: number): void {
    this.push(value < 0 ? -2 * value - 1 : 2 * value)
  }

  pushBytes(bytes: Uint8Array): void {
    this.#reserve(bytes.length)
    this.#bytes.set(bytes, this.#length)
    this.#length += bytes.length
  }

  /** A copy of what was written; the writer is empty again. */
  take(): Uint8Array {
    const bytes = this.#bytes.slice(0, this.#length)
    this.#length = 0
    return bytes
  }

  #reserve(extra: number): void {
    if (this.#length + extra <= this.#bytes.length) return
    const grown = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + extra))
    grown.set(this.#bytes)
    this.#bytes = grown
  }
}

/** Reads what VarintWriter wrote. */
export class VarintReader {
  readonly #bytes: Uint8Array
  #offset = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  get isDone(): boolean {
    return this.#offset >= this.#bytes.length
  }

  next(): number {
    let value = 0
    let factor = 1
    for (;;) {
      const byte = this.#bytes[this.#offset++] ?? 0
      value += (byte & 0x7f) * factor
      if (byte < 0x80) return value
      factor *= 128
    }
  }

  nextSigned(): number {
    const value = this.next()
    return value % 2 === 1 ? -(value + 1) / 2 : value / 2
  }
}
