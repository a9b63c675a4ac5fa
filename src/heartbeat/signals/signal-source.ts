import type { NotedCue } from '../../model/cue.ts'
import type { Signal, SignalKind } from '../../model/heartbeat.ts'
import type { MemoryFilter, Viewer } from '../../model/search.ts'
import type { MemoryStore } from '../../store/memory-store.ts'
import type { Settlement } from './settlement.ts'

/** What signals are looked for in, and by whom. */
export interface SignalContext {
  store: MemoryStore
  viewer: Viewer
  /** What the viewer may see, without what is archived. */
  filter: MemoryFilter
  now: Date
  timeZone: string
  /** What is known to be done or over; read once a tick. */
  settlement(): Promise<Settlement>
}

/** One kind of signal. `detect` changes nothing, reads no texts but the lines that were noted of them, and may reject. */
export interface SignalSource {
  kind: SignalKind
  detect(context: SignalContext): Promise<Signal[]>
}

/** Whether the line had been written at the time of the tick: a tick may be asked for as of an earlier day. */
export function wasSaid({ occurredAt }: Pick<NotedCue, 'occurredAt'>, now: Date): boolean {
  return occurredAt === undefined || Date.parse(occurredAt) <= now.getTime()
}

/** How long ago the line was written, ms; null when nothing dates it. */
export function ageOf({ occurredAt }: Pick<NotedCue, 'occurredAt'>, now: Date): number | null {
  return occurredAt === undefined ? null : now.getTime() - Date.parse(occurredAt)
}
