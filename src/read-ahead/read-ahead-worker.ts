import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { MadeleineError, messageOf } from '../errors.ts'
import { readJob } from '../indexing/document-reader.ts'
import type { ReadFacts, ReadJob, ReadStep } from '../indexing/read-document.ts'
import { withCues } from '../indexing/with-cues.ts'
import { READ_AHEAD } from '../options.ts'
import { openSource } from '../source/open-source.ts'
import type { Source } from '../source/source.ts'
import type { CarriedError, Delivery, ReadingData, ReadingRequest } from './deliveries.ts'

/** Reads the documents that it is asked for, in their order, and never further ahead of who takes them than it may. */
class ReadingThread {
  readonly #port: MessagePort
  readonly #sources: Source[]
  readonly #facts: ReadFacts
  readonly #jobs: ReadJob[] = []
  #held: string[] = []
  #heldCharacters = 0
  /** Characters that were sent and not taken yet. */
  #ahead = 0
  #wake: () => void = () => undefined

  constructor(port: MessagePort, { recipes, timeZone, forgotten }: ReadingData) {
    this.#port = port
    // Where there is no recipe no job comes.
    this.#sources = recipes.map((recipe) => (recipe && openSource(recipe)) as Source)
    this.#facts = { timeZone, forgotten: new Set(forgotten) }
    port.on('message', (request: ReadingRequest) => {
      if (request.kind === 'jobs') this.#jobs.push(...request.jobs)
      else this.#ahead -= request.characters
      this.#wake()
    })
  }

  async run(): Promise<void> {
    for (;;) {
      const job = this.#jobs.shift()
      if (job) await this.#read(job)
      else {
        this.#send()
        await this.#untilAsked()
      }
    }
  }

  async #read(job: ReadJob): Promise<void> {
    try {
      for await (const step of readJob(this.#sources, job, this.#facts))
        await this.#deliver({ step: this.#enrich(step) })
      await this.#deliver({ end: true })
    } catch (error) {
      await this.#deliver({ error: carry(error) })
    }
  }

  /** While the other thread has enough to do, this one takes work from it that it would do itself otherwise. */
  #enrich(step: ReadStep): ReadStep {
    if (step.kind !== 'write' || this.#ahead + this.#heldCharacters < READ_AHEAD.characters * READ_AHEAD.plenty)
      return step
    return { ...step, write: withCues(step.write, this.#facts.timeZone) }
  }

  async #deliver(delivery: Delivery): Promise<void> {
    const text = JSON.stringify(delivery)
    this.#held.push(text)
    this.#heldCharacters += text.length
    if (this.#heldCharacters < READ_AHEAD.messageCharacters) return
    this.#send()
    while (this.#ahead >= READ_AHEAD.characters) await this.#untilAsked()
  }

  #send(): void {
    if (this.#held.length === 0) return
    this.#port.postMessage(this.#held)
    this.#ahead += this.#heldCharacters
    this.#held = []
    this.#heldCharacters = 0
  }

  #untilAsked(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve
    })
  }
}

function carry(error: unknown): CarriedError {
  const stack = error instanceof Error && error.stack !== undefined ? { stack: error.stack } : {}
  if (!(error instanceof MadeleineError)) return { message: messageOf(error), ...stack }
  return { message: error.message, code: error.code, remedy: error.remedy, ...stack }
}

// Safe because only createReadAhead starts this thread.
if (parentPort) void new ReadingThread(parentPort, workerData as ReadingData).run()
