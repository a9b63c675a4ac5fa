import type { Worker } from 'node:worker_threads'
import { MadeleineError, messageOf } from '../../errors.ts'
import { startWorker } from '../../threads/start-worker.ts'
import type { WorkerMessage } from './worker-messages.ts'

export interface PoolOptions {
  /** The workers' file; it calls `answerRequests`. */
  entry: URL
  /** Workers at most, at least 1. */
  size: number
  /** Given to each worker as `workerData`, beside `shared`. */
  data: object
}

export interface RunOptions {
  /** Goes before every request that is not urgent. */
  isUrgent?: boolean
  signal?: AbortSignal | undefined
}

interface Unit<Request, Reply> {
  request: Request
  resolve(reply: Reply): void
  reject(error: unknown): void
  /** Stops listening to the caller's signal. */
  release(): void
}

/** A worker and the one unit it works on. */
interface Lane<Request, Reply> {
  worker: Worker
  isReady: boolean
  unit: Unit<Request, Reply> | undefined
}

/**
 * Worker threads that answer requests, one at a time each: what waits, waits here, so that an urgent request overtakes
 * it. Nothing starts before the first request, and another worker only when all are busy. The first worker makes what all share,
 * the others receive it. An idle worker does not keep the process alive. A worker that dies rejects its request with
 * EMBEDDING_UNAVAILABLE and is replaced when there is work.
 */
export class WorkerPool<Shared, Request, Reply> {
  readonly #options: PoolOptions
  readonly #lanes = new Set<Lane<Request, Reply>>()
  readonly #urgent: Unit<Request, Reply>[] = []
  readonly #waiting: Unit<Request, Reply>[] = []
  #shared: Shared | undefined
  #size: number
  #hasStarted = false
  #isClosed = false

  constructor(options: PoolOptions) {
    this.#options = options
    this.#size = options.size
  }

  /** Rejects with what the worker reports, EMBEDDING_UNAVAILABLE when it dies or the pool is closed, INTERRUPTED on abort. */
  run(request: Request, options: RunOptions = {}): Promise<Reply> {
    const { isUrgent = false, signal } = options
    if (this.#isClosed) return Promise.reject(closedError())
    if (signal?.aborted) return Promise.reject(interruptedError())
    return new Promise((resolve, reject) => {
      const queue = isUrgent ? this.#urgent : this.#waiting
      const onAbort = (): void => {
        const at = queue.indexOf(unit)
        if (at >= 0) queue.splice(at, 1)
        // A unit that a worker has begun is finished there, but nobody waits for it.
        reject(interruptedError())
      }
      const release = (): void => signal?.removeEventListener('abort', onAbort)
      const unit = { request, resolve, reject, release }
      signal?.addEventListener('abort', onAbort, { once: true })
      queue.push(unit)
      this.#dispatch()
    })
  }

  /** Ends the workers and rejects what is not done. May be called again. */
  async close(): Promise<void> {
    this.#isClosed = true
    const abandoned = [...this.#urgent.splice(0), ...this.#waiting.splice(0)]
    const lanes = [...this.#lanes]
    for (const lane of lanes) if (lane.unit) abandoned.push(lane.unit)
    this.#lanes.clear()
    this.#shared = undefined
    for (const unit of abandoned) settle(unit, () => unit.reject(closedError()))
    await Promise.all(lanes.map((lane) => lane.worker.terminate()))
  }

  /** Gives waiting units to idle workers, and starts workers for the rest. */
  #dispatch(): void {
    if (this.#isClosed) return
    for (const lane of this.#lanes) if (lane.isReady && !lane.unit) this.#give(lane)
    const starting = [...this.#lanes].filter((lane) => !lane.isReady).length
    const wanted = this.#urgent.length + this.#waiting.length - starting
    // While the first worker makes what the others need, they would only make it again.
    const room = this.#hasStarted ? this.#size - this.#lanes.size : 1 - this.#lanes.size
    for (let count = Math.min(wanted, room); count > 0; count -= 1) this.#startLane()
  }

  #give(lane: Lane<Request, Reply>): void {
    const unit = this.#urgent.shift() ?? this.#waiting.shift()
    lane.unit = unit
    if (unit) {
      lane.worker.ref()
      lane.worker.postMessage(unit.request)
    } else {
      lane.worker.unref()
    }
  }

  #startLane(): void {
    const { entry, data } = this.#options
    const worker = startWorker(entry, { ...data, shared: this.#shared })
    const lane: Lane<Request, Reply> = { worker, isReady: false, unit: undefined }
    this.#lanes.add(lane)
    worker.on('message', (message: WorkerMessage<Shared, Reply>) => this.#receive(lane, message))
    worker.on('error', (error: unknown) => this.#drop(lane, crashError(messageOf(error), error)))
    worker.on('exit', (code) => this.#drop(lane, crashError(`the thread ended with code ${code}`)))
  }

  #receive(lane: Lane<Request, Reply>, message: WorkerMessage<Shared, Reply>): void {
    if (!this.#lanes.has(lane)) return
    if (message.kind === 'unusable') {
      const { code, message: text, remedy } = message.failure
      this.#drop(lane, new MadeleineError(code, text, { remedy }))
      return
    }
    if (message.kind === 'ready') {
      lane.isReady = true
      this.#shared ??= message.shared
      this.#hasStarted = true
    } else if (lane.unit) {
      finish(lane.unit, message)
      lane.unit = undefined
    }
    this.#give(lane)
    this.#dispatch()
  }

  /**
   * Forgets a worker that is gone and rejects its unit. When it never started, the pool does with the workers it has; when it
   * has none, nobody is left whom the waiting units could wait for.
   */
  #drop(lane: Lane<Request, Reply>, error: MadeleineError): void {
    if (!this.#lanes.delete(lane)) return
    void lane.worker.terminate()
    const lost = lane.unit ? [lane.unit] : []
    if (!lane.isReady && this.#lanes.size > 0) this.#size = this.#lanes.size
    if (!lane.isReady && this.#lanes.size === 0) lost.push(...this.#urgent.splice(0), ...this.#waiting.splice(0))
    for (const unit of lost) settle(unit, () => unit.reject(error))
    this.#dispatch()
  }
}

function finish<Request, Reply>(unit: Unit<Request, Reply>, message: WorkerMessage<unknown, Reply>): void {
  settle(unit, () => {
    if (message.kind === 'reply') unit.resolve(message.reply)
    if (message.kind === 'failure') {
      const { code, message: text, remedy } = message.failure
      unit.reject(new MadeleineError(code, text, { remedy }))
    }
  })
}

function settle<Request, Reply>(unit: Unit<Request, Reply>, act: () => void): void {
  unit.release()
  act()
}

function crashError(state: string, cause?: unknown): MadeleineError {
  return new MadeleineError(
    'EMBEDDING_UNAVAILABLE',
    `Cannot embed with the bundled model: a worker failed (${state}).`,
    {
      remedy: 'Run it again: the worker is replaced. Keyword search serves meanwhile.',
      cause,
    },
  )
}

function closedError(): MadeleineError {
  return new MadeleineError('EMBEDDING_UNAVAILABLE', 'Cannot embed with the bundled model: it is closed.', {
    remedy: 'Open the engine again before you use it.',
  })
}

function interruptedError(): MadeleineError {
  return new MadeleineError('INTERRUPTED', 'Embedding stopped: the caller aborted.', {
    remedy: 'Start it again: what is embedded already is kept.',
  })
}
