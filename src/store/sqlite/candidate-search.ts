import type { Memory } from '../../model/memory.ts'
import { VECTOR_RESCORE } from '../../options.ts'
import type { Contenders } from '../keyword-index/best-ordinals.ts'
import { KeptLists } from '../keyword-index/kept-lists.ts'
import { contendByKeyword, mapToFloats, matchedTerms, scoresOf } from '../keyword-index/keyword-evidence.ts'
import { type KeywordResult, KeywordScorer } from '../keyword-index/keyword-scorer.ts'
import type { Layout } from '../keyword-index/layout.ts'
import { pickCandidates } from '../keyword-index/pick-candidates.ts'
import type { Candidate, CandidateQuery, CandidateSet, TermCounts, TermKey } from '../memory-store.ts'
import { compareRanked, rankByKeyword } from '../rank.ts'
import { ExpectedScans } from '../vector-scan/expected-scans.ts'
import { findNearest } from '../vector-scan/find-nearest.ts'
import { toUnitVector } from '../vector-scan/unit-vector.ts'
import { NO_VECTOR } from '../vector-scan/vector-rows.ts'
import type { Connection } from './connection.ts'
import { EmbeddingStatus } from './embedding-status.ts'
import type { MemoryReader } from './memory-reader.ts'
import type { PostingIndex } from './posting-index.ts'
import { SearchedMemories } from './searched-memories.ts'
import { VectorIndex } from './vector-index.ts'
import type { StoredIdentity } from './vector-pages.ts'
import { findIdentity, lastTaken } from './vectors.ts'

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
  /** Cosines of 8 bits by ordinal, NO_VECTOR where there is none. */
  best: Float32Array
  picked: number[]
  holders: number
}

/** The search of the SQLite store: keyword and vector arm over the same filter, every candidate scored by both. */
export class CandidateSearch {
  readonly #parts: Parts
  readonly #lists: KeptLists
  readonly #scorer: KeywordScorer
  readonly #memories: SearchedMemories
  readonly #expected = new ExpectedScans()
  #vectors: VectorIndex | null = null
  #status: EmbeddingStatus | null = null
  /** The change up to which it has followed what was taken away. */
  #taken = 0
  /** Memories that wait, by what a filter lets through: with every change of the store the layout makes that anew. */
  #pending = new WeakMap<Uint8Array, number>()

  constructor(parts: Parts) {
    this.#parts = parts
    this.#lists = new KeptLists(parts.postings)
    this.#scorer = new KeywordScorer(parts.layout, this.#lists)
    this.#memories = new SearchedMemories(parts.connection, parts.reader)
  }

  /** Lets go of what it knows of vectors where some were taken away since: by this process or another. */
  #followTaken(): void {
    const taken = lastTaken(this.#parts.connection)
    if (taken === this.#taken) return
    this.#taken = taken
    this.#vectors = null
    this.#status = null
  }

  /** The vectors of an identity as they are now, once the layout is; null where there are none. Within a read transaction. */
  vectorsOf(name: string | undefined, sequence: number): VectorIndex | null {
    this.#followTaken()
    const identity = name === undefined ? null : findIdentity(this.#parts.connection, name)
    return identity && identity.dimensions > 0 ? this.#refreshVectors(identity, sequence) : null
  }

  /** Lets go of what it knows of memories of which this process noted that they were read. */
  forgetAccess(ids: readonly string[]): void {
    this.#memories.forget(ids)
  }

  #refresh(): number {
    const sequence = this.#parts.layout.refresh()
    this.#lists.refresh(sequence)
    this.#followTaken()
    return sequence
  }

  /** Within a read transaction. */
  find(query: CandidateQuery): CandidateSet {
    const { connection, layout } = this.#parts
    const sequence = this.#refresh()
    const identity = query.identity === undefined ? null : findIdentity(connection, query.identity)
    const allowed = layout.applyFilter(query.filter)
    const keyword = this.#scorer.score(query.terms, query.filter.viewer.tenant)
    const { contenders, maxima } = contendByKeyword(layout, keyword, allowed, query.limit)
    const picked = this.#pick(contenders, query.limit)
    const arm = this.#searchVectors(query, { identity, sequence, allowed })
    const memories = this.#memories.read(new Set([...picked, ...(arm?.picked ?? [])]), sequence)
    const ranked = [...memories].map(([ordinal, memory]) => {
      const candidate = this.#toCandidate({ ordinal, memory }, keyword, arm)
      const field = keyword.field.values[ordinal] ?? 0
      const isFound = candidate.window > 0 || field > 0
      return { candidate, rank: isFound ? rankByKeyword(candidate, maxima) : 0, field }
    })
    return {
      candidates: ranked.sort(compareRanked).map(({ candidate }) => candidate),
      documentFrequencies: keyword.lists.map((list) => list.length / 2),
      memoryCount: layout.totals(query.filter.viewer.tenant).memories,
      matchedCount: countMatched(keyword, arm, allowed),
      pendingCount: query.identity === undefined ? 0 : this.#countPending(identity, sequence, allowed),
    }
  }

  /** Compares vectors that the next queries will ask for; within a read transaction. */
  expect(name: string, lists: ReadonlyArray<readonly Float32Array[]>): void {
    const sequence = this.#refresh()
    const { rows } = this.vectorsOf(name, sequence) ?? {}
    const comparable = lists.filter((list) => list.every(({ length }) => length === rows?.dimensions))
    if (rows && comparable.length > 1)
      this.#expected.announce(
        rows,
        sequence,
        comparable.map((list) => list.map((one) => toUnitVector(one))),
      )
  }

  /** Within a read transaction. */
  countHolders(terms: readonly TermKey[], tenant: string): TermCounts {
    const { layout } = this.#parts
    this.#refresh()
    return {
      documentFrequencies: this.#scorer.countHolders(terms, tenant),
      memoryCount: layout.totals(tenant).memories,
    }
  }

  /** The best, and the best of each category up to its quota. */
  #pick(contenders: Contenders, limit: number): number[] {
    const { layout, reader } = this.#parts
    return pickCandidates(layout, contenders, limit, (some) => reader.readIds(some))
  }

  #searchVectors(
    query: CandidateQuery,
    at: { identity: StoredIdentity | null; sequence: number; allowed: Uint8Array },
  ): VectorArm | null {
    const dimensions = at.identity?.dimensions || undefined
    const queries = query.vectors.map((vector) => toUnitVector(vector, dimensions))
    if (queries.length === 0 || at.identity === null || dimensions === undefined) return null
    const vectors = this.#refreshVectors(at.identity, at.sequence)
    const best = this.#expected.find(vectors.rows, at.sequence, queries) ?? vectors.rows.score(queries)
    const looked = Math.max(query.limit, VECTOR_RESCORE)
    const { contenders, holders } = findNearest(this.#parts.layout, best, at.allowed, looked)
    const near = Int32Array.from(this.#pick(contenders, looked))
    const pick = (cosine: (ordinal: number) => number, limit: number): number[] =>
      this.#pick({ ordinals: near, keys: [mapToFloats(near, cosine)] }, limit)
    const rounded = (ordinal: number): number => best[ordinal] ?? NO_VECTOR
    const exact = vectors.scoreExactly(pick(rounded, VECTOR_RESCORE), queries)
    const cosine = (ordinal: number): number => exact.get(ordinal) ?? rounded(ordinal)
    return { cosine, best, picked: pick(cosine, query.limit), holders }
  }

  #refreshVectors(identity: StoredIdentity, sequence: number): VectorIndex {
    const { connection, layout, noNative } = this.#parts
    if (!this.#vectors?.isFor(identity)) this.#vectors = new VectorIndex(connection, layout, { identity, noNative })
    this.#vectors.refresh(sequence)
    return this.#vectors
  }

  #countPending(identity: StoredIdentity | null, sequence: number, allowed: Uint8Array): number {
    const { connection, layout } = this.#parts
    const number = identity?.number ?? 0
    if (this.#status?.identity !== number) {
      this.#status = new EmbeddingStatus(connection, number)
      this.#pending = new WeakMap()
    }
    const status = this.#status
    status.refresh(sequence, layout.capacity)
    const known = this.#pending.get(allowed)
    if (known !== undefined) return known
    let count = 0
    for (let ordinal = 0; ordinal < allowed.length; ordinal++) {
      if (allowed[ordinal] === 1 && !status.isDone(ordinal)) count += 1
    }
    this.#pending.set(allowed, count)
    return count
  }

  #toCandidate(
    { ordinal, memory }: { ordinal: number; memory: Readonly<Memory> },
    keyword: KeywordResult,
    arm: VectorArm | null,
  ): Candidate {
    const vector = arm?.cosine(ordinal) ?? NO_VECTOR
    return {
      memory,
      ...scoresOf(this.#parts.layout, ordinal, keyword),
      matched: matchedTerms(keyword, ordinal),
      ...(vector > NO_VECTOR && { vector }),
    }
  }
}

/** Allowed memories that hold a word of the query or have a vector. */
function countMatched({ text }: KeywordResult, arm: VectorArm | null, allowed: Uint8Array): number {
  let count = arm?.holders ?? 0
  for (let at = 0; at < text.count; at++) {
    const ordinal = text.touched[at] ?? 0
    const isCounted = arm !== null && (arm.best[ordinal] ?? NO_VECTOR) > NO_VECTOR
    if (!isCounted && allowed[ordinal] === 1) count += 1
  }
  return count
}
