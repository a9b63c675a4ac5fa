/** Connections that one process keeps to a PostgreSQL server at most, 2 to 50: what waits for the server is small beside what is computed. */
export const POSTGRES_POOL_SIZE = 4
/** How long a process waits for a connection to a PostgreSQL server, ms. */
export const POSTGRES_CONNECT_MS = 10_000
/** After so long without use a connection is closed, ms. */
export const POSTGRES_IDLE_MS = 30_000
/** How often a call is tried again that failed for a passing reason (a conflict, a restart), 0 to 6: the waits of 4 make 8 s. */
export const POSTGRES_RETRIES = 4
/** The wait before the first of these tries, ms; each that follows is three times as long. */
export const POSTGRES_RETRY_MS = 200
/**
 * pgvector's HNSW indexes. `m` and `efConstruction`: how densely they are linked, 2 to 100 and 4 to 1,000 (pgvector's defaults are 16 and
 * 64; twice the latter costs at writing alone). `efSearch`: how many are kept in sight in a search, 1 to 1,000. `scanTuples`: after so
 * many looked at that a filter holds back, a search by the index gives up and all are compared.
 */
export const POSTGRES_HNSW = { m: 16, efConstruction: 128, efSearch: 200, scanTuples: 50_000 } as const
/** From so many memories with vectors on a check says when no index serves them, 0 or more: up to there a process scans them in a few milliseconds. */
export const POSTGRES_MANY_VECTORS = 50_000
/** Up to so many memories that a filter lets through are compared one by one instead of by an index, 0 to 100,000: exact, and as fast. */
export const POSTGRES_SCAN_ALL = 2000
/** The server is asked to look at its tables after `first` memories that a process added, and again each time that they are `growth` times as many. */
export const POSTGRES_ANALYZE = { first: 256, growth: 4 } as const
/**
 * A replica that serves searches. `lookMs`: how often it is looked whether it keeps up, and whether one that was away is back, 1,000 to
 * 60,000: what it shows is older than told by no more. `answerMs`: without an answer for so long it is away, 500 to 10,000. `graceMs`: so long
 * it may lack what the primary has before that is told, 100 to 10,000: a healthy one takes milliseconds. `pauseMs`: between two looks meanwhile.
 */
export const REPLICA = { lookMs: 5000, answerMs: 2000, graceMs: 500, pauseMs: 50 } as const
