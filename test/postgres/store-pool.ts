import type { Database } from '../../src/store/postgres/database.ts'
import { openPostgresStore, type PostgresStoreOptions } from '../../src/store/postgres/open-postgres-store.ts'
import { openPgDatabase } from '../../src/store/postgres/pg-database.ts'
import type { PostgresStore } from '../../src/store/postgres/postgres-store.ts'
import { createTestDatabase } from './test-database.ts'

/** One a process: files of tests share their processes, and making a schema takes longer than most tests. */
const SHARED = Symbol.for('madeleine.test.store-pool')

/** Empty stores of this process, in schemas of one database, which are given again once they are closed. */
export interface StorePool {
  /** A store that shares the connections of all of the pool. */
  open(options: Omit<PostgresStoreOptions, 'url' | 'database' | 'schema'>): Promise<PostgresStore>
  /** A schema of its own as a URL, for whoever opens stores by location; it may be opened any number of times. */
  locate(): Promise<{ location: string; release(): void }>
}

interface Place {
  url: string
  /** Of the role that programs have, and of one above row-level security. */
  database: Database
  admin: Database
  free: string[]
  made: number
}

/** The pool of this process. Its database goes with the server of the run, or when the run ends. */
export function useStorePool(): StorePool {
  const holder = globalThis as { [SHARED]?: Promise<Place> }
  const take = async (): Promise<{ place: Place; schema: string }> => {
    holder[SHARED] ??= makePlace()
    const place = await holder[SHARED]
    const used = place.free.pop()
    if (used !== undefined) await place.admin.withSession((session) => session.exec(emptying(used)))
    return { place, schema: used ?? `pool_${place.made++}` }
  }
  return {
    open: async (options) => {
      const { place, schema } = await take()
      const lent: Database = {
        location: place.database.location,
        withSession: (body) => place.database.withSession(body),
        close: async () => {
          place.free.push(schema)
        },
      }
      return openPostgresStore({ ...options, database: lent, schema })
    },
    locate: async () => {
      const { place, schema } = await take()
      // Emptied when it is given again: what closes late may still write something.
      return { location: `${place.url}?schema=${schema}`, release: () => void place.free.push(schema) }
    },
  }
}

async function makePlace(): Promise<Place> {
  const { url, adminUrl } = await createTestDatabase()
  const [database, admin] = [
    await openPgDatabase({ url, name: url }),
    await openPgDatabase({ url: adminUrl, name: url }),
  ]
  return { url, database, admin, free: [], made: 0 }
}

function emptying(schema: string): string {
  return `DO $$ DECLARE t text; BEGIN
    FOR t IN SELECT tablename FROM pg_tables WHERE schemaname = '${schema}' AND tablename <> 'schema_version'
    LOOP EXECUTE format('DELETE FROM ${schema}.%I', t); END LOOP; END $$`
}
