/** Results that are compared with each other, by the values that they state… */
export const NEWER_LOOKED_AT = 20
/** …and by their words. */
export const REPEATS_LOOKED_AT = 10
/** When two dated memories give what a query asks for another value. Set on BEAM's tuning part, without vectors (`bench/README.md`). */
export const CHANGED_VALUE = {
  /** Content words on either side of a value that say what it is a value of. */
  reach: 8,
  /** Words of the query near both values at least. */
  minCommon: 2,
  /** What another word or value near both counts beside a word of the query, in one talk. [0,1] */
  otherWeight: 0.5,
  /** What has to be in common, as a share of the query's words near the older value and of all its words… [0,1] */
  plain: { ofOlder: 1, ofQuery: 0.6 },
  /** …and where the newer text says that something changed: it leaves more of it out. */
  update: { ofOlder: 0.6, ofQuery: 0.5 },
  /** Least score of the newer one, as a share of the older's. [0,1] */
  minShare: 0.4,
} as const
