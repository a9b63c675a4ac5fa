import { statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { MadeleineError, messageOf } from '../../errors.ts'
import { monotonicMs } from '../../model/monotonic.ts'
import { STORE_BUSY_MS, STORE_LONG_WRITE_MS, STORE_RETRY_MS } from '../../options.ts'
import { toStorableText } from '../storable-text.ts'
import { closedError, movedError } from '../store-errors.ts'
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
  /** Which file this is, whatever its name; undefined where the system does not tell. */
  readonly #fileId: string | undefined
  /** When this connection's last write that held others up was over; 0 when it did not. */
  #longWriteEndedAt = 0
  readonly #statements = new Map<string, SqliteStatement>()
  readonly #listStatements = new Map<string, SqliteStatement>()
  #database: SqliteDatabase | null

  constructor(database: SqliteDatabase, location: string, busyMs = STORE_BUSY_MS) {
    this.#database = database
    this.location = location
    this.#busyMs = busyMs
    this.#fileId = readFileId(location)
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

  /** Runs a `body` that waits in between on one state of the store. Nothing else may be done with this connection meanwhile. */
  async readLong<T>(body: () => Promise<T>): Promise<T> {
    await this.#retry(() => this.exec('BEGIN'))
    try {
      const result = await body()
      this.exec('COMMIT')
      return result
    } catch (error) {
      if (!this.isClosed) this.#rollBack()
      throw toStoreError(error, this.location)
    }
  }

  /**
   * Runs `body` as the only writer. All it did is undone when it throws. `isTruth`: survives a power failure too. `waitMs`: how
   * long it waits for another process, when not as long as the connection does.
   */
  async write<T>(body: () => T, { isTruth = false, waitMs = this.#busyMs } = {}): Promise<T> {
    // Who waits looks only now and then, and would never find the moment between two long writes.
    const sinceLongWrite = monotonicMs() - this.#longWriteEndedAt
    if (this.#longWriteEndedAt > 0 && sinceLongWrite < STORE_RETRY_MS) await sleep(STORE_RETRY_MS)
    return this.#retry(() => {
      if (!isTruth) return this.#writeNow(body)
      this.exec('PRAGMA synchronous = FULL')
      try {
        return this.#writeNow(body)
      } finally {
        if (!this.isClosed) this.exec('PRAGMA synchronous = NORMAL')
      }
    }, waitMs)
  }

  /** Runs what cannot stand inside a transaction, again while others are in the way. */
  async alone<T>(body: () => T): Promise<T> {
    return this.#retry(body)
  }

  /**
   * Empties the write-ahead log, which holds pages as they were before the last writes. False when a reader or writer
   * of another process is in the way for as long as it waits.
   */
  async truncateLog({ waitMs = this.#busyMs } = {}): Promise<boolean> {
    try {
      await this.#retry(() => {
        const row = this.sql('PRAGMA wal_checkpoint(TRUNCATE)').get()
        if (row?.busy !== 0) throw Object.assign(new Error('The log is in use'), { errcode: SQLITE_BUSY })
      }, waitMs)
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
    this.#emptyLog()
    this.#statements.clear()
    this.#listStatements.clear()
    this.#database?.close()
    this.#database = null
  }

  /** One driver leaves the log beside the file when it closes: who may only read the file would miss what stands in the log. */
  #emptyLog(): void {
    try {
      this.#database?.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    } catch {
      // Somebody is at work in the file, or it may only be read: the log stays, and nothing is lost.
    }
  }

  #open(): SqliteDatabase {
    if (!this.#database) throw closedError(this.location)
    return this.#database
  }

  #writeNow<T>(body: () => T): T {
    const startedAt = monotonicMs()
    const result = this.#transact('BEGIN IMMEDIATE', body)
    const endedAt = monotonicMs()
    this.#longWriteEndedAt = endedAt - startedAt >= STORE_LONG_WRITE_MS ? endedAt : 0
    return result
  }

  #transact<T>(begin: string, body: () => T): T {
    this.exec(begin)
    try {
      // Once it holds the lock: what is written into a file that nobody finds any more would be lost.
      if (this.#fileId !== undefined && readFileId(this.location) !== this.#fileId) throw movedError(this.location)
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

  async #retry<T>(attempt: () => T, waitMs = this.#busyMs): Promise<T> {
    for (let waitedMs = 0; ; waitedMs += STORE_RETRY_MS) {
      try {
        return attempt()
      } catch (error) {
        if (!isBusy(error) || waitedMs >= waitMs) throw toStoreError(error, this.location)
      }
      await sleep(STORE_RETRY_MS)
    }
  }
}

function readFileId(file: string): string | undefined {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false })
  return stats === undefined ? undefined : `${stats.dev}:${stats.ino}`
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
