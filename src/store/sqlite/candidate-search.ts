import { MadeleineError } from '../../errors.ts'
import { VECTOR_RESCORE } from '../../options.ts'
import type { Candidate, CandidateQuery, CandidateSet } from '../memory-store.ts'
import { compareRanked, type KeywordScores, rankByKeyword } from '../rank.ts'
import { toUnitVector } from '../vector-scan/unit-vector.ts'
import { pickBest } from './best-ordinals.ts'
import type { Connection } from './connection.ts'
import { EmbeddingStatus } from './embedding-status.ts'
import { type KeywordResult, KeywordScorer } from './keyword-scorer.ts'
import type { Layout } from './layout.ts'
import type { MemoryReader } from './memory-reader.ts'
import type { PostingEntries } from './posting-codec.ts'
import type { PostingIndex } from './posting-index.ts'
import { NO_VECTOR, type StoredIdentity, VectorIndex } from './vector-index.ts'

interface Parts {
  connection: Connection
  layout: Layout
  postings: PostingIndex
  reader: MemoryReader
  noNative: boolean
}

/** What one arm of the search knows of ordinals, and which it puts forward. */
interface VectorArm {
  cosine: (ordinal: number) => number
  picked: number[]
  holders: number
}

/** The search of the SQLite store: keyword and vector arm over the same filter, every candidate scored by both. */
export class CandidateSearch {
  readonly #parts: Parts
  readonly #scorer: KeywordScorer
  #vectors: VectorIndex | null = null
  #status: EmbeddingStatus | null = null

  constructor(parts: Parts) {
    this.#parts = parts
    this.#scorer = new KeywordScorer(parts.layout, parts.postings)
  }

  /** Within a read transaction. */
  find(query: CandidateQuery): CandidateSet {
    const { layout } = this.#parts
    const sequence = layout.refresh()
    const identity = query.identity === undefined ? null : this.#findIdentity(query.identity)
    const isAllowed = layout.compileFilter(query.filter)
    const keyword = this.#scorer.score(query.terms, query.filter.viewer.tenant)
    const { picked, rank } = this.#pickByKeyword(keyword, isAllowed, query.limit)
    const arm = this.#searchVectors(query, { identity, sequence, isAllowed })
    const textHolders = countWhere(keyword.text.touched.subarray(0, keyword.text.count), isAllowed)
    const both =
      arm === null
        ? 0
        : countWhere(
            keyword.text.touched.subarray(0, keyword.text.count),
            (ordinal) => isAllowed(ordinal) && arm.cosine(ordinal) > NO_VECTOR,
          )
    const ordinals = [...new Set([...picked, ...(arm?.picked ?? [])])]
    const ranked = ordinals.map((ordinal) => ({
      candidate: this.#toCandidate(ordinal, keyword, arm),
      rank: rank(ordinal),
      field: keyword.field.values[ordinal] ?? 0,
    }))
    return {
      candidates: ranked.sort(compareRanked).map(({ candidate }) => candidate),
      documentFrequencies: keyword.lists.map((list) => list.length / 2),
      memoryCount: layout.totals(query.filter.viewer.tenant).memories,
      matchedCount: textHolders + (arm?.holders ?? 0) - both,
      pendingCount: query.identity === undefined ? 0 : this.#countPending(identity, sequence, isAllowed),
    }
  }

  #findIdentity(name: string): StoredIdentity | null {
    const row = this.#parts.connection.sql('SELECT id, dimensions FROM identity WHERE name = ?').get(name)
    return row ? { number: Number(row.id), dimensions: Number(row.dimensions ?? 0) } : null
  }

  #pickByKeyword(
    keyword: KeywordResult,
    isAllowed: (ordinal: number) => boolean,
    limit: number,
  ): { picked: number[]; rank: (ordinal: number) => number } {
    const { window, field } = keyword
    const found: number[] = []
    for (let i = 0; i < window.count; i++) found.push(window.touched[i] ?? 0)
    for (let i = 0; i < field.count; i++) {
      const ordinal = field.touched[i] ?? 0
      if (window.values[ordinal] === 0) found.push(ordinal)
    }
    const allowed = found.filter(isAllowed)
    const maxima = { text: 0, window: 0, document: 0 }
    for (const ordinal of allowed) {
      const { text, window, document } = this.#scoresOf(ordinal, keyword)
      if (text > maxima.text) maxima.text = text
      if (window > maxima.window) maxima.window = window
      if (document > maxima.document) maxima.document = document
    }
    const isFound = new Set(allowed)
    const rank = (ordinal: number): number =>
      isFound.has(ordinal) ? rankByKeyword(this.#scoresOf(ordinal, keyword), maxima) : 0
    const picked = pickBest(allowed, limit, {
      keys: [rank, (ordinal) => field.values[ordinal] ?? 0],
      idsOf: (ordinals) => this.#parts.reader.readIds(ordinals),
    })
    return { picked, rank }
  }

  #scoresOf(ordinal: number, { text, window, documents }: KeywordResult): KeywordScores {
    return {
      text: text.values[ordinal] ?? 0,
      window: window.values[ordinal] ?? 0,
      document: documents.values[this.#parts.layout.document[ordinal] ?? 0] ?? 0,
    }
  }

  #searchVectors(
    query: CandidateQuery,
    at: { identity: StoredIdentity | null; sequence: number; isAllowed: (ordinal: number) => boolean },
  ): VectorArm | null {
    const { connection, layout, reader, noNative } = this.#parts
    const dimensions = at.identity?.dimensions || undefined
    const queries = query.vectors.map((vector) => toUnitVector(vector, dimensions))
    if (queries.length === 0 || at.identity === null || dimensions === undefined) return null
    if (!this.#vectors?.isFor(at.identity)) {
      this.#vectors = new VectorIndex(connection, layout, { identity: at.identity, noNative })
    }
    const vectors = this.#vectors
    vectors.refresh(at.sequence)
    const best = vectors.score(queries)
    const holders: number[] = []
    for (let ordinal = 0; ordinal < best.length; ordinal++) {
      if ((best[ordinal] ?? NO_VECTOR) > NO_VECTOR && at.isAllowed(ordinal)) holders.push(ordinal)
    }
    const idsOf = (ordinals: readonly number[]): Map<number, string> => reader.readIds(ordinals)
    const cosine = (ordinal: number): number => best[ordinal] ?? NO_VECTOR
    const nearest = pickBest(holders, VECTOR_RESCORE, { keys: [cosine], idsOf })
    for (const ordinal of nearest) best[ordinal] = vectors.scoreExactly(ordinal, queries)
    return { cosine, picked: pickBest(holders, query.limit, { keys: [cosine], idsOf }), holders: holders.length }
  }

  #countPending(identity: StoredIdentity | null, sequence: number, isAllowed: (ordinal: number) => boolean): number {
    const { connection, layout } = this.#parts
    const number = identity?.number ?? 0
    if (this.#status?.identity !== number) this.#status = new EmbeddingStatus(connection, number)
    const status = this.#status
    status.refresh(sequence, layout.capacity)
    let count = 0
    for (let ordinal = 0; ordinal < layout.capacity; ordinal++) {
      if (isAllowed(ordinal) && !status.isDone(ordinal)) count += 1
    }
    return count
  }

  #toCandidate(ordinal: number, keyword: KeywordResult, arm: VectorArm | null): Candidate {
    const memory = this.#parts.reader.readByOrdinal(ordinal)
    if (!memory) {
      throw new MadeleineError(
        'STORE_UNUSABLE',
        `Cannot read memory ${ordinal}: the index names it and it is not there`,
        {
          remedy: 'Run "madeleine doctor"',
        },
      )
    }
    const vector = arm?.cosine(ordinal) ?? NO_VECTOR
    return {
      memory,
      ...this.#scoresOf(ordinal, keyword),
      matched: keyword.lists.flatMap((list, index) => (holds(list, ordinal) ? [index] : [])),
      ...(vector > NO_VECTOR && { vector }),
    }
  }
}

function countWhere(ordinals: Int32Array, test: (ordinal: number) => boolean): number {
  let count = 0
  for (const ordinal of ordinals) if (test(ordinal)) count += 1
  return count
}

/** Whether a posting list holds the ordinal. */
function holds(list: PostingEntries, ordinal: number): boolean {
  let low = 0
  let high = list.length / 2 - 1
  while (low <= high) {
    const middle = (low + high) >>> 1
    const value = list[middle * 2] ?? 0
    if (value === ordinal) return true
    if (value < ordinal) low = middle + 1
    else high = middle - 1
  }
  return false
}
