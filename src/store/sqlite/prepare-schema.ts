import { closeSync, openSync } from 'node:fs'
import { MadeleineError } from '../../errors.ts'
import type { Connection } from './connection.ts'
import { APPLICATION_ID, MIGRATIONS } from './migrations.ts'

interface PrepareOptions {
  file: string
  readonly: boolean
  /** Other migrations than the program's own, to try an upgrade. */
  migrations?: readonly string[]
}

/** Makes the file a store of this program's version, or refuses it untouched. */
export async function prepareSchema(connection: Connection, options: PrepareOptions): Promise<void> {
  const { file, readonly, migrations = MIGRATIONS } = options
  const version = await connection.alone(() => readVersion(connection))
  refuseForeign(version, file, migrations.length)
  if (readonly && version.schema < migrations.length) throw outdatedError(file)
  await connection.alone(() => setUp(connection, readonly))
  if (version.schema === migrations.length) return
  if (version.schema > 0) await backUp(connection, `${file}.v${version.schema}.bak`)
  await connection.write(() => {
    // Another process may have been faster.
    const { schema } = readVersion(connection)
    for (const migration of migrations.slice(schema)) connection.exec(migration)
    connection.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${migrations.length}`)
  })
}

export function outdatedError(file: string): MadeleineError {
  return new MadeleineError('STORE_UNUSABLE', `Cannot read store ${file}: it is of an older version`, {
    remedy: 'Run "madeleine status" once: it upgrades the store',
  })
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
    throw new MadeleineError('STORE_UNUSABLE', `Cannot use ${file} as a store: it is a database of another program`, {
      remedy: 'Choose another file with --store',
    })
  }
  if (schema > known) {
    throw new MadeleineError('STORE_UNUSABLE', `Cannot use store ${file}: it was written by a newer version`, {
      remedy: 'Update madeleine, or choose another file with --store',
    })
  }
}

function setUp(connection: Connection, readonly: boolean): void {
  if (!readonly) connection.sql('PRAGMA journal_mode = WAL').all()
  connection.exec('PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA busy_timeout = 0')
  connection.exec(
    'PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -32000; PRAGMA journal_size_limit = 67108864',
  )
}

/** Copies the whole store as it is now; an older copy of the same name stays. */
async function backUp(connection: Connection, target: string): Promise<void> {
  try {
    closeSync(openSync(target, 'wx', 0o600))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return
    throw error
  }
  await connection.alone(() => connection.sql('VACUUM INTO ?').run(target))
}
