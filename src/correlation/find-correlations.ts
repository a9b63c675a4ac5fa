import { MadeleineError } from '../errors.ts'
import type { Correlation, CorrelationResult, FindCorrelationsParams } from '../model/correlation.ts'
import { type Memory, TIERS } from '../model/memory.ts'
import { isStated, RELATIONSHIP_TYPES } from '../model/relationship.ts'
import type { MemoryFilter } from '../model/search.ts'
import type { MemoryStore } from '../store/memory-store.ts'
import { type CorrelationContext, checkNumber, checkOneOf } from './correlation-context.ts'
import { CANDIDATES } from './correlation-options.ts'
import { RelatedFinder } from './find-related.ts'
import { findDegraded } from './link-memories.ts'
import { findDismissedPairs, isDismissed } from './reviews.ts'
import { compareCorrelations, exchangeSide, toComputed, toCorrelation } from './to-correlation.ts'

/** The relationships of a memory: those that are stored, and those that its text shows now. */
export async function findCorrelations(
  context: CorrelationContext,
  params: FindCorrelationsParams,
): Promise<CorrelationResult> {
  const { memoryId, type, maxResults = CANDIDATES.listed, minScore: wanted, ...rest } = params
  const minScore = wanted ?? context.settings.minScore
  const { relationshipTypes, ...asked } = rest
  checkOneOf('tier', type, TIERS)
  checkNumber('maxResults', maxResults, { from: 1, to: CANDIDATES.maxListed, isWhole: true })
  checkNumber('minScore', minScore, { from: 0, to: 1 })
  for (const one of relationshipTypes ?? []) checkOneOf('relationship type', one, RELATIONSHIP_TYPES)
  const filter = context.filterOf(asked)
  const memory = await findVisible(context.store, memoryId, filter)
  if (!memory) throw unknownMemory(memoryId)
  if (memory.tier !== type) throw wrongTier(memory, type)
  const stored = await listStored(context.store, memory, { filter, minScore: wanted ?? 0 })
  const computed = await compute(context, memory, { filter, minScore })
  const known = new Set(stored.map(identify))
  const dismissed = await findDismissedPairs(context.store, [memoryId], filter)
  const found = [...stored, ...computed.filter((one) => !known.has(identify(one)))]
    .filter(
      (one) =>
        (one.score >= minScore ||
          (wanted === undefined && one.origin !== 'explicit' && isStated({ ...one, metadata: one.metadata ?? {} }))) &&
        (relationshipTypes ?? RELATIONSHIP_TYPES).includes(one.relationshipType),
    )
    .filter((one) => !isDismissed({ ...one, sourceId: memoryId }, dismissed))
  const correlations = joinMutual(found).sort(compareCorrelations)
  return {
    memoryId,
    correlations: correlations.slice(0, maxResults),
    totalFound: correlations.length,
    degraded: await findDegraded(context),
  }
}

/** Two memories that refer to each other take one place among what is told of either. What somebody stated stays as it was said. */
function joinMutual(found: readonly Correlation[]): Correlation[] {
  const isFound = ({ relationshipType, origin }: Correlation): boolean =>
    relationshipType === 'references' && origin !== 'explicit'
  const back = new Map(
    found.flatMap((one) => (isFound(one) && one.direction === 'in' ? [[one.targetId, one] as const] : [])),
  )
  const joined = new Set<Correlation>()
  const list = found.map((one): Correlation => {
    const other = isFound(one) && one.direction === 'out' ? back.get(one.targetId) : undefined
    if (!other) return one
    joined.add(other)
    return {
      ...one,
      reason: `both ways: ${one.reason}; the other one ${other.reason}`,
      evidence: [...one.evidence, ...other.evidence.map(exchangeSide)],
    }
  })
  return list.filter((one) => !joined.has(one))
}

/** A memory as far as the filter shows it. */
export async function findVisible(store: MemoryStore, id: string, filter: MemoryFilter): Promise<Memory | undefined> {
  const [memory] = await store.getMemories([id])
  if (!memory) return undefined
  const { root, path } = memory.place
  const placed = await store.listDocumentMemories({ root, path }, filter)
  return placed.some((one) => one.memory.id === id) ? memory : undefined
}

async function listStored(
  store: MemoryStore,
  { id }: Memory,
  query: { filter: MemoryFilter; minScore: number },
): Promise<Correlation[]> {
  const relationships = await store.relationships.list([id], query)
  const otherOf = ({ sourceId, targetId }: { sourceId: string; targetId: string }): string =>
    sourceId === id ? targetId : sourceId
  const others = await store.getMemories(relationships.map(otherOf))
  const tiers = new Map(others.map((other) => [other.id, other.tier]))
  return relationships.flatMap((one) => {
    const tier = tiers.get(otherOf(one))
    return tier ? [toCorrelation(one, id, tier)] : []
  })
}

async function compute(
  { store, identity }: CorrelationContext,
  memory: Memory,
  search: { filter: MemoryFilter; minScore: number },
): Promise<Correlation[]> {
  const found = await new RelatedFinder(store).find([memory], { identity: identity(), ...search })
  const list = found.get(memory.id) ?? []
  const otherIds = list.map(({ sourceId, targetId }) => (sourceId === memory.id ? targetId : sourceId))
  const others = new Map((await store.getMemories(otherIds)).map((other) => [other.id, other]))
  return list.flatMap((one, at) => {
    const other = others.get(otherIds[at] ?? '')
    return other ? [toComputed(one, { id: memory.id, text: memory.text, other })] : []
  })
}

/** What makes two of a memory's correlations the same one. */
function identify({ targetId, relationshipType, direction }: Correlation): string {
  return `${targetId}\0${relationshipType}\0${direction}`
}

function unknownMemory(id: string): MadeleineError {
  return new MadeleineError('NOT_FOUND', `Cannot find correlations of "${id}": no memory has this id`, {
    remedy: 'Use an id from search results, or run "madeleine index" first',
  })
}

function wrongTier({ id, tier }: Memory, type: string): MadeleineError {
  return new MadeleineError('INVALID_OPTION', `Cannot find correlations of "${id}" as ${type}: it is ${tier}`, {
    remedy: `Ask for it as ${tier}`,
  })
}
