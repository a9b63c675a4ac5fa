import { setTimeout as sleep } from 'node:timers/promises'
import { MadeleineError, messageOf } from '../../errors.ts'
import { STORE_BUSY_MS, STORE_RETRY_MS } from '../../options.ts'
import { toStorableText } from '../storable-text.ts'
import { closedError } from '../store-errors.ts'
import {
  isBusy,
  SQLITE_BUSY,
  type SqliteDatabase,
  type SqliteStatement,
  type SqlRow,
  type SqlValue,
  toStoreError,
} from './database.ts'

/**
 * One connection with its transactions. A transaction runs in one go, without awaiting, so that calls of one process
 * never mix. What waits for another process waits outside of SQLite: inside, it would hold up the host's event loop.
 */
export class Connection {
  readonly location: string
  readonly #busyMs: number
  readonly #statements = new Map<string, SqliteStatement>()
  readonly #listStatements = new Map<string, SqliteStatement>()
  #database: SqliteDatabase | null

  constructor(database: SqliteDatabase, location: string, busyMs = STORE_BUSY_MS) {
    this.#database = database
    this.location = location
    this.#busyMs = busyMs
  }

  /** The prepared statement of this text; prepared once. */
  sql(text: string): SqliteStatement {
    const known = this.#statements.get(text)
    if (known) return known
    const statement = new StorableStatement(this.#open().prepare(text))
    this.#statements.set(text, statement)
    return statement
  }

  /** All rows as lists of their columns (which need names that differ), for statements that give many. */
  rows(text: string, ...parameters: SqlValue[]): SqlValue[][] {
    let statement = this.#listStatements.get(text)
    if (!statement) {
      statement = this.#open().prepare(text)
      statement.setReturnArrays?.(true)
      this.#listStatements.set(text, statement)
    }
    const rows: Array<SqlRow | SqlValue[]> = statement.all(...parameters.map(toStorable))
    return rows.map((row) => (Array.isArray(row) ? row : Object.values(row)))
  }

  exec(sql: string): void {
    this.#open().exec(sql)
  }

  /** Runs `body` on one state of the store, whatever others write meanwhile. */
  read<T>(body: () => T): Promise<T> {
    return this.#retry(() => this.#transact('BEGIN', body))
  }

  /** Runs `body` as the only writer. All it did is undone when it throws. `isTruth`: survives a power failure too. */
  write<T>(body: () => T, { isTruth = false } = {}): Promise<T> {
    return this.#retry(() => {
      if (!isTruth) return this.#transact('BEGIN IMMEDIATE', body)
      this.exec('PRAGMA synchronous = FULL')
      try {
        return this.#transact('BEGIN IMMEDIATE', body)
      } finally {
        this.exec('PRAGMA synchronous = NORMAL')
      }
    })
  }

  /** Runs what cannot stand inside a transaction, again while others are in the way. */
  async alone<T>(body: () => T): Promise<T> {
    return this.#retry(body)
  }

  /**
   * Empties the write-ahead log, which holds pages as they were before the last writes. False when a reader or writer
   * of another process is in the way all the time.
   */
  async truncateLog(): Promise<boolean> {
    try {
      await this.#retry(() => {
        const row = this.sql('PRAGMA wal_checkpoint(TRUNCATE)').get()
        if (row?.busy !== 0) throw Object.assign(new Error('The log is in use'), { errcode: SQLITE_BUSY })
      })
      return true
    } catch (error) {
      if (error instanceof MadeleineError && error.code === 'STORE_BUSY') return false
      throw error
    }
  }

  get isClosed(): boolean {
    return this.#database === null
  }

  close(): void {
    this.#statements.clear()
    this.#listStatements.clear()
    this.#database?.close()
    this.#database = null
  }

  #open(): SqliteDatabase {
    if (!this.#database) throw closedError(this.location)
    return this.#database
  }

  #transact<T>(begin: string, body: () => T): T {
    this.exec(begin)
    try {
      const result = body()
      this.exec('COMMIT')
      return result
    } catch (error) {
      this.#rollBack()
      throw error
    }
  }

  #rollBack(): void {
    try {
      this.exec('ROLLBACK')
    } catch (error) {
      // A full disk has rolled back by itself. Anything else leaves the connection in the middle of a transaction.
      if (!messageOf(error).includes('no transaction is active')) this.close()
    }
  }

  async #retry<T>(attempt: () => T): Promise<T> {
    for (let waitedMs = 0; ; waitedMs += STORE_RETRY_MS) {
      try {
        return attempt()
      } catch (error) {
        if (!isBusy(error) || waitedMs >= this.#busyMs) throw toStoreError(error, this.location)
      }
      await sleep(STORE_RETRY_MS)
    }
  }
}

/** Lets no NUL through to the driver, which would cut a text there and so take one id or path for another. */
class StorableStatement implements SqliteStatement {
  readonly #statement: SqliteStatement

  constructor(statement: SqliteStatement) {
    this.#statement = statement
  }

  run(...parameters: SqlValue[]): { changes: number | bigint } {
    return this.#statement.run(...parameters.map(toStorable))
  }

  get(...parameters: SqlValue[]): SqlRow | undefined {
    return this.#statement.get(...parameters.map(toStorable))
  }

  all(...parameters: SqlValue[]): SqlRow[] {
    return this.#statement.all(...parameters.map(toStorable))
  }

  iterate(...parameters: SqlValue[]): Iterable<SqlRow> {
    return this.#statement.iterate(...parameters.map(toStorable))
  }
}

function toStorable(value: SqlValue): SqlValue {
  return typeof value === 'string' && value.includes('\0') ? toStorableText(value) : value
}
