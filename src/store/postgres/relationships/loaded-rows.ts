import type { Scope } from '../../../model/memory.ts'
import type { RelationshipKey } from '../../../model/relationship.ts'
import type { MemoryFilter } from '../../../model/search.ts'
import { compareText } from '../../canonical-place.ts'
import { keyOf } from '../../relationships/canonical.ts'
import {
  type Anchor,
  FOUND_BY_SOURCE,
  FOUND_BY_TARGET,
  type KeptRelationship,
  type KeptReview,
  type LinkedMemory,
  type RelationshipRows,
} from '../../relationships/kept.ts'
import { succeed } from '../../relationships/succeed.ts'
import { TrackedRows } from './tracked-rows.ts'

/** What is known of a memory that is there, as far as it was asked for. */
export interface LoadedMemory {
  scope: Scope
  memory?: LinkedMemory
}

/**
 * Rows of relationships that were read beforehand, for the rules, which are synchronous: they see what they change, and what they
 * changed is written afterwards. What was not loaded is not there for them.
 */
export class LoadedRows implements RelationshipRows {
  readonly memories = new Map<string, LoadedMemory>()
  readonly relationships = new TrackedRows<KeptRelationship>(keyOf, ({ sourceId, targetId }) => [sourceId, targetId])
  readonly reviews = new TrackedRows<KeptReview>(
    ({ id }) => id,
    ({ firstId, secondId }) => [firstId, secondId],
  )
  readonly anchors = new TrackedRows<Anchor>(
    ({ id }) => id,
    (anchor) => [documentKey(anchor)],
  )
  readonly marks = new Map<string, number>()
  /** Whose what names an id is, where no memory tells. */
  readonly tenants = new Map<string, string>()
  /** Those that the filter of the call shows; null without a filter. */
  shown: ReadonlySet<string> | null = null
  /** Whether the tenant has any anchor. */
  isAnchored = false
  /** Ends of which all that was discovered goes, whether it was loaded or not. */
  readonly bared = new Set<string>()
  /** Ids that no anchor is to name as a successor. */
  readonly spent = new Set<string>()
  /** Whether memories wait to be linked from now on. */
  readonly waiting = new Map<string, boolean>()

  /** `filter` is that of the call: what was loaded was loaded for it. */
  tenantsOf(ids: readonly string[], filter?: MemoryFilter): Map<string, string> {
    return new Map(
      ids.flatMap((id) => {
        const known = this.memories.get(id)
        const isShown = !filter || this.shown?.has(id) === true
        return known && isShown ? [[id, known.scope.tenant] as const] : []
      }),
    )
  }

  memory(id: string): LinkedMemory | undefined {
    return this.memories.get(id)?.memory
  }

  scopeOf(id: string): Scope | undefined {
    return this.memories.get(id)?.scope
  }

  find(key: RelationshipKey): KeptRelationship | undefined {
    return this.relationships.get(keyOf(key))
  }

  withEnd(id: string): KeptRelationship[] {
    return this.relationships.of(id)
  }

  foundBy(id: string): KeptRelationship[] {
    return this.withEnd(id).filter(
      ({ sourceId, finders }) => (finders & (sourceId === id ? FOUND_BY_SOURCE : FOUND_BY_TARGET)) !== 0,
    )
  }

  write(relationship: KeptRelationship): void {
    this.relationships.write(relationship)
  }

  writeDiscovered(relationship: KeptRelationship): 'written' | 'same' | 'explicit' {
    const known = this.find(relationship)
    if (known?.origin === 'explicit') return 'explicit'
    const next = succeed(known, relationship)
    if (next === known) return 'same'
    this.write(next)
    return 'written'
  }

  dropDiscovered(id: string): void {
    this.bared.add(id)
    for (const one of this.withEnd(id)) if (one.origin === 'discovered') this.drop(one)
  }

  drop(key: RelationshipKey): void {
    this.relationships.drop(keyOf(key))
  }

  review(id: string): KeptReview | undefined {
    return this.reviews.get(id)
  }

  reviewOf(firstId: string, secondId: string): KeptReview | undefined {
    return this.reviews.of(firstId).find((one) => one.firstId === firstId && one.secondId === secondId)
  }

  reviewsWith(id: string): KeptReview[] {
    return this.reviews.of(id)
  }

  writeReview(review: KeptReview): void {
    this.reviews.write(review)
  }

  dropReview(id: string): void {
    this.reviews.drop(id)
  }

  hasAnchors(): boolean {
    return this.isAnchored
  }

  anchor(id: string): Anchor | undefined {
    return this.anchors.get(id)
  }

  anchorsIn(document: { root: string; path: string }): Anchor[] {
    return this.anchors.of(documentKey(document)).sort((a, b) => compareText(a.id, b.id))
  }

  writeAnchor(anchor: Anchor): void {
    this.anchors.write(anchor)
  }

  dropAnchor(id: string): void {
    this.anchors.drop(id)
  }

  dropSuccessors(ids: readonly string[]): void {
    for (const id of ids) this.spent.add(id)
    for (const { successor, ...anchor } of this.anchors.all()) {
      if (successor && this.spent.has(successor.id)) this.anchors.write(anchor)
    }
  }

  /** Whose a row is that names these memories. */
  tenantOf(ids: readonly string[]): string | undefined {
    for (const id of ids) {
      const tenant = this.memories.get(id)?.scope.tenant ?? this.tenants.get(id)
      if (tenant !== undefined) return tenant
    }
    return undefined
  }

  markOf(id: string): number | undefined {
    return this.marks.get(id)
  }

  noteAwaiting(ids: readonly string[]): void {
    for (const id of ids) this.waiting.set(id, true)
  }

  dropAwaiting(ids: readonly string[]): void {
    for (const id of ids) this.waiting.set(id, false)
  }

  release(): void {
    // Nothing else is kept of an id here.
  }
}

function documentKey({ root, path }: { root: string; path: string }): string {
  return `${root}\0${path}`
}
