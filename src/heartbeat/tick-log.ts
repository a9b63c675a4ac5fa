import { ellipsize } from '../model/cut-graphemes.ts'
import type { HeartbeatResult, RecordedTick, Signal } from '../model/heartbeat.ts'
import type { Viewer } from '../model/search.ts'
import { findOldest, newestFirst, timedKey } from '../retrieval/timed-keys.ts'
import type { MemoryStore } from '../store/memory-store.ts'
import { sha256 } from '../text/hash.ts'
import { TICK_LOG } from './decision-options.ts'
import { countLeftOut } from './summarize-tick.ts'

const PREFIX = 'heartbeat/ticks/'
/** Signals of a tick that are kept, those that were told first; the others are counted. */
const KEPT_SIGNALS = 50
/** Characters of a memory that say which one it is. */
const SUMMARY_CHARS = 120

/** A tick as it is kept: it names memories and holds none of their words, so that what is forgotten is gone from here too. */
interface KeptTick extends Omit<RecordedTick, 'signals' | 'summary'> {
  tenant: string
  agent?: string
  project?: string
  signals: KeptSignal[]
}

type KeptSignal = Omit<RecordedTick['signals'][number], 'summary'> & {
  memoryId?: string
  /** Where in the memory's text the line stands that it is about. */
  span?: [from: number, to: number]
}

/** The last ticks, those that stayed silent too. */
export interface TickLog {
  /** Rejects with whatever stands against it. */
  note(result: HeartbeatResult, at: Date, viewer: Viewer): Promise<void>
  /** Newest first, as seen from now. An agent sees its own ticks; a call without an agent all of them. */
  list(viewer: Viewer, limit: number, now: Date): Promise<RecordedTick[]>
}

/** Named values of whoever ticks: of each agent and project its own. */
export function scopeKey({ tenant, agent, project }: Viewer): string {
  return sha256(JSON.stringify([tenant, agent ?? null, project ?? null])).slice(0, 16)
}

/** A log of the last TICK_LOG ticks of each scope in a store's named values. */
export function createTickLog(store: MemoryStore): TickLog {
  return {
    async note(result, at, viewer) {
      const own = `${PREFIX}${scopeKey(viewer)}/`
      const ids = result.signals.flatMap(({ memoryIds }) => memoryIds.slice(0, 1))
      const texts = await readTexts(store, ids)
      const value = JSON.stringify(toKeptTick(result, texts, { at, viewer }))
      // Told apart by what they say: other processes may note at the same time.
      await store.setState(`${timedKey(own, at)}-${sha256(value).slice(0, 12)}`, value)
      const keys = (await store.listStates(own)).map(({ key }) => key)
      for (const key of findOldest(keys, { prefix: own, now: at, count: TICK_LOG })) await store.setState(key, null)
    },
    async list(viewer, limit, now) {
      const ticks = (await store.listStates(PREFIX)).flatMap(({ value }) => parseTick(value))
      const shown = ticks
        .filter((tick) => isVisible(tick, viewer))
        .sort(newestFirst(now))
        .slice(0, limit)
      const ids = shown.flatMap(({ signals }) => signals.flatMap(({ memoryId }) => memoryId ?? []))
      const texts = await readTexts(store, ids)
      return shown.map((tick) => toRecordedTick(tick, texts))
    },
  }
}

async function readTexts(store: MemoryStore, ids: readonly string[]): Promise<Map<string, string>> {
  const memories = await store.getMemories([...new Set(ids)])
  return new Map(memories.map(({ id, text }) => [id, text]))
}

function toKeptTick(
  result: HeartbeatResult,
  texts: ReadonlyMap<string, string>,
  { at, viewer }: { at: Date; viewer: Viewer },
): KeptTick {
  const { shouldAct, decisionReason, urgency, nextDue, signals } = result
  const leftOut = Math.max(0, signals.length - KEPT_SIGNALS) + countLeftOut(result.leftOut)
  const { tenant, agent, project } = viewer
  return {
    tenant,
    ...{ at: at.toISOString(), shouldAct, decisionReason, urgency, nextDue },
    ...(agent !== undefined && { agent }),
    ...(project !== undefined && { project }),
    signals: signals.slice(0, KEPT_SIGNALS).map((signal) => toKeptSignal(signal, texts)),
    ...(leftOut > 0 && { leftOut }),
  }
}

function toKeptSignal(signal: Signal, texts: ReadonlyMap<string, string>): KeptSignal {
  const { kind, urgency, signature, topic, suppressedBy } = signal
  const [memoryId] = signal.memoryIds
  const from = memoryId === undefined || !topic ? -1 : (texts.get(memoryId)?.indexOf(topic) ?? -1)
  return {
    ...{ kind, urgency, signature },
    ...(memoryId !== undefined && { memoryId }),
    ...(topic && from >= 0 && { span: [from, from + topic.length] }),
    ...(suppressedBy !== undefined && { suppressedBy }),
  }
}

function toRecordedTick(
  { tenant: _, agent: __, project: ___, ...tick }: KeptTick,
  texts: ReadonlyMap<string, string>,
): RecordedTick {
  const signals = tick.signals.map(({ memoryId = '', span, ...signal }) => {
    const text = texts.get(memoryId) ?? ''
    return { ...signal, summary: firstLine(span ? text.slice(...span) : text) }
  })
  return { ...tick, signals, summary: summarize(tick, signals) }
}

function summarize({ shouldAct, leftOut = 0 }: Omit<KeptTick, 'tenant'>, signals: RecordedTick['signals']): string {
  const all = signals.length + leftOut
  if (all === 0) return 'nothing found'
  if (!shouldAct) return `held ${all} back`
  const told = signals.filter(({ suppressedBy }) => suppressedBy === undefined).length
  return `told ${told} of ${all}`
}

function firstLine(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? ''
  return ellipsize(line, SUMMARY_CHARS)
}

function isVisible({ tenant, agent, project }: KeptTick, viewer: Viewer): boolean {
  return (
    tenant === viewer.tenant &&
    (viewer.agent === undefined || viewer.agent === agent) &&
    (viewer.project === undefined || viewer.project === project)
  )
}

/** Nothing for what cannot be read: history is worth less than an answer. */
function parseTick(value: string): KeptTick[] {
  try {
    const tick = JSON.parse(value) as KeptTick
    return typeof tick.at === 'string' && Array.isArray(tick.signals) ? [tick] : []
  } catch {
    return []
  }
}
