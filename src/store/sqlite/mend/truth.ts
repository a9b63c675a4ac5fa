import type { MemoryContent, Place } from '../../../model/memory.ts'
import type { Anchor, KeptRelationship, KeptReview } from '../../relationships/kept.ts'
import type { Buried } from '../tombstones.ts'

/** A remembered memory as it is put back. */
export interface KeptMemory {
  content: MemoryContent
  place: Pick<Place, 'occurredAt' | 'sessionId'>
}

/** What a store holds that cannot be made again from the sources. */
export interface Truth {
  memories: KeptMemory[]
  /** Memories of which it cannot be told any more whether they were remembered or indexed. */
  strays: KeptMemory[]
  tombstones: Array<Buried & { forgottenAt: string }>
  accesses: Array<{ id: string; count: number; last: string }>
  /** The explicit ones. */
  relationships: KeptRelationship[]
  reviews: KeptReview[]
  anchors: Anchor[]
  /** Values as the store keeps them. */
  states: Array<{ key: string; value: string }>
  /** What is lost, in words. */
  unread: string[]
}
