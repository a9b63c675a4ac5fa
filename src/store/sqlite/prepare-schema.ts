import { closeSync, existsSync, openSync, renameSync, rmSync } from 'node:fs'
import { MadeleineError, messageOf } from '../../errors.ts'
import { STORE_LOG_PAGES } from '../../options.ts'
import { damagedError, newerError } from '../store-errors.ts'
import type { Connection } from './connection.ts'
import { looksLikeStore } from './mend/first-page.ts'
import { APPLICATION_ID, MIGRATIONS } from './migrations.ts'

interface PrepareOptions {
  file: string
  readonly: boolean
  /** Refuse an older store instead of upgrading it. */
  refuseOlder?: boolean
  /** Other migrations than the program's own, to try an upgrade. */
  migrations?: readonly string[]
}

/**
 * Makes the file a store of this program's version, or refuses it untouched. An older one is copied to `<file>.v<n>.bak` first;
 * copies that are there stay. An upgrade that fails changes nothing.
 */
export async function prepareSchema(connection: Connection, options: PrepareOptions): Promise<void> {
  const { file, readonly, refuseOlder = readonly, migrations = MIGRATIONS } = options
  const version = await connection.alone(() => readVersion(connection))
  refuseForeign(version, file, migrations.length)
  if (refuseOlder && version.schema < migrations.length) throw outdatedError(file)
  await connection.alone(() => setUp(connection, readonly))
  if (version.schema === migrations.length) return
  const backup = version.schema > 0 ? await backUp(connection, `${file}.v${version.schema}`) : null
  let isOurs = false
  try {
    await connection.write(() => {
      const { schema } = readVersion(connection)
      isOurs = schema < migrations.length
      for (const migration of migrations.slice(schema)) connection.exec(migration)
      connection.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${migrations.length}`)
    })
  } finally {
    // Of a store that is as it was, or that another process upgraded from a copy of its own, no copy is needed.
    if (backup !== null && (!isOurs || readVersionOr(connection, 0) !== migrations.length)) rmSync(backup)
  }
}

const OLDER = 'it is of an older version'

export function outdatedError(file: string): MadeleineError {
  return new MadeleineError('STORE_UNUSABLE', `Cannot read store ${file}: ${OLDER}`, {
    remedy: 'Run "madeleine status" once: it upgrades the store',
  })
}

/** Whether a store was refused because it has to be upgraded first. */
export function isOutdated(error: unknown): boolean {
  return error instanceof MadeleineError && error.message.endsWith(OLDER)
}

interface FileVersion {
  application: number
  schema: number
  isEmpty: boolean
}

function readVersion(connection: Connection): FileVersion {
  const read = (sql: string): number => Number(Object.values(connection.sql(sql).get() ?? {})[0])
  return {
    application: read('PRAGMA application_id'),
    schema: read('PRAGMA user_version'),
    isEmpty: read('SELECT count(*) FROM sqlite_master') === 0,
  }
}

function refuseForeign({ application, schema, isEmpty }: FileVersion, file: string, known: number): void {
  if (application !== APPLICATION_ID && !(isEmpty && application === 0 && schema === 0)) {
    if (looksLikeStore(file)) throw damagedError(file)
    throw new MadeleineError('STORE_UNUSABLE', `Cannot use ${file} as a store: it is a database of another program`, {
      remedy: 'Choose another file with --store',
    })
  }
  if (schema > known) {
    throw newerError(file)
  }
}

function setUp(connection: Connection, readonly: boolean): void {
  if (!readonly) connection.sql('PRAGMA journal_mode = WAL').all()
  connection.exec('PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA busy_timeout = 0')
  connection.exec(
    'PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -32000; PRAGMA journal_size_limit = 67108864',
  )
  connection.exec(`PRAGMA wal_autocheckpoint = ${STORE_LOG_PAGES}`)
}

function readVersionOr(connection: Connection, fallback: number): number {
  return connection.isClosed ? fallback : readVersion(connection).schema
}

/** Copies the whole store as it is now under a name that is free; half a copy never has that name. Returns it. */
async function backUp(connection: Connection, stem: string): Promise<string> {
  const part = `${stem}.${process.pid}.part`
  rmSync(part, { force: true })
  try {
    closeSync(openSync(part, 'wx', 0o600))
    await connection.alone(() => connection.sql('VACUUM INTO ?').run(part))
    let target = `${stem}.bak`
    for (let n = 2; existsSync(target); n++) target = `${stem}-${n}.bak`
    renameSync(part, target)
    return target
  } catch (error) {
    rmSync(part, { force: true })
    if (error instanceof MadeleineError) throw error
    throw new MadeleineError('STORE_UNUSABLE', `Cannot back up store ${stem}: ${messageOf(error)}`, {
      remedy: 'Check the free space and the permissions of the folder; the store is as it was',
      cause: error,
    })
  }
}
