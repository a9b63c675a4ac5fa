/**
 * How long an opening waits for another process that brings the store to this program's version, ms, 1,000 to 600,000: reading 100,000
 * memories anew takes about a minute.
 */
export const PREPARING_WAIT_MS = 120_000
