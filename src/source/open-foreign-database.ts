import { statSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { loadSqlite, loadSqlitePackage, type SqliteDatabase } from '../sqlite/driver.ts'

/** A database of another program, open for reading. */
export interface ForeignDatabase {
  database: SqliteDatabase
  /** Whether its owner wrote to it below us, so that what was read may be torn. */
  hasChanged(): boolean
  close(): void
}

/**
 * Opens a database that another program owns and may be writing to. It is never written, its writer is never held up, and no
 * file is left beside it. The file itself is opened by SQLite alone: a process that reads it in any other way loses the
 * locks that it holds on it, which may be the owner's when we run inside of it.
 * - A log in use: through that log, in one transaction, which sees one state however much is written meanwhile.
 * - A rollback journal in use: statement by statement, since a transaction would keep its writer waiting.
 * - Nothing beside the file, so that nobody is writing: as a fixed file without locks. The usual way would create a log.
 * Throws where it is no database, is damaged, or has a log whose index is missing.
 */
export async function openForeignDatabase(file: string): Promise<ForeignDatabase> {
  const log = sizeOf(`${file}-wal`)
  if (log !== undefined && sizeOf(`${file}-shm`) !== undefined) {
    const database = (await loadSqlite()).open(file, { readOnly: true })
    database.exec('BEGIN')
    return { database, hasChanged: () => false, close: () => database.close() }
  }
  if (log) throw new Error('its last writes stand in a log without an index: start its host once, so that it tidies up')
  const isBeingWritten = (): boolean => sizeOf(`${file}-journal`) !== undefined
  const before = stampOf(file)
  const database = isBeingWritten() ? (await loadSqlite()).open(file, { readOnly: true }) : await openAsFixed(file)
  const hasChanged = (): boolean => isBeingWritten() || stampOf(file) !== before
  return { database, hasChanged, close: () => database.close() }
}

/** Without locks and log, by SQLite's `immutable`. */
async function openAsFixed(file: string): Promise<SqliteDatabase> {
  const url = pathToFileURL(file)
  url.searchParams.set('immutable', '1')
  try {
    return (await loadSqlite()).open(url.href, { readOnly: true })
  } catch {
    // The runtime's own SQLite takes URLs from Node 22.15 on; the package always does.
    return (await loadSqlitePackage()).open(url.href, { readOnly: true })
  }
}

function sizeOf(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.size
}

function stampOf(file: string): string {
  const { size, mtimeNs, ino } = statSync(file, { bigint: true })
  return `${size}-${mtimeNs}-${ino}`
}
