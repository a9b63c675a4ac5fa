import type { Scope } from '../../model/memory.ts'
import type { RelationshipKey } from '../../model/relationship.ts'
import type { MemoryFilter } from '../../model/search.ts'
import { compareText } from '../canonical-place.ts'
import { keyOf } from '../relationships/canonical.ts'
import {
  type Anchor,
  FOUND_BY_SOURCE,
  FOUND_BY_TARGET,
  type KeptRelationship,
  type KeptReview,
  type LinkedMemory,
  type RelationshipRows,
} from '../relationships/kept.ts'
import { succeed } from '../relationships/succeed.ts'
import type { Corpus } from './corpus.ts'
import { passesFilter } from './find-by-brute-force.ts'

/** Relationships, reviews and what goes with them, in maps; every question looks at all of them. */
export class RelationshipShelf implements RelationshipRows {
  readonly relationships = new Map<string, KeptRelationship>()
  readonly reviews = new Map<string, KeptReview>()
  readonly waiting = new Map<string, number>()
  readonly #anchors = new Map<string, Anchor>()
  readonly #corpus: () => Corpus
  #lastMark = 0

  constructor(corpus: () => Corpus) {
    this.#corpus = corpus
  }

  tenantsOf(ids: readonly string[], filter?: MemoryFilter): Map<string, string> {
    const { memories } = this.#corpus()
    const found = ids.flatMap((id) => memories.get(id) ?? [])
    return new Map(
      found
        .filter((held) => !filter || passesFilter(held, filter))
        .map(({ memory }) => [memory.id, memory.scope.tenant]),
    )
  }

  memory(id: string): LinkedMemory | undefined {
    const held = this.#corpus().memories.get(id)
    return held && { content: held.memory, place: held.memory.place }
  }

  scopeOf(id: string): Scope | undefined {
    return this.memory(id)?.content.scope
  }

  find(key: RelationshipKey): KeptRelationship | undefined {
    return this.relationships.get(keyOf(key))
  }

  withEnd(id: string): KeptRelationship[] {
    return [...this.relationships.values()].filter(({ sourceId, targetId }) => sourceId === id || targetId === id)
  }

  foundBy(id: string): KeptRelationship[] {
    return this.withEnd(id).filter(
      ({ sourceId, finders }) => (finders & (sourceId === id ? FOUND_BY_SOURCE : FOUND_BY_TARGET)) !== 0,
    )
  }

  writeDiscovered(relationship: KeptRelationship): 'written' | 'same' | 'explicit' {
    const known = this.find(relationship)
    if (known?.origin === 'explicit') return 'explicit'
    const next = succeed(known, relationship)
    this.write(next)
    return next === known ? 'same' : 'written'
  }

  dropDiscovered(id: string): void {
    for (const one of this.withEnd(id)) if (one.origin === 'discovered') this.drop(one)
  }

  write(relationship: KeptRelationship): void {
    this.relationships.set(keyOf(relationship), relationship)
  }

  drop(key: RelationshipKey): void {
    this.relationships.delete(keyOf(key))
  }

  review(id: string): KeptReview | undefined {
    return this.reviews.get(id)
  }

  reviewOf(firstId: string, secondId: string): KeptReview | undefined {
    return this.reviewsWith(firstId).find((review) => review.firstId === firstId && review.secondId === secondId)
  }

  reviewsWith(id: string): KeptReview[] {
    return [...this.reviews.values()].filter(({ firstId, secondId }) => firstId === id || secondId === id)
  }

  writeReview(review: KeptReview): void {
    this.reviews.set(review.id, review)
  }

  dropReview(id: string): void {
    this.reviews.delete(id)
  }

  hasAnchors(): boolean {
    return this.#anchors.size > 0
  }

  anchor(id: string): Anchor | undefined {
    return this.#anchors.get(id)
  }

  anchorsIn({ root, path }: { root: string; path: string }): Anchor[] {
    return [...this.#anchors.values()]
      .filter((anchor) => anchor.root === root && anchor.path === path)
      .sort((a, b) => compareText(a.id, b.id))
  }

  writeAnchor(anchor: Anchor): void {
    this.#anchors.set(anchor.id, anchor)
  }

  dropAnchor(id: string): void {
    this.#anchors.delete(id)
  }

  dropSuccessors(ids: readonly string[]): void {
    const gone = new Set(ids)
    for (const { successor, ...anchor } of this.#anchors.values()) {
      if (successor && gone.has(successor.id)) this.#anchors.set(anchor.id, anchor)
    }
  }

  markOf(id: string): number | undefined {
    return this.waiting.get(id)
  }

  noteAwaiting(ids: readonly string[]): void {
    if (ids.length === 0) return
    this.#lastMark += 1
    for (const id of ids) this.waiting.set(id, this.#lastMark)
  }

  dropAwaiting(ids: readonly string[]): void {
    for (const id of ids) this.waiting.delete(id)
  }

  release(): void {
    // Nothing else is kept of an id here.
  }
}
