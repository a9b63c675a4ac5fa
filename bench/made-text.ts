import { readFileSync } from 'node:fs'
import { findModelFiles } from '../src/embedding/bundled/pack-cache.ts'

/** Numbers in [0,1) that are the same in every run (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

/** Draws English by rank: `word` as running text has it, `rareWord` what a text is about. */
export interface WordSource {
  word(): string
  rareWord(): string
  /** Sentences of 6 to 16 words, `words` in all. */
  prose(words: number): string
}

/** The most frequent words say nothing by themselves. */
const COMMON_RANKS = 300
const SENTENCE = { least: 6, most: 16 }

/**
 * English words in the order of their frequency: the whole words of the bundled model's own vocabulary, so that a made
 * text has as many tokens as a real one of its length. The n-th word is drawn with a probability in proportion to 1 / n.
 */
export async function createWordSource(random: () => number): Promise<WordSource> {
  const words = await readVocabulary()
  const draw = (from: number): string => {
    const low = Math.log(from)
    return words[Math.floor(Math.exp(low + random() * (Math.log(words.length) - low))) - 1] ?? 'word'
  }
  const word = (): string => draw(1)
  return {
    word,
    rareWord: () => draw(COMMON_RANKS),
    prose(count) {
      let text = ''
      for (let left = count; left > 0; ) {
        const length = Math.min(left, SENTENCE.least + Math.floor(random() * (SENTENCE.most - SENTENCE.least)))
        const sentence = Array.from({ length }, word).join(' ')
        text += `${text === '' ? '' : ' '}${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`
        left -= length
      }
      return text
    },
  }
}

async function readVocabulary(): Promise<string[]> {
  const { tokenizerPath } = await findModelFiles()
  const { model }: { model: { vocab: Record<string, number> } } = JSON.parse(readFileSync(tokenizerPath, 'utf8'))
  return Object.entries(model.vocab)
    .sort(([, a], [, b]) => a - b)
    .map(([piece]) => piece)
    .filter((piece) => /^[a-z]{2,}$/.test(piece))
}
