import type { Degraded } from '../model/search.ts'
import type { MemoryStore, StoreFinding } from './memory-store.ts'

/**
 * A copy of a store that follows it, and may be asked in its place.
 *
 * Contract:
 * - What is written goes to the store itself, and so does everything that a caller keeps by name.
 * - What was written a moment ago may be missing in an answer.
 * - A copy that does not answer is none: the store itself answers, and `note` and `check` say so.
 */
export interface ReadStore {
  /** Where the copy is, as a user would name it. */
  readonly location: string
  /** Takes all questions and gives those on to the copy that it may answer. It is closed by `close` here, the store itself is not. */
  readonly store: MemoryStore
  /** What is to be known of an answer that was just given, in words. Waits for nothing and never throws. */
  note(): Degraded[]
  /** What is wrong with the copy. */
  check(): Promise<StoreFinding[]>
  close(): Promise<void>
}
