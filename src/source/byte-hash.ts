import { createHash, type Hash } from 'node:crypto'

/** The sha256 of bytes that come in blocks, which also knows what it was after any byte of the block at hand. */
export interface ByteHash {
  /** The next block. */
  add(block: Uint8Array): void
  /** The hash (hex) of the bytes before an offset within the block at hand; worked out when it is called for. */
  before(offset: number): () => string
  /** The hash (hex) of all bytes. Ends it. */
  digest(): string
}

export function createByteHash(): ByteHash {
  const hash: Hash = createHash('sha256')
  let block: Uint8Array = new Uint8Array(0)
  let start = 0
  let hashed = 0
  const advance = (offset: number): void => {
    if (offset > hashed) hash.update(block.subarray(hashed - start, offset - start))
    hashed = Math.max(hashed, offset)
  }
  return {
    add(next) {
      const end = start + block.length
      advance(end)
      block = next
      start = end
    },
    before(offset) {
      advance(offset)
      const copy = hash.copy()
      return () => copy.digest('hex')
    },
    digest() {
      advance(start + block.length)
      return hash.digest('hex')
    },
  }
}
