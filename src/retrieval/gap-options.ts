/**
 * Searches that the store could not answer: kept of them, 10 to 500, characters of each, and the calibrated score below which the best
 * result answers nothing, [0,1]. (S4: the last 50, below 0.4) `afterForgetMs`, 0 to a day: so long after something was forgotten
 * nothing is kept, since whoever looks whether it is gone asks with its words.
 */
export const GAP_LOG = { entries: 50, queryChars: 200, below: 0.4, afterForgetMs: 3_600_000 } as const
