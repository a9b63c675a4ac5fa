import { setTimeout as sleep } from 'node:timers/promises'
import { MadeleineError } from '../../errors.ts'
import { STORE_BUSY_MS } from '../../options.ts'
import { toStorableText } from '../storable-text.ts'
import { closedError } from '../store-errors.ts'
import type { Database, DatabaseSession, SqlParameter, SqlRow } from './database.ts'
import { isConnectionLost, isTransient, toPostgresError, uncertainError } from './postgres-errors.ts'
import { POSTGRES_RETRIES, POSTGRES_RETRY_MS } from './postgres-options.ts'

/** Stands between the tenants of a transaction in the setting that row-level security reads. */
const SEPARATOR = '\x1f'

/** How transactions begin. */
const READ_ONLY = 'ISOLATION LEVEL REPEATABLE READ READ ONLY'
const READ_AND_WRITE = 'ISOLATION LEVEL READ COMMITTED'

/** Statements within one transaction; all see the rows of the opened tenants alone. */
export interface Transaction {
  query(text: string, parameters?: readonly SqlParameter[]): Promise<SqlRow[]>
  /**
   * Runs a statement without parameters, which is prepared nowhere. Where it is the first of a read, it goes along with what begins the
   * transaction: one round trip less.
   */
  ask(text: string): Promise<SqlRow[]>
  /** The number of rows that a statement wrote. */
  run(text: string, parameters?: readonly SqlParameter[]): Promise<number>
}

interface ConnectionOptions {
  schema: string
  tenants: readonly string[]
  /** How long a call waits for another process, ms; default STORE_BUSY_MS. */
  busyMs?: number
}

/** The database of a store with its transactions. */
export class PostgresConnection {
  readonly location: string
  readonly schema: string
  readonly tenants: readonly string[]
  readonly #database: Database
  readonly #busyMs: number
  readonly #whenLost: Array<() => void> = []
  #isClosed = false

  constructor(database: Database, { schema, tenants, busyMs = STORE_BUSY_MS }: ConnectionOptions) {
    this.location = database.location
    this.schema = schema
    this.tenants = tenants
    this.#database = database
    this.#busyMs = busyMs
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Calls `forget` whenever a connection was lost: after a failover what was read before may never have been. */
  onLost(forget: () => void): void {
    this.#whenLost.push(forget)
  }

  /**
   * Runs `body` on one state of the store, whatever others write meanwhile; again where it failed for a passing reason. The state is that
   * of its first statement, which begins the transaction.
   */
  read<T>(body: (tx: Transaction) => Promise<T>): Promise<T> {
    const beginning = this.#begin(READ_ONLY)
    return this.#retry(() => this.#transact(beginning, body))
  }

  /**
   * Runs `body` as the only writer of these tenants (default: of all that the store is opened for). All it did is undone when it
   * throws. It is tried again where the reason passes, unless it may have been committed: `isRepeatable` says that twice is as once.
   */
  write<T>(
    body: (tx: Transaction) => Promise<T>,
    { tenants = this.tenants, isRepeatable = false }: { tenants?: readonly string[]; isRepeatable?: boolean } = {},
  ): Promise<T> {
    const locks = [...new Set(tenants)].sort().map((tenant) => {
      this.assertOpened(tenant)
      const key = quote(`madeleine ${this.schema} ${tenant}`)
      return `SELECT pg_advisory_xact_lock(hashtextextended(${key}, 0));`
    })
    const beginning = this.#begin(READ_AND_WRITE) + locks.join('\n')
    const run = async (tx: SessionTransaction): Promise<T> => {
      await tx.begin()
      return body(tx)
    }
    return this.#retry(() => this.#transact(beginning, run), isRepeatable)
  }

  /** Runs a statement without parameters as a transaction of its own in one round trip: a read, or a write without locks that twice is as once. */
  runAlone(text: string, { isWrite = false } = {}): Promise<SqlRow[]> {
    const beginning = this.#begin(isWrite ? READ_AND_WRITE : READ_ONLY)
    return this.#retry(() =>
      this.#database.withSession(async (session) => {
        try {
          return (await session.exec(`${beginning}${text}; COMMIT`)).at(-2) ?? []
        } catch (error) {
          if (!isConnectionLost(error)) await session.exec('ROLLBACK')
          throw error
        }
      }),
    )
  }

  /** Rejects with INVALID_OPTION where the store is not opened for a tenant. */
  assertOpened(tenant: string): void {
    if (this.tenants.includes(tenant)) return
    throw new MadeleineError('INVALID_OPTION', `Cannot write for tenant "${tenant}": the store is not opened for it`, {
      remedy: `Open the store for that tenant; it is opened for ${this.tenants.join(', ')}`,
    })
  }

  /** Runs what is not bound to tenants, or brings its own transactions. */
  alone<T>(body: (session: DatabaseSession) => Promise<T>): Promise<T> {
    return this.#translate(() => this.#database.withSession(body))
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    await this.#database.close()
  }

  #begin(mode: string): string {
    return `BEGIN ${mode}; SET LOCAL search_path = ${quoteName(this.schema)}, public;
      SET LOCAL jit = off; SET LOCAL madeleine.tenants = ${quote(this.tenants.join(SEPARATOR))};
      SET LOCAL lock_timeout = ${this.#busyMs};`
  }

  async #transact<T>(beginning: string, body: (tx: SessionTransaction) => Promise<T>): Promise<T> {
    return this.#database.withSession(async (session) => {
      const tx = new SessionTransaction(session, beginning)
      try {
        const result = await body(tx)
        if (tx.hasBegun) await commit(session)
        return result
      } catch (error) {
        if (tx.hasBegun && !(error instanceof CommitError) && !isConnectionLost(error)) await session.exec('ROLLBACK')
        throw error
      }
    })
  }

  async #retry<T>(attempt: () => Promise<T>, isRepeatable = true): Promise<T> {
    for (let retries = 0; ; retries++) {
      if (this.#isClosed) throw closedError(this.location)
      try {
        return await attempt()
      } catch (thrown) {
        const isCommit = thrown instanceof CommitError
        const error = isCommit ? thrown.cause : thrown
        if (isConnectionLost(error)) for (const forget of this.#whenLost) forget()
        if (isCommit && !isRepeatable && isConnectionLost(error)) throw uncertainError(this.location, error)
        if (!isTransient(error) || retries >= POSTGRES_RETRIES) throw toPostgresError(error, this.location)
      }
      await sleep(POSTGRES_RETRY_MS * 3 ** retries)
    }
  }

  async #translate<T>(body: () => Promise<T>): Promise<T> {
    if (this.#isClosed) throw closedError(this.location)
    try {
      return await body()
    } catch (error) {
      throw toPostgresError(error, this.location)
    }
  }
}

/** What failed is the commit itself: when the connection broke, nobody knows whether it counts. */
class CommitError extends Error {
  constructor(cause: unknown) {
    super('Cannot commit', { cause })
  }
}

async function commit(session: DatabaseSession): Promise<void> {
  try {
    await session.exec('COMMIT')
  } catch (error) {
    throw new CommitError(error)
  }
}

class SessionTransaction implements Transaction {
  readonly #session: DatabaseSession
  /** What is still to be sent before anything else. */
  #beginning: string

  constructor(session: DatabaseSession, beginning: string) {
    this.#session = session
    this.#beginning = beginning
  }

  get hasBegun(): boolean {
    return this.#beginning === ''
  }

  async begin(): Promise<void> {
    if (!this.hasBegun) await this.#session.exec(this.#takeBeginning())
  }

  async ask(text: string): Promise<SqlRow[]> {
    return (await this.#session.exec(this.#takeBeginning() + text)).at(-1) ?? []
  }

  async query(text: string, parameters: readonly SqlParameter[] = []): Promise<SqlRow[]> {
    await this.begin()
    return (await this.#session.query(text, parameters.map(toStorable))).rows
  }

  async run(text: string, parameters: readonly SqlParameter[] = []): Promise<number> {
    await this.begin()
    return (await this.#session.query(text, parameters.map(toStorable))).changes
  }

  #takeBeginning(): string {
    const beginning = this.#beginning
    this.#beginning = ''
    return beginning
  }
}

/** PostgreSQL keeps no NUL in texts. */
function toStorable(value: SqlParameter): SqlParameter {
  if (typeof value === 'string') return value.includes('\0') ? toStorableText(value) : value
  if (!Array.isArray(value)) return value
  return value.some((one) => typeof one === 'string' && one.includes('\0'))
    ? value.map((one) => (typeof one === 'string' ? toStorableText(one) : one))
    : value
}

/** A text as a literal of SQL, whatever it holds and however the server reads a backslash. */
export function quote(text: string): string {
  const doubled = toStorableText(text).replaceAll("'", "''").replaceAll('\\', '\\\\')
  return doubled.includes('\\') ? `E'${doubled}'` : `'${doubled}'`
}

/** A name as SQL takes it whatever its characters. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
