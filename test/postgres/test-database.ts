import { createHash } from 'node:crypto'
import { inject } from 'vitest'
import { databasesOf, runAs } from './run-as.ts'
import { useRunServer } from './run-server.ts'

/** What a program has that uses a store: it owns the database and is neither superuser nor free of row-level security. */
const ROLE = 'madeleine_test'

/** A database that no other test uses. */
export interface TestDatabase {
  /** Of the role that owns it, which row-level security binds. */
  readonly url: string
  /** Of a superuser, in this database. */
  readonly adminUrl: string
  /** The server has pgvector, and the database its extension. */
  readonly hasVector: boolean
  /** Runs statements as the superuser; the rows of the last one. */
  query(sql: string, values?: unknown[]): Promise<Array<Record<string, unknown>>>
  /** Ends its connections and removes it. */
  drop(): Promise<void>
}

let made = 0

/** Makes an empty database on the server of this run of tests; in about 50 ms. */
export async function createTestDatabase(server = useRunServer()): Promise<TestDatabase> {
  const address = await server
  const name = `${databasesOf(inject('postgresRun')?.ownerPid ?? process.pid)}${process.pid}_${made++}`
  const password = createHash('sha256').update(address).digest('hex').slice(0, 32)
  await runAs(address, [
    `DO $$ BEGIN CREATE ROLE ${ROLE} LOGIN PASSWORD '${password}'; EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$`,
    `CREATE DATABASE ${name} OWNER ${ROLE}`,
  ])
  const adminUrl = inDatabase(address, name)
  const hasVector = await addVector(adminUrl)
  const url = new URL(adminUrl)
  url.username = ROLE
  url.password = password
  return {
    url: url.href,
    adminUrl,
    hasVector,
    query: (sql, values) => runAs(adminUrl, [sql], values),
    drop: async () => {
      await runAs(address, [`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`])
    },
  }
}

async function addVector(adminUrl: string): Promise<boolean> {
  const [found] = await runAs(adminUrl, ["SELECT 1 FROM pg_available_extensions WHERE name = 'vector'"])
  if (found) await runAs(adminUrl, ['CREATE EXTENSION IF NOT EXISTS vector'])
  return found !== undefined
}

function inDatabase(address: string, name: string): string {
  const url = new URL(address)
  url.pathname = `/${name}`
  return url.href
}
