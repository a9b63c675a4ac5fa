import { PGlite } from '@electric-sql/pglite'
import { vector } from '@electric-sql/pglite-pgvector'
import type { Database, DatabaseSession, SqlParameter } from '../../src/store/postgres/database.ts'
import { openPostgresStore, type PostgresStoreOptions } from '../../src/store/postgres/open-postgres-store.ts'
import type { PostgresStore } from '../../src/store/postgres/postgres-store.ts'

const ROLE = 'madeleine_test'
/** One instance a process: it takes seconds to open and half a gigabyte, and files of tests share their processes. */
const SHARED = Symbol.for('madeleine.test.pglite')

interface Shared {
  instance: PGlite
  /** The one connection is given to one caller at a time. */
  turn: Promise<unknown>
  schemas: number
  /** Schemas of stores that were closed. */
  free: string[]
}

/** Opens an empty store in a PostgreSQL in this process that has pgvector; it may be closed after another was opened. */
export async function openPgliteStore(
  options: Omit<PostgresStoreOptions, 'url' | 'database' | 'schema'>,
): Promise<{ store: PostgresStore; database: Database; schema: string }> {
  const shared = await useInstance()
  const used = shared.free.pop()
  const schema = used ?? `test_${shared.schemas++}`
  const database = new SharedDatabase(shared, schema)
  if (used !== undefined) await database.withSession((session) => session.exec(emptying(schema)))
  return { store: await openPostgresStore({ ...options, database, schema }), database, schema }
}

function useInstance(): Promise<Shared> {
  const holder = globalThis as { [SHARED]?: Promise<Shared> }
  holder[SHARED] ??= openInstance().then((instance) => ({ instance, turn: Promise.resolve(), schemas: 0, free: [] }))
  return holder[SHARED]
}

/** Its role is bound by row-level security, as that of a program should be. */
async function openInstance(): Promise<PGlite> {
  const instance = await PGlite.create({ extensions: { vector } })
  await instance.exec(`CREATE EXTENSION vector; CREATE ROLE ${ROLE};
    GRANT CREATE ON DATABASE postgres TO ${ROLE}; SET ROLE ${ROLE}`)
  return instance
}

/** Rows and indexes of vectors go, as whoever is above row-level security sees them. */
function emptying(schema: string): string {
  return `RESET ROLE; DO $$ DECLARE t text; BEGIN
    FOR t IN SELECT tablename FROM pg_tables WHERE schemaname = '${schema}' AND tablename <> 'schema_version'
    LOOP EXECUTE format('DELETE FROM ${schema}.%I', t); END LOOP;
    FOR t IN SELECT indexname FROM pg_indexes WHERE schemaname = '${schema}' AND indexname LIKE 'vector_window_hnsw%'
    LOOP EXECUTE format('DROP INDEX ${schema}.%I', t); END LOOP;
    END $$; SET ROLE ${ROLE}`
}

class SharedDatabase implements Database {
  readonly location: string
  readonly #shared: Shared
  readonly #schema: string
  #isClosed = false

  constructor(shared: Shared, schema: string) {
    this.location = `pglite/${schema}`
    this.#shared = shared
    this.#schema = schema
  }

  withSession<T>(body: (session: DatabaseSession) => Promise<T>): Promise<T> {
    const run = this.#shared.turn.then(() => body(new PgliteSession(this.#shared.instance)))
    this.#shared.turn = run.catch(() => undefined)
    return run
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#shared.free.push(this.#schema)
  }
}

class PgliteSession implements DatabaseSession {
  readonly #instance: PGlite

  constructor(instance: PGlite) {
    this.#instance = instance
  }

  async query(text: string, parameters: readonly SqlParameter[] = []) {
    const { rows, affectedRows = 0 } = await this.#instance.query<Record<string, unknown>>(text, [...parameters])
    return { rows, changes: Math.max(affectedRows, rows.length) }
  }

  async exec(text: string) {
    const results = await this.#instance.exec(text)
    return results.map(({ rows }) => rows)
  }
}
