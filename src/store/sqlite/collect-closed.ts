import { setImmediate as nextTick } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { SqliteDriver } from './database.ts'

/**
 * Waits until connections that were closed have let their files go. The package that stands in for `node:sqlite` lets go only
 * when the last statement of a connection has been collected; until then it holds a lock, and in the end it deletes the log
 * beside whatever file has the name by then.
 */
export async function collectClosed({ name }: SqliteDriver): Promise<void> {
  if (name === 'node:sqlite') return
  setFlagsFromString('--expose-gc')
  // Safe because V8 gives a new context the function of this name once the flag is set.
  const collect = runInNewContext('gc') as () => void
  // What is done with what was collected is done between two turns of the event loop, and may let more go.
  for (let turn = 0; turn < 3; turn++) {
    collect()
    await nextTick()
  }
}
