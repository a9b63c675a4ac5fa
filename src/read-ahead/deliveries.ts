import type { ErrorCode } from '../errors.ts'
import type { ReadJob, ReadStep } from '../indexing/read-document.ts'
import type { Source } from '../source/source.ts'

/** What the reading thread is started with. */
export interface ReadingData {
  /** Of the sources of the run, by their places; null where one is not read there. */
  recipes: ReadonlyArray<NonNullable<Source['recipe']> | null>
  timeZone: string
  forgotten: readonly string[]
}

/**
 * To the reading thread.
 * - `jobs`: documents to read after those that were asked for before
 * - `taken`: so many characters of what was delivered have been taken out of hand
 */
export type ReadingRequest = { kind: 'jobs'; jobs: readonly ReadJob[] } | { kind: 'taken'; characters: number }

/** An error as it crosses threads. */
export interface CarriedError {
  message: string
  /** Of a MadeleineError. */
  code?: ErrorCode
  remedy?: string
  stack?: string
}

/**
 * From the reading thread, as JSON, document by document: its steps, and how it ended. Strings cross threads in a fraction of the time
 * that objects of this many fields take.
 */
export type Delivery = { step: ReadStep } | { end: true } | { error: CarriedError }
