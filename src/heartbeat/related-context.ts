import type { HeartbeatResult, RelatedContext, Signal } from '../model/heartbeat.ts'
import type { Relationship } from '../model/relationship.ts'
import type { Degraded, MemoryFilter, Viewer } from '../model/search.ts'
import { describeFailure } from '../normalize/index.ts'
import { makeSnippetFromMatch } from '../retrieval/snippet.ts'
import type { MemoryStore } from '../store/memory-store.ts'
import { tokenize } from '../text/tokenize.ts'
import { findRelated, makeRequests, type RelatedMemory } from './related/find-related.ts'
import { describeRelationships, listDecisionRelationships } from './related/graph-context.ts'
import { RELATED_LIMITS, RELATED_SNIPPET_CHARS, RELATED_STATES, RELATED_TYPES } from './related/related-options.ts'
import { type SignalMemory, selectSignals } from './related/select-signals.ts'

export interface RelatedContextOptions {
  store: MemoryStore
  /** Who is told of it. */
  viewer: Viewer
  now: Date
  /** The user's zone. */
  timeZone: string
  /** Identity of the vectors that are compared; null where there is no model. */
  identity: string | null
  /** The language model is to be asked… */
  analyze?: boolean
  /** …and there is one. */
  hasLanguageModel?: boolean
  /** Related memories are wanted without a language model too. */
  related?: boolean
  signal?: AbortSignal
}

/** The parts of a heartbeat that are read and filled. */
export type Enrichable = Pick<HeartbeatResult, 'shouldAct' | 'signals' | 'relatedContext' | 'graphContext' | 'degraded'>

/**
 * The result with the past decisions, activities and events that bear on its signals, and the relationships that lead from there. Runs
 * when the tick acts and somebody looks at it: the language model, or a caller who asks for it; else nothing is searched. The
 * memories of the three most urgent signals find three others each, from another session, of the asker's scope, each once. No model is
 * asked. Never rejects: what could not be done stands in `degraded`.
 */
export async function enrichWithRelatedContext<T extends Enrichable>(
  result: T,
  options: RelatedContextOptions,
): Promise<T> {
  const isWanted = options.related === true || (options.analyze === true && options.hasLanguageModel === true)
  if (!result.shouldAct || !isWanted) return result
  const degraded: Degraded[] = []
  const chosen = selectSignals(result.signals)
  const related = await attempt([], degraded, () => collectRelated(chosen, result, { ...options, degraded }))
  const { relatedContext, graphContext } = await attempt(
    { relatedContext: related.map((one) => toContext(one)), graphContext: [] },
    degraded,
    () => addRelationships(related, chosen, options),
  )
  return { ...result, relatedContext, graphContext, degraded: [...result.degraded, ...degraded] }
}

interface FoundFor {
  signal: SignalMemory
  found: RelatedMemory
}

async function collectRelated(
  chosen: readonly SignalMemory[],
  { signals }: Enrichable,
  { degraded, ...options }: RelatedContextOptions & { degraded: Degraded[] },
): Promise<FoundFor[]> {
  const { store, signal: aborted } = options
  const memories = new Map(
    (await store.getMemories(chosen.map(({ memoryId }) => memoryId))).map((one) => [one.id, one]),
  )
  // What a signal is about is shown as a signal.
  const excluded = new Set(signals.flatMap(({ memoryIds }) => memoryIds.slice(0, 1)))
  const filter: MemoryFilter = { viewer: options.viewer, types: RELATED_TYPES, states: RELATED_STATES }
  const search = { ...options, filter }
  const subjects = chosen.flatMap((signal) => {
    const memory = memories.get(signal.memoryId)
    const { topic } = signal.signal
    return memory ? [{ signal, memory, ...(topic !== undefined && { topic }) }] : []
  })
  const requests = await makeRequests(search, subjects)
  const collected: FoundFor[] = []
  for (const [index, { signal, memory }] of subjects.entries()) {
    const request = requests[index]
    const limit = Math.min(RELATED_LIMITS.each, RELATED_LIMITS.all - collected.length)
    if (!request || limit <= 0) continue
    aborted?.throwIfAborted()
    const without = new Set([...excluded, ...signal.signal.memoryIds])
    const question = { memory, request, excluded: without, limit }
    for (const found of await attempt([], degraded, () => findRelated(search, question))) {
      collected.push({ signal: { ...signal, signal: mostAbout(found, signal, signals) }, found })
      excluded.add(found.memory.id)
    }
  }
  return collected
}

/** Of the signals that one memory gave, the one whose words a related memory holds most of: a list of open items is one memory. */
function mostAbout({ memory }: RelatedMemory, { signal, memoryId }: SignalMemory, signals: readonly Signal[]): Signal {
  const held = new Set(tokenize(memory.text).map(({ term }) => term))
  const shared = ({ topic, summary }: Signal): number =>
    tokenize(topic ?? summary).filter(({ term, kind }) => kind === 'word' && held.has(term)).length
  const ofMemory = signals.filter(({ memoryIds: [id], suppressedBy }) => id === memoryId && suppressedBy === undefined)
  return ofMemory.reduce((best, one) => (shared(one) > shared(best) ? one : best), signal)
}

async function addRelationships(
  related: readonly FoundFor[],
  chosen: readonly SignalMemory[],
  { store, viewer }: RelatedContextOptions,
): Promise<Pick<HeartbeatResult, 'relatedContext' | 'graphContext'>> {
  const ids = [...new Set([...chosen.map(({ memoryId }) => memoryId), ...related.map(({ found }) => found.memory.id)])]
  const filter: MemoryFilter = { viewer, states: RELATED_STATES }
  const relationships = await listDecisionRelationships(store, ids, filter)
  const named = new Set<Relationship>()
  const relatedContext = related.map((one) => {
    const between = relationships.find((relationship) => joins(relationship, one))
    if (between) named.add(between)
    return toContext(one, between)
  })
  const others = relationships.filter((relationship) => !named.has(relationship))
  return { relatedContext, graphContext: await describeRelationships(store, others) }
}

function joins({ sourceId, targetId }: Relationship, { signal, found }: FoundFor): boolean {
  const [a, b] = [signal.memoryId, found.memory.id]
  return (sourceId === a && targetId === b) || (sourceId === b && targetId === a)
}

function toContext({ signal, found }: FoundFor, relationship?: Relationship): RelatedContext {
  const { memory, score, matchedTerms } = found
  const { path, occurredAt, dateOrigin } = memory.place
  return {
    signal: signal.signal.signature,
    id: memory.id,
    path,
    snippet: makeSnippetFromMatch(memory.text, matchedTerms, RELATED_SNIPPET_CHARS),
    score: Math.round(score * 10_000) / 10_000,
    // When a file was last touched is not when something happened.
    ...(occurredAt !== undefined && dateOrigin !== 'mtime' && { occurredAt }),
    ...(relationship && { relationship: { type: relationship.relationshipType, reason: relationship.reason } }),
  }
}

/** What the work gives; when it fails, what is given instead, and the reason in `degraded`. */
async function attempt<T>(instead: T, degraded: Degraded[], work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    degraded.push({ part: 'related-context', reason: describeFailure(error) })
    return instead
  }
}
