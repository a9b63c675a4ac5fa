import { availableParallelism } from 'node:os'
import { extname } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Worker } from 'node:worker_threads'
import { MadeleineError, messageOf } from '../errors.ts'
import { type DocumentReader, type ReadingTask, readHere, readJob } from '../indexing/document-reader.ts'
import type { ReadJob, ReadStep } from '../indexing/read-document.ts'
import { READ_AHEAD } from '../options.ts'
import { startWorker } from '../threads/start-worker.ts'
import type { CarriedError, Delivery, ReadingData, ReadingRequest } from './deliveries.ts'

export interface ReadAheadOptions {
  /** Least size of a task for which a thread is started, bytes. Default READ_AHEAD.minBytes. */
  minBytes?: number
  /** The thread's module. */
  entry?: URL
}

const ENTRY = new URL(`./read-ahead-worker${extname(fileURLToPath(import.meta.url))}`, import.meta.url)

/**
 * Reads, cleans and cuts documents in a thread of its own while this one stores those before them, in their order and with the same
 * result. Small tasks, machines of one core and sources without a recipe are read in this thread, and so is everything that
 * is left when the thread cannot be started or ends.
 */
export function createReadAhead(task: ReadingTask, { minBytes, entry = ENTRY }: ReadAheadOptions = {}): DocumentReader {
  const isSmall = task.bytes < (minBytes ?? READ_AHEAD.minBytes)
  if (isSmall || (minBytes === undefined && availableParallelism() < 2)) return readHere(task)
  try {
    const resourceLimits = {
      maxYoungGenerationSizeMb: READ_AHEAD.youngMegabytes,
      maxOldGenerationSizeMb: READ_AHEAD.oldMegabytes,
    }
    return new ReadAhead(task, startWorker(entry, toReadingData(task), { resourceLimits }))
  } catch {
    // The process may start no threads: some hosts allow none.
    return readHere(task)
  }
}

function toReadingData({ sources, facts }: ReadingTask): ReadingData {
  return {
    recipes: sources.map(({ recipe }) => recipe ?? null),
    timeZone: facts.timeZone,
    forgotten: [...facts.forgotten],
  }
}

class ReadAhead implements DocumentReader {
  readonly #task: ReadingTask
  readonly #worker: Worker
  /** Jobs that were given to the thread, or are read here, in the order of the task. */
  readonly #given: ReadJob[] = []
  /** What came and was not taken yet. */
  #deliveries: Array<{ texts: string[]; at: number }> = []
  #hasAllJobs = false
  /** Why the thread is gone. */
  #loss: string | undefined
  #wake: () => void = () => undefined
  /** The document at hand has not ended yet. */
  #isOpen = false

  constructor(task: ReadingTask, worker: Worker) {
    this.#task = task
    this.#worker = worker
    worker.on('message', (texts: string[]) => {
      this.#deliveries.push({ texts, at: 0 })
      this.#wake()
    })
    worker.on('error', (error: unknown) => this.#lose(messageOf(error)))
    worker.on('exit', (code) => this.#lose(`it ended with code ${code}`))
  }

  async *next(): AsyncGenerator<ReadStep> {
    // Of a document that was left before its end, the rest comes nevertheless.
    while (this.#isOpen) await this.#takeDelivery()
    await this.#giveJobs()
    const job = this.#given.shift()
    if (!job) throw new Error('Cannot read on: no document is left')
    if (!this.#isReadThere(job)) {
      yield* this.#readHere(job)
      return
    }
    let delivery = await this.#takeDelivery()
    if (!delivery) yield* this.#readHere(job)
    while (delivery && 'step' in delivery) {
      yield delivery.step
      delivery = await this.#takeDelivery()
      if (!delivery) throw lostWithin(job.entry.path, this.#loss)
    }
    if (delivery && 'error' in delivery) throw revive(delivery.error)
  }

  async close(): Promise<void> {
    this.#deliveries = []
    this.#loss ??= 'it was ended'
    await this.#worker.terminate()
    await this.#task.jobs.return?.()
  }

  #lose(reason: string): void {
    this.#loss ??= reason
    this.#wake()
  }

  #isReadThere({ source }: ReadJob): boolean {
    return this.#task.sources[source]?.recipe !== undefined
  }

  #readHere(job: ReadJob): AsyncIterable<ReadStep> {
    return readJob(this.#task.sources, job, this.#task.facts)
  }

  /** Sees to it that the thread has documents to read, and that there is a next one. */
  async #giveJobs(): Promise<void> {
    if (this.#hasAllJobs || this.#given.length > READ_AHEAD.documents / 2) return
    const jobs: ReadJob[] = []
    while (!this.#hasAllJobs && this.#given.length < READ_AHEAD.documents) {
      const { done, value } = await this.#task.jobs.next()
      if (done) this.#hasAllJobs = true
      else {
        this.#given.push(value)
        if (this.#isReadThere(value)) jobs.push(value)
      }
    }
    this.#ask({ kind: 'jobs', jobs })
  }

  #ask(request: ReadingRequest): void {
    if (this.#loss === undefined) this.#worker.postMessage(request)
  }

  /** What comes next of the document at hand; undefined when the thread is gone. */
  async #takeDelivery(): Promise<Delivery | undefined> {
    const text = await this.#take()
    // Safe because the thread writes nothing else.
    const delivery = text === undefined ? undefined : (JSON.parse(text) as Delivery)
    this.#isOpen = delivery !== undefined && 'step' in delivery
    return delivery
  }

  async #take(): Promise<string | undefined> {
    for (;;) {
      const [message] = this.#deliveries
      const text = message?.texts[message.at]
      if (message && text !== undefined) {
        message.at += 1
        if (message.at === message.texts.length) await this.#finishMessage(message.texts)
        return text
      }
      if (this.#loss !== undefined) return undefined
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }

  async #finishMessage(texts: readonly string[]): Promise<void> {
    this.#deliveries.shift()
    this.#ask({ kind: 'taken', characters: texts.reduce((sum, text) => sum + text.length, 0) })
    // While there is always something to take, nothing else in this thread would get its turn.
    await nextTurn()
  }
}

/** What was delivered before is written or about to be: it cannot be taken back to read the document anew. */
function lostWithin(path: string, reason: string | undefined): MadeleineError {
  return new MadeleineError(
    'SOURCE_UNREADABLE',
    `Cannot read ${path} to its end: the reading thread ended (${reason})`,
    {
      remedy: 'Run "madeleine index" again: it goes on where this run stopped',
    },
  )
}

function revive({ message, code, remedy = '', stack }: CarriedError): Error {
  const error = code === undefined ? new Error(message) : new MadeleineError(code, message, { remedy })
  if (stack !== undefined) error.stack = stack
  return error
}
