import {
  CATEGORIES,
  MEMORY_TYPES,
  type MemoryState,
  type MemoryType,
  type SourceCategory,
  TIERS,
  type Tier,
} from '../../model/memory.ts'
import type { MemoryFilter } from '../../model/search.ts'
import { isOfKind } from '../memory-filter.ts'
import { VarintReader, VarintWriter } from './varint.ts'

const STATES: readonly MemoryState[] = ['active', 'stale', 'archived']

/** What filters ask of a memory, as one byte. */
interface Kind {
  category: SourceCategory
  tier: Tier
  type: MemoryType
  state: MemoryState
}

export function packKind({ category, tier, type, state }: Kind): number {
  return (
    CATEGORIES.indexOf(category) |
    (TIERS.indexOf(tier) << 1) |
    (MEMORY_TYPES.indexOf(type) << 3) |
    (STATES.indexOf(state) << 6)
  )
}

/** The category in a packed kind. */
export function categoryOfKind(packed: number): SourceCategory | undefined {
  return CATEGORIES[packed & 1]
}

/** For each packed kind, 1 when the filter lets it through. */
export function allowedKinds(filter: MemoryFilter): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, packed) => {
    const [category, tier, type, state] = [
      categoryOfKind(packed),
      TIERS[(packed >> 1) & 3],
      MEMORY_TYPES[(packed >> 3) & 7],
      STATES[packed >> 6],
    ]
    if (!category || !tier || !type || !state) return 0
    return isOfKind({ category, tier, type, state }, filter) ? 1 : 0
  })
}

/** One memory of a document's roster: what search and filters need to know without reading it. */
export interface RosterMember {
  ordinal: number
  /** Words, for BM25. */
  length: number
  /** As packKind packs it. */
  kind: number
  scope: number
  /** Instants of all its places in ms, undated ones left out. */
  times: number[]
}

const writer = new VarintWriter(1024)

/** Packs the memories whose canonical place is in a document, in order. Neighbours are alike, so differences are small. */
export function packRoster(members: readonly RosterMember[]): Uint8Array {
  let ordinal = 0
  let time = 0
  for (const member of members) {
    writer.pushSigned(member.ordinal - ordinal)
    writer.push(member.length)
    writer.push(member.kind)
    writer.push(member.scope)
    writer.push(member.times.length)
    ordinal = member.ordinal
    for (const ms of member.times) {
      writer.pushSigned(ms - time)
      time = ms
    }
  }
  return writer.take()
}

export function unpackRoster(bytes: Uint8Array): RosterMember[] {
  const reader = new VarintReader(bytes)
  const members: RosterMember[] = []
  let ordinal = 0
  let time = 0
  while (!reader.isDone) {
    ordinal += reader.nextSigned()
    const [length, kind, scope] = [reader.next(), reader.next(), reader.next()]
    const times: number[] = []
    for (let count = reader.next(); count > 0; count--) {
      time += reader.nextSigned()
      times.push(time)
    }
    members.push({ ordinal, length, kind, scope, times })
  }
  return members
}
