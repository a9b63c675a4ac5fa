import {
  type DanglingRelationship,
  RELATIONSHIP_TYPES,
  type Relationship,
  type RelationshipKey,
  type RelationshipWrite,
  type Review,
  type ReviewDecision,
} from '../../model/relationship.ts'
import type { MemoryFilter, Viewer } from '../../model/search.ts'
import { compareText } from '../canonical-place.ts'
import type {
  AwaitingLink,
  Degree,
  LinkingResult,
  NeighbourQuery,
  RelationshipPage,
  RelationshipQuery,
  RelationshipStore,
  RelationshipTotals,
  ReviewOpening,
  ReviewQuery,
} from '../relationship-store.ts'
import { compareStrength, otherEnd } from '../relationships/canonical.ts'
import { addDegree, listConnected } from '../relationships/degree.ts'
import type { KeptRelationship, KeptReview } from '../relationships/kept.ts'
import { mayHaveSeen } from '../relationships/may-have-seen.ts'
import { addDecision, noReviewError, openReviews, summarize } from '../relationships/reviews.ts'
import { toMissing, toRelationship, toReview } from '../relationships/to-relationship.ts'
import { trimDiscovered } from '../relationships/trim-discovered.ts'
import { putRelationships, removeRelationships, replaceDiscovered } from '../relationships/write-relationships.ts'
import type { Corpus } from './corpus.ts'
import { passesFilter } from './find-by-brute-force.ts'
import type { RelationshipShelf } from './relationship-shelf.ts'

/** The relationships of an in-memory store: what every store does, said plainly. */
export class InMemoryRelationships implements RelationshipStore {
  readonly #shelf: RelationshipShelf
  readonly #corpus: () => Corpus
  readonly #assertOpen: () => void

  constructor(shelf: RelationshipShelf, host: { corpus: () => Corpus; assertOpen: () => void }) {
    this.#shelf = shelf
    this.#corpus = host.corpus
    this.#assertOpen = host.assertOpen
  }

  async put(
    writes: readonly RelationshipWrite[],
    options: { now: Date; filter?: MemoryFilter },
  ): Promise<Relationship[]> {
    this.#assertOpen()
    return putRelationships(this.#shelf, writes, options).map((one) => this.#show(one))
  }

  async remove(keys: readonly RelationshipKey[], { filter }: { filter?: MemoryFilter } = {}): Promise<number> {
    this.#assertOpen()
    return removeRelationships(this.#shelf, keys, filter)
  }

  async replaceDiscovered(
    linked: ReadonlyArray<{ id: string; mark?: number }>,
    found: readonly RelationshipWrite[],
    now: Date,
  ): Promise<LinkingResult> {
    this.#assertOpen()
    return replaceDiscovered(this.#shelf, { linked, found, now })
  }

  async trimDiscovered(ids: readonly string[], keep: number): Promise<number> {
    this.#assertOpen()
    return trimDiscovered(this.#shelf, ids, keep)
  }

  async list(ids: readonly string[], query: NeighbourQuery): Promise<Relationship[]> {
    this.#assertOpen()
    const found = new Set<KeptRelationship>()
    for (const id of new Set(ids)) {
      for (const one of this.#neighbours(id, query).slice(0, query.perMemory)) found.add(one)
    }
    return [...found]
      .sort(compareStrength)
      .slice(0, query.limit)
      .map((one) => this.#show(one))
  }

  async count(ids: readonly string[], query: NeighbourQuery): Promise<Degree[]> {
    this.#assertOpen()
    return [...new Set(ids)]
      .filter((id) => this.#passes(id, query.filter))
      .map((id) => {
        const degree: Degree = { id, outgoing: 0, incoming: 0, mutual: 0 }
        for (const one of this.#neighbours(id, query)) addDegree(degree, one)
        return degree
      })
  }

  async listConnected({ limit, ...query }: RelationshipQuery & { limit: number }): Promise<Degree[]> {
    this.#assertOpen()
    return listConnected(
      [...this.#shelf.relationships.values()].filter((one) => this.#matches(one, query)),
      limit,
    )
  }

  async page({
    after,
    limit,
    ...query
  }: RelationshipQuery & { after?: string; limit: number }): Promise<RelationshipPage> {
    this.#assertOpen()
    const all = [...this.#shelf.relationships]
      .filter(([key, one]) => (after === undefined || compareText(key, after) > 0) && this.#matches(one, query))
      .sort(([a], [b]) => compareText(a, b))
    const here = all.slice(0, limit)
    const last = here.at(-1)
    return {
      relationships: here.map(([, one]) => this.#show(one)),
      ...(last && all.length > limit && { next: last[0] }),
    }
  }

  async listDangling(viewer: Viewer): Promise<DanglingRelationship[]> {
    this.#assertOpen()
    return this.#dangling()
      .filter(({ sourceId, targetId }) => this.#mayHaveSeen(viewer, sourceId) && this.#mayHaveSeen(viewer, targetId))
      .sort(compareStrength)
      .map((one) => ({ relationship: this.#show(one), missing: this.#missing([one.sourceId, one.targetId]) }))
  }

  async totals(): Promise<RelationshipTotals> {
    this.#assertOpen()
    const all = [...this.#shelf.relationships.values()]
    const reviews = { open: 0, confirmed: 0, dismissed: 0 }
    for (const { history } of this.#shelf.reviews.values()) reviews[summarize(history).status] += 1
    const explicit = all.filter(({ origin }) => origin === 'explicit').length
    return {
      explicit,
      discovered: all.length - explicit,
      dangling: this.#dangling().length,
      awaiting: this.#shelf.waiting.size,
      reviews,
    }
  }

  async listAwaiting(limit: number): Promise<AwaitingLink[]> {
    this.#assertOpen()
    return [...this.#shelf.waiting]
      .map(([id, mark]) => ({ id, mark }))
      .sort((a, b) => compareText(a.id, b.id))
      .slice(0, limit)
  }

  async noteAwaiting(ids: readonly string[] | 'all'): Promise<void> {
    this.#assertOpen()
    const { memories } = this.#corpus()
    this.#shelf.noteAwaiting(ids === 'all' ? [...memories.keys()] : ids.filter((id) => memories.has(id)))
  }

  async openReviews(openings: readonly ReviewOpening[], now: Date): Promise<number> {
    this.#assertOpen()
    return openReviews(this.#shelf, openings, now)
  }

  async decide(
    reviewId: string,
    decision: Omit<ReviewDecision, 'at'>,
    { now, filter }: { now: Date; filter: MemoryFilter },
  ): Promise<Review> {
    this.#assertOpen()
    const review = this.#shelf.review(reviewId)
    if (!review || !this.#isReviewShown(review, { filter, withMissing: true })) throw noReviewError(reviewId)
    return this.#showReview(addDecision(this.#shelf, review, { ...decision, now }))
  }

  async listReviews(query: ReviewQuery): Promise<Review[]> {
    this.#assertOpen()
    const { status, ids, memoryIds } = query
    return [...this.#shelf.reviews.values()]
      .filter(
        (review) =>
          (status === undefined || summarize(review.history).status === status) &&
          (ids === undefined || ids.includes(review.id)) &&
          (memoryIds === undefined || memoryIds.includes(review.firstId) || memoryIds.includes(review.secondId)) &&
          this.#isReviewShown(review, query),
      )
      .sort((a, b) => a.openedMs - b.openedMs || compareText(a.id, b.id))
      .slice(0, query.limit)
      .map((review) => this.#showReview(review))
  }

  /** Strongest first. */
  #neighbours(id: string, query: NeighbourQuery): KeptRelationship[] {
    const { otherTiers } = query
    const isOther = (one: KeptRelationship): boolean => {
      const other = this.#corpus().memories.get(otherEnd(one, id))
      return otherTiers === undefined || (other !== undefined && otherTiers.includes(other.memory.tier))
    }
    return this.#shelf
      .withEnd(id)
      .filter((one) => this.#matches(one, query) && isOther(one))
      .sort(compareStrength)
  }

  #matches(one: KeptRelationship, { filter, types, origin, minScore = 0 }: RelationshipQuery): boolean {
    return (
      (types ?? RELATIONSHIP_TYPES).includes(one.relationshipType) &&
      (origin === undefined || one.origin === origin) &&
      one.score >= minScore &&
      this.#passes(one.sourceId, filter) &&
      this.#passes(one.targetId, filter)
    )
  }

  #passes(id: string, filter: MemoryFilter): boolean {
    const held = this.#corpus().memories.get(id)
    return held !== undefined && passesFilter(held, filter)
  }

  #dangling(): KeptRelationship[] {
    return [...this.#shelf.relationships.values()].filter(
      ({ sourceId, targetId }) => this.#missing([sourceId, targetId]).length > 0,
    )
  }

  #missing(ids: readonly string[]): ReturnType<typeof toMissing>[] {
    return ids.filter((id) => !this.#shelf.memory(id)).map((id) => toMissing(id, this.#shelf.anchor(id)))
  }

  /** By the scope of the memory, or the one that it had. */
  #mayHaveSeen(viewer: Viewer, id: string): boolean {
    return mayHaveSeen(viewer, this.#shelf.memory(id)?.content.scope ?? this.#shelf.anchor(id)?.scope)
  }

  #isReviewShown(
    { firstId, secondId }: KeptReview,
    { filter, withMissing = false }: Pick<ReviewQuery, 'filter' | 'withMissing'>,
  ): boolean {
    return [firstId, secondId].every((id) =>
      this.#shelf.memory(id) ? this.#passes(id, filter) : withMissing && this.#mayHaveSeen(filter.viewer, id),
    )
  }

  #show(one: KeptRelationship): Relationship {
    return structuredClone(toRelationship(one, (id) => this.#shelf.memory(id)?.content.text))
  }

  #showReview(review: KeptReview): Review {
    const missing = this.#missing([review.firstId, review.secondId])
    return structuredClone(toReview(review, (id) => this.#shelf.memory(id)?.content.text, missing))
  }
}
