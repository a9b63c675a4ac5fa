import { stemmer } from 'stemmer'
import { STOP_WORDS } from '../src/text/stop-words.ts'

const WORD = /[\p{L}\p{N}]+/gu

/** Lower-case words of any script without English function words, stemmed by Porter's algorithm. */
export function plainTerms(text: string): string[] {
  return (text.toLowerCase().match(WORD) ?? []).filter((word) => !STOP_WORDS.has(word)).map((word) => stemmer(word))
}

export interface Bm25Options {
  k1: number
  b: number
}

/**
 * Plain BM25 (Robertson & Zaragoza 2009) with Lucene's idf ln(1 + (N − df + 0.5)/(df + 0.5)): the yardstick,
 * kept apart from the engine on purpose.
 */
export class Bm25 {
  readonly #postings = new Map<string, Array<{ document: number; frequency: number }>>()
  readonly #lengths: number[] = []
  readonly #averageLength: number
  readonly #options: Bm25Options

  constructor(texts: readonly string[], options: Bm25Options) {
    this.#options = options
    texts.forEach((text, document) => {
      const terms = plainTerms(text)
      this.#lengths.push(terms.length)
      const frequencies = new Map<string, number>()
      for (const term of terms) frequencies.set(term, (frequencies.get(term) ?? 0) + 1)
      for (const [term, frequency] of frequencies) {
        const list = this.#postings.get(term)
        if (list) list.push({ document, frequency })
        else this.#postings.set(term, [{ document, frequency }])
      }
    })
    this.#averageLength = this.#lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, texts.length)
  }

  /** Documents that share a term with the query and their scores, best first; equal ones in document order. */
  rank(query: string): Array<{ document: number; score: number }> {
    const { k1, b } = this.#options
    const scores = new Map<number, number>()
    for (const term of plainTerms(query)) {
      const list = this.#postings.get(term) ?? []
      const idf = Math.log(1 + (this.#lengths.length - list.length + 0.5) / (list.length + 0.5))
      for (const { document, frequency } of list) {
        const norm = k1 * (1 - b + (b * (this.#lengths[document] ?? 0)) / this.#averageLength)
        scores.set(document, (scores.get(document) ?? 0) + (idf * frequency * (k1 + 1)) / (frequency + norm))
      }
    }
    return [...scores]
      .map(([document, score]) => ({ document, score }))
      .sort((x, y) => y.score - x.score || x.document - y.document)
  }
}
