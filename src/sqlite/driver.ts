import { loadSqliteBinary } from './load-binary.ts'

export type SqlValue = string | number | bigint | null | Uint8Array
export type SqlRow = Record<string, SqlValue>

/** The part of a prepared statement that we need: what `node:sqlite` and its drop-in for older Node share. */
export interface SqliteStatement {
  run(...parameters: SqlValue[]): { changes: number | bigint }
  get(...parameters: SqlValue[]): SqlRow | undefined
  all(...parameters: SqlValue[]): SqlRow[]
  iterate(...parameters: SqlValue[]): Iterable<SqlRow>
  /** Absent in Node below 22.16: rows as lists of their columns, which is much faster for many rows. */
  setReturnArrays?(enabled: boolean): void
}

/** The part of a database connection that we need. */
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
  return builtin ? toDriver('node:sqlite', builtin) : loadSqlitePackage()
}

/** The package, whatever the runtime brings. */
export async function loadSqlitePackage(): Promise<SqliteDriver> {
  const module = loadSqliteBinary() ?? (await import('@photostructure/sqlite'))
  return toDriver('@photostructure/sqlite', module as SqliteModule)
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
