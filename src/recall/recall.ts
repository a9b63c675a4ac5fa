import { CORRELATOR_DEFAULTS } from '../correlation/correlation-options.ts'
import { expandHits } from '../correlation/expand-hits.ts'
import type { Clock } from '../model/clock.ts'
import { formatHeader } from '../model/memory.ts'
import type { RecallItem, RecallRequest, RecallResponse, RecallTraceEntry } from '../model/recall.ts'
import type { Degraded, Hit, MemoryFilter } from '../model/search.ts'
import { cleanId, cleanQueryText, describeFailure } from '../normalize/index.ts'
import {
  ENRICHED_FACTOR,
  FEEDBACK_BELOW,
  RECALL_DEADLINE_MS,
  RECALL_EMBED_SHARE,
  RECALL_ITEM_CHARS,
  RECALL_MAX_ITEMS,
  RECALL_NOTE_SHARE,
  RECALL_QUERY_CHARS,
  RECALL_THRESHOLD,
  RECALL_TOKEN_BUDGET,
} from '../options.ts'
import { analyzeQuery, type QueryAnalysis } from '../retrieval/analyze-query.ts'
import { bodyOf, bodyOfMemory } from '../retrieval/clean.ts'
import type { MetWords } from '../retrieval/late-interaction.ts'
import { NO_QUERY_VECTOR, type QueryTokens, type QueryVectors, tokensOf } from '../retrieval/query-vectors.ts'
import { searchMemories } from '../retrieval/search.ts'
import { makeSnippet } from '../retrieval/snippet.ts'
import type { MemoryStore } from '../store/memory-store.ts'
import { keepEnds } from '../text/keep-ends.ts'
import { bringOutcomes } from './bring-outcomes.ts'
import { blendVectors, buildQueries, type RecallQueries } from './build-queries.ts'
import { type Deadline, startDeadline, withDeadline } from './deadline.ts'
import { describeRelation } from './describe-relation.ts'
import { estimateTokens, formatItem, formatRecalledContext } from './format-context.ts'
import { noteInjected, readInjected } from './injected.ts'
import { describePause, type ModelBreaker } from './model-breaker.ts'
import { findOwn } from './own-memories.ts'
import { leansOnContext, reasonToSkip } from './should-recall.ts'

export interface RecallParts {
  store: MemoryStore
  clock: Clock
  timeZone: string
  /** The query vectors, absent where there is no model, or none of its vectors in the store; and what cannot be used of them. */
  findVectors?: () => Promise<{ vectors?: QueryVectors; degraded: Degraded[] }>
  threshold?: number
  tokenBudget?: number
  deadlineMs?: number
  /** Monotonic, ms: what the deadline is measured by. Default the process's own. */
  monotonic?: () => number
  /** Remembers over turns whether the model answers. */
  breaker?: ModelBreaker
  /** Reviewers who must have confirmed a contradiction before it counts; null where no relationship is followed. Default 1. */
  consensus?: number | null
  /** Told of every candidate, whether or not the request asks why. */
  onTrace?: (trace: readonly RecallTraceEntry[]) => void
}

const SEARCH_LIMIT = 24

/**
 * What to inject before a turn: skips what needs no memory, searches with the prompt and with the prompt enriched by the
 * conversation, keeps what is good enough and not shown yet, within the token budget.
 * Never rejects; ends within its deadline with less (keywords only) or nothing, and says so in `degraded`.
 */
export async function recallBeforeTurn(
  parts: RecallParts,
  request: RecallRequest,
  filter: MemoryFilter,
): Promise<RecallResponse> {
  const deadline = startDeadline(parts.deadlineMs ?? RECALL_DEADLINE_MS, parts.monotonic)
  const finish = (answer: Partial<RecallResponse>): RecallResponse => ({
    text: '',
    items: [],
    skipped: false,
    ...answer,
    degraded: answer.degraded ?? [],
    elapsedMs: Math.round(deadline.elapsedMs() * 10) / 10,
  })
  try {
    const prompt = cleanQueryText(request.prompt)
    const skip = reasonToSkip(prompt)
    if (skip !== null) return finish({ skipped: true, reason: skip })
    const answer = await withDeadline(recallNow(parts, request, { prompt, filter, deadline }), deadline.leftMs())
    // An answer that is ready at the same time as the timer comes first, however late both are.
    if (answer !== 'late' && !deadline.isOver()) return finish(answer)
    const reason = `no answer within ${deadline.ms} ms`
    return finish({ reason: 'timeout', degraded: [{ part: 'recall', reason }] })
  } catch (error) {
    return finish({ reason: 'error', degraded: [{ part: 'recall', reason: describeFailure(error) }] })
  }
}

/** 'late' as soon as a stage ends after the deadline: what comes then is shown to nobody. */
async function recallNow(
  parts: RecallParts,
  request: RecallRequest,
  { prompt, filter, deadline }: { prompt: string; filter: MemoryFilter; deadline: Deadline },
): Promise<Partial<RecallResponse> | 'late'> {
  const { vectors, degraded: unfit } = (await parts.findVectors?.()) ?? { degraded: [] }
  const turns = request.recentTurns ?? []
  // As the sources keep it: else the session would not know its own.
  const sessionId = request.sessionId === undefined ? undefined : cleanId(request.sessionId)
  const queries = buildQueries(prompt, turns)
  const embedding = embedQueries(vectors, queries, { deadline, breaker: parts.breaker })
  // Done while the model is at work; `embedding` never rejects.
  const now = parts.clock()
  const analysis = analyzeQuery(prompt, { now, timeZone: parts.timeZone })
  const injected = sessionId === undefined ? new Set<string>() : await readInjected(parts.store, sessionId)
  const { lists, degraded: unembedded } = await embedding
  if (deadline.isOver()) return 'late'
  const { hits, unusable } = await searchBoth(parts, { queries, analysis, now, vectors, lists, filter, deadline })
  if (deadline.isOver()) return 'late'
  const degraded = [...unfit, ...unembedded, ...unusable]
  const context = {
    parts,
    injected: request.injectionPersists === false ? new Set<string>() : injected,
    turns: [prompt, ...turns.map(({ text }) => text)],
  }
  const choose = async (some: readonly Hit[]): Promise<Decision[]> =>
    chooseHits(bringOutcomes(some), { ...context, own: await findOwn(parts.store, some, sessionId) })
  const plain = await choose(hits)
  const expanding = deadline.isOver() ? null : expandChosen(parts, plain, { filter, all: request.expand ?? false })
  const expanded = await expanding?.catch((error: unknown) => {
    degraded.push({ part: 'links', reason: describeFailure(error) })
    return null
  })
  const trace = expanded ? await choose(expanded) : plain
  const items = trace.flatMap(({ item }) => item ?? [])
  parts.onTrace?.(trace.map(toTraceEntry))
  if (deadline.isOver()) return 'late'
  if (items.length > 0 && sessionId !== undefined && request.injectionPersists !== false && !request.noHistory) {
    const ids = items.map(({ id }) => id)
    // A store that is busy or read-only must not cost the turn its memories.
    const note = noteInjected(parts.store, sessionId, { before: injected, ids, now })
    const patienceMs = Math.min(deadline.ms * RECALL_NOTE_SHARE, deadline.leftMs() / 2)
    const problem = await withDeadline(note, patienceMs).then(
      (answer) => (answer === 'late' ? 'the store is busy' : null),
      describeFailure,
    )
    if (problem !== null) degraded.push({ part: 'injected-state', reason: problem })
  }
  return {
    text: formatRecalledContext(items),
    items,
    degraded,
    ...(items.length === 0 && { reason: reasonForSilence(trace) }),
    ...(request.explain && { trace: trace.map(toTraceEntry) }),
  }
}

/** Vectors of the plain and of the enriched query; empty where there is none. */
interface QueryLists {
  plain: Float32Array[]
  enriched: Float32Array[]
  /** Of the prompt's words. */
  tokens?: QueryTokens
}

/** One call to the model, within what is left of its share of the deadline, else no vectors. Never rejects. */
async function embedQueries(
  vectors: QueryVectors | undefined,
  { prompt, contextTexts }: RecallQueries,
  { deadline, breaker }: { deadline: Deadline; breaker: ModelBreaker | undefined },
): Promise<{ lists: QueryLists; degraded: Degraded[] }> {
  const none = { plain: [], enriched: [] }
  if (!vectors) return { lists: none, degraded: [] }
  const pausedMs = breaker?.pausedMs() ?? 0
  if (pausedMs > 0) {
    return { lists: none, degraded: [{ part: 'vector', reason: describePause(pausedMs) }] }
  }
  try {
    const texts = [prompt, ...contextTexts].map((text) => keepEnds(text, RECALL_QUERY_CHARS).toWellFormed())
    const untilMs = deadline.ms * RECALL_EMBED_SHARE
    const found = await withDeadline(vectors.get(texts), Math.max(0, untilMs - deadline.elapsedMs()))
    if (found === 'late') {
      breaker?.noteFailure()
      return {
        lists: none,
        degraded: [{ part: 'vector', reason: 'the embedding provider is too slow: keywords only' }],
      }
    }
    breaker?.noteAnswer()
    const [plain, ...context] = found
    const known = context.filter((vector) => vector !== undefined)
    return plain
      ? {
          lists: { plain: [plain], enriched: [blendVectors(plain, known)], ...tokensOf(vectors, texts[0] ?? '') },
          degraded: [],
        }
      : { lists: none, degraded: [{ part: 'vector', reason: NO_QUERY_VECTOR }] }
  } catch (error) {
    breaker?.noteFailure()
    return { lists: none, degraded: [{ part: 'vector', reason: `${describeFailure(error)}: keywords only` }] }
  }
}

interface SearchContext {
  queries: RecallQueries
  analysis: QueryAnalysis
  now: Date
  vectors: QueryVectors | undefined
  lists: QueryLists
  filter: MemoryFilter
  deadline: Deadline
}

/**
 * Hits of both queries, each memory with its better score, best first. What only the conversation suggests counts less, and is
 * left out where the first search took longer than what is left.
 */
async function searchBoth(
  { store, timeZone, threshold = RECALL_THRESHOLD }: RecallParts,
  { queries, analysis, now, vectors, lists, filter, deadline }: SearchContext,
): Promise<{ hits: Hit[]; unusable: Degraded[] }> {
  let unusable: Degraded[] = []
  // Both searches compare the words of the prompt.
  const met: MetWords = new Map()
  const search = async (list: readonly Float32Array[], contextWords: RecallQueries['contextWords']): Promise<Hit[]> => {
    const answer = await searchMemories(store, {
      text: queries.prompt,
      now,
      timeZone,
      filter,
      limit: SEARCH_LIMIT,
      mode: 'hybrid',
      minScore: 0,
      analysis,
      hitsOnly: true,
      // What is weak enough for a second round is too weak to be injected after it (none of 1,577 recalls differed).
      skipFeedback: threshold >= FEEDBACK_BELOW,
      ...(vectors &&
        list.length > 0 && {
          vectors: { identity: vectors.identity, list, ...(lists.tokens && { tokens: lists.tokens }), met },
        }),
      contextWords,
    })
    unusable = answer.degraded.filter(({ part }) => part === 'vector-dimensions')
    return answer.hits
  }
  const before = deadline.elapsedMs()
  const plain = await search(lists.plain, [])
  if (queries.contextWords.length === 0) return { hits: plain, unusable }
  if (deadline.elapsedMs() - before > deadline.leftMs()) {
    return { hits: plain, unusable: [...unusable, { part: 'context', reason: 'too little time: the prompt alone' }] }
  }
  const factor = leansOnContext(queries.prompt) ? ENRICHED_FACTOR.leaning : ENRICHED_FACTOR.standalone
  const best = new Map(plain.map((hit) => [hit.memory.id, hit]))
  for (const hit of await search(lists.enriched, queries.contextWords)) {
    const score = hit.score * factor
    if (score > (best.get(hit.memory.id)?.score ?? 0)) best.set(hit.memory.id, weaken(hit, factor))
  }
  const hits = [...best.values()].sort((a, b) => b.score - a.score || (a.memory.id < b.memory.id ? -1 : 1))
  return { hits, unusable }
}

/** A hit of the enriched query, which counts less; the reason goes with it. */
function weaken({ memory, score, explanation }: Hit, factor: number): Hit {
  const { calibration, boosts } = explanation
  const boost = { name: 'conversation', factor, reason: 'found with the words of the conversation' }
  const weakened = calibration && { ...calibration, score: score * factor, share: calibration.share * factor }
  return {
    memory,
    score: score * factor,
    explanation: { ...explanation, boosts: [...boosts, boost], ...(weakened && { calibration: weakened }) },
  }
}

/** What becomes of a hit. `item` is how the block shows it; absent where it does not. */
interface Decision {
  hit: Hit
  outcome: RecallTraceEntry['outcome']
  item?: RecallItem
}

/**
 * The hits with what bears on those that are in the block: all of it, or what holds against them. Null where that changes nothing: there is
 * nothing in the block, or nothing bears on it.
 */
async function expandChosen(
  { store, threshold = RECALL_THRESHOLD, consensus = CORRELATOR_DEFAULTS.consensus }: RecallParts,
  plain: readonly Decision[],
  { filter, all }: { filter: MemoryFilter; all: boolean },
): Promise<Hit[] | null> {
  const chosen = plain.filter(({ outcome }) => outcome === 'injected').map(({ hit }) => hit)
  if (consensus === null || chosen.length === 0) return null
  const options = { filter, limit: SEARCH_LIMIT, minScore: threshold, ...(!all && { consensus }) }
  const { hits } = await expandHits(store, chosen, options)
  if (hits.every(({ links = [] }) => links.length === 0)) return null
  const expanded = new Set(hits.map(({ memory }) => memory.id))
  return [...hits, ...plain.map(({ hit }) => hit).filter(({ memory }) => !expanded.has(memory.id))]
}

function chooseHits(
  hits: readonly Hit[],
  context: { parts: RecallParts; injected: ReadonlySet<string>; own: ReadonlySet<string>; turns: readonly string[] },
): Decision[] {
  const { parts, injected, own, turns } = context
  let budget = parts.tokenBudget ?? RECALL_TOKEN_BUDGET
  let count = 0
  // Folded when the first hit is good enough: a conversation may be long, and mostly there is none.
  let shown: string[] | null = null
  const isShown = (text: string): boolean => {
    shown ??= turns.map(bodyOf)
    return shown.some((turn) => turn.includes(text))
  }
  return hits.map((hit): Decision => {
    const { memory, score } = hit
    if (score < (parts.threshold ?? RECALL_THRESHOLD)) return { hit, outcome: 'below-threshold' }
    if (own.has(memory.id)) return { hit, outcome: 'same-session' }
    // A note's heading is not repeated by those who quote it.
    if (injected.has(memory.id) || isShown(bodyOfMemory(memory))) return { hit, outcome: 'already-shown' }
    if (count >= RECALL_MAX_ITEMS) return { hit, outcome: 'over-budget' }
    const item = toItem(hit, hits)
    const tokens = estimateTokens(formatItem(item))
    if (tokens > budget) return { hit, outcome: 'over-budget' }
    budget -= tokens
    count += 1
    return { hit, outcome: 'injected', item }
  })
}

function reasonForSilence(decisions: readonly Decision[]): string {
  if (decisions.length === 0) return 'nothing matches'
  const outcomes = new Set(decisions.map(({ outcome }) => outcome))
  if (outcomes.has('already-shown')) return 'already shown in this session'
  if (outcomes.has('same-session')) return 'only this session speaks of it'
  if (outcomes.has('over-budget')) return 'nothing fits the token budget'
  return 'nothing relevant enough'
}

function toItem(hit: Hit, hits: readonly Hit[]): RecallItem {
  const { memory, score, explanation } = hit
  const { place } = memory
  const relation = describeRelation(hit, hits)
  return {
    id: memory.id,
    path: place.path,
    root: place.root,
    startLine: place.startLine,
    endLine: place.endLine,
    score,
    // Cut to what an item shows, or the words that matched could be cut off later.
    text: makeSnippet(memory.text, explanation.matchedTerms, RECALL_ITEM_CHARS),
    header: formatHeader(memory.headerPath),
    ...(memory.role && { role: memory.role }),
    ...(memory.speaker && { speaker: memory.speaker }),
    ...(memory.tool && { tool: memory.tool }),
    ...(place.sessionId && { sessionId: place.sessionId }),
    ...(place.occurredAt && place.dateOrigin !== 'mtime' && { occurredAt: place.occurredAt }),
    ...(relation !== undefined && { relation }),
  }
}

function toTraceEntry({ hit, outcome }: Decision): RecallTraceEntry {
  const { memory, score, explanation } = hit
  return { id: memory.id, path: memory.place.path, startLine: memory.place.startLine, score, outcome, explanation }
}
