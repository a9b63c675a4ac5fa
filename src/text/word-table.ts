import { MAX_TERM } from './word-tokens.ts'

/** Longest text that is kept: a name made of several words is longer than its parts. */
const MAX_CHARS = 2 * MAX_TERM

/**
 * Numbers ASCII texts of up to MAX_CHARS characters, from 0 in the order in which they came. It takes them as ranges of longer texts and
 * keeps all in a few flat arrays: the words of a corpus are looked up millions of times, and a Map of strings would wait for
 * memory at every step of that.
 */
export class WordTable {
  /** Hash and number + 1 of each word, in open addressing; 0 where nothing stands. */
  #slots: Int32Array = new Int32Array(2 * 4096)
  #characters: Uint8Array = new Uint8Array(1 << 16)
  /** Where the characters of each word begin; of the one that comes next, too. */
  #starts: Int32Array = new Int32Array(4096)
  #size = 0

  get size(): number {
    return this.#size
  }

  /**
   * The number of a range, a new one (the size before) where it is not known. -1 where it is too long or not ASCII.
   */
  numberOf(text: string, start: number, end: number): number {
    if (end - start > MAX_CHARS) return -1
    let hash = 0x811c9dc5
    for (let at = start; at < end; at++) {
      const code = text.charCodeAt(at)
      if (code > 127) return -1
      hash = Math.imul(hash ^ code, 0x01000193)
    }
    hash ^= hash >>> 15
    const mask = this.#slots.length - 2
    for (let slot = (hash << 1) & mask; ; slot = (slot + 2) & mask) {
      const found = (this.#slots[slot + 1] ?? 0) - 1
      if (found < 0) return this.#add(text, { start, end, hash, slot })
      if (this.#slots[slot] === hash && this.#isEqual(found, text, start, end)) return found
    }
  }

  #isEqual(word: number, text: string, start: number, end: number): boolean {
    const from = this.#starts[word] ?? 0
    if ((this.#starts[word + 1] ?? 0) - from !== end - start) return false
    for (let at = start; at < end; at++) {
      if (this.#characters[from + at - start] !== text.charCodeAt(at)) return false
    }
    return true
  }

  #add(text: string, { start, end, hash, slot }: { start: number; end: number; hash: number; slot: number }): number {
    const word = this.#size
    this.#size += 1
    const from = this.#starts[word] ?? 0
    this.#reserve(from + end - start)
    for (let at = start; at < end; at++) this.#characters[from + at - start] = text.charCodeAt(at)
    this.#starts[word + 1] = from + end - start
    this.#slots[slot] = hash
    this.#slots[slot + 1] = word + 1
    if (4 * this.#size > this.#slots.length) this.#rehash()
    return word
  }

  #reserve(characters: number): void {
    if (characters > this.#characters.length) {
      this.#characters = copyInto(new Uint8Array(2 * characters), this.#characters)
    }
    if (this.#size + 1 >= this.#starts.length) {
      this.#starts = copyInto(new Int32Array(2 * this.#starts.length), this.#starts)
    }
  }

  /** At most half of the slots are taken. */
  #rehash(): void {
    const old = this.#slots
    this.#slots = new Int32Array(2 * old.length)
    const mask = this.#slots.length - 2
    for (let from = 0; from < old.length; from += 2) {
      const word = old[from + 1] ?? 0
      if (word === 0) continue
      const hash = old[from] ?? 0
      let slot = (hash << 1) & mask
      while (this.#slots[slot + 1] !== 0) slot = (slot + 2) & mask
      this.#slots[slot] = hash
      this.#slots[slot + 1] = word
    }
  }
}

function copyInto<T extends { set(from: T): void }>(to: T, from: T): T {
  to.set(from)
  return to
}
