/**
 * Near neighbours by resemblance, as the yardstick of bench/duplicates.ts: MinHash signatures of word shingles (Broder 1997, "On the
 * resemblance and containment of documents"), looked up by bands (Leskovec, Rajaraman and Ullman, "Mining of Massive Datasets", 3.4).
 */
const HASHES = 64
/** 16 bands of 4 rows: a pair of resemblance 0.8 shares one with a chance of 99.98 %, one of 0.5 with 64 %. */
const ROWS = 4
const SHINGLE_WORDS = 3

const FACTORS = Uint32Array.from({ length: HASHES }, (_, index) => Math.imul(index + 1, 0x9e3779b1) | 1)
const ADDENDS = Uint32Array.from({ length: HASHES }, (_, index) => Math.imul(index + 1, 0x85ebca6b))

/** The least value of each hash function over the shingles of a text. */
export function signText(text: string): Uint32Array {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  const signature = new Uint32Array(HASHES).fill(0xffffffff)
  for (let at = 0; at < Math.max(1, words.length - SHINGLE_WORDS + 1); at++) {
    const shingle = hashText(words.slice(at, at + SHINGLE_WORDS).join(' '))
    for (let index = 0; index < HASHES; index++) {
      const value = (Math.imul(shingle, FACTORS[index] ?? 1) + (ADDENDS[index] ?? 0)) >>> 0
      // A product's high bits are the mixed ones.
      const mixed = (value ^ (value >>> 15)) >>> 0
      if (mixed < (signature[index] ?? 0)) signature[index] = mixed
    }
  }
  return signature
}

/** FNV-1a. */
function hashText(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** The share of hash functions on which two signatures agree: it estimates the resemblance of their texts. */
export function resemblance(a: Uint32Array, b: Uint32Array): number {
  let equal = 0
  for (let index = 0; index < HASHES; index++) if (a[index] === b[index]) equal += 1
  return equal / HASHES
}

/** Signatures, found by any band that they share. */
export class BandIndex {
  readonly #buckets = new Map<string, number[]>()

  /** The numbers of earlier signatures that share a band with this one, which is added under `number`. */
  add(signature: Uint32Array, number: number): Set<number> {
    const found = new Set<number>()
    for (let band = 0; band * ROWS < HASHES; band++) {
      const key = `${band}:${signature.subarray(band * ROWS, (band + 1) * ROWS).join()}`
      const bucket = this.#buckets.get(key)
      if (bucket) for (const one of bucket) found.add(one)
      if (bucket) bucket.push(number)
      else this.#buckets.set(key, [number])
    }
    return found
  }
}
