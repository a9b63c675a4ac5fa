import { MIN_QUOTED_WORDS } from './correlation-options.ts'
import { gramAt } from './read-words.ts'
import type { Reference } from './reference.ts'
import type { TextReading } from './text-reading.ts'

/**
 * Runs of at least MIN_QUOTED_WORDS words that stand in both texts in the same order, letter case and punctuation aside. In order,
 * none overlapping; expected linear in the length of both texts.
 */
export function findQuotes(from: TextReading, to: TextReading): Reference[] {
  const { grams: places, words: there } = to
  if (places.size === 0 || from.grams.size === 0) return []
  const here = from.words
  const found: Reference[] = []
  for (let at = 0; at + MIN_QUOTED_WORDS <= here.length; at++) {
    const place = places.get(gramAt(here, at, MIN_QUOTED_WORDS))
    if (place === undefined) continue
    let length = MIN_QUOTED_WORDS
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
