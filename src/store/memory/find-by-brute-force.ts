import { CATEGORIES } from '../../model/memory.ts'
import type { MemoryFilter } from '../../model/search.ts'
import { WINDOW_RADIUS } from '../../options.ts'
import { termKey } from '../../text/index-terms.ts'
import { inverseDocumentFrequency, saturate } from '../bm25.ts'
import { compareText, occurredMs } from '../canonical-place.ts'
import { isInRange, isOfKind, maySee } from '../memory-filter.ts'
import type { Candidate, CandidateQuery, CandidateSet, TermCounts, TermKey } from '../memory-store.ts'
import { categoryQuota, compareRanked, type KeywordScores, type RankedCandidate, rankByKeyword } from '../rank.ts'
import { dot, toUnitVector } from '../vector-scan/unit-vector.ts'
import { type Corpus, documentKey, type HeldMemory } from './corpus.ts'

/** Vectors of one memory for one embed text. An empty list: the model cannot represent it. */
export interface HeldVectors {
  identity: string
  embedText: string
  windows: readonly Float32Array[]
  tokens?: Int8Array
}

/** A body of text that is scored as one: a memory, a window of neighbours, or a document. */
interface Body {
  frequencies: number[]
  length: number
}

/** Whether the filter lets a memory through. */
export function passesFilter({ memory, occurrences }: HeldMemory, filter: MemoryFilter): boolean {
  return (
    maySee(filter.viewer, memory.scope) &&
    isOfKind(memory, filter) &&
    isInRange(
      occurrences.map(({ place }) => occurredMs(place)),
      filter,
    )
  )
}

/** Compares every memory with the query, one by one: what an index has to agree with. */
export function findByBruteForce(
  corpus: Corpus,
  vectors: ReadonlyMap<string, HeldVectors>,
  query: CandidateQuery,
): CandidateSet {
  const { filter, limit, identity } = query
  const ofTenant = [...corpus.memories.values()].filter(({ memory }) => memory.scope.tenant === filter.viewer.tenant)
  const allowed = ofTenant.filter((held) => passesFilter(held, filter))
  const keyword = scoreByKeyword(corpus, ofTenant, query)
  const queryVectors = query.vectors.map((vector) => toUnitVector(vector))
  const scored = allowed.map((held): RankedCandidate => {
    const { memory } = held
    const matched = query.terms.flatMap(({ term, field }, index) =>
      held.terms.frequencies.has(termKey(field, term)) ? [index] : [],
    )
    const vector = bestCosine(vectors.get(memory.id), identity, queryVectors)
    const scores = keyword.scores.get(memory.id) ?? { text: 0, window: 0, document: 0 }
    const field = matched.reduce((sum, index) => sum + (keyword.fieldWeights[index] ?? 0), 0)
    return { candidate: { memory, ...scores, matched, ...(vector !== undefined && { vector }) }, rank: 0, field }
  })
  const byKeyword = scored.filter(({ candidate, field }) => candidate.window > 0 || field > 0)
  const maxima = maximaOf(byKeyword.map(({ candidate }) => candidate))
  for (const one of byKeyword) one.rank = rankByKeyword(one.candidate, maxima)
  byKeyword.sort((a, b) => b.rank - a.rank || b.field - a.field || compareIds(a, b))
  const byVector = scored
    .filter(({ candidate }) => candidate.vector !== undefined)
    .sort((a, b) => (b.candidate.vector ?? 0) - (a.candidate.vector ?? 0) || compareIds(a, b))
  const kept = new Set([...cutAt(byKeyword, limit), ...cutAt(byVector, limit)])
  return {
    candidates: [...kept].sort(compareRanked).map(({ candidate }) => candidate),
    documentFrequencies: keyword.documentFrequencies,
    memoryCount: ofTenant.length,
    matchedCount: scored.filter(({ candidate }) => candidate.text > 0 || candidate.vector !== undefined).length,
    pendingCount:
      identity === undefined ? 0 : allowed.filter(({ memory }) => vectors.get(memory.id)?.identity !== identity).length,
  }
}

/** How many memories of a tenant hold each term. */
export function countHoldersByBruteForce(corpus: Corpus, terms: readonly TermKey[], tenant: string): TermCounts {
  const held = [...corpus.memories.values()].filter(({ memory }) => memory.scope.tenant === tenant)
  const keys = terms.map(({ term, field }) => termKey(field, term))
  return {
    documentFrequencies: keys.map((key) => held.filter(({ terms: own }) => own.frequencies.has(key)).length),
    memoryCount: held.length,
  }
}

/** The first ones, and the first of each category up to its quota. */
function cutAt(ranked: readonly RankedCandidate[], limit: number): RankedCandidate[] {
  const quota = categoryQuota(limit)
  const ofEach = CATEGORIES.map((category) => ranked.filter(({ candidate }) => candidate.memory.category === category))
  return [...ranked.slice(0, limit), ...ofEach.flatMap((some) => some.slice(0, quota))]
}

function compareIds(a: RankedCandidate, b: RankedCandidate): number {
  return compareText(a.candidate.memory.id, b.candidate.memory.id)
}

function maximaOf(candidates: readonly Candidate[]): KeywordScores {
  const maxima = { text: 0, window: 0, document: 0 }
  for (const { text, window, document } of candidates) {
    maxima.text = Math.max(maxima.text, text)
    maxima.window = Math.max(maxima.window, window)
    maxima.document = Math.max(maxima.document, document)
  }
  return maxima
}

function bestCosine(
  held: HeldVectors | undefined,
  identity: string | undefined,
  queryVectors: readonly Float32Array[],
): number | undefined {
  if (!held || held.identity !== identity || held.windows.length === 0 || queryVectors.length === 0) return undefined
  return Math.max(...held.windows.flatMap((window) => queryVectors.map((vector) => dot(window, vector))))
}

function scoreByKeyword(corpus: Corpus, ofTenant: readonly HeldMemory[], { terms }: CandidateQuery) {
  const keys = terms.map(({ term, field }) => termKey(field, term))
  const documentFrequencies = keys.map((key) => ofTenant.filter((held) => held.terms.frequencies.has(key)).length)
  const isText = terms.map(({ field }) => field === 'text')
  const idf = documentFrequencies.map((df) => inverseDocumentFrequency(ofTenant.length, df))
  const bodyOf = (ids: readonly string[]): Body => joinBodies(corpus, ids, keys)
  const texts = new Map<string, Body>()
  const windows = new Map<string, Body>()
  const documents = new Map<string, Body>()
  for (const { memory } of ofTenant) {
    const key = documentKey(memory.place)
    const sequence = corpus.sequences.get(key) ?? []
    const at = sequence.indexOf(memory.id)
    texts.set(memory.id, bodyOf([memory.id]))
    windows.set(memory.id, bodyOf(sequence.slice(Math.max(0, at - WINDOW_RADIUS), at + WINDOW_RADIUS + 1)))
    if (!documents.has(key)) documents.set(key, bodyOf(sequence))
  }
  const documentIdf = keys.map((_, index) => {
    const df = [...documents.values()].filter(({ frequencies }) => (frequencies[index] ?? 0) > 0).length
    return inverseDocumentFrequency(documents.size, df)
  })
  const weigh = (idfs: readonly number[]): number[] =>
    terms.map(({ weight }, index) => (isText[index] ? weight * (idfs[index] ?? 0) : 0))
  const scoreText = scorer(texts, weigh(idf))
  const scoreWindow = scorer(windows, weigh(idf))
  const scoreDocument = scorer(documents, weigh(documentIdf))
  return {
    documentFrequencies,
    fieldWeights: terms.map(({ weight }, index) => (isText[index] ? 0 : weight * (idf[index] ?? 0))),
    scores: new Map(
      ofTenant.map(({ memory }): [string, KeywordScores] => [
        memory.id,
        {
          text: scoreText(memory.id),
          window: scoreWindow(memory.id),
          document: scoreDocument(documentKey(memory.place)),
        },
      ]),
    ),
  }
}

function joinBodies(corpus: Corpus, ids: readonly string[], keys: readonly string[]): Body {
  const terms = ids.flatMap((id) => corpus.memories.get(id)?.terms ?? [])
  return {
    frequencies: keys.map((key) => terms.reduce((sum, { frequencies }) => sum + (frequencies.get(key) ?? 0), 0)),
    length: terms.reduce((sum, { length }) => sum + length, 0),
  }
}

function scorer(bodies: ReadonlyMap<string, Body>, weights: readonly number[]): (key: string) => number {
  let total = 0
  for (const { length } of bodies.values()) total += length
  const average = total / bodies.size
  return (key) => {
    const body = bodies.get(key)
    let score = 0
    body?.frequencies.forEach((tf, index) => {
      if (tf > 0) score += (weights[index] ?? 0) * saturate(tf, body.length, average)
    })
    return score
  }
}
