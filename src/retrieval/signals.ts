import type { Memory } from '../model/memory.ts'
import type { SignalScores } from '../model/search.ts'
import {
  ANSWER_SHARE,
  BM25_K1,
  COMMON_FIELD_SHARE,
  KEYWORD_SHARES,
  MIN_IDF_MEMORIES,
  VECTOR_MIN_SPREAD,
} from '../options.ts'
import type { Candidate, CandidateSet } from '../store/memory-store.ts'
import type { QueryWord } from './analyze-query.ts'
import { questionShare } from './question-share.ts'

/** A candidate with what each signal says of it. */
export interface ScoredCandidate {
  candidate: Candidate
  /** Absolute, [0,1]: the same evidence gives the same value in any store and for any query. */
  signals: SignalScores
  /** Keyword and vector evidence relative to the best candidate of this query, [0,1]: what decides the order. */
  relative: { keyword: number; vector: number }
  /** Share of the query's word weight that the memory itself holds, [0,1]. */
  coverage: number
  /** The same for the memory with its neighbours, read off the window's BM25 score. */
  windowCoverage: number
  /** Terms of the query that the memory holds. */
  matchedTerms: string[]
}

/** Lucene's inverse document frequency, ≥ 0: ln(1 + (N − df + 0.5) / (df + 0.5)). */
export function inverseDocumentFrequency(memoryCount: number, documentFrequency: number): number {
  const df = Math.min(documentFrequency, memoryCount)
  return Math.log(1 + (memoryCount - df + 0.5) / (df + 0.5))
}

/** Whether most memories hold a word in their headings or paths: then it says nothing there. */
function isCommon(documentFrequency: number, memoryCount: number): boolean {
  return memoryCount > 2 && documentFrequency > memoryCount * COMMON_FIELD_SHARE
}

/**
 * Scores every candidate by the four signals. `words` must be those from which the query's terms were made, three
 * terms a word (body, heading, path).
 */
export function scoreSignals(set: CandidateSet, words: readonly QueryWord[]): ScoredCandidate[] {
  const { candidates, documentFrequencies } = set
  // A store of three notes knows too little to say which words are rare.
  const memoryCount = Math.max(set.memoryCount, MIN_IDF_MEMORIES)
  const weights = words.map((word, index) => {
    const df = (offset: number): number => documentFrequencies[index * 3 + offset] ?? 0
    const rarity = (offset: number): number => word.weight * inverseDocumentFrequency(memoryCount, df(offset))
    return {
      text: rarity(0),
      header: isCommon(df(1), set.memoryCount) ? 0 : rarity(1),
      path: isCommon(df(2), set.memoryCount) ? 0 : rarity(2),
      // An extra form that no memory holds was only a guess: it must not lower anybody's share.
      expected: { text: !word.optional || df(0) > 0, header: !word.optional, path: !word.optional },
    }
  })
  const total = (field: 'text' | 'header' | 'path'): number =>
    weights.reduce((sum, weight) => sum + (weight.expected[field] ? weight[field] : 0), 0)
  const scoreOfAll = words.reduce((sum, { weight, optional }, index) => {
    const df = documentFrequencies[index * 3] ?? 0
    return optional && df === 0 ? sum : sum + weight * inverseDocumentFrequency(set.memoryCount, df)
  }, 0)
  const totals = { text: total('text'), header: total('header'), path: total('path') }
  const best = {
    text: Math.max(0, ...candidates.map(({ text }) => text)),
    window: Math.max(0, ...candidates.map(({ window }) => window)),
    document: Math.max(0, ...candidates.map(({ document }) => document)),
  }
  const vectors = candidates.flatMap(({ vector }) => (vector === undefined ? [] : [vector]))
  const highest = Math.max(...vectors)
  const spread = Math.max(VECTOR_MIN_SPREAD, highest - Math.min(...vectors))

  const asked = findAsked(candidates)
  return candidates.map((candidate) => {
    const held = { text: 0, header: 0, path: 0 }
    const matchedTerms: string[] = []
    for (const index of candidate.matched) {
      const word = words[Math.floor(index / 3)]
      const weight = weights[Math.floor(index / 3)]
      if (!word || !weight) continue
      const field = index % 3 === 0 ? 'text' : index % 3 === 1 ? 'header' : 'path'
      held[field] += weight[field]
      if (!matchedTerms.includes(word.term)) matchedTerms.push(word.term)
    }
    const shares = KEYWORD_SHARES[candidate.memory.category]
    const relativeKeyword =
      (shares.text * share(candidate.text + ANSWER_SHARE * (asked.get(candidate) ?? 0), best.text) +
        shares.window * share(candidate.window, best.window) +
        shares.document * share(candidate.document, best.document)) /
      (shares.text + shares.window + shares.document)
    return {
      candidate,
      signals: {
        vector: Math.max(0, Math.min(1, candidate.vector ?? 0)),
        keyword: share(candidate.text, scoreOfAll * (BM25_K1 + 1)),
        header: share(held.header, totals.header),
        filepath: share(held.path, totals.path),
      },
      relative: {
        keyword: relativeKeyword,
        vector:
          candidate.vector === undefined || highest <= 0 ? 0 : Math.max(0, 1 - (highest - candidate.vector) / spread),
      },
      coverage: share(held.text, totals.text),
      windowCoverage: Math.max(share(held.text, totals.text), share(candidate.window, scoreOfAll)),
      matchedTerms,
    }
  })
}

function share(part: number, whole: number): number {
  return whole > 0 ? Math.min(1, part / whole) : 0
}

/**
 * The text score of the question that a turn answers. People answer what the other one just asked without saying its words
 * again. Only between people: an agent's answer follows every turn, and what matters there is what the user said.
 */
function findAsked(candidates: readonly Candidate[]): Map<Candidate, number> {
  const keyOf = ({ root, path }: Memory['place'], position: number): string => `${root}\0${path}\0${position}`
  const turns = candidates.filter(({ memory }) => memory.speaker !== undefined)
  const byPlace = new Map(turns.map((turn) => [keyOf(turn.memory.place, turn.memory.place.position), turn]))
  const asked = new Map<Candidate, number>()
  for (const turn of turns) {
    const { place, speaker } = turn.memory
    const before = byPlace.get(keyOf(place, place.position - 1))
    if (!before || before.memory.speaker === speaker) continue
    const score = questionShare(before.memory.text) * before.text
    if (score > 0) asked.set(turn, score)
  }
  return asked
}
