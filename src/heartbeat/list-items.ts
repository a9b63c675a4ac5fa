import type { HeartbeatResult, Signal, SignalItem, SignalKind } from '../model/heartbeat.ts'
import type { Memory } from '../model/memory.ts'

/** The lists of a result that show one kind of signal each. */
export type ItemLists = Pick<
  HeartbeatResult,
  | 'scheduled'
  | 'deadlines'
  | 'pendingWork'
  | 'conflicts'
  | 'staleMonitors'
  | 'continuity'
  | 'goalProgress'
  | 'knowledgeGaps'
  | 'positiveDeltas'
>

/** What was found, by kind, in the order of the signals. A signal whose memory cannot be read shows without a place. */
export function listItems(signals: readonly Signal[], memories: readonly Memory[]): ItemLists {
  const byId = new Map(memories.map((memory) => [memory.id, memory]))
  const of = (kind: SignalKind): Signal[] => signals.filter((signal) => signal.kind === kind)
  const show = (signal: Signal): SignalItem => toItem(signal, byId.get(signal.memoryIds[0] ?? ''))
  const list = (kind: SignalKind): SignalItem[] => of(kind).map(show)
  return {
    scheduled: list('scheduled'),
    deadlines: list('deadline'),
    pendingWork: list('pending_work'),
    conflicts: of('conflict').map((signal) => ({ memory: show(signal), reason: signal.summary })),
    staleMonitors: list('stale_monitor'),
    continuity: list('continuity')[0] ?? null,
    goalProgress: of('goal_progress').map((signal) => ({ ...show(signal), progress: signal.progress ?? null })),
    knowledgeGaps: list('knowledge_gap'),
    positiveDeltas: list('positive_delta'),
  }
}

function toItem({ memoryIds, summary, dueAt }: Signal, memory: Memory | undefined): SignalItem {
  const occurredAt = memory?.place.occurredAt
  return {
    id: memoryIds[0] ?? '',
    path: memory?.place.path ?? '',
    summary,
    ...(dueAt !== undefined && { dueAt }),
    ...(occurredAt !== undefined && { occurredAt }),
  }
}
