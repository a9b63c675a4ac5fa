import { MadeleineError } from '../../errors.ts'
import { damagedError } from '../store-errors.ts'

export type SqlValue = string | number | bigint | null | Uint8Array
export type SqlRow = Record<string, SqlValue>

/** The part of a prepared statement that the store needs: what `node:sqlite` and its drop-in for older Node share. */
export interface SqliteStatement {
  run(...parameters: SqlValue[]): { changes: number | bigint }
  get(...parameters: SqlValue[]): SqlRow | undefined
  all(...parameters: SqlValue[]): SqlRow[]
  iterate(...parameters: SqlValue[]): Iterable<SqlRow>
  /** Absent in Node below 22.16: rows as lists of their columns, which is much faster for many rows. */
  setReturnArrays?(enabled: boolean): void
}

/** The part of a database connection that the store needs. */
export interface SqliteDatabase {
  exec(sql: string): void
  prepare(sql: string): SqliteStatement
  close(): void
}

export interface SqliteDriver {
  name: 'node:sqlite' | '@photostructure/sqlite'
  open(file: string, options: { readOnly: boolean }): SqliteDatabase
}

interface SqliteModule {
  DatabaseSync: new (file: string, options: { readOnly: boolean }) => unknown
}

/** SQLite as the runtime brings it (Node ≥ 22.13), else the same interface from a package with its binary inside. */
export async function loadSqlite(): Promise<SqliteDriver> {
  const builtin = loadBuiltin()
  if (builtin) return toDriver('node:sqlite', builtin)
  return toDriver('@photostructure/sqlite', (await import('@photostructure/sqlite')) as SqliteModule)
}

function toDriver(name: SqliteDriver['name'], module: SqliteModule): SqliteDriver {
  return {
    name,
    // Safe because both modules document the interface that SqliteDatabase is a part of.
    open: (file, options) => new module.DatabaseSync(file, options) as SqliteDatabase,
  }
}

/** The runtime's own module; undefined where it has none. Its warning of being experimental is not the user's concern. */
function loadBuiltin(): SqliteModule | undefined {
  const emitWarning = process.emitWarning
  process.emitWarning = ((warning: string | Error, ...rest: unknown[]) => {
    if (!String(warning).includes('SQLite')) Reflect.apply(emitWarning, process, [warning, ...rest])
  }) as typeof emitWarning
  try {
    // Safe because getBuiltinModule, where Node has it, gives the module of that name.
    return process.getBuiltinModule?.('node:sqlite') as SqliteModule | undefined
  } finally {
    process.emitWarning = emitWarning
  }
}

/** The result code for: another connection is in the way. */
export const SQLITE_BUSY = 5
const SQLITE_LOCKED = 6
const SQLITE_CORRUPT = 11
/** Many connections began at the same moment. */
const SQLITE_PROTOCOL = 15
const SQLITE_NOTADB = 26

/** SQLite's primary result code of an error, 0 for errors of another kind. */
function resultCode(error: unknown): number {
  const code = (error as { errcode?: unknown } | null)?.errcode
  return typeof code === 'number' ? code & 0xff : 0
}

/** Whether another connection was in the way, so that trying again may succeed. */
export function isBusy(error: unknown): boolean {
  return [SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL].includes(resultCode(error))
}

/** What SQLite's codes mean for a store. Busy and damaged have their own errors. */
const REASONS: Record<number, { reason: string; remedy: string }> = {
  3: { reason: 'access to it is denied', remedy: 'Check the permissions of the file and its folder' },
  8: { reason: 'it may not be written', remedy: 'Check the permissions of the file and its folder' },
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

/** Whether SQLite says that what is in the file contradicts itself, or that it is no database. */
export function isDamaged(error: unknown): boolean {
  return [SQLITE_CORRUPT, SQLITE_NOTADB].includes(resultCode(error))
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
