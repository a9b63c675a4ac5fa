import { setTimeout as sleep } from 'node:timers/promises'

/** Changes that wait for the next pass, gathered until they pause. */
export interface QuietQueue {
  add(path: string): void
  /** Whether changes wait. */
  readonly isPending: boolean
  /**
   * Resolves with the paths that changed, once there were some and then none for a while, or once the first has waited long enough;
   * with none when `longestMs` is over or the signal fires before there is any.
   */
  next(longestMs: number, signal: AbortSignal): Promise<string[]>
}

/** Changes are over when none came for so long, ms: an editor's several writes are one change. */
const QUIET_MS = 300
/** A change waits for others at most so many times as long, however many follow. */
const MAX_PAUSES = 10

export function createQuietQueue(): QuietQueue {
  const paths = new Set<string>()
  let count = 0
  let firstCame = new AbortController()
  return {
    add(path) {
      paths.add(path)
      count++
      firstCame.abort()
    },
    get isPending() {
      return paths.size > 0
    },
    async next(longestMs, signal) {
      if (paths.size === 0) await pause(longestMs, AbortSignal.any([signal, firstCame.signal]))
      for (let known = -1, pauses = 0; paths.size > 0 && count !== known && pauses < MAX_PAUSES; pauses++) {
        known = count
        await pause(QUIET_MS, signal)
      }
      const found = [...paths]
      paths.clear()
      firstCame = new AbortController()
      return found
    },
  }
}

/** Ends when the time is over or the signal fires; which one does not matter. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined)
}
