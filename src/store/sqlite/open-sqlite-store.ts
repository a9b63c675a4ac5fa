import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { MadeleineError } from '../../errors.ts'
import type { Clock } from '../../model/clock.ts'
import { Connection } from './connection.ts'
import { loadSqlite, toStoreError } from './database.ts'
import { scrubLog } from './forget.ts'
import { indexVersion, readIndexVersion, updateIndex } from './index-version.ts'
import { PostingIndex } from './posting-index.ts'
import { outdatedError, prepareSchema } from './prepare-schema.ts'
import { SqliteStore } from './sqlite-store.ts'

export interface SqliteStoreOptions {
  /** Path of the file; it is created (mode 0600, its folder 0700) when it does not exist. */
  file: string
  /** Dates the indexing of documents; without it they count as indexed at 0. */
  clock?: Clock
  /** Compare vectors in plain JavaScript. */
  noNative?: boolean
  /** Change nothing; the file must exist. */
  readonly?: boolean
  /** How long a call waits for another process, ms; default STORE_BUSY_MS. */
  busyMs?: number
}

/**
 * Opens a store in a SQLite file, creating or upgrading it where needed. Rejects with STORE_UNUSABLE when the file is
 * not a store, is damaged, or comes from a newer version; with STORE_BUSY when another process holds it too long.
 */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<SqliteStore> {
  const { file, readonly = false } = options
  const { open } = await loadSqlite()
  if (!readonly) createFile(file)
  const connection = openConnection(() => open(file, { readOnly: readonly }), options)
  try {
    await prepareSchema(connection, { file, readonly })
    await prepareIndex(connection, readonly)
    // Nobody who opens a store waits for it: whoever is in the way now will be gone at another opening.
    if (!readonly) await scrubLog(connection, { waitMs: 0 })
  } catch (error) {
    connection.close()
    throw error
  }
  return new SqliteStore(connection, {
    noNative: options.noNative ?? false,
    ...(options.clock && { clock: options.clock }),
  })
}

/** Makes sure that the keyword index holds the terms that this program asks for. */
async function prepareIndex(connection: Connection, readonly: boolean): Promise<void> {
  const isCurrent = await connection.read(() => readIndexVersion(connection) === indexVersion())
  if (isCurrent) return
  if (readonly) throw outdatedError(connection.location)
  await connection.write(() => updateIndex(connection, new PostingIndex(connection)))
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

/** Creates the file before SQLite does, so that it and what SQLite puts beside it are the user's alone from the first byte. */
function createFile(file: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    closeSync(openSync(file, 'wx', 0o600))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return
    throw new MadeleineError('STORE_UNUSABLE', `Cannot create store ${file}: ${(error as Error).message}`, {
      remedy: 'Choose another file with --store, or check the permissions of the folder',
      cause: error,
    })
  }
}
