import { type LeftOut, type Signal, type SignalKind, URGENCIES } from '../../model/heartbeat.ts'
import type { Degraded, Viewer } from '../../model/search.ts'
import { describeFailure } from '../../normalize/index.ts'
import type { MemoryStore } from '../../store/memory-store.ts'
import { sha256 } from '../../text/hash.ts'
import { conflict } from './conflict.ts'
import { continuity } from './continuity.ts'
import { deadline } from './deadline.ts'
import { decaying } from './decaying.ts'
import { goalProgress } from './goal-progress.ts'
import { knowledgeGap } from './knowledge-gap.ts'
import { isOtherTask } from './other-task.ts'
import { pattern } from './pattern.ts'
import { pendingWork } from './pending-work.ts'
import { positiveDelta } from './positive-delta.ts'
import { relationshipSilence } from './relationship-silence.ts'
import { scheduled } from './scheduled.ts'
import { readSettlement, type Settlement } from './settlement.ts'
import type { SignalContext, SignalSource } from './signal-source.ts'
import { staleMonitor } from './stale-monitor.ts'
import { velocity } from './velocity.ts'

/** Every kind of signal, in the order in which they are looked for. */
export const SIGNAL_SOURCES: readonly SignalSource[] = [
  scheduled,
  deadline,
  conflict,
  continuity,
  staleMonitor,
  pendingWork,
  goalProgress,
  knowledgeGap,
  positiveDelta,
  decaying,
  relationshipSilence,
  pattern,
  velocity,
]

/** What was found. */
export interface FoundSignals {
  signals: Signal[]
  more: LeftOut
  degraded: Degraded[]
}

/** What signals are looked for in, and by whom. */
export interface SignalParts {
  store: MemoryStore
  viewer: Viewer
  now: Date
  timeZone: string
  /** Only these kinds; default all. */
  kinds?: readonly SignalKind[]
  /** Stops between two kinds. */
  signal?: AbortSignal
}

/**
 * Everything that may need attention, most urgent first, each once. Changes nothing and never rejects: a kind that cannot be looked for
 * stands in `degraded`. What an item says as deadline or appointment it does not say again as pending work. `more`: what there is besides,
 * and was not looked at.
 */
export async function collectSignals(
  parts: SignalParts,
  sources: readonly SignalSource[] = SIGNAL_SOURCES,
): Promise<FoundSignals> {
  const { store, viewer, now, timeZone, kinds, signal } = parts
  const filter = { viewer, states: ['active' as const, 'stale' as const] }
  let settlement: Promise<Settlement> | undefined
  const context: Omit<SignalContext, 'leaveOut'> = {
    ...{ store, viewer, filter, now, timeZone },
    settlement: () => {
      settlement ??= readSettlement(store, { filter, now })
      return settlement
    },
  }
  const signals: Signal[] = []
  const degraded: Degraded[] = []
  const more: LeftOut = {}
  for (const source of sources) {
    if (kinds && !kinds.includes(source.kind)) continue
    if (signal?.aborted) {
      degraded.push({ part: `signals-${source.kind}`, reason: 'the tick was given up' })
      continue
    }
    try {
      const leaveOut = (count: number): void => {
        if (count > 0) more[source.kind] = count
      }
      signals.push(...inOrder(dedupe(await source.detect({ ...context, leaveOut }))))
    } catch (error) {
      degraded.push({ part: `signals-${source.kind}`, reason: describeFailure(error) })
    }
  }
  return { signals: inOrder(withoutRepeats(signals)), more, degraded }
}

/** Digits of a task's line in its signature. */
const TOPIC_DIGITS = 8

function dedupe(signals: readonly Signal[]): Signal[] {
  const first = new Map<string, Signal>()
  for (const given of signals) {
    const signal = tellApart(given, first.get(given.signature))
    const known = first.get(signal.signature)
    if (!known) first.set(signal.signature, signal)
    else first.set(signal.signature, { ...known, memoryIds: [...new Set([...known.memoryIds, ...signal.memoryIds])] })
  }
  return [...first.values()]
}

/** Two tasks that only a number or a name tells apart are two signals. */
function tellApart(signal: Signal, known: Signal | undefined): Signal {
  const { topic = '', signature } = signal
  if (!known?.topic || !isOtherTask(known.topic, topic)) return signal
  return { ...signal, signature: `${signature}-${sha256(topic).slice(0, TOPIC_DIGITS)}` }
}

/** One line is one matter: the kind that was looked for first tells it. */
function withoutRepeats(signals: readonly Signal[]): Signal[] {
  const told = new Set<string>()
  return signals.filter(({ memoryIds, topic = '', signature }) => {
    const line = topic === '' ? signature : `${memoryIds[0]}\0${topic}`
    if (told.has(line)) return false
    told.add(line)
    return true
  })
}

/** Most urgent first, then what is due first; equal ones stay as they were found. */
function inOrder(signals: readonly Signal[]): Signal[] {
  const rank = ({ urgency }: Signal): number => URGENCIES.indexOf(urgency)
  const due = ({ dueAt }: Signal): number => (dueAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(dueAt))
  return signals.toSorted((a, b) => rank(a) - rank(b) || (due(a) === due(b) ? 0 : due(a) - due(b)))
}
