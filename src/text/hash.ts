import { createHash } from 'node:crypto'

/** sha256 as 64 hex digits. Parts are separated, so that ('ab','c') and ('a','bc') differ. */
export function sha256(...parts: Array<string | Uint8Array>): string {
  const hash = createHash('sha256')
  parts.forEach((part, index) => {
    if (index > 0) hash.update('\0')
    hash.update(part)
  })
  return hash.digest('hex')
}

/** First 20 hex digits (80 bits) of sha256: ids that a person can copy. */
export function shortHash(...parts: string[]): string {
  return sha256(...parts).slice(0, 20)
}
