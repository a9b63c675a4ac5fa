import { MadeleineError, messageOf } from '../../../errors.ts'
import type { Degraded } from '../../../model/search.ts'
import type { MemoryStore, StoreFinding } from '../../memory-store.ts'
import type { ReadStore } from '../../read-store.ts'
import { routeReads } from '../../route-reads.ts'
import type { Database } from '../database.ts'
import { REPLICA } from '../postgres-options.ts'
import type { OpenReplica } from './open-replica.ts'
import { inTime, type ReplicaState, readReplicaState } from './replica-state.ts'

interface ReplicaParts {
  location: string
  /** The store that the replica follows, and its database; whoever opened it closes it. */
  primary: MemoryStore
  primaryDatabase: Database
  open(): Promise<OpenReplica>
}

/** A replica while it is used. */
interface Serving {
  replica: OpenReplica
  state: ReplicaState
  /** Rejects when it is given up, so that nobody goes on waiting for it. */
  lost: Promise<never>
  lose(error: unknown): void
}

/**
 * Answers questions from a replica as long as it serves, from the primary otherwise. Each question first sees to it that somebody looks
 * after the replica now and then; nothing runs while nobody asks.
 */
export class ReadReplica implements ReadStore {
  readonly location: string
  readonly store: MemoryStore
  readonly #parts: ReplicaParts
  #serving: Serving | null = null
  /** Why it does not serve. */
  #trouble: MadeleineError | null = null
  #lookAt = 0
  #looking: Promise<void> | null = null
  #isClosed = false

  private constructor(parts: ReplicaParts) {
    this.location = parts.location
    this.#parts = parts
    this.store = routeReads(parts.primary, (question) => this.#ask(question))
  }

  /** Uses the replica from the start where it is there. Never rejects for a replica that is not. */
  static async begin(parts: ReplicaParts): Promise<ReadReplica> {
    const reading = new ReadReplica(parts)
    await reading.#look()
    return reading
  }

  note(): Degraded[] {
    if (this.#serving === null) {
      const why = this.#trouble === null ? 'it is not open' : this.#trouble.message
      return [{ part: 'read-store', reason: `the primary answered instead of the replica: ${why}` }]
    }
    const { isBehind, asOf } = this.#serving.state
    return isBehind ? [{ part: 'read-store', reason: describeLag(this.location, asOf) }] : []
  }

  async check(): Promise<StoreFinding[]> {
    this.#lookAt = 0
    await this.#look()
    if (this.#serving === null) {
      const { message = `Cannot read from replica ${this.location}`, remedy = '' } = this.#trouble ?? {}
      return [
        {
          id: 'read-store-away',
          severity: 'warning',
          message: `${message}; searches ask the primary meanwhile`,
          remedy,
        },
      ]
    }
    const { isBehind, asOf } = this.#serving.state
    if (!isBehind) return []
    return [
      {
        id: 'read-store-behind',
        severity: 'warning',
        message: `Searches miss what is new: ${describeLag(this.location, asOf)}`,
        remedy:
          'Look at replication on both servers (pg_stat_replication, pg_stat_wal_receiver), or leave --read-store out',
      },
    ]
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    await this.#looking
    const serving = this.#serving
    this.#serving = null
    await serving?.replica.close()
  }

  async #ask(question: (store: MemoryStore) => Promise<unknown>): Promise<unknown> {
    if (this.#isClosed) return question(this.#parts.primary)
    void this.#look()
    const serving = this.#serving
    if (serving === null) return question(this.#parts.primary)
    try {
      return await Promise.race([question(serving.replica.store), serving.lost])
    } catch (error) {
      // What is wrong with the question is wrong everywhere.
      if (error instanceof MadeleineError && !error.code.startsWith('STORE_')) throw error
      if (!(error instanceof MadeleineError && error.code === 'STORE_BUSY')) this.#giveUp(serving, error)
      return question(this.#parts.primary)
    }
  }

  /** Opens the replica where it is not open, and sees whether it keeps up where it is; not oftener than it should be. */
  #look(): Promise<void> {
    if (this.#looking) return this.#looking
    if (performance.now() < this.#lookAt) return Promise.resolve()
    this.#looking = this.#examine().finally(() => {
      this.#looking = null
      this.#lookAt = performance.now() + REPLICA.lookMs
    })
    return this.#looking
  }

  async #examine(): Promise<void> {
    const serving = this.#serving
    try {
      if (serving === null) this.#serving = await this.#open()
      else serving.state = await readReplicaState(this.#parts.primaryDatabase, serving.replica.database)
      this.#trouble = null
    } catch (error) {
      if (serving !== null) this.#giveUp(serving, error)
      else this.#trouble = toTrouble(this.location, error)
    }
  }

  async #open(): Promise<Serving> {
    const opening = this.#parts.open()
    const replica = await inTime(opening, this.location).catch((error: unknown) => {
      // It may still come, when nobody waits for it any more.
      void opening.then((late) => late.close()).catch(() => undefined)
      throw error
    })
    try {
      const state = await readReplicaState(this.#parts.primaryDatabase, replica.database)
      const { promise: lost, reject: lose } = withReject()
      return { replica, state, lost, lose }
    } catch (error) {
      await replica.close()
      throw error
    }
  }

  #giveUp(serving: Serving, error: unknown): void {
    if (this.#serving !== serving) return
    this.#serving = null
    this.#trouble = toTrouble(this.location, error)
    serving.lose(this.#trouble)
    // It may hang, and nobody waits for it.
    void serving.replica.close().catch(() => undefined)
  }
}

function describeLag(location: string, asOf: string | null): string {
  const when = asOf === null ? 'an earlier time' : asOf
  return `the replica ${location} is behind and shows the store as of ${when}`
}

function toTrouble(location: string, error: unknown): MadeleineError {
  if (error instanceof MadeleineError) return error
  return new MadeleineError('STORE_UNUSABLE', `Cannot read from replica ${location}: ${messageOf(error)}`, {
    remedy: 'Check the replica, or leave --read-store out',
    cause: error,
  })
}

function withReject(): { promise: Promise<never>; reject(error: unknown): void } {
  let reject: (error: unknown) => void = () => undefined
  const promise = new Promise<never>((_, fail) => {
    reject = fail
  })
  // Where nobody waits for it, its end is no failure.
  promise.catch(() => undefined)
  return { promise, reject }
}
