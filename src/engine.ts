import { createCorrelator } from './correlation/correlator.ts'
import { expandAnswer } from './correlation/expand-hits.ts'
import type { EmbeddingProvider } from './embedding/embedding-provider.ts'
import { MadeleineError } from './errors.ts'
import { composeHeart } from './heartbeat/compose-heart.ts'
import { ageWhenDue } from './indexing/age-memories.ts'
import type { DocumentReader, ReadingTask } from './indexing/document-reader.ts'
import { embedPending, embedTexts, isSettled } from './indexing/embed-pending.ts'
import { findTroubles } from './indexing/find-troubles.ts'
import { indexSources } from './indexing/index-sources.ts'
import { reportStatus } from './indexing/inspect.ts'
import { keepProblems } from './indexing/kept-problems.ts'
import { linkIndexed } from './indexing/link-indexed.ts'
import { assertOwnId, createRemembered } from './indexing/remembered.ts'
import type { LanguageModel } from './language-model/language-model.ts'
import type { Clock } from './model/clock.ts'
import type { CorrelatorSettings } from './model/correlation.ts'
import type {
  GetOptions,
  GetResponse,
  IndexOptions,
  IndexReport,
  ListedMemory,
  Madeleine,
  RememberOptions,
} from './model/engine.ts'
import type { HeartbeatSettings } from './model/heartbeat.ts'
import type { RecallRequest, RecallResponse, RecallTraceEntry } from './model/recall.ts'
import type { Degraded, SearchOptions, SearchResponse, Viewer } from './model/search.ts'
import { cleanQueryText, describeFailure } from './normalize/index.ts'
import { ACCESS_NOTE_MS, DEFAULT_LIMIT, TURN_LOG } from './options.ts'
import { withDeadline } from './recall/deadline.ts'
import { findRecallTroubles } from './recall/find-recall-troubles.ts'
import { createModelBreaker } from './recall/model-breaker.ts'
import { recallBeforeTurn } from './recall/recall.ts'
import { createTurnLog } from './recall/turn-log.ts'
import { checkSearchOptions } from './retrieval/check-options.ts'
import { findNamed } from './retrieval/find-named.ts'
import { createGapLog, isWholeSearch } from './retrieval/gap-log.ts'
import { checkLines, locateMemories, notFound } from './retrieval/locate-memories.ts'
import { assertOwner, toMemoryFilter, toViewer, type ViewerDefaults } from './retrieval/memory-filter.ts'
import { createQueryVectors, embedForSearch, type QueryVectors, tokensOf } from './retrieval/query-vectors.ts'
import { lastLineOf, readLines } from './retrieval/read-lines.ts'
import { searchMemories } from './retrieval/search.ts'
import { searchBySeedRules } from './retrieval/seed-profile.ts'
import { toSearchResult } from './retrieval/to-search-result.ts'
import type { Source } from './source/source.ts'
import type { MemoryStore } from './store/memory-store.ts'

/** What an engine is made of. The caller picks the adapters. */
export interface EngineParts {
  store: MemoryStore
  /** What searches and recalls ask in its place. */
  readStore?: MemoryStore
  sources: readonly Source[]
  /** Null where there is no model: keywords alone serve. */
  embedding: EmbeddingProvider | null
  clock: Clock
  timeZone: string
  viewer: ViewerDefaults
  recall?: { threshold?: number; tokenBudget?: number; deadlineMs?: number }
  correlation?: CorrelatorSettings
  heartbeat?: HeartbeatSettings
  /** For the analysis of a heartbeat; asked by nothing else. */
  languageModel?: LanguageModel
  /** What reads the documents of an index run; default this thread. */
  openReader?: (task: ReadingTask) => DocumentReader
  /** What deadlines are measured by, ms; default the process's own monotonic clock. */
  monotonic?: () => number
}

/** Wires the passes into the public interface. Opens nothing by itself; `close` closes store and provider. */
export function createEngine(parts: EngineParts): Madeleine {
  const queryVectors = parts.embedding ? createQueryVectors(parts.embedding) : null
  let usable: QueryVectors | null = null
  const reads = parts.readStore ?? parts.store
  const breaker = createModelBreaker(parts.monotonic ?? (() => performance.now()))
  const turnLog = createTurnLog(parts.store)
  const gapLog = createGapLog(parts.store)
  let logging: Promise<void> = Promise.resolve()
  const { linkAdded, ...correlator } = createCorrelator({
    store: parts.store,
    clock: parts.clock,
    identity: () => parts.embedding?.identity ?? null,
    embed: (text) => embedWindows(parts.embedding, text),
    ...(parts.viewer.team && { team: parts.viewer.team }),
    toViewer: (asked) => toViewer(parts.viewer, asked),
    ...(parts.correlation && { settings: parts.correlation }),
  })
  const heart = composeHeart({
    store: parts.store,
    clock: parts.clock,
    timeZone: parts.timeZone,
    identity: () => parts.embedding?.identity ?? null,
    toViewer: (asked) => toViewer(parts.viewer, asked),
    async listTurns(viewer) {
      await logging
      return (await turnLog.list(viewer, TURN_LOG.turns, parts.clock())).map(({ at }) => Date.parse(at))
    },
    ...(parts.heartbeat && { settings: parts.heartbeat }),
    ...(parts.languageModel && { languageModel: parts.languageModel }),
  })

  /** The query vectors, once the store holds vectors of their kind; else the reason why not. Never starts a rebuild. */
  async function findVectors(): Promise<{ vectors?: QueryVectors; degraded: Degraded[] }> {
    if (!queryVectors) return { degraded: [] }
    if (usable) return { vectors: usable, degraded: [] }
    const { embedded, memories } = await reads.counts(queryVectors.identity)
    if ((embedded[queryVectors.identity] ?? 0) > 0) {
      usable = queryVectors
      return { vectors: usable, degraded: [] }
    }
    if (memories === 0) return { degraded: [] }
    const other = Object.keys(embedded)[0]
    return {
      degraded: [
        other
          ? {
              part: 'vector-identity',
              reason: `vectors are of ${other}, wanted are ${queryVectors.identity}: run "madeleine index"`,
            }
          : { part: 'vector', reason: `${memories} memories wait for their vectors: run "madeleine index"` },
      ],
    }
  }

  async function index(options: IndexOptions = {}): Promise<IndexReport> {
    const startedAt = performance.now()
    const written = await indexSources(parts.store, {
      ...options,
      sources: parts.sources,
      clock: parts.clock,
      timeZone: parts.timeZone,
      ...(parts.openReader && { openReader: parts.openReader }),
    })
    const embedding = options.skipEmbedding ? null : parts.embedding
    const vectors = embedding ? await embedPending(parts.store, embedding, options) : { embedded: 0 }
    if (vectors.problem !== undefined) {
      if (options.signal?.aborted) {
        throw new MadeleineError('INTERRUPTED', 'Embedding was interrupted: what was embedded is kept', {
          remedy: 'Run "madeleine index" again: it goes on where it stopped',
        })
      }
      written.problems.push({
        path: embedding?.identity ?? 'embedding',
        reason: describeFailure(vectors.problem),
        failed: true,
      })
    }
    const counts = await parts.store.counts(parts.embedding?.identity)
    const isReady = !written.failure && (parts.embedding === null || counts.pending === 0)
    const links = isReady ? await linkIndexed(linkAdded, written.problems, options) : null
    await keepProblems(parts.store, written)
    await ageWhenDue(parts.store, { now: parts.clock(), added: written.memories.added })
    if (written.failure) throw written.failure
    return {
      documents: { total: counts.documents, ...written.documents },
      memories: { total: counts.memories, ...written.memories },
      embedded: vectors.embedded,
      pending: parts.embedding ? counts.pending : 0,
      ...(links && { links }),
      elapsedMs: Math.round(performance.now() - startedAt),
      problems: written.problems,
    }
  }

  async function search(query: string, options: SearchOptions = {}): Promise<SearchResponse> {
    checkSearchOptions(options)
    const text = cleanQueryText(query)
    const mode = options.mode ?? 'hybrid'
    const found: { vectors?: QueryVectors; degraded: Degraded[] } =
      mode === 'keyword' ? { degraded: [] } : await findVectors()
    if (mode === 'vector' && !queryVectors) found.degraded.push({ part: 'vector', reason: NO_MODEL })
    const { vectors, degraded } = found
    const list = await embedForSearch(vectors, text, degraded)
    const viewer = toViewer(parts.viewer, options)
    const request = {
      text,
      now: parts.clock(),
      timeZone: parts.timeZone,
      filter: toMemoryFilter(viewer, options, parts.timeZone),
      limit: options.limit ?? DEFAULT_LIMIT,
      mode,
      minScore: options.minScore ?? 0,
      ...(vectors && list.length > 0 && { vectors: { identity: vectors.identity, list, ...tokensOf(vectors, text) } }),
    }
    const plain =
      options.profile === 'seed'
        ? await searchBySeedRules(
            reads,
            request,
            async (expanded) => (await embedForSearch(vectors, expanded, degraded))[0] ?? null,
          )
        : await searchMemories(reads, request)
    const isExpanded = options.expand === true && parts.correlation?.enabled !== false
    if (options.expand && !isExpanded) degraded.push({ part: 'links', reason: 'the correlator is switched off' })
    const answer = isExpanded ? await expandAnswer(reads, plain, request) : plain
    const ids = answer.hits.map(({ memory }) => memory.id)
    // History is worth less than the answer: a busy store loses the one and not the other.
    const topScore = answer.hits[0]?.score ?? 0
    const noting = options.noHistory
      ? Promise.resolve()
      : parts.store
          .recordAccess(ids, parts.clock())
          .then(() => (isWholeSearch(options) ? gapLog.note({ text, topScore, at: parts.clock(), viewer }) : undefined))
    const problem = await withDeadline(noting, ACCESS_NOTE_MS).then(
      (noted) => (noted === 'late' ? 'the store is busy' : null),
      describeFailure,
    )
    if (problem !== null) degraded.push({ part: 'access-history', reason: problem })
    const roots = new Set(parts.sources.map(({ root }) => root))
    return {
      results: answer.hits.map((hit) =>
        toSearchResult(hit, { explain: options.explain ?? false, withRoot: roots.size > 1 }),
      ),
      total: answer.total,
      truncated: answer.total > answer.hits.length,
      degraded: [...degraded, ...answer.degraded],
      ...(answer.dateMatch !== undefined && { dateMatch: answer.dateMatch }),
    }
  }

  async function recall(request: RecallRequest): Promise<RecallResponse> {
    let viewer: Viewer
    try {
      viewer = toViewer(parts.viewer, request)
    } catch (error) {
      // A host that asks amiss goes on without memories, as it does when anything else fails.
      const degraded = [{ part: 'recall', reason: `the request cannot be read: ${describeFailure(error)}` }]
      return { text: '', items: [], skipped: false, reason: 'error', degraded, elapsedMs: 0 }
    }
    const { clock, timeZone, monotonic } = parts
    const considered: RecallTraceEntry[] = []
    const usableVectors = (): ReturnType<typeof findVectors> =>
      findVectors().catch((error: unknown) => ({ degraded: [{ part: 'store', reason: describeFailure(error) }] }))
    const options = {
      store: reads,
      clock,
      timeZone,
      findVectors: usableVectors,
      breaker,
      onTrace: (trace: readonly RecallTraceEntry[]) => considered.push(...trace),
      ...(monotonic && { monotonic }),
      ...(parts.correlation && {
        consensus: parts.correlation.enabled === false ? null : (parts.correlation.consensus ?? 1),
      }),
      ...parts.recall,
    }
    const answer = await recallBeforeTurn(options, request, { viewer })
    // After the answer, and worth less than it: a busy or read-only store keeps no history.
    const note = turnLog.note({ request, response: answer, at: clock(), viewer, considered })
    logging = Promise.allSettled([logging, note]).then(() => undefined)
    if (new Set(parts.sources.map(({ root }) => root)).size > 1) return answer
    return { ...answer, items: answer.items.map(({ root: _, ...item }) => item) }
  }

  async function get(idOrPath: string, options: GetOptions = {}): Promise<GetResponse> {
    const filter = { viewer: toViewer(parts.viewer, { ...options, allProjects: options.project === undefined }) }
    const { memory, placed } = await locateMemories(parts, idOrPath, filter)
    if (placed.length === 0) throw notFound('get', idOrPath)
    const path = memory?.place.path ?? placed[0]?.place.path ?? idOrPath
    const several = new Set(parts.sources.map(({ root }) => root)).size > 1
    const where = { path, ...(several && placed[0] && { root: placed[0].place.root }) }
    const own = placed.find((one) => one.memory.id === memory?.id)
    if (own && options.from === undefined && options.lines === undefined) {
      const { startLine, endLine } = own.place
      return { ...where, startLine, endLine, text: own.memory.text, truncated: false }
    }
    const last = lastLineOf(placed)
    const from = options.from ?? memory?.place.startLine ?? 1
    checkLines(path, { from, lines: options.lines ?? 1, last })
    const to = options.lines === undefined ? last : from + options.lines - 1
    return { ...where, ...readLines(placed, { from, to }) }
  }

  async function listMemories(
    idOrPath: string,
    options: { agentId?: string; project?: string } = {},
  ): Promise<ListedMemory[]> {
    const filter = { viewer: toViewer(parts.viewer, { ...options, allProjects: options.project === undefined }) }
    const { memory, placed } = await locateMemories(parts, idOrPath, filter)
    return placed
      .filter((one) => !memory || one.memory.id === memory.id)
      .map(({ memory: { id, text }, place: { path, startLine, endLine } }) => ({ id, path, startLine, endLine, text }))
  }

  async function remember(text: string, options: RememberOptions = {}): Promise<{ id: string; redacted?: number }> {
    const { content, place, redacted } = createRemembered(text, options, {
      now: parts.clock(),
      timeZone: parts.timeZone,
      viewer: toViewer(parts.viewer, options),
    })
    const answer = { id: content.id, ...(redacted > 0 && { redacted }) }
    try {
      await parts.store.addRemembered(content, place)
    } catch (error) {
      // Without an id of the caller's it is the same text of the same time: it is remembered already.
      const isKnown = error instanceof MadeleineError && error.code === 'ALREADY_EXISTS' && options.id === undefined
      if (isKnown) return answer
      if (error instanceof MadeleineError && error.code === 'ALREADY_EXISTS') await assertOwnId(parts.store, content)
      throw error
    }
    if (parts.embedding) await embedRemembered(parts.store, parts.embedding, content)
    // It goes on waiting, which status shows: what was to be remembered is safe.
    await linkAdded({ ids: [content.id] }).catch(() => null)
    return answer
  }

  async function forget(
    idOrPath: string,
    options: { agentId?: string; project?: string } = {},
  ): Promise<{ forgotten: string[] }> {
    const filter = { viewer: toViewer(parts.viewer, { ...options, allProjects: options.project === undefined }) }
    const { memory, placed } = await locateMemories(parts, idOrPath, filter)
    if (placed.length === 0) throw notFound('forget', idOrPath)
    assertOwner(idOrPath, memory ? [memory] : placed.map((one) => one.memory), filter.viewer)
    const { root, path } = placed[0]?.place ?? {}
    const documents = root !== undefined && path !== undefined ? [{ root, path }] : []
    const forgotten = await parts.store.forget(memory ? { ids: [memory.id] } : { documents }, parts.clock())
    const texts = placed.filter((one) => forgotten.includes(one.memory.id)).map((one) => one.memory.text)
    await gapLog.noteForgetting(texts, parts.clock())
    return { forgotten }
  }

  async function warm(): Promise<void> {
    const { vectors } = await findVectors()
    // A model that fails is told by the first question, which goes on without it.
    await vectors?.get([WARMING_TEXT]).catch(() => undefined)
  }

  return {
    ...correlator,
    ...heart,
    index,
    search,
    recall,
    get,
    listMemories,
    findNamed: (name, options = {}) =>
      findNamed(parts, name, {
        viewer: toViewer(parts.viewer, { ...options, allProjects: options.project === undefined }),
      }),
    remember,
    forget,
    warm,
    status: (options = {}) =>
      reportStatus({ ...parts, viewer: toViewer(parts.viewer, { ...options, allProjects: true }) }, options),
    async doctor(options = {}) {
      const { findings } = await findTroubles(parts, options, parts.clock())
      // Of a damaged store nothing more can be asked.
      if (findings.some(({ id }) => id === 'store-damaged')) return { findings }
      await logging
      const turns = await turnLog.list(toViewer(parts.viewer, { allProjects: true }), TURN_LOG.turns, parts.clock())
      return { findings: [...findings, ...findRecallTroubles(turns, parts.timeZone)] }
    },
    async recentRecalls({ limit = DEFAULT_RECENT, ...who } = {}) {
      await logging
      const viewer = toViewer(parts.viewer, { ...who, allProjects: who.project === undefined })
      return turnLog.list(viewer, limit, parts.clock())
    },
    async close() {
      await logging
      await parts.embedding?.close()
      await parts.store.close()
    },
  }
}

/** Recalls that are listed unless the caller says otherwise. */
const DEFAULT_RECENT = 10
/** Any text does: a model loads for the first one. */
const WARMING_TEXT = 'memory'

const NO_MODEL = 'no embedding is configured: a search by meaning alone finds nothing'

/** A remembered text gets its vector at once; if the model fails, whatever way, the next index run does it. */
async function embedRemembered(
  store: MemoryStore,
  provider: EmbeddingProvider,
  { id, embedText }: { id: string; embedText: string },
): Promise<void> {
  try {
    const [embedded = { windows: [] }] = await embedTexts(provider, [{ text: embedText, ownFrom: 0 }], {})
    if (!isSettled(provider, embedText, embedded.windows)) return
    await store.putVectors(provider.identity, [{ id, embedText, ...embedded }])
  } catch {
    // It stays pending, which status shows: what was to be remembered is safe.
  }
}

/** The vectors of a text that is no memory; null where there is no model, or it cannot represent the text. Rejects as the provider does. */
async function embedWindows(provider: EmbeddingProvider | null, text: string): Promise<Float32Array[] | null> {
  if (!provider || text.trim() === '') return null
  const [embedded] = await embedTexts(provider, [{ text, ownFrom: 0 }], {})
  return embedded && embedded.windows.length > 0 ? [...embedded.windows] : null
}
