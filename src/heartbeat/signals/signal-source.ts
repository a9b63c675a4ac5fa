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
  /** Says how many more there are than what is given. */
  leaveOut(count: number): void
  /** What is known to be done or over; read once a tick. */
  settlement(): Promise<Settlement>
}

/** One kind of signal. `detect` changes nothing, reads no texts but the lines that were noted of them, and may reject. */
export interface SignalSource {
  kind: SignalKind
  detect(context: SignalContext): Promise<Signal[]>
}
