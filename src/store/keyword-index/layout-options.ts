/**
 * Documents whose rosters a process for one answer reads before it keeps what it learnt, 10 to 10,000: fewer are read again in less time
 * than the store is written to.
 */
export const KEEP_LAYOUT_FROM = 100
