import { isSymmetric, type Relationship } from '../model/relationship.ts'
import type { Hit, HitLink, MemoryFilter } from '../model/search.ts'
import type { MemoryStore } from '../store/memory-store.ts'
import { instantOf } from './compared-memory.ts'
import { EXPANSION } from './correlation-options.ts'
import { findDismissedPairs, isDismissed, pairKey } from './reviews.ts'

export interface ExpandOptions {
  /** Both ends of a relationship must pass it. */
  filter: MemoryFilter
  limit: number
  /** Inclusive: what is brought in must score as much. */
  minScore: number
  /**
   * Only contradictions that hold: somebody stated them, or so many reviewers as this confirmed them; and only from an older memory to what
   * is not older.
   */
  consensus?: number
}

/** A memory that a relationship brings in, by the hit that it brings most from. */
interface Brought {
  id: string
  score: number
  relationship: Relationship
  from: Hit
}

/**
 * Follows the strongest relationships of the first hits one step and puts what bears on them among the hits: its score is the hit's times
 * the relationship's times EXPANSION.factors of its type, so that it stands below what brought it. Of two that contradict each other the newer
 * comes to stand directly above the older, unless the query found it much less fitting; what an older one was brought in for stands
 * above it. No hits, nothing to follow: nothing is brought in. Every hit says in `links` how it bears on the others.
 */
export async function expandHits(
  store: MemoryStore,
  hits: readonly Hit[],
  options: ExpandOptions,
): Promise<{ hits: Hit[]; added: number }> {
  const ids = hits.map(({ memory }) => memory.id)
  const relationships = await listRelationships(store, ids, options)
  const read = await readBrought(store, pickBrought(hits, relationships, options))
  const brought = options.consensus === undefined ? read : read.filter(({ isOlder }) => !isOlder)
  const merged = [...hits]
  for (const hit of brought) {
    const below = merged.findIndex(({ score }) => score < hit.score)
    merged.splice(below === -1 ? merged.length : below, 0, hit)
  }
  const ordered = setNewerAbove(merged, { relationships, brought: new Set(brought.map(({ memory }) => memory.id)) })
  const shown = ordered.slice(0, options.limit)
  const origins = new Map(brought.map((hit) => [hit.memory.id, hit.origin]))
  return { hits: shown.map((hit) => toLinkedHit(hit, { shown, relationships, origins })), added: brought.length }
}

/** An answer of a search with what relationships bring in. */
export async function expandAnswer<Answer extends { hits: Hit[]; total: number }>(
  store: MemoryStore,
  answer: Answer,
  options: ExpandOptions,
): Promise<Answer> {
  const { hits, added } = await expandHits(store, answer.hits, options)
  return { ...answer, hits, total: answer.total + added }
}

async function listRelationships(
  store: MemoryStore,
  ids: readonly string[],
  { filter, consensus }: ExpandOptions,
): Promise<Relationship[]> {
  if (ids.length === 0) return []
  const query = { filter, perMemory: EXPANSION.perMemory, minScore: EXPANSION.minScore }
  if (consensus !== undefined) {
    const found = await store.relationships.list(ids, { ...query, types: ['contradicts'] })
    return found.length === 0 ? [] : keepEnforced(store, found, { ids, filter, consensus })
  }
  const found = await store.relationships.list(ids, query)
  if (!found.some(({ relationshipType }) => relationshipType === 'contradicts')) return found
  const dismissed = await findDismissedPairs(store, ids, filter)
  return found.filter((one) => !isDismissed(one, dismissed))
}

/** Those that somebody stated or that enough people confirmed. */
async function keepEnforced(
  store: MemoryStore,
  found: readonly Relationship[],
  { ids, filter, consensus }: { ids: readonly string[]; filter: MemoryFilter; consensus: number },
): Promise<Relationship[]> {
  const reviews = await store.relationships.listReviews({ filter, status: 'confirmed', memoryIds: ids })
  const enforced = new Set(
    reviews
      .filter(({ confirmations }) => confirmations >= consensus)
      .map(({ firstId, secondId }) => pairKey(firstId, secondId)),
  )
  return found.filter(
    ({ origin, sourceId, targetId }) => origin === 'explicit' || enforced.has(pairKey(sourceId, targetId)),
  )
}

/** What the first hits bring in, each by its best way, best first. */
function pickBrought(
  hits: readonly Hit[],
  relationships: readonly Relationship[],
  { limit, minScore }: ExpandOptions,
): Brought[] {
  const known = new Set(hits.map(({ memory }) => memory.id))
  const best = new Map<string, Brought>()
  for (const from of hits.slice(0, EXPANSION.from)) {
    for (const relationship of relationships) {
      const id = otherEnd(relationship, from.memory.id)
      if (id === undefined || known.has(id)) continue
      const damped = from.score * relationship.score * EXPANSION.factors[relationship.relationshipType]
      // A correction belongs to what it corrects, wherever that is shown.
      const isCorrection = relationship.relationshipType === 'contradicts' && from.score >= minScore
      const score = isCorrection ? Math.max(damped, minScore) : damped
      if (score < minScore || score <= (best.get(id)?.score ?? 0)) continue
      best.set(id, { id, score, relationship, from })
    }
  }
  return [...best.values()]
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
    .slice(0, Math.max(1, Math.floor(limit * EXPANSION.share)))
}

function otherEnd({ sourceId, targetId }: Relationship, id: string): string | undefined {
  if (sourceId === id) return targetId
  return targetId === id ? sourceId : undefined
}

async function readBrought(
  store: MemoryStore,
  brought: readonly Brought[],
): Promise<Array<Hit & { origin: Relationship; isOlder: boolean }>> {
  const memories = new Map((await store.getMemories(brought.map(({ id }) => id))).map((one) => [one.id, one]))
  const none = { vector: 0, keyword: 0, header: 0, filepath: 0 }
  return brought.flatMap(({ id, score, relationship, from }) => {
    const memory = memories.get(id)
    if (!memory) return []
    const factor = from.score === 0 ? 0 : score / from.score
    const reason = `${relationship.relationshipType}, beside ${from.memory.place.path}: ${relationship.reason}`
    const explanation = { signals: none, weights: none, boosts: [{ name: 'link', factor, reason }], matchedTerms: [] }
    const isOlder = timeOf({ memory }) < timeOf(from)
    return [{ memory, score, explanation, origin: relationship, isOlder }]
  })
}

/** Contradictions side by side, the newer one above. What nothing dates stays where it is. */
function setNewerAbove(
  hits: readonly Hit[],
  { relationships, brought }: { relationships: readonly Relationship[]; brought: ReadonlySet<string> },
): Hit[] {
  const list = [...hits]
  for (const { relationshipType, sourceId, targetId } of relationships) {
    if (relationshipType !== 'contradicts') continue
    const ends = [sourceId, targetId].map((id) => list.find(({ memory }) => memory.id === id))
    const [newer, older] = ends.sort((a, b) => timeOf(b) - timeOf(a))
    if (!newer || !older || !(timeOf(newer) > timeOf(older))) continue
    const isBrought = brought.has(newer.memory.id) || brought.has(older.memory.id)
    const isAbove = list.indexOf(newer) < list.indexOf(older)
    if (isAbove && brought.has(older.memory.id)) moveTo(list, older, { below: newer })
    else if (!isAbove && (isBrought || newer.score >= EXPANSION.newerShare * older.score))
      moveTo(list, newer, { above: older })
  }
  return list
}

function timeOf(hit: Pick<Hit, 'memory'> | undefined): number {
  return (hit && instantOf(hit.memory)) ?? Number.NaN
}

/** Puts a hit directly above or below another one, with a score that keeps the list in order. */
function moveTo(list: Hit[], hit: Hit, place: { above: Hit } | { below: Hit }): void {
  list.splice(list.indexOf(hit), 1)
  if ('above' in place) {
    list.splice(list.indexOf(place.above), 0, { ...hit, score: Math.max(hit.score, place.above.score) })
    return
  }
  const at = list.indexOf(place.below) + 1
  const score = Math.min(place.below.score, Math.max(hit.score, list[at]?.score ?? 0))
  list.splice(at, 0, { ...hit, score })
}

function toLinkedHit(
  hit: Hit,
  given: {
    shown: readonly Hit[]
    relationships: readonly Relationship[]
    origins: ReadonlyMap<string, Relationship>
  },
): Hit {
  const { memory, score, explanation } = hit
  const ids = new Set(given.shown.map((one) => one.memory.id))
  const links = given.relationships.flatMap((relationship): HitLink[] => {
    const id = otherEnd(relationship, memory.id)
    if (id === undefined || !ids.has(id)) return []
    const { relationshipType, reason } = relationship
    return [
      {
        id,
        relationshipType,
        direction: relationship.sourceId === memory.id || isSymmetric(relationshipType) ? 'out' : 'in',
        score: relationship.score,
        reason,
        ...(given.origins.get(memory.id) === relationship && { broughtIn: true }),
      },
    ]
  })
  return { memory, score, explanation, links }
}
