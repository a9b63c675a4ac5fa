import { MadeleineError } from '../../../errors.ts'
import { indexVersion } from '../../keyword-index/index-version.ts'
import { readLocation } from '../../store-location.ts'
import type { Database } from '../database.ts'
import { MIGRATIONS } from '../migrations/migrations.ts'
import { openPgDatabase } from '../pg-database.ts'
import { PostgresConnection, type Transaction } from '../postgres-connection.ts'
import { toPostgresError } from '../postgres-errors.ts'
import { PostgresStore } from '../postgres-store.ts'

/** A store on a server that follows another one: it is read and never written. */
export interface OpenReplica {
  store: PostgresStore
  database: Database
  close(): Promise<void>
}

interface ReplicaOptions {
  url: string
  /** Of the store that it follows, as its schema. */
  primary: Database
  schema: string
  tenants: readonly string[]
  timeZone: string
  noNative: boolean
}

const GIVE_STANDBY = 'Give the URL of a hot standby of the primary, or leave --read-store out'
const SELECT_SCHEMA = 'SELECT pg_is_in_recovery() AS follows, to_regclass($1) IS NOT NULL AS has_schema'
const SELECT_VERSION = 'SELECT version FROM schema_version'
const SELECT_STALE = 'SELECT 1 FROM tenant WHERE tenant = ANY($1::text[]) AND index_version <> $2 LIMIT 1'

/**
 * Opens what a replica holds of a store; makes and upgrades nothing. Rejects with STORE_UNUSABLE where no server answers, it follows no
 * other, or what it holds is of another version than this program reads.
 */
export async function openReplica({ url, primary, schema, tenants, ...options }: ReplicaOptions): Promise<OpenReplica> {
  const location = readLocation(url)
  const database = hurried(await openPgDatabase(location))
  const connection = new PostgresConnection(database, { schema, tenants })
  try {
    await connection.read((tx) => assertUsable(tx, { location: location.name, schema, tenants }))
    await assertSameCluster(primary, database)
  } catch (error) {
    await connection.close()
    throw error
  }
  return { store: new PostgresStore(connection, options), database, close: () => connection.close() }
}

async function assertUsable(
  tx: Transaction,
  { location, schema, tenants }: { location: string; schema: string; tenants: readonly string[] },
): Promise<void> {
  const [found] = await tx.query(SELECT_SCHEMA, [`${schema}.schema_version`])
  if (found?.follows !== true) throw notAReplica(location)
  const [{ version = 0 } = {}] = found.has_schema === true ? await tx.query(SELECT_VERSION) : []
  if (Number(version) !== MIGRATIONS.length) {
    throw unusable(
      location,
      'its tables are not those that this program reads',
      'Wait until it has followed an upgrade',
    )
  }
  if ((await tx.query(SELECT_STALE, [tenants, indexVersion()])).length > 0) {
    throw unusable(location, 'its keyword index is of another version', 'Wait until it has followed an upgrade')
  }
}

const SELECT_CLUSTER = 'SELECT system_identifier::text AS cluster FROM pg_control_system()'

/** A replica of another server may hold a store of the same name. Where a server does not say which it is, it is believed. */
async function assertSameCluster(primary: Database, replica: Database): Promise<void> {
  const [own, other] = [await readCluster(primary), await readCluster(replica)]
  if (own === null || other === null || own === other) return
  throw unusable(replica.location, 'the server follows another one than that of the store', GIVE_STANDBY)
}

async function readCluster(database: Database): Promise<string | null> {
  return database
    .withSession((session) => session.query(SELECT_CLUSTER))
    .then(
      ({ rows: [row] }) => String(row?.cluster),
      () => null,
    )
}

/** The server takes writes: whatever it holds, it does not follow the store. */
export function notAReplica(location: string): MadeleineError {
  return unusable(location, 'the server follows no other one', GIVE_STANDBY)
}

function unusable(location: string, state: string, remedy: string): MadeleineError {
  return new MadeleineError('STORE_UNUSABLE', `Cannot read from replica ${location}: ${state}`, { remedy })
}

/** A failure is told at once instead of being tried again for seconds: the primary can answer meanwhile. */
function hurried(database: Database): Database {
  return {
    location: database.location,
    withSession: (body) =>
      database.withSession(body).catch((error: unknown) => {
        throw toPostgresError(error, database.location)
      }),
    close: () => database.close(),
  }
}
