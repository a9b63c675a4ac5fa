/**
 * Milliseconds on a clock that never goes back, for measuring how long something takes. `performance` tells the same, but loads a
 * module of Node's first, for which a process that lives for one answer has no time.
 */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint()) / 1e6
}
