import type { Tier } from '../model/memory.ts'
import type {
  DanglingRelationship,
  EvidenceSpan,
  Relationship,
  RelationshipKey,
  RelationshipOrigin,
  RelationshipType,
  RelationshipWrite,
  Review,
  ReviewDecision,
  ReviewStatus,
} from '../model/relationship.ts'
import type { MemoryFilter, Viewer } from '../model/search.ts'

/** Which relationships are asked for. */
export interface RelationshipQuery {
  /** Both ends must pass it; a relationship with an end that does not is not there for who asks. */
  filter: MemoryFilter
  types?: readonly RelationshipType[]
  origin?: RelationshipOrigin
  /** Inclusive, [0,1]. */
  minScore?: number
}

export interface NeighbourQuery extends RelationshipQuery {
  /** Tiers of the end that was not asked about. */
  otherTiers?: readonly Tier[]
  /** Of each memory that is asked about, only so many of its strongest. */
  perMemory?: number
  /** So many of all. */
  limit?: number
}

/** How many relationships a memory has: as source, as target, and of symmetric types. */
export interface Degree {
  id: string
  outgoing: number
  incoming: number
  mutual: number
}

export interface RelationshipPage {
  relationships: Relationship[]
  /** Give it as `after` for the next page; absent on the last one. */
  next?: string
}

/** A memory that waits to be linked. `mark` changes whenever the memory does. */
export interface AwaitingLink {
  id: string
  mark: number
}

export interface LinkingResult {
  /** Relationships that are new or differ from what was stored. */
  written: number
  /** Discovered ones that were not found again. */
  removed: number
  /** Left out: an end is not there any more, or it is explicit already. */
  skipped: number
  /** Memories that changed meanwhile, or were linked by another process: nothing of theirs was touched. */
  stale: string[]
}

/** A pair to be put before people. */
export interface ReviewOpening {
  firstId: string
  secondId: string
  reason?: string
  /** `source` is firstId, `target` is secondId. */
  evidence?: readonly EvidenceSpan[]
}

export interface ReviewQuery {
  filter: MemoryFilter
  status?: ReviewStatus
  /** Of these reviews. */
  ids?: readonly string[]
  /** With one of these memories as an end. */
  memoryIds?: readonly string[]
  /** Those with a missing end as well. */
  withMissing?: boolean
  limit?: number
}

export interface RelationshipTotals {
  explicit: number
  discovered: number
  /** Explicit ones with an end that is not there. */
  dangling: number
  /** Memories that wait to be linked. */
  awaiting: number
  reviews: Record<ReviewStatus, number>
}

/**
 * The relationships between memories and the reviews of contradictions.
 *
 * Contract:
 * - A pair and a type are one relationship. Symmetric types are stored once, with the lesser id as source, and found from both ends.
 * - Explicit wins: discovery never changes or removes an explicit relationship; an explicit one takes the place of a discovered one.
 * - Discovered relationships go when an end goes or its text changes. Explicit ones and reviews are never lost but by `remove` and
 *   `forget`: where the text of an end is edited and its id changes with it, they follow it within its document, by position and
 *   likeness; where nothing alike is found they dangle, and come back with the memory. Evidence goes when a text changes.
 * - `forget` removes all that names the memory: relationships, reviews, and what was kept to find it again.
 * - Filters hold for both ends and before limits. Order: strongest first, equal ones by source id, target id and type.
 * - Every method is one transaction; the rules of MemoryStore about crashes, other processes and closing hold here too.
 */
export interface RelationshipStore {
  /**
   * Adds relationships or changes those that are there; writing the same again changes nothing. All or none: rejects with
   * INVALID_OPTION, or NOT_FOUND when nothing but ends are missing, naming each that cannot be written (unknown type, score
   * outside of [0,1], an end that is not there or that `filter` hides, both ends the same, ends of different tenants,
   * metadata that is no JSON object or too long). Returns them as they are stored, in the order given.
   */
  put(writes: readonly RelationshipWrite[], options: { now: Date; filter?: MemoryFilter }): Promise<Relationship[]>
  /** Removes explicit relationships, dangling ones too; with `filter`, only those whose ends it shows. Returns how many there were. */
  remove(keys: readonly RelationshipKey[], options?: { filter?: MemoryFilter }): Promise<number>
  /**
   * The discovered relationships of these memories are now exactly the given ones; nothing else changes. Each must have one of
   * the memories as an end (INVALID_OPTION). A memory with a `mark` is only touched when it still waits under this mark, and
   * waits no more afterwards; without one it is linked anew whether it waits or not.
   */
  replaceDiscovered(
    linked: ReadonlyArray<{ id: string; mark?: number }>,
    relationships: readonly RelationshipWrite[],
    now: Date,
  ): Promise<LinkingResult>
  /**
   * Of the discovered relationships of each memory only the `keep` strongest stay, what the texts state (`isStated`) before what is
   * inferred, counted for each audience of the other end by
   * itself (everybody, or an agent in a project): what somebody is not shown takes the place of nothing that they are. Returns how
   * many went.
   */
  trimDiscovered(ids: readonly string[], keep: number): Promise<number>
  /** Relationships with one of the memories as either end, each once. */
  list(ids: readonly string[], query: NeighbourQuery): Promise<Relationship[]>
  /** In the order of the ids, each once; those that are not there or hidden are left out. `perMemory` and `limit` do not count. */
  count(ids: readonly string[], query: NeighbourQuery): Promise<Degree[]>
  /** Memories by how many relationships they have, most first, equal ones by id; those that have none are left out. */
  listConnected(query: RelationshipQuery & { limit: number }): Promise<Degree[]>
  /** All relationships, page by page, in an order of the store's own that changes elsewhere do not upset. */
  page(query: RelationshipQuery & { after?: string; limit: number }): Promise<RelationshipPage>
  /** Explicit relationships of which an end is not there. A missing end shows itself to whom it showed itself before. */
  listDangling(viewer: Viewer): Promise<DanglingRelationship[]>
  totals(): Promise<RelationshipTotals>

  /** Memories that are new or changed since they were linked, by id. Noted in the write that changes them. */
  listAwaiting(limit: number): Promise<AwaitingLink[]>
  /** Lets memories wait to be linked again, those of these ids or all. */
  noteAwaiting(ids: readonly string[] | 'all'): Promise<void>

  /** Opens a review for each pair that has none, whatever became of it. Pairs with an end that is not there are left out. Returns how many are new. */
  openReviews(openings: readonly ReviewOpening[], now: Date): Promise<number>
  /** Adds a decision to a review that `filter` shows. Rejects with NOT_FOUND, and with INVALID_OPTION when nobody is named. */
  decide(
    reviewId: string,
    decision: Omit<ReviewDecision, 'at'>,
    options: { now: Date; filter: MemoryFilter },
  ): Promise<Review>
  /** Oldest first, then by id. */
  listReviews(query: ReviewQuery): Promise<Review[]>
}
