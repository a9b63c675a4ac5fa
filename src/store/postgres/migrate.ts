import { MadeleineError } from '../../errors.ts'
import { newerError } from '../store-errors.ts'
import type { DatabaseSession } from './database.ts'
import { MIGRATIONS } from './migrations/migrations.ts'
import { type PostgresConnection, quote, quoteName } from './postgres-connection.ts'
import { isMissingTable } from './postgres-errors.ts'

const LEAST_SERVER = 15

/**
 * Makes the schema, or brings it to this program's version; several processes may do so at once. A role without the right to make
 * tables can use a schema that is current. Rejects with STORE_UNUSABLE when the server is too old or the schema newer than the program.
 */
export async function migrate(connection: PostgresConnection): Promise<void> {
  await connection.alone(async (session) => {
    await refuseOldServer(session, connection.location)
    for (;;) {
      const version = await readVersion(session, connection.schema)
      if (version > MIGRATIONS.length) throw newerError(connection.location)
      if (version === MIGRATIONS.length) return
      await applyNext(session, connection.schema)
    }
  })
}

async function refuseOldServer(session: DatabaseSession, location: string): Promise<void> {
  const { rows } = await session.query("SELECT current_setting('server_version_num')::integer AS version")
  const major = Math.floor(Number(rows[0]?.version) / 10_000)
  if (major >= LEAST_SERVER) return
  throw new MadeleineError('STORE_UNUSABLE', `Cannot use store ${location}: the server is PostgreSQL ${major}`, {
    remedy: `Use a server of version ${LEAST_SERVER} or newer`,
  })
}

/** How many migrations the schema has had; 0 where it is not there. */
async function readVersion(session: DatabaseSession, schema: string): Promise<number> {
  try {
    const { rows } = await session.query(`SELECT version FROM ${quoteName(schema)}.schema_version`)
    return Number(rows[0]?.version ?? 0)
  } catch (error) {
    if (isMissingTable(error)) return 0
    throw error
  }
}

async function applyNext(session: DatabaseSession, schema: string): Promise<void> {
  const name = quoteName(schema)
  await session.exec(`BEGIN; SELECT pg_advisory_xact_lock(hashtextextended(${quote(`madeleine ${schema}`)}, 0))`)
  try {
    const { rows } = await session.query('SELECT 1 FROM pg_namespace WHERE nspname = $1', [schema])
    // Asked first: IF NOT EXISTS wants the right to make schemas even where there is nothing to make.
    if (rows.length === 0) await session.exec(`CREATE SCHEMA ${name}`)
    await session.exec(`SET LOCAL search_path = ${name}, public;
      CREATE TABLE IF NOT EXISTS schema_version (version integer NOT NULL)`)
    const { rows: versions } = await session.query('SELECT version FROM schema_version')
    const version = Number(versions[0]?.version ?? 0)
    // Another process may have been faster.
    const migration = MIGRATIONS[version]
    if (migration) {
      await migration.apply(session)
      await session.exec(`DELETE FROM schema_version; INSERT INTO schema_version VALUES (${version + 1})`)
    }
    await session.exec('COMMIT')
  } catch (error) {
    await session.exec('ROLLBACK')
    throw error
  }
}
