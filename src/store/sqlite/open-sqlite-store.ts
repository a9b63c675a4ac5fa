import { closeSync, openSync, type Stats, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import { MadeleineError, messageOf } from '../../errors.ts'
import { makeFolder } from '../../files/make-folder.ts'
import type { Clock } from '../../model/clock.ts'
import { indexVersion } from '../keyword-index/index-version.ts'
import { prepareOnce } from '../prepare-once.ts'
import { damagedError, MEND_REMEDY } from '../store-errors.ts'
import { Connection } from './connection.ts'
import { areCuesCurrent, updateCues } from './cues.ts'
import { isAgainstSchema, isNoDatabase, isWriteRefused, loadSqlite, toStoreError } from './database.ts'
import { DocumentNames } from './document-names.ts'
import { scrubLog } from './forget.ts'
import { readIndexVersion, updateIndex } from './index-version.ts'
import { looksLikeStore } from './mend/first-page.ts'
import { missingParts } from './missing-parts.ts'
import { PostingIndex } from './posting-index.ts'
import { outdatedError, prepareSchema } from './prepare-schema.ts'
import { Scopes } from './scopes.ts'
import { SqliteStore } from './sqlite-store.ts'

export interface SqliteStoreOptions {
  /** Path of the file; it is created (mode 0600, its folder 0700) when it does not exist. */
  file: string
  /** Dates the indexing of documents; without it they count as indexed at 0. */
  clock?: Clock
  /** IANA zone in which days that texts name are counted; default UTC. */
  timeZone?: string
  /** Compare vectors in plain JavaScript. */
  noNative?: boolean
  /** Change nothing; the file must exist. */
  readonly?: boolean
  /** Refuse a store that would have to be upgraded first, which may take long: for those who have no time. */
  refuseOlder?: boolean
  /** For a process that lives for one answer: uses what others kept for it, and leaves to others what no answer needs. */
  isForOneAnswer?: boolean
  /** How long a call waits for another process, ms; default STORE_BUSY_MS. */
  busyMs?: number
  /** Pages that the file may have at most, beyond which it behaves as on a full disk: for tests of that. */
  maxPages?: number
}

/**
 * Opens a store in a SQLite file, creating or upgrading it where needed; an empty file becomes a new store. Rejects with
 * STORE_UNUSABLE when the file is not a store or comes from a newer version, with STORE_DAMAGED when it is damaged, and
 * leaves it as it is then; with STORE_BUSY when another process holds it too long. A store that may only be read is
 * opened for reading: writing to it rejects with STORE_UNUSABLE.
 */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<SqliteStore> {
  try {
    return await openAs(options, options.file)
  } catch (error) {
    if (!(error instanceof MadeleineError) || !isWriteRefused(error.cause) || !sizeOf(options.file)) throw error
    // Without its log SQLite has to be told that nobody will write; with a log that counts, that would be wrong.
    const name = sizeOf(`${options.file}-wal`) > 0 ? options.file : `${pathToFileURL(options.file).href}?immutable=1`
    return openAs({ ...options, readonly: true }, name)
  }
}

/** `name` is what SQLite opens: the file, or a URI of it. */
async function openAs(options: SqliteStoreOptions, name: string): Promise<SqliteStore> {
  const { file, readonly = false, refuseOlder = readonly } = options
  const { open } = await loadSqlite()
  assertOpenable(file)
  if (!readonly) createFile(file)
  let hasSchema = false
  const connection = openConnection(() => open(name, { readOnly: readonly }), options)
  try {
    if (options.maxPages !== undefined) connection.exec(`PRAGMA max_page_count = ${options.maxPages}`)
    await prepareSchema(connection, { file, readonly, refuseOlder })
    hasSchema = true
    // Whoever has no time finds out when it asks.
    if (!options.isForOneAnswer) await assertWhole(connection)
    await prepareIndex(connection, refuseOlder)
    if (!refuseOlder) await prepareCues(connection, options.timeZone)
    // Nobody who opens a store waits for it: whoever is in the way now will be gone at another opening.
    if (!readonly && !options.isForOneAnswer) await scrubLog(connection, { waitMs: 0 })
  } catch (error) {
    connection.close()
    // Its words alone: the error keeps what failed, and that the file, from who mends it.
    if (hasSchema && isAgainstSchema(error)) throw damagedError(file, new Error(messageOf(error)))
    // Bytes that SQLite takes for no database may be a store whose first page is damaged.
    const isGarbled = error instanceof MadeleineError && isNoDatabase(error.cause)
    throw isGarbled && looksLikeStore(file) ? damagedError(file, error.cause) : error
  }
  return new SqliteStore(connection, {
    noNative: options.noNative ?? false,
    mayUseKept: options.isForOneAnswer ?? false,
    ...(options.clock && { clock: options.clock }),
    ...(options.timeZone !== undefined && { timeZone: options.timeZone }),
  })
}

async function assertWhole(connection: Connection): Promise<void> {
  const missing = await connection.read(() => missingParts(connection))
  if (missing.length > 0) throw damagedError(connection.location, new Error(`it has no ${missing.join(', ')}`))
}

/** Makes sure that the keyword index holds the terms that this program asks for. */
async function prepareIndex(connection: Connection, refuseOlder: boolean): Promise<void> {
  const isCurrent = (): Promise<boolean> => connection.read(() => readIndexVersion(connection) === indexVersion())
  await prepareOnce(isCurrent, async () => {
    if (refuseOlder) throw outdatedError(connection.location)
    await connection.write(() => updateIndex(connection, new PostingIndex(connection)))
  })
}

/** Makes sure that cues are read from texts as this program reads them. Whoever has no time for it does without. */
async function prepareCues(connection: Connection, timeZone: string | undefined): Promise<void> {
  const areCurrent = (): Promise<boolean> => connection.read(() => areCuesCurrent(connection))
  await prepareOnce(areCurrent, async () => {
    const names = { scopes: new Scopes(connection), documents: new DocumentNames(connection) }
    await connection.write(() => updateCues(connection, timeZone === undefined ? names : { ...names, timeZone }))
  })
}

function openConnection(
  open: () => ConstructorParameters<typeof Connection>[0],
  options: SqliteStoreOptions,
): Connection {
  try {
    return new Connection(open(), options.file, options.busyMs)
  } catch (error) {
    throw toStoreError(error, options.file)
  }
}

/** Refuses what SQLite would take for a new database: above all an empty file whose log is not, which it would delete. */
function assertOpenable(file: string): void {
  const found = statOf(file)
  if (found?.isDirectory()) {
    throw new MadeleineError('STORE_UNUSABLE', `Cannot use ${file} as a store: it is a folder`, {
      remedy: 'Give the path of a file with --store, for example one in that folder',
    })
  }
  if (found && !found.isFile()) {
    throw new MadeleineError('STORE_UNUSABLE', `Cannot use ${file} as a store: it is a pipe, a socket or a device`, {
      remedy: 'Give the path of a file with --store',
    })
  }
  if (sizeOf(file) === 0 && sizeOf(`${file}-wal`) > 0) {
    throw new MadeleineError('STORE_DAMAGED', `Cannot use store ${file}: it is empty, and the log beside it is not`, {
      remedy: `Put the store back if you moved it; else ${MEND_REMEDY.charAt(0).toLowerCase()}${MEND_REMEDY.slice(1)}`,
    })
  }
}

function sizeOf(name: string): number {
  return statOf(name)?.size ?? 0
}

/** Undefined also where it may not be looked at: opening says why. */
function statOf(name: string): Stats | undefined {
  try {
    return statSync(name, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

/** Creates the file before SQLite does, so that it and what SQLite puts beside it are the user's alone from the first byte. */
function createFile(file: string): void {
  try {
    makeFolder(dirname(file))
    closeSync(openSync(file, 'wx', 0o600))
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return
    const remedy =
      code === 'ENOSPC' || code === 'EDQUOT'
        ? 'Free some space and try again'
        : 'Choose another file with --store, or check the permissions of the folder'
    throw new MadeleineError('STORE_UNUSABLE', `Cannot create store ${file}: ${message}`, { remedy, cause: error })
  }
}
