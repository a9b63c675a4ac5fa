import type { Tier } from '../../model/memory.ts'
import type { Relationship, RelationshipKey, RelationshipType } from '../../model/relationship.ts'
import type { MemoryFilter } from '../../model/search.ts'
import type { RelationshipStore } from '../../store/memory-store.ts'
import { findDismissedPairs, isDismissed } from '../reviews.ts'

export interface WalkOptions {
  filter: MemoryFilter
  types?: readonly RelationshipType[]
  tiers?: readonly Tier[]
  minScore: number
  maxDepth: number
  /** Relationships of one memory that are followed, the strongest. */
  perMemory: number
  maxNodes: number
}

export interface Walk {
  /** Steps from the nearest memory that the walk began with; in the order in which they were reached. */
  depths: Map<string, number>
  /** Strongest first; both ends are among the memories. */
  relationships: Relationship[]
  /** Memories that were reached and found no room. */
  left: Set<string>
  /** How many relationships of a memory were not followed because it has too many. */
  hidden: Map<string, number>
}

/** What makes a relationship the same one. */
export function keyOf({ sourceId, targetId, relationshipType }: RelationshipKey): string {
  return `${sourceId}\0${targetId}\0${relationshipType}`
}

/** Strongest first, equal ones by source, target and type. */
export function compareStrength(
  a: RelationshipKey & { score: number },
  b: RelationshipKey & { score: number },
): number {
  return b.score - a.score || (keyOf(a) < keyOf(b) ? -1 : 1)
}

/**
 * Follows relationships from memories, breadth first and in both directions: each memory once, each relationship that starts from a memory
 * within `maxDepth − 1` steps once. What somebody said is no contradiction is none here.
 */
export async function walkRelationships(
  store: Parameters<typeof findDismissedPairs>[0],
  begin: readonly string[],
  options: WalkOptions,
): Promise<Walk> {
  const { relationships: kept } = store
  const depths = new Map(begin.map((id) => [id, 0]))
  const found = new Map<string, Relationship>()
  const left = new Set<string>()
  const walked: string[] = []
  let frontier = [...depths.keys()]
  for (let depth = 1; depth <= options.maxDepth && frontier.length > 0; depth++) {
    const next: string[] = []
    const dismissed = await findDismissedPairs(store, frontier, options.filter)
    for (const one of await listFrom(kept, frontier, { ...options, among: depth === 1 ? depths : undefined })) {
      if (isDismissed(one, dismissed)) continue
      found.set(keyOf(one), one)
      for (const id of [one.sourceId, one.targetId]) {
        if (depths.has(id)) continue
        if (depths.size >= options.maxNodes) left.add(id)
        else {
          depths.set(id, depth)
          next.push(id)
        }
      }
    }
    walked.push(...frontier)
    frontier = next
  }
  const all = [...found.values()].sort(compareStrength)
  return {
    depths,
    relationships: all.filter(({ sourceId, targetId }) => depths.has(sourceId) && depths.has(targetId)),
    left,
    hidden: await countHidden(kept, walked, { listed: all, options }),
  }
}

/** The strongest of each memory; of the first ones also those among themselves, whatever their tiers. */
async function listFrom(
  store: RelationshipStore,
  ids: readonly string[],
  {
    filter,
    types,
    tiers,
    minScore,
    perMemory,
    among,
  }: WalkOptions & { among: ReadonlyMap<string, number> | undefined },
): Promise<Relationship[]> {
  const query = { filter, minScore, perMemory, ...(types && { types }) }
  const found = await store.list(ids, { ...query, ...(tiers && { otherTiers: tiers }) })
  if (!tiers || !among || among.size < 2) return found
  const mutual = (await store.list(ids, query)).filter((one) => among.has(one.sourceId) && among.has(one.targetId))
  return [...new Map([...found, ...mutual].map((one) => [keyOf(one), one])).values()].sort(compareStrength)
}

async function countHidden(
  store: RelationshipStore,
  walked: readonly string[],
  { listed, options }: { listed: readonly Relationship[]; options: WalkOptions },
): Promise<Map<string, number>> {
  const { filter, types, tiers, minScore, perMemory } = options
  const shown = new Map<string, number>()
  for (const { sourceId, targetId } of listed) {
    for (const id of [sourceId, targetId]) shown.set(id, (shown.get(id) ?? 0) + 1)
  }
  const crowded = walked.filter((id) => (shown.get(id) ?? 0) >= perMemory)
  if (crowded.length === 0) return new Map()
  const query = { filter, minScore, ...(types && { types }), ...(tiers && { otherTiers: tiers }) }
  const degrees = await store.count(crowded, query)
  return new Map(
    degrees
      .map(({ id, outgoing, incoming, mutual }): [string, number] => [
        id,
        outgoing + incoming + mutual - (shown.get(id) ?? 0),
      ])
      .filter(([, hidden]) => hidden > 0),
  )
}
