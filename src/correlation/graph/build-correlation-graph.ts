import { MadeleineError } from '../../errors.ts'
import type {
  BuildCorrelationGraphParams,
  CorrelationGraph,
  GraphEdge,
  GraphNode,
  TierShare,
} from '../../model/correlation.ts'
import { formatHeader, type Memory, TIERS } from '../../model/memory.ts'
import { RELATIONSHIP_TYPES } from '../../model/relationship.ts'
import type { MemoryFilter } from '../../model/search.ts'
import type { MemoryStore } from '../../store/memory-store.ts'
import { type CorrelationContext, checkNumber, checkOneOf } from '../correlation-context.ts'
import { GRAPH } from '../correlation-options.ts'
import { findDismissedPairs, isDismissed } from '../reviews.ts'
import { findUnresolvedLinks } from './find-unresolved-links.ts'
import { rankPages } from './page-rank.ts'
import { predictLinks } from './predict-links.ts'
import { type Walk, walkRelationships } from './walk-relationships.ts'

/**
 * The memories around some, and how they are related: breadth first, each once, the strongest `maxLinks` relationships of each. Nothing in it that
 * the asker may not see. The order depends on nothing but what is stored: memories by depth, rank and id, relationships by strength.
 * Rejects with NOT_FOUND for an id that is not there or not to be seen, INVALID_OPTION for a parameter out of range.
 */
export async function buildCorrelationGraph(
  { store, settings, filterOf }: CorrelationContext,
  params: BuildCorrelationGraphParams,
): Promise<CorrelationGraph> {
  const { memoryIds, includeTypes, relationshipTypes, predict = false, ...asked } = params
  const { maxDepth = GRAPH.depth, minScore = 0, maxNodes = GRAPH.nodes } = params
  checkParams(params)
  const filter = filterOf(asked)
  const options = {
    filter,
    minScore,
    maxDepth,
    maxNodes,
    perMemory: settings.maxLinks,
    ...(relationshipTypes && { types: relationshipTypes }),
    ...(includeTypes && { tiers: includeTypes }),
  }
  const begin =
    memoryIds.length > 0 ? await findAsked(store, memoryIds, filter) : await findBestConnected(store, options)
  const walk = await walkRelationships(store, begin, options)
  const memories = new Map((await store.getMemories([...walk.depths.keys()])).map((memory) => [memory.id, memory]))
  const edges = toEdges(walk, memories)
  const nodes = toNodes(walk, { memories, edges, begin })
  return {
    nodes,
    edges,
    orphans: await findOrphans(store, begin, filter),
    unresolved: await findUnresolvedLinks(store, await listLinking(store, { memoryIds, memories, filter }), filter),
    tiers: shareTiers(nodes, edges),
    ...(predict && { predicted: await predictLinks(store, { nodes, edges }, filter) }),
    ...(walk.left.size > 0 && { leftOut: walk.left.size }),
  }
}

function checkParams({
  memoryIds,
  includeTypes = [],
  relationshipTypes = [],
  maxDepth = GRAPH.depth,
  minScore = 0,
  maxNodes = GRAPH.nodes,
}: BuildCorrelationGraphParams): void {
  checkNumber('number of memoryIds', memoryIds.length, { from: 0, to: GRAPH.asked })
  checkNumber('maxDepth', maxDepth, { from: 0, to: GRAPH.maxDepth, isWhole: true })
  checkNumber('maxNodes', maxNodes, { from: 1, to: GRAPH.maxNodes, isWhole: true })
  checkNumber('minScore', minScore, { from: 0, to: 1 })
  for (const tier of includeTypes) checkOneOf('tier', tier, TIERS)
  for (const type of relationshipTypes) checkOneOf('relationship type', type, RELATIONSHIP_TYPES)
}

/** The memories whose links are looked at: those asked for, or all notes. */
async function listLinking(
  store: MemoryStore,
  {
    memoryIds,
    memories,
    filter,
  }: { memoryIds: readonly string[]; memories: ReadonlyMap<string, Memory>; filter: MemoryFilter },
): Promise<Memory[]> {
  if (memoryIds.length > 0) return [...new Set(memoryIds)].flatMap((id) => memories.get(id) ?? [])
  return store.listMemories({ ...filter, category: 'memory' }, { limit: GRAPH.linking })
}

/** The ids, each once, all of them to be seen. What is hidden and what is not there are told apart by nothing. */
async function findAsked(store: MemoryStore, ids: readonly string[], filter: MemoryFilter): Promise<string[]> {
  const asked = [...new Set(ids)]
  const there = new Set((await store.relationships.count(asked, { filter })).map(({ id }) => id))
  const missing = asked.find((id) => !there.has(id))
  if (missing === undefined) return asked
  throw new MadeleineError('NOT_FOUND', `Cannot build a graph around "${missing}": no memory has this id`, {
    remedy: 'Use ids from search results',
  })
}

async function findBestConnected(
  store: MemoryStore,
  { filter, tiers, types, minScore }: Parameters<typeof walkRelationships>[2],
): Promise<string[]> {
  const connected = await store.relationships.listConnected({
    filter: tiers ? { ...filter, tiers } : filter,
    minScore,
    limit: GRAPH.begin,
    ...(types && { types }),
  })
  return connected.map(({ id }) => id)
}

/** A memory that went while the graph was built takes its relationships with it. */
function toEdges({ relationships }: Walk, memories: ReadonlyMap<string, Memory>): GraphEdge[] {
  return relationships
    .filter(({ sourceId, targetId }) => memories.has(sourceId) && memories.has(targetId))
    .map(({ sourceId, targetId, relationshipType, score, origin, reason }) => ({
      sourceId,
      targetId,
      relationshipType,
      score,
      origin,
      reason,
    }))
}

function toNodes(
  { depths, hidden }: Walk,
  { memories, edges, begin }: { memories: ReadonlyMap<string, Memory>; edges: GraphEdge[]; begin: readonly string[] },
): GraphNode[] {
  const ids = [...depths.keys()].filter((id) => memories.has(id)).sort()
  const numbers = new Map(ids.map((id, number) => [id, number]))
  const numberOf = (id: string): number => numbers.get(id) ?? -1
  const weighted = edges.map(({ sourceId, targetId, score }) => ({
    a: numberOf(sourceId),
    b: numberOf(targetId),
    weight: score,
  }))
  const start = begin.map(numberOf).filter((number) => number >= 0)
  const ranks = rankPages(ids.length, weighted, start)
  return ids
    .flatMap((id, number): GraphNode[] => {
      const memory = memories.get(id)
      const hiddenEdges = hidden.get(id)
      if (!memory) return []
      return [
        {
          id,
          type: memory.tier,
          path: memory.place.path,
          header: formatHeader(memory.headerPath),
          depth: depths.get(id) ?? 0,
          rank: ranks[number] ?? 0,
          ...(hiddenEdges !== undefined && { hiddenEdges }),
        },
      ]
    })
    .sort((a, b) => a.depth - b.depth || b.rank - a.rank || (a.id < b.id ? -1 : 1))
}

/** Those without any relationship, of whatever type, tier and strength. */
async function findOrphans(store: MemoryStore, ids: readonly string[], filter: MemoryFilter): Promise<string[]> {
  const lonely = new Set(ids)
  const dismissed = await findDismissedPairs(store, ids, filter)
  if (dismissed.size === 0) {
    const degrees = await store.relationships.count(ids, { filter })
    for (const { id, outgoing, incoming, mutual } of degrees) if (outgoing + incoming + mutual > 0) lonely.delete(id)
    return [...lonely]
  }
  for (const one of await store.relationships.list(ids, { filter })) {
    if (isDismissed(one, dismissed)) continue
    lonely.delete(one.sourceId)
    lonely.delete(one.targetId)
  }
  return [...lonely]
}

/** Of each tier, how many memories of the graph there are, and the mean score of the relationships that touch one. */
function shareTiers(nodes: readonly GraphNode[], edges: readonly GraphEdge[]): TierShare[] {
  const tierOf = new Map(nodes.map(({ id, type }) => [id, type]))
  return TIERS.map((tier) => {
    const touching = edges.filter(
      ({ sourceId, targetId }) => tierOf.get(sourceId) === tier || tierOf.get(targetId) === tier,
    )
    const sum = touching.reduce((total, { score }) => total + score, 0)
    return {
      tier,
      count: nodes.filter(({ type }) => type === tier).length,
      averageScore: touching.length === 0 ? null : sum / touching.length,
    }
  })
}
