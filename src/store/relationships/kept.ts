import type { MemoryContent, Place, Scope } from '../../model/memory.ts'
import type {
  CorrelationParts,
  EvidenceSpan,
  RelationshipKey,
  RelationshipOrigin,
  ReviewDecision,
} from '../../model/relationship.ts'
import type { MemoryFilter } from '../../model/search.ts'

/** Which ends of a discovered relationship found it when they were linked, as bits. */
export const FOUND_BY_SOURCE = 1
export const FOUND_BY_TARGET = 2

/** A relationship as a store keeps it: in canonical form, with places of evidence instead of words. */
export interface KeptRelationship extends RelationshipKey {
  score: number
  origin: RelationshipOrigin
  /** Bits as above; 0 for an explicit one. */
  finders: number
  reason: string
  parts?: CorrelationParts
  evidence: EvidenceSpan[]
  metadata: Record<string, unknown>
  createdMs: number
  updatedMs: number
}

/** A review as a store keeps it. The lesser id is the first. */
export interface KeptReview {
  id: string
  firstId: string
  secondId: string
  reason: string
  evidence: EvidenceSpan[]
  openedMs: number
  history: ReviewDecision[]
}

/**
 * Where an end of an explicit relationship or of a review stands and what its text is like, kept while and after it is there: by it the
 * text is found again when it was edited, even in a store that was made anew.
 */
export interface Anchor {
  id: string
  scope: Scope
  root: string
  path: string
  position: number
  turnId?: string
  /** See sketchOf. */
  sketch: Uint16Array
  /** What is most like it so far in a document that is still being read, and how alike. */
  successor?: { id: string; likeness: number }
}

/** A memory as far as relationships need to know it. */
export interface LinkedMemory {
  content: MemoryContent
  place: Place
}

/** What the rules of relationships need of a store. Synchronous: a store calls the rules within one transaction. */
export interface RelationshipRows {
  /** Tenants of those of the memories that are there and that the filter shows. */
  tenantsOf(ids: readonly string[], filter?: MemoryFilter): Map<string, string>
  memory(id: string): LinkedMemory | undefined
  /** Whose a memory is that is there. */
  scopeOf(id: string): Scope | undefined

  find(key: RelationshipKey): KeptRelationship | undefined
  /** In whatever order. */
  withEnd(id: string): KeptRelationship[]
  /** Discovered ones that this end found. */
  foundBy(id: string): KeptRelationship[]
  write(relationship: KeptRelationship): void
  /**
   * Writes a discovered one as `succeed` has it. Says whether something changed, or an explicit one stands in its place: this is
   * done a million times in a row, so a store may do it without reading first.
   */
  writeDiscovered(relationship: KeptRelationship): 'written' | 'same' | 'explicit'
  dropDiscovered(id: string): void
  drop(key: RelationshipKey): void

  review(id: string): KeptReview | undefined
  reviewOf(firstId: string, secondId: string): KeptReview | undefined
  reviewsWith(id: string): KeptReview[]
  writeReview(review: KeptReview): void
  dropReview(id: string): void

  hasAnchors(): boolean
  anchor(id: string): Anchor | undefined
  /** In the order of their ids. */
  anchorsIn(document: { root: string; path: string }): Anchor[]
  writeAnchor(anchor: Anchor): void
  dropAnchor(id: string): void
  /** These ids stand for nothing any more: no anchor names them as what is most like it. */
  dropSuccessors(ids: readonly string[]): void

  markOf(id: string): number | undefined
  /** Notes that the memories wait, under a mark that they never had. */
  noteAwaiting(ids: readonly string[]): void
  dropAwaiting(ids: readonly string[]): void
  /** Lets go of whatever else the store keeps of ids that nothing names any more. */
  release(ids: readonly string[]): void
}
