import { foldText } from '../text/word-tokens.ts'

/** Words between spaces, and single characters of scripts without spaces. */
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]\p{M}*|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}])[\p{L}\p{M}\p{N}])+/gu

/** A word as quotations are compared by it: letter case and punctuation aside. */
export interface QuotableWord {
  folded: string
  start: number
  end: number
}

export function readWords(text: string): QuotableWord[] {
  return Array.from(text.matchAll(WORD), ({ 0: raw, index }) => ({
    folded: foldText(raw),
    start: index,
    end: index + raw.length,
  }))
}

/** The run of `length` words that begins at a word, as one key. */
export function gramAt(words: readonly QuotableWord[], at: number, length: number): string {
  return words
    .slice(at, at + length)
    .map(({ folded }) => folded)
    .join(' ')
}

/** All runs of `length` words, and where each first begins. */
export function gramsOf(words: readonly QuotableWord[], length: number): Map<string, number> {
  const places = new Map<string, number>()
  for (let at = 0; at + length <= words.length; at++) {
    const gram = gramAt(words, at, length)
    if (!places.has(gram)) places.set(gram, at)
  }
  return places
}
