/** States are set anew so long after the last time, ms, 1 h to 7 days; they change over days. */
export const AGING_EVERY_MS = 24 * 60 * 60_000
/** … and when a run added so many memories, 100 to 100,000: of a history that is taken in at once most is long past. */
export const AGING_ADDED = 500
