/**
 * Every tunable: default, unit, range, reason. Values marked (S1)–(S4) come from the product's founding texts:
 * S1 proactive context linking, S2 cross-tier correlator, S3 auto-recall, S4 enhanced memory.
 */

/** BM25 term saturation, [0.5,2]: short texts repeat little, so saturation comes early. */
export const BM25_K1 = 0.9
/** BM25 length normalisation, [0,1]: turns and sections differ in length for good reasons, so it is weak. */
export const BM25_B = 0.4
/** Neighbours on each side that make a memory's window, in memories. */
export const WINDOW_RADIUS = 2

/** Largest chunk in UTF-16 units, everything that is added to it included. (S4) */
export const MAX_CHUNK_CHARS = 2000
/** A text that is shorter, in characters, means what its surroundings make it mean: equal ones are not duplicates across places. */
export const MIN_DUPLICATE_CHARS = 80
/** Version of normalize and chunk: raise it when the same file gives other memories, so that stores re-index. */
export const CHUNKER_VERSION = 1
/** Characters kept of one tool result, head and tail together. */
export const MAX_TOOL_RESULT_CHARS = 6000

/** Texts a call to a remote embedding service. (S4) */
export const REMOTE_EMBEDDING_BATCH = 20

/** Weights of the four retrieval signals. (S4) */
export const SEED_WEIGHTS = { vector: 0.4, keyword: 0.25, header: 0.1, filepath: 0.25 } as const
/** Factor on memories of the day or range that a query names. (S4) */
export const TEMPORAL_BOOST = 3
/** Below this top score a query is expanded with terms of its first results. (S4) */
export const FEEDBACK_BELOW = 0.45
/** A text of which cleaning leaves less than this share is a wrapper, not a memory. (S3) */
export const MIN_CONTENT_RATIO = 0.25
/** Leading characters of the cleaned body that make two results the same. (S3) */
export const DUPLICATE_KEY_CHARS = 100

/** Results of an explicit search unless the caller says otherwise. */
export const DEFAULT_LIMIT = 8
/** Characters of a hit's snippet; the host cuts at the same length. */
export const SNIPPET_CHARS = 700

/** Time for a recall before a turn, ms: then keyword-only, then nothing. (S3) */
export const RECALL_DEADLINE_MS = 800
/** Tokens that the injected block may take; a token is taken as four characters. */
export const RECALL_TOKEN_BUDGET = 1000

/** How long a writer waits for another process, ms. */
export const STORE_BUSY_MS = 10_000
