import { type Signal, URGENCIES } from '../../model/heartbeat.ts'
import { RELATED_LIMITS } from './related-options.ts'

/** A signal, and the memory that it is about. */
export interface SignalMemory {
  signal: Signal
  memoryId: string
}

/**
 * The memories of the most urgent signals, the weightier first, each memory once. Signals that this tick does not act on, and those that
 * are about no memory, are left out.
 */
export function selectSignals(signals: readonly Signal[], limit: number = RELATED_LIMITS.signals): SignalMemory[] {
  const chosen = new Map<string, SignalMemory>()
  for (const signal of signals.filter(({ suppressedBy }) => suppressedBy === undefined).sort(compareSignals)) {
    const memoryId = signal.memoryIds[0]
    if (chosen.size >= limit) break
    if (memoryId !== undefined && !chosen.has(memoryId)) chosen.set(memoryId, { signal, memoryId })
  }
  return [...chosen.values()]
}

function compareSignals(a: Signal, b: Signal): number {
  const urgency = URGENCIES.indexOf(a.urgency) - URGENCIES.indexOf(b.urgency)
  if (urgency !== 0) return urgency
  if (a.weight !== b.weight) return b.weight - a.weight
  return a.signature < b.signature ? -1 : a.signature > b.signature ? 1 : 0
}
