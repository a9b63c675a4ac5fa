import { MadeleineError } from '../../errors.ts'
import { compareText } from '../canonical-place.ts'
import { type DocumentEnd, findLong } from './documents.ts'
import type { PostgresConnection, Transaction } from './postgres-connection.ts'
import { PostingSegments } from './posting-segments.ts'
import { WriteSession } from './write-session.ts'

interface WriteOptions {
  /** The tenants that the write is for; default: all that the store is opened for. */
  tenants?: readonly string[]
  /** Twice is as once. */
  isRepeatable?: boolean
}

/** Writes that change memories: each tenant of them gets a session of the same transaction. */
export class MemoryWrites {
  readonly #connection: PostgresConnection
  readonly #timeZone: string

  constructor(connection: PostgresConnection, timeZone: string) {
    this.#connection = connection
    this.#timeZone = timeZone
  }

  /** What `write` gave for each tenant. Segments that are due are merged afterwards. */
  async write<T>(write: (session: WriteSession) => Promise<T>, options: WriteOptions = {}): Promise<T[]> {
    const tenants = options.tenants ?? this.#connection.tenants
    const results = await this.#connection.write(async (tx) => {
      const given: T[] = []
      for (const tenant of tenants) given.push(await write(await this.#begin(tx, tenant)))
      return given
    }, options)
    await this.#mergeSegments(tenants)
    return results
  }

  /** Takes what documents have very many of out of them, some at a time, so that the write that follows is a small one. */
  async trim(
    findEnds: (tx: Transaction, tenant: string) => DocumentEnd[] | Promise<DocumentEnd[]>,
    trim: (session: WriteSession, end: DocumentEnd) => Promise<string[]>,
    tenants: readonly string[] = this.#connection.tenants,
  ): Promise<string[]> {
    const removed: string[] = []
    for (const tenant of tenants) {
      const find = (): Promise<DocumentEnd[]> =>
        this.#connection.read(async (tx) => findLong(tx, tenant, await findEnds(tx, tenant)))
      for (let [long] = await find(); long; [long] = await find()) {
        const end = long
        for (const ids of await this.write((session) => trim(session, end), { tenants: [tenant] })) {
          for (const id of ids) removed.push(id)
        }
      }
    }
    return removed.sort(compareText)
  }

  #begin(tx: Transaction, tenant: string): Promise<WriteSession> {
    return WriteSession.begin({ connection: this.#connection, tx, tenant, timeZone: this.#timeZone })
  }

  /** Each merge by itself, so that others get their turn between them. */
  async #mergeSegments(tenants: readonly string[]): Promise<void> {
    try {
      for (const tenant of tenants) {
        const isDue = (): Promise<boolean> =>
          this.#connection.read((tx) => new PostingSegments(tx, tenant, () => 0).isMergeDue())
        while (await isDue()) await this.#mergeNext(tenant)
      }
    } catch (error) {
      // What was written stays written; what could not be merged now is due again with the next write.
      if (!(error instanceof MadeleineError)) throw error
    }
  }

  async #mergeNext(tenant: string): Promise<void> {
    const takeNumber = 'UPDATE tenant SET next_segment = next_segment + 1 WHERE tenant = $1 RETURNING next_segment'
    await this.#connection.write(
      async (tx) => {
        const [row] = await tx.query(takeNumber, [tenant])
        await new PostingSegments(tx, tenant, () => Number(row?.next_segment) - 1).mergeNext()
      },
      { tenants: [tenant], isRepeatable: true },
    )
  }
}
