import { SKETCH_HASHES } from '../../options.ts'
import { tokenize } from '../../text/tokenize.ts'

/**
 * A sketch of the words of a text: the least SKETCH_HASHES of their hashes, ascending (bottom-k sketch, Cohen & Kaplan 2007). Whole for
 * short texts. 16 bits a word: enough to compare texts, too few to tell which words they were.
 */
export function sketchOf(text: string): Uint16Array {
  const tokens = tokenize(text)
  const words = tokens.filter(({ kind }) => kind === 'word')
  // Texts on different things share their function words.
  const hashes = new Set((words.length > 0 ? words : tokens).map(({ term }) => hashWord(term)))
  return Uint16Array.from([...hashes].sort((a, b) => a - b).slice(0, SKETCH_HASHES))
}

/** Shared words among all words of two texts (Jaccard), [0,1], by their sketches; 0 for a text without words. */
export function likenessOf(a: Uint16Array, b: Uint16Array): number {
  let shared = 0
  let seen = 0
  for (let i = 0, j = 0; seen < SKETCH_HASHES && (i < a.length || j < b.length); seen++) {
    const [left, right] = [a[i] ?? Number.POSITIVE_INFINITY, b[j] ?? Number.POSITIVE_INFINITY]
    if (left === right) shared += 1
    if (left <= right) i += 1
    if (right <= left) j += 1
  }
  return seen === 0 ? 0 : shared / seen
}

/** FNV-1a, folded to 16 bits. */
function hashWord(word: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < word.length; at++) {
    hash ^= word.charCodeAt(at)
    hash = Math.imul(hash, 0x01000193)
  }
  return ((hash >>> 16) ^ hash) & 0xffff
}
