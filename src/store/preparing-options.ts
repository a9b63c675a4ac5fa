/**
 * How long an opening waits for another process that brings the store to this program's version, ms, 1,000 to 600,000: reading 100,000
 * memories anew takes about a minute.
 */
export const PREPARING_WAIT_MS = 120_000
/** Pause before it looks again, ms, 1 to 1,000: a store may say at once that it is busy. */
export const PREPARING_PAUSE_MS = 50
