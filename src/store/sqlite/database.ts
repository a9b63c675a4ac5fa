import { MadeleineError, messageOf } from '../../errors.ts'
import { damagedError } from '../store-errors.ts'

export {
  loadSqlite,
  type SqliteDatabase,
  type SqliteDriver,
  type SqliteStatement,
  type SqlRow,
  type SqlValue,
} from '../../sqlite/driver.ts'

/** The result code for: another connection is in the way. */
export const SQLITE_BUSY = 5
const SQLITE_LOCKED = 6
const SQLITE_PERM = 3
const SQLITE_READONLY = 8
const SQLITE_CANTOPEN = 14
const SQLITE_CORRUPT = 11
/** Many connections began at the same moment. */
const SQLITE_PROTOCOL = 15
const SQLITE_NOTADB = 26
const SQLITE_ERROR = 1
const SQLITE_CONSTRAINT = 19

/** What SQLite says where the driver leaves out the code, as one does for rows that are read one by one. */
const CODE_OF_MESSAGE: ReadonlyArray<[RegExp, number]> = [
  [/malformed/, SQLITE_CORRUPT],
  [/not a database/, SQLITE_NOTADB],
  [/locked/, SQLITE_BUSY],
  [/is full/, 13],
  [/constraint failed/, SQLITE_CONSTRAINT],
]

/** SQLite's primary result code of an error, 0 for errors of another kind. */
function resultCode(error: unknown): number {
  const { errcode, code, message } = (error ?? {}) as { errcode?: unknown; code?: unknown; message?: unknown }
  if (typeof errcode === 'number') return errcode & 0xff
  if (code !== 'ERR_SQLITE_ERROR') return 0
  return CODE_OF_MESSAGE.find(([pattern]) => pattern.test(String(message)))?.[1] ?? 1
}

/** Whether it is SQLite that failed. */
export function isSqliteError(error: unknown): boolean {
  return resultCode(error) !== 0
}

/** Whether another connection was in the way, so that trying again may succeed. */
export function isBusy(error: unknown): boolean {
  return [SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL].includes(resultCode(error))
}

/** Whether the system lets nothing be written to the file, or beside it where SQLite needs that even to read. */
export function isWriteRefused(error: unknown): boolean {
  return [SQLITE_PERM, SQLITE_READONLY, SQLITE_CANTOPEN].includes(resultCode(error))
}

/** What SQLite's codes mean for a store. Busy and damaged have their own errors. */
const REASONS: Record<number, { reason: string; remedy: string }> = {
  3: { reason: 'access to it is denied', remedy: 'Check the permissions of the file and its folder' },
  8: {
    reason: 'it may not be written',
    remedy: 'Check the permissions of the file and its folder, or choose another file with --store',
  },
  10: {
    reason: 'the disk failed or is full',
    remedy: 'Check the disk and its free space, then run "madeleine doctor"',
  },
  13: { reason: 'the disk is full', remedy: 'Free some space and try again; what was acknowledged before is kept' },
  14: {
    reason: 'it, or a file that belongs beside it, cannot be opened',
    remedy: 'Check that the file and its folder exist and that you may read and write them',
  },
  26: { reason: 'it is not a store', remedy: 'Choose another file with --store, or move this one away' },
}

/** Whether SQLite takes the file for no database. */
export function isNoDatabase(error: unknown): boolean {
  return resultCode(error) === SQLITE_NOTADB
}

/** Whether a store goes against its own schema: a table or column is gone, or rows that others rest on. */
export function isAgainstSchema(error: unknown): boolean {
  const code = resultCode(error)
  return code === SQLITE_CONSTRAINT || (code === SQLITE_ERROR && /no such (?:table|column)/.test(messageOf(error)))
}

/** Says what SQLite's error means for the store; errors of another kind come back as they are. */
export function toStoreError(error: unknown, location: string): unknown {
  if (error instanceof MadeleineError) return error
  if (isBusy(error)) {
    return new MadeleineError('STORE_BUSY', `Cannot use store ${location}: another process holds it`, {
      remedy: 'Wait until the other process is done, then try again',
      cause: error,
    })
  }
  const code = resultCode(error)
  if (code === SQLITE_CORRUPT) return damagedError(location, error)
  const known = REASONS[code]
  if (!known) return error
  return new MadeleineError('STORE_UNUSABLE', `Cannot use store ${location}: ${known.reason}`, {
    remedy: known.remedy,
    cause: error,
  })
}
