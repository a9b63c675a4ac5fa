import { monotonicMs } from '../model/monotonic.ts'

/**
 * The promise's value, or 'late' after `ms`. The work goes on unheard, its failure included; the timer keeps no process alive.
 */
export async function withDeadline<T>(work: Promise<T>, ms: number): Promise<T | 'late'> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/** The time that a piece of work has. Work that blocks the thread keeps timers from firing, so its stages look here themselves. */
export interface Deadline {
  readonly ms: number
  elapsedMs(): number
  /** Never below 0. */
  leftMs(): number
  isOver(): boolean
}

/** A deadline from now on; `now` is a monotonic clock in ms. */
export function startDeadline(ms: number, now: () => number = monotonicMs): Deadline {
  const startedAt = now()
  const elapsedMs = (): number => now() - startedAt
  return { ms, elapsedMs, leftMs: () => Math.max(0, ms - elapsedMs()), isOver: () => elapsedMs() >= ms }
}
