/**
 * Numbers of posting lists that a process keeps of the last searches, a hundred thousand to 100 million, 4 bytes each: what one search
 * reads of a hundred thousand memories and more.
 */
export const KEPT_LIST_NUMBERS = 2_000_000
/** Memories that a process keeps as it read them for the last searches, 100 to 100,000, of 2 to 4 kB each: those of some ten searches. */
export const KEPT_MEMORIES = 4096
/** Characters of the texts of these memories, a million to a billion, of 1 or 2 bytes: what bounds them where they are long. */
export const KEPT_MEMORY_CHARS = 16_000_000
/** Numbers of exact vectors that a process keeps of the last searches of one tenant, a hundred thousand to 100 million, 4 bytes each: some 2,700 vectors of 384. */
export const KEPT_VECTOR_NUMBERS = 1_000_000
