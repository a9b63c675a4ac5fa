import { hash } from 'node:crypto'

/** sha256 as 64 hex digits. Parts are separated, so that ('ab','c') and ('a','bc') differ. */
export function sha256(...parts: Array<string | Uint8Array>): string {
  // All at once: a call for each part takes many times as long, and there are some for every memory.
  const [first = '', ...rest] = parts
  if (rest.length === 0) return hash('sha256', first, 'hex')
  if (parts.every((part) => typeof part === 'string')) return hash('sha256', parts.join('\0'), 'hex')
  const separated = parts.flatMap((part, at) => (at > 0 ? [SEPARATOR, Buffer.from(part)] : [Buffer.from(part)]))
  return hash('sha256', Buffer.concat(separated), 'hex')
}

const SEPARATOR = Buffer.from('\0')

/** First 20 hex digits (80 bits) of sha256: ids that a person can copy. */
export function shortHash(...parts: string[]): string {
  return sha256(...parts).slice(0, 20)
}
