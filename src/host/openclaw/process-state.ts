import type { BackgroundIndex } from './background-index.ts'
import type { SharedEngine } from './shared-engine.ts'

/** What all registrations of a process share, whichever copy of this code they came from. */
export interface ProcessState {
  /** By what they open, so that registrations with equal settings share one. */
  engines: Map<string, SharedEngine>
  indexes: Map<string, BackgroundIndex>
  /** Registration objects that have their hooks. */
  registered: WeakSet<object>
  /** Turns that a hook has answered for. */
  claimed: WeakSet<object>
}

const KEY = Symbol.for('madeleine.openclaw/1')

/** The state of this process, made by the first who asks. */
export function processState(): ProcessState {
  const holder = globalThis as { [KEY]?: ProcessState }
  holder[KEY] ??= { engines: new Map(), indexes: new Map(), registered: new WeakSet(), claimed: new WeakSet() }
  return holder[KEY]
}
