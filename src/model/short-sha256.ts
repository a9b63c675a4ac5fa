/** The first 64. */
// biome-ignore format: as a table
const PRIMES = [
  2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 101, 103, 107,
  109, 113, 127, 131, 137, 139, 149, 151, 157, 163, 167, 173, 179, 181, 191, 193, 197, 199, 211, 223, 227, 229,
  233, 239, 241, 251, 257, 263, 269, 271, 277, 281, 283, 293, 307, 311,
]
const FRACTIONS_OF = (count: number, power: number): Int32Array =>
  Int32Array.from(PRIMES.slice(0, count), (prime) => (prime ** power % 1) * 2 ** 32)
const BLOCK = 64

let constants: { rounds: Int32Array; start: Int32Array } | undefined

/**
 * SHA-256 (FIPS 180-4) of a short text, as 64 hex digits, in plain JavaScript: to load `node:crypto` takes longer than to hash
 * all that a process hashes that lives for one answer. Longer texts are for `node:crypto`.
 */
export function shortSha256(text: string): string {
  constants ??= { rounds: FRACTIONS_OF(64, 1 / 3), start: FRACTIONS_OF(8, 1 / 2) }
  const state = Int32Array.from(constants.start)
  const blocks = padToBlocks(Buffer.from(text))
  for (let at = 0; at < blocks.byteLength; at += BLOCK)
    addBlock(state, constants.rounds, new DataView(blocks.buffer, at))
  return [...state].map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('')
}

/** The bytes, a one bit, zeros, and how many bits there were. */
function padToBlocks(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const blocks = new Uint8Array(Math.ceil((bytes.length + 9) / BLOCK) * BLOCK)
  blocks.set(bytes)
  blocks[bytes.length] = 0x80
  new DataView(blocks.buffer).setUint32(blocks.length - 4, bytes.length * 8)
  return blocks
}

const turn = (word: number, bits: number): number => (word >>> bits) | (word << (32 - bits))

function addBlock(state: Int32Array, rounds: Int32Array, block: DataView): void {
  const words = new Int32Array(64)
  for (let at = 0; at < 16; at++) words[at] = block.getInt32(at * 4)
  for (let at = 16; at < 64; at++) {
    const far = words[at - 15] as number
    const near = words[at - 2] as number
    const low = turn(far, 7) ^ turn(far, 18) ^ (far >>> 3)
    const high = turn(near, 17) ^ turn(near, 19) ^ (near >>> 10)
    words[at] = (words[at - 16] as number) + low + (words[at - 7] as number) + high
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state
  for (let at = 0; at < 64; at++) {
    const choice = (e & f) ^ (~e & g)
    const first = h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + choice + (rounds[at] as number) + (words[at] as number)
    const second = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))
    h = g
    g = f
    f = e
    e = (d + first) | 0
    d = c
    c = b
    b = a
    a = (first + second) | 0
  }
  for (const [at, word] of [a, b, c, d, e, f, g, h].entries()) state[at] = (state[at] ?? 0) + word
}
