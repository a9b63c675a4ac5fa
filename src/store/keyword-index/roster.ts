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

/** The bits of a packed kind that hold all but the state. */
const STATE_LESS = 63

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

/** A packed kind with another state. */
export function withState(packed: number, state: MemoryState): number {
  return (packed & STATE_LESS) | (STATES.indexOf(state) << 6)
}

/** Whether a packed kind is of this category. */
export function isKindOf(packed: number, category: SourceCategory): boolean {
  return (packed & CATEGORY) === (category === CATEGORIES[1] ? 1 : 0)
}

/** The category in a packed kind. */
function categoryOfKind(packed: number): SourceCategory | undefined {
  return CATEGORIES[packed & CATEGORY]
}

/** The bits of a packed kind that hold the category: its place in CATEGORIES. */
export const CATEGORY = 1

/** The bits of a packed kind that hold category and tier. */
export const TIER_AND_CATEGORY = 7

export function tierOf(packed: number): Tier {
  return TIERS[(packed >> 1) & 3] ?? 'semantic'
}

/** Category and tier of a packed kind. */
export function kindOf(packed: number): { category: SourceCategory; tier: Tier } {
  return { category: CATEGORIES[packed & 1] ?? 'memory', tier: tierOf(packed) }
}

/** For each packed kind, 1 when the filter lets it through. */
export function allowedKinds(filter: MemoryFilter): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, packed) => {
    const category = categoryOfKind(packed)
    const tier = TIERS[(packed >> 1) & 3]
    const type = MEMORY_TYPES[(packed >> 3) & 7]
    const state = STATES[packed >> 6]
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
  const members: RosterMember[] = []
  scanRoster(bytes, (ordinal, length, kind, scope, times) => {
    members.push({ ordinal, length, kind, scope, times: [...times] })
  })
  return members
}

/** Calls `visit` with every member of a roster; `times` is valid during the call. Makes no object for each: a process reads them all. */
export function scanRoster(
  bytes: Uint8Array,
  visit: (ordinal: number, length: number, kind: number, scope: number, times: readonly number[]) => void,
): void {
  const reader = new VarintReader(bytes)
  const times: number[] = []
  let ordinal = 0
  let time = 0
  while (!reader.isDone) {
    ordinal += reader.nextSigned()
    const length = reader.next()
    const kind = reader.next()
    const scope = reader.next()
    times.length = reader.next()
    for (let at = 0; at < times.length; at++) {
      time += reader.nextSigned()
      times[at] = time
    }
    visit(ordinal, length, kind, scope, times)
  }
}
