import type { HeartbeatResult, RecordedTick } from '../model/heartbeat.ts'
import type { Memory } from '../model/memory.ts'
import type { Viewer } from '../model/search.ts'
import type { MemoryStore } from '../store/memory-store.ts'
import { sha256 } from '../text/hash.ts'
import { TICK_LOG } from './decision-options.ts'

const PREFIX = 'heartbeat/ticks/'
/** Enough digits for any count of ms, so that keys sort by time. */
const TIME_DIGITS = 15
/** Signals of a tick that are kept: more are no news. */
const KEPT_SIGNALS = 50
/** Characters of a memory that say which one it is. */
const SUMMARY_CHARS = 120

/** A tick as it is kept: it names memories and holds none of their words, so that what is forgotten is gone from here too. */
interface KeptTick extends Omit<RecordedTick, 'signals' | 'summary'> {
  agent?: string
  project?: string
  signals: Array<Omit<RecordedTick['signals'][number], 'summary'> & { memoryId?: string }>
}

/** The last ticks, those that stayed silent too. */
export interface TickLog {
  /** Rejects with whatever stands against it. */
  note(result: HeartbeatResult, at: Date, viewer: Viewer): Promise<void>
  /** Newest first. An agent sees its own ticks; a call without an agent all of them. */
  list(viewer: Viewer, limit: number): Promise<RecordedTick[]>
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
      const value = JSON.stringify(toKeptTick(result, at, viewer))
      const time = String(at.getTime()).padStart(TIME_DIGITS, '0')
      // Told apart by what they say: other processes may note at the same time.
      await store.setState(`${own}${time}-${sha256(value).slice(0, 12)}`, value)
      const keys = (await store.listStates(own)).map(({ key }) => key)
      for (const key of findOld(keys, own.length, at)) await store.setState(key, null)
    },
    async list(viewer, limit) {
      const ticks = (await store.listStates(PREFIX)).flatMap(({ value }) => parseTick(value))
      const shown = ticks
        .filter((tick) => isVisible(tick, viewer))
        .sort((a, b) => Date.parse(b.at) - Date.parse(a.at))
        .slice(0, limit)
      const ids = shown.flatMap(({ signals }) => signals.flatMap(({ memoryId }) => memoryId ?? []))
      const memories = await store.getMemories([...new Set(ids)])
      return shown.map((tick) => toRecordedTick(tick, memories))
    },
  }
}

/** Which to drop, oldest first; those of a clock that ran ahead are the oldest. */
function findOld(keys: readonly string[], prefixLength: number, now: Date): string[] {
  const timeOf = (key: string): number => Number(key.slice(prefixLength, prefixLength + TIME_DIGITS))
  const isAhead = (key: string): boolean => timeOf(key) > now.getTime()
  const ordered = [
    ...keys.filter(isAhead),
    ...keys.filter((key) => !isAhead(key)).sort((a, b) => timeOf(a) - timeOf(b)),
  ]
  return ordered.slice(0, Math.max(0, ordered.length - TICK_LOG))
}

function toKeptTick(result: HeartbeatResult, at: Date, { agent, project }: Viewer): KeptTick {
  const { shouldAct, decisionReason, urgency, nextDue, signals } = result
  return {
    ...{ at: at.toISOString(), shouldAct, decisionReason, urgency, nextDue },
    ...(agent !== undefined && { agent }),
    ...(project !== undefined && { project }),
    signals: signals.slice(0, KEPT_SIGNALS).map((signal) => ({
      ...{ kind: signal.kind, urgency: signal.urgency, signature: signal.signature },
      ...(signal.memoryIds[0] !== undefined && { memoryId: signal.memoryIds[0] }),
      ...(signal.suppressedBy !== undefined && { suppressedBy: signal.suppressedBy }),
    })),
  }
}

function toRecordedTick({ agent: _, project: __, ...tick }: KeptTick, memories: readonly Memory[]): RecordedTick {
  const texts = new Map(memories.map(({ id, text }) => [id, text]))
  const signals = tick.signals.map(({ memoryId, ...signal }) => ({
    ...signal,
    summary: firstWords(texts.get(memoryId ?? '') ?? ''),
  }))
  const told = signals.filter(({ suppressedBy }) => suppressedBy === undefined).length
  const summary = tick.shouldAct
    ? `told ${told} of ${signals.length} ${signals.length === 1 ? 'signal' : 'signals'}`
    : signals.length === 0
      ? 'nothing found'
      : `held ${signals.length} back`
  return { ...tick, signals, summary }
}

function firstWords(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? ''
  return line.length > SUMMARY_CHARS ? `${line.slice(0, SUMMARY_CHARS).toWellFormed()}…` : line
}

function isVisible({ agent, project }: KeptTick, viewer: Viewer): boolean {
  return (
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
