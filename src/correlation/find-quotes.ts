import { foldText } from '../text/word-tokens.ts'
import type { Reference } from './reference.ts'

/** Words between spaces, and single characters of scripts without spaces. */
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]\p{M}*|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}])[\p{L}\p{M}\p{N}])+/gu

interface Word {
  folded: string
  start: number
  end: number
}

function readWords(text: string): Word[] {
  return Array.from(text.matchAll(WORD), ({ 0: raw, index }) => ({
    folded: foldText(raw),
    start: index,
    end: index + raw.length,
  }))
}

/**
 * Runs of at least `minWords` words that stand in both texts in the same order, letter case and punctuation aside. In order, none
 * overlapping; expected linear in the length of both texts.
 */
export function findQuotes(text: string, other: string, minWords: number): Reference[] {
  const [here, there] = [readWords(text), readWords(other)]
  const gramAt = (words: readonly Word[], at: number): string =>
    words
      .slice(at, at + minWords)
      .map(({ folded }) => folded)
      .join(' ')
  const places = new Map<string, number>()
  for (let at = 0; at + minWords <= there.length; at++) {
    const gram = gramAt(there, at)
    if (!places.has(gram)) places.set(gram, at)
  }
  const found: Reference[] = []
  for (let at = 0; at + minWords <= here.length; at++) {
    const place = places.get(gramAt(here, at))
    if (place === undefined) continue
    let length = minWords
    while (at + length < here.length && here[at + length]?.folded === there[place + length]?.folded) length += 1
    const [first, last] = [here[at], here[at + length - 1]]
    const [targetFirst, targetLast] = [there[place], there[place + length - 1]]
    if (first && last && targetFirst && targetLast) {
      const target = { start: targetFirst.start, end: targetLast.end }
      found.push({ kind: 'quote', start: first.start, end: last.end, target })
    }
    at += length - 1
  }
  return found
}
