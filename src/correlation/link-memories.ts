import { MadeleineError } from '../errors.ts'
import type { LinkOptions, LinkReport } from '../model/correlation.ts'
import type { Memory } from '../model/memory.ts'
import type { Degraded, MemoryFilter } from '../model/search.ts'
import type { AwaitingLink, ReviewOpening } from '../store/memory-store.ts'
import type { CorrelationContext } from './correlation-context.ts'
import { LINKING } from './correlation-options.ts'
import { RelatedFinder } from './find-related.ts'
import type { FoundRelationship } from './relate-pair.ts'
import { WaitingLinks } from './waiting-links.ts'

/** How much is linked in one go: everything that waits, or so many memories, or these. */
export interface LinkScope {
  limit?: number
  ids?: readonly string[]
}

/**
 * Links the memories that wait, a batch at a time: what is done stays done, whatever becomes of the rest. Rejects with INTERRUPTED when
 * the caller aborts.
 */
export async function linkMemories(
  context: CorrelationContext,
  { all = false, onProgress, signal }: LinkOptions = {},
  { limit = Number.POSITIVE_INFINITY, ids }: LinkScope = {},
): Promise<LinkReport> {
  const { store } = context
  const startedAt = performance.now()
  if (all) await store.relationships.noteAwaiting('all')
  const { awaiting } = await store.relationships.totals()
  const total = Math.min(ids?.length ?? awaiting, limit)
  const finder = new RelatedFinder(store)
  const report: LinkReport = {
    memories: 0,
    written: 0,
    removed: 0,
    reviews: 0,
    pairs: 0,
    awaiting,
    elapsedMs: 0,
    degraded: await findDegraded(context),
  }
  const wanted = ids && new Set(ids)
  const waiting = new WaitingLinks(store.relationships, {
    // What was just added is among the first, or waits for a run that links everything.
    window: wanted ? LINKING.batch : LINKING.window,
    ...(wanted && { isWanted: (id) => wanted.has(id) }),
  })
  for (;;) {
    if (signal?.aborted) throw interrupted(report.memories)
    const room = Math.min(LINKING.batch, limit - report.memories)
    const { batch, isFresh } = await waiting.take(Math.max(0, room), finder.listHeld())
    if (batch.length === 0) break
    const stale = await linkBatch(context, finder, { batch, report })
    if (report.degraded.length > 0) waiting.postpone(await postpone(context, batch))
    onProgress?.({ done: Math.min(report.memories, total), total })
    if (stale < batch.length) continue
    // Somebody changes them as fast as they are linked: they wait for the next run.
    if (isFresh) break
    waiting.forget()
  }
  report.pairs = finder.pairs
  report.awaiting = (await store.relationships.totals()).awaiting
  report.elapsedMs = Math.round(performance.now() - startedAt)
  return report
}

/** Returns how many of the batch changed meanwhile. */
async function linkBatch(
  context: CorrelationContext,
  finder: RelatedFinder,
  { batch, report }: { batch: readonly AwaitingLink[]; report: LinkReport },
): Promise<number> {
  const { store, clock, settings } = context
  const memories = await store.getMemories(batch.map(({ id }) => id))
  const found = await findAll(context, finder, memories)
  const relationships = memories.flatMap(({ id }) => keepStrongest(found.get(id) ?? [], settings.maxLinks))
  const unique = [...new Map(relationships.map((one) => [keyOf(one), one])).values()]
  const now = clock()
  // First: what is killed in between is linked again, and finds its review there.
  const openings = [...found.values()].flatMap((list) => list.flatMap(toOpening))
  report.reviews += await store.relationships.openReviews(openings, now)
  const result = await store.relationships.replaceDiscovered(
    batch,
    unique.map((one) => ({ ...one, origin: 'discovered' as const })),
    now,
  )
  const ends = unique.flatMap(({ sourceId, targetId }) => [sourceId, targetId])
  report.removed += result.removed + (await trim(context, ends))
  report.written += result.written
  report.memories += batch.length - result.stale.length
  return result.stale.length
}

/** Looks from each memory at what its agent sees, and from a shared one at what those see who see it. */
async function findAll(
  { identity, team, settings }: CorrelationContext,
  finder: RelatedFinder,
  memories: readonly Memory[],
): Promise<Map<string, FoundRelationship[]>> {
  const groups = new Map<string, { filter: MemoryFilter; memories: Memory[] }>()
  const add = (filter: MemoryFilter, memory: Memory): void => {
    const key = JSON.stringify(filter)
    const group = groups.get(key) ?? { filter, memories: [] }
    group.memories.push(memory)
    groups.set(key, group)
  }
  for (const memory of memories) {
    const { tenant, agent, visibility } = memory.scope
    add({ viewer: { tenant, agent, ...(team.includes(agent) && { team }) } }, memory)
    if (visibility !== 'private') add({ viewer: { tenant } }, memory)
  }
  const found = new Map<string, Map<string, FoundRelationship>>()
  for (const group of groups.values()) {
    const search = { identity: identity(), filter: group.filter, minScore: settings.minScore }
    for (const [id, relationships] of await finder.find(group.memories, search)) {
      const known = found.get(id) ?? new Map<string, FoundRelationship>()
      for (const one of relationships) known.set(keyOf(one), one)
      found.set(id, known)
    }
  }
  return new Map([...found].map(([id, relationships]) => [id, [...relationships.values()]]))
}

function keepStrongest(found: readonly FoundRelationship[], limit: number): FoundRelationship[] {
  const rank = ({ metadata }: FoundRelationship): number => (metadata?.basis === 'stated' ? 1 : 0)
  return [...found]
    .sort((a, b) => rank(b) - rank(a) || b.score - a.score || (keyOf(a) < keyOf(b) ? -1 : 1))
    .slice(0, limit)
}

/** What others found of a memory may be more than it keeps. */
async function trim({ store, settings }: CorrelationContext, ids: readonly string[]): Promise<number> {
  const counts = new Map<string, number>()
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1)
  return store.relationships.trimDiscovered([...counts.keys()].sort(), settings.maxLinks)
}

function toOpening({ sourceId, targetId, relationshipType, reason, evidence }: FoundRelationship): ReviewOpening[] {
  return relationshipType === 'contradicts' ? [{ firstId: sourceId, secondId: targetId, reason, evidence }] : []
}

function keyOf({ sourceId, targetId, relationshipType }: FoundRelationship): string {
  return `${sourceId}\0${targetId}\0${relationshipType}`
}

/** Those without a vector are linked again once they may have one. Returns their ids. */
async function postpone({ store, identity }: CorrelationContext, batch: readonly AwaitingLink[]): Promise<string[]> {
  const ids = batch.map(({ id }) => id)
  const vectors = await store.getVectors(identity() ?? '', ids)
  const without = ids.filter((id) => !vectors.has(id))
  if (without.length > 0) await store.relationships.noteAwaiting(without)
  return without
}

/** What the links are found without. */
export async function findDegraded({
  store,
  identity,
}: Pick<CorrelationContext, 'store' | 'identity'>): Promise<Degraded[]> {
  const wanted = identity()
  if (wanted === null) return []
  const { pending } = await store.counts(wanted)
  if (pending === 0) return []
  return [{ part: 'vector', reason: `${pending} memories have no vector yet and are compared by their words alone` }]
}

function interrupted(count: number): MadeleineError {
  return new MadeleineError('INTERRUPTED', `Linking was interrupted after ${count} memories: what was linked is kept`, {
    remedy: 'Link again: it goes on where it stopped',
  })
}
