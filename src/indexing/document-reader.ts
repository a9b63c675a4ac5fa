import type { Source } from '../source/source.ts'
import { type ReadFacts, type ReadJob, type ReadStep, readDocument } from './read-document.ts'

/** What is to be read in a run. */
export interface ReadingTask {
  sources: readonly Source[]
  facts: ReadFacts
  /** Made one by one, as they are asked for. */
  jobs: AsyncIterator<ReadJob>
  /** Size of all files. */
  bytes: number
}

/**
 * Reads the documents of a task.
 *
 * Contract:
 * - Each call of `next` reads the document of the next job, and is read to its end, or left, before the following call.
 * - Wherever it reads, the steps are those of `readDocument`, and errors are those that it rejects with.
 * - `close` stops whatever is under way; the reader gives nothing after it. May be called twice.
 */
export interface DocumentReader {
  next(): AsyncIterable<ReadStep>
  close(): Promise<void>
}

/** Reads in this thread, each document when it is asked for. */
export function readHere({ sources, facts, jobs }: ReadingTask): DocumentReader {
  return {
    async *next() {
      const { done, value: job } = await jobs.next()
      if (done) throw new Error('Cannot read on: no document is left')
      yield* readJob(sources, job, facts)
    },
    async close() {
      await jobs.return?.()
    },
  }
}

/** The steps of a job of these sources. */
export function readJob(sources: readonly Source[], job: ReadJob, facts: ReadFacts): AsyncIterable<ReadStep> {
  const source = sources[job.source]
  if (!source) throw new Error(`Cannot read ${job.entry.path}: there is no source ${job.source}`)
  return readDocument(source, job, facts)
}
