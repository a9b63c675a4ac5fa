import { randomUUID } from 'node:crypto'
import type { Clock } from '../model/clock.ts'
import type { AskedBy } from '../model/correlation.ts'
import type {
  DecisionReason,
  Heart,
  HeartbeatAnalysis,
  HeartbeatOptions,
  HeartbeatResult,
  HeartbeatSettings,
  LeftOut,
  SalienceOptions,
  SalienceReport,
  Signal,
} from '../model/heartbeat.ts'
import type { Degraded, Viewer } from '../model/search.ts'
import { describeFailure } from '../normalize/index.ts'
import type { MemoryStore } from '../store/memory-store.ts'
import { completeSettings, findNextDue } from './active-hours.ts'
import { beginAnew, evaluateShouldAct, type HeartbeatDecision, withdrawAct } from './decide.ts'
import { CONVERSATION_MS, RESPONSE, TURNS_LOOKED_AT } from './decision-options.ts'
import { createState } from './heartbeat-state.ts'
import { decideOnce, type KeptDecision } from './keep-state.ts'
import { listItems } from './list-items.ts'
import { summarizeTick } from './summarize-tick.ts'
import { createTickLog } from './tick-log.ts'

/** Whose tick it is, and when. */
export interface TickContext {
  viewer: Viewer
  now: Date
  signal?: AbortSignal
}

/** What a heart is made of. */
export interface HeartParts {
  store: MemoryStore
  clock: Clock
  timeZone: string
  toViewer: (asked: AskedBy) => Viewer
  settings?: HeartbeatSettings
  /** What may need attention. Must not change anything. */
  collectSignals: (context: TickContext) => Promise<{ signals: Signal[]; more?: LeftOut; degraded: Degraded[] }>
  /** Adds what bears on the signals that act. */
  enrich: (result: HeartbeatResult, context: TickContext) => Promise<HeartbeatResult>
  /** Asks the language model, once; absent where none is configured. */
  analyze?: (result: HeartbeatResult, context: TickContext) => Promise<HeartbeatAnalysis>
  /** When turns of this viewer's sessions were heard of, ms, other than from transcripts. */
  listTurns: (viewer: Viewer) => Promise<number[]>
  reportSalience: (options: SalienceOptions, context: TickContext) => Promise<SalienceReport>
}

/** What needs attention between turns, over one store. Starts nothing by itself. */
export function createHeart(parts: HeartParts): Heart {
  const claimant = randomUUID()
  const settings = completeSettings(parts.settings)
  const log = createTickLog(parts.store)
  return {
    heartbeat: (options = {}) => beat({ ...parts, settings }, claimant, options),
    async recentHeartbeats({ limit = DEFAULT_RECENT, ...who } = {}) {
      return log.list(parts.toViewer(who), limit, parts.clock())
    },
    async salience(options = {}) {
      return parts.reportSalience(options, { viewer: parts.toViewer(options), now: parts.clock() })
    },
  }
}

/** Ticks that are listed unless the caller says otherwise. */
const DEFAULT_RECENT = 10

type BeatingParts = HeartParts & { settings: Required<HeartbeatSettings> }

/** One tick. */
async function beat(parts: BeatingParts, claimant: string, options: HeartbeatOptions): Promise<HeartbeatResult> {
  const now = parts.clock()
  const viewer = parts.toViewer(options)
  const context = { viewer, now, ...(options.signal && { signal: options.signal }) }
  const degraded: Degraded[] = []
  /** The work's value; where it fails, what stands in for it, and why. */
  const attempt = async <T>(part: string, work: () => Promise<T>, otherwise: T): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      degraded.push({ part, reason: describeFailure(error) })
      return otherwise
    }
  }

  // 1. What may need attention.
  const found = await attempt('signals', () => parts.collectSignals(context), { signals: [], more: {}, degraded: [] })
  degraded.push(...found.degraded)
  // 2. Whether the user is there, and answered.
  const userTurns = await attempt('user-turns', () => findUserTurns(parts, context), [])
  // 3. The decision, kept before anybody hears of it.
  const kept = await attempt(
    'heartbeat-state',
    () => decide(parts, { found, userTurns, claimant, context, options }),
    silence(parts, found, now),
  )
  if (kept.problem !== undefined) degraded.push({ part: 'heartbeat-state', reason: kept.problem })
  let result: HeartbeatResult = await attempt(
    'memories',
    async () => toResult(kept.decision, await readMemories(parts.store, kept.decision.signals)),
    toResult(kept.decision, []),
  )
  // 4. What bears on it, where it acts and somebody wants to know.
  const wantsAnalysis = options.analyze === true && parts.analyze !== undefined
  if (result.shouldAct && (options.related || wantsAnalysis)) {
    result = await attempt('related-context', () => parts.enrich(result, context), result)
  }
  // 5. What the language model makes of it. It may hold back, and never brings forward.
  if (result.shouldAct && options.analyze) result = await analyze(parts, result, { context, kept, attempt })
  // 6. The record.
  result = { ...result, degraded: [...degraded, ...result.degraded] }
  if (options.dryRun) return result
  const log = createTickLog(parts.store)
  const problem = await log.note(result, now, viewer).then(() => null, describeFailure)
  if (problem === null) return result
  return { ...result, degraded: [...result.degraded, { part: 'heartbeat-log', reason: problem }] }
}

interface Found {
  signals: readonly Signal[]
  more?: LeftOut
}

interface Question {
  found: Found
  userTurns: readonly number[]
  claimant: string
  context: TickContext
  options: HeartbeatOptions
}

async function decide(
  { store, timeZone, settings }: BeatingParts,
  { found: { signals, more = {} }, userTurns, claimant, context, options }: Question,
): Promise<KeptDecision> {
  const { now, viewer } = context
  const memories = await store.countMemories({ viewer })
  return decideOnce(
    store,
    viewer,
    ({ state, problem }) => {
      const before = state ?? (problem === undefined ? createState(now) : beginAnew(signals, now))
      return evaluateShouldAct({ now, timeZone, settings, signals, more, state: before, userTurns, memories, claimant })
    },
    options,
  )
}

/** The decision where what earlier ticks kept cannot be read: to be told twice is worse than late. */
function silence({ settings, timeZone }: BeatingParts, { signals, more = {} }: Found, now: Date): KeptDecision {
  const reason: DecisionReason = 'suppress_claimed'
  const decision: HeartbeatDecision = {
    ...{ shouldAct: false, decisionReason: signals.length === 0 ? 'no_signals' : reason },
    urgency: signals[0]?.urgency ?? 'none',
    nextDue: findNextDue(now, settings, timeZone).toISOString(),
    signals: signals.map((signal) => ({ ...signal, suppressedBy: reason })),
    leftOut: more,
    state: createState(now),
  }
  return { decision, amend: async () => undefined }
}

/** When the user spoke in the time in which acts are remembered, ms: as transcripts hold it, and as recalls before turns noted it. */
async function findUserTurns({ store, listTurns }: HeartParts, { viewer, now }: TickContext): Promise<number[]> {
  const afterMs = now.getTime() - Math.max(RESPONSE.windowMs, CONVERSATION_MS)
  const filter = { viewer, category: 'sessions' as const, afterMs }
  const told = await store.listMemories(filter, { limit: TURNS_LOOKED_AT })
  const said = told
    .filter(({ role, trust }) => role === 'user' && trust !== 'untrusted')
    .map(({ place }) => Date.parse(place.occurredAt ?? ''))
  return [...said, ...(await listTurns(viewer))].filter((at) => at >= afterMs)
}

async function readMemories(store: MemoryStore, signals: readonly Signal[]): ReturnType<MemoryStore['getMemories']> {
  const ids = signals.flatMap(({ memoryIds }) => memoryIds.slice(0, 1))
  return store.getMemories([...new Set(ids)])
}

function toResult(
  decision: HeartbeatDecision,
  memories: Awaited<ReturnType<MemoryStore['getMemories']>>,
): HeartbeatResult {
  const { state: _, ...shown } = decision
  return {
    ...shown,
    ...listItems(decision.signals, memories),
    relatedContext: [],
    graphContext: [],
    summary: summarizeTick(decision),
    degraded: [],
  }
}

interface AnalysisWork {
  context: TickContext
  kept: KeptDecision
  attempt: <T>(part: string, work: () => Promise<T>, otherwise: T) => Promise<T>
}

async function analyze(
  parts: HeartParts,
  result: HeartbeatResult,
  { context, kept, attempt }: AnalysisWork,
): Promise<HeartbeatResult> {
  const ask = parts.analyze
  if (!ask) {
    const reason = 'no language model is configured'
    return { ...result, degraded: [...result.degraded, { part: 'analysis', reason }] }
  }
  const analysis = await attempt('analysis', () => ask(result, context), null)
  if (analysis === null || analysis.shouldAct) return { ...result, ...(analysis && { analysis }) }
  const withdrawn = withdrawAct(kept.decision.state, context.now)
  await attempt('heartbeat-state', () => kept.amend(withdrawn), undefined)
  const held = {
    ...result,
    shouldAct: false,
    decisionReason: 'suppress_llm' as const,
    signals: result.signals.map((signal) => ({ ...signal, suppressedBy: signal.suppressedBy ?? 'suppress_llm' })),
  }
  return { ...held, analysis, summary: summarizeTick(held) }
}
