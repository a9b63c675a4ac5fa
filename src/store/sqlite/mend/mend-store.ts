import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { MadeleineError } from '../../../errors.ts'
import type { Clock } from '../../../model/clock.ts'
import type { StoreMend } from '../../../model/engine.ts'
import { newerError, notAStoreError } from '../../store-errors.ts'
import { collectClosed } from '../collect-closed.ts'
import { Connection } from '../connection.ts'
import { isBusy, isSqliteError, loadSqlite, type SqliteDatabase, type SqliteDriver, toStoreError } from '../database.ts'
import { SCHEMA_VERSION } from '../migrations.ts'
import { openSqliteStore } from '../open-sqlite-store.ts'
import { correctPageCount, looksLikeStore, readSchemaVersion, replaceFirstPage } from './first-page.ts'
import { restoreTruth, writeTruth } from './keep-truth.ts'
import { readTruth } from './read-truth.ts'
import type { Truth } from './truth.ts'

interface Names {
  setAside: string
  kept: string
  fresh: string
}

/**
 * Replaces a damaged store: 1 copies it aside as it is · 2 makes a new one · 3 reads what cannot be rebuilt as far as it can be
 * read · 4 writes that to a file beside it · 5 and into the new store · 6 puts the new store in its place. Until the last step
 * the old one stays. Documents are missing in the new store until they are indexed again.
 * Rejects with STORE_UNUSABLE what is no store of ours or is of a newer version, with STORE_BUSY while another process has it open.
 */
export async function mendStore({ file, clock }: { file: string; clock: Clock }): Promise<StoreMend> {
  if (!looksLikeStore(file)) throw notAStoreError(file)
  if (readSchemaVersion(file) > SCHEMA_VERSION) throw newerError(file)
  const at = clock().toISOString()
  const names = nameFiles(file, at)
  try {
    await collectClosed(await loadSqlite())
    for (const suffix of ['', '-wal']) copyAside(file + suffix, names.setAside + suffix)
    await (await openSqliteStore({ file: names.fresh })).close()
    const truth = await salvage(file, names)
    writeTruth(names.kept, truth, { store: file, at })
    await fill(names.fresh, truth)
    await collectClosed(await loadSqlite())
    for (const suffix of ['-wal', '-shm', '-journal']) rmSync(file + suffix, { force: true })
    renameSync(names.fresh, file)
    return report(names, truth)
  } catch (error) {
    removeFiles(names.fresh)
    throw toMendError(error, file)
  }
}

function nameFiles(file: string, at: string): Names {
  const stamp = at.replaceAll(/[-:]|\.\d+/g, '')
  for (let n = 1; ; n++) {
    const mark = n === 1 ? stamp : `${stamp}-${n}`
    const names = {
      setAside: `${file}.damaged-${mark}`,
      kept: `${file}.kept-${mark}.jsonl`,
      fresh: `${file}.new-${mark}.${process.pid}.part`,
    }
    if (!Object.values(names).some((name) => existsSync(name))) return names
  }
}

function copyAside(from: string, to: string): void {
  if (!existsSync(from)) return
  copyFileSync(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
  chmodSync(to, statSync(from).mode & 0o700)
  const descriptor = openSync(to, 'r')
  fsyncSync(descriptor)
  closeSync(descriptor)
}

/** Opens the file in one way after the other, each a stronger measure, until its tables can be seen. */
async function salvage(file: string, { fresh, setAside }: Names): Promise<Truth> {
  const driver = await loadSqlite()
  if (!existsSync(file)) closeSync(openSync(file, 'wx', 0o600))
  try {
    const truth = await tryReading(driver, file)
    if (truth) return truth
  } catch (error) {
    // Nothing has been changed yet.
    removeFiles(setAside)
    throw error
  }
  correctPageCount(file)
  const corrected = await tryReading(driver, file)
  // A table may be gone for good, and the others be whole: another first page would point into them at random.
  const incomplete = corrected ?? (await tryReading(driver, file, { needsAll: false }))
  if (incomplete) return incomplete
  replaceFirstPage(file, fresh)
  const replaced = await tryReading(driver, file)
  if (replaced) return replaced
  return {
    ...{ memories: [], strays: [], tombstones: [], accesses: [], relationships: [], reviews: [], anchors: [] },
    ...{ states: [], unread: ['everything'] },
  }
}

/**
 * What can be read while nobody else has the store open: others would go on writing into a file that nobody finds any more.
 * Undefined when not even the names of the tables can be read: of all, or of any where not all are needed.
 */
async function tryReading(
  driver: SqliteDriver,
  file: string,
  { needsAll = true }: { needsAll?: boolean } = {},
): Promise<Truth | undefined> {
  try {
    return readAlone(driver, file, needsAll)
  } finally {
    await collectClosed(driver)
  }
}

/** Tables that hold what cannot be rebuilt, or lead to it. */
const NEEDED_TABLES = ['memory', 'document', 'tombstone', 'state']

function readAlone(driver: SqliteDriver, file: string, needsAll: boolean): Truth | undefined {
  const database = driver.open(file, { readOnly: false })
  try {
    database.exec('PRAGMA locking_mode = EXCLUSIVE')
    const missing = NEEDED_TABLES.filter((table) => !canBeAsked(database, table))
    if (missing.length === NEEDED_TABLES.length || (needsAll && missing.length > 0)) return undefined
    return readTruth(database)
  } catch (error) {
    if (isBusy(error)) throw openElsewhereError(file, error)
    if (!isSqliteError(error)) throw error
    return undefined
  } finally {
    closeQuietly(database)
  }
}

function canBeAsked(database: SqliteDatabase, table: string): boolean {
  try {
    database.prepare(`SELECT count(*) FROM (SELECT * FROM ${table} LIMIT 0)`).get()
    return true
  } catch (error) {
    if (isBusy(error) || !isSqliteError(error)) throw error
    return false
  }
}

function openElsewhereError(file: string, cause: unknown): MadeleineError {
  return new MadeleineError('STORE_BUSY', `Cannot mend store ${file}: another process has it open`, {
    remedy: 'End the programs that use it (agents, editors, servers), then run "madeleine doctor --fix" again',
    cause,
  })
}

function removeFiles(file: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true })
}

async function fill(fresh: string, truth: Truth): Promise<void> {
  const { open } = await loadSqlite()
  const connection = new Connection(open(fresh, { readOnly: false }), fresh)
  try {
    connection.exec('PRAGMA foreign_keys = ON')
    await restoreTruth(connection, truth)
  } finally {
    connection.close()
  }
}

/** Closing folds the log into the file, which may fail on a damaged one; all that is needed of it was read. */
function closeQuietly(database: SqliteDatabase): void {
  try {
    database.close()
  } catch (error) {
    if (!isSqliteError(error)) throw error
  }
}

function report({ setAside, kept }: Names, truth: Truth): StoreMend {
  return {
    setAside,
    kept,
    memories: truth.memories.length,
    memoriesOfUnknownOrigin: truth.strays.length,
    forgotten: truth.tombstones.length,
    accesses: truth.accesses.length,
    relationships: truth.relationships.length,
    reviews: truth.reviews.length,
    states: truth.states.length,
    unread: truth.unread,
  }
}

function toMendError(error: unknown, file: string): unknown {
  const known = toStoreError(error, file)
  if (known instanceof MadeleineError) return known
  const { code, message } = error as NodeJS.ErrnoException
  if (code === undefined) return error
  return new MadeleineError('STORE_UNUSABLE', `Cannot mend store ${file}: ${message}`, {
    remedy: 'Check the free space and the permissions of the folder, then run "madeleine doctor --fix" again',
    cause: error,
  })
}
