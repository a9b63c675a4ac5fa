import { MadeleineError } from '../../errors.ts'
import type { Clock } from '../../model/clock.ts'
import { readLocation } from '../store-location.ts'
import { prepareCues } from './cues.ts'
import type { Database } from './database.ts'
import { prepareIndexes } from './index-version.ts'
import { migrate } from './migrate.ts'
import { openPgDatabase } from './pg-database.ts'
import { PostgresConnection } from './postgres-connection.ts'
import { PostgresStore } from './postgres-store.ts'

const DEFAULT_ZONE = 'UTC'
const DEFAULT_SCHEMA = 'madeleine'

export interface PostgresStoreOptions {
  /** `postgres://user:password@host:5432/database?schema=name`; what `pg` reads from the environment may be left out. */
  url?: string
  /** In place of `url`: a database that is open. The store closes it. */
  database?: Database
  /** The schema that holds the tables, where the URL names none; default `madeleine`. It is made when it is not there. */
  schema?: string
  /** Whose memories it holds: it reads and writes those of no other tenant. Named values belong to the first. */
  tenants: readonly string[]
  /** Dates the indexing of documents; without it they count as indexed at 0. */
  clock?: Clock
  /** IANA zone in which days that texts name are counted; default UTC. */
  timeZone?: string
  /** Compare vectors in plain JavaScript. */
  noNative?: boolean
  /** How long a call waits for another process, ms; default STORE_BUSY_MS. */
  busyMs?: number
}

/**
 * Opens a store in a PostgreSQL database, making or upgrading its schema where needed. Rejects with STORE_UNUSABLE when no server
 * answers, it refuses the user, is older than version 15, or the schema is newer than this program; with STORE_BUSY when it has no
 * connection left; with INVALID_OPTION when the URL cannot be read. No message shows the password.
 */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<PostgresStore> {
  const { tenants, clock, timeZone = DEFAULT_ZONE, noNative = false, busyMs } = options
  assertTenants(tenants)
  const { database, schema } = await openDatabase(options)
  const connection = new PostgresConnection(database, { schema, tenants, ...(busyMs !== undefined && { busyMs }) })
  try {
    await migrate(connection)
    await prepareIndexes(connection)
    await prepareCues(connection, timeZone)
  } catch (error) {
    await connection.close()
    throw error
  }
  return new PostgresStore(connection, { timeZone, noNative, ...(clock && { clock }) })
}

async function openDatabase(options: PostgresStoreOptions): Promise<{ database: Database; schema: string }> {
  const { url, database, schema = DEFAULT_SCHEMA } = options
  if (database) return { database, schema }
  const location = readLocation(url ?? '')
  return { database: await openPgDatabase(location), schema: options.schema ?? location.schema }
}

function assertTenants(tenants: readonly string[]): void {
  const wrong = tenants.find((tenant) => /[\0\x1f]/.test(tenant))
  if (tenants.length > 0 && wrong === undefined) return
  const what = wrong === undefined ? 'none is named' : `"${wrong}" holds a control character`
  throw new MadeleineError('INVALID_OPTION', `Cannot open a store for its tenants: ${what}`, {
    remedy: 'Name the tenants whose memories it is to hold, with printable characters',
  })
}
