import type { Database } from '../../src/store/postgres/database.ts'
import { openPostgresStore, type PostgresStoreOptions } from '../../src/store/postgres/open-postgres-store.ts'
import { openPgDatabase } from '../../src/store/postgres/pg-database.ts'
import type { PostgresStore } from '../../src/store/postgres/postgres-store.ts'
import { createTestDatabase, type TestDatabase } from './test-database.ts'

/** Empty stores for tests, which are given again once they are closed: to make one takes longer than most tests. */
export interface StorePool {
  open(options: Omit<PostgresStoreOptions, 'url' | 'database' | 'schema'>): Promise<PostgresStore>
  /** Removes them. */
  drop(): Promise<void>
}

/** Stores in schemas of one database; they share its connections. */
export function createStorePool(): StorePool {
  let place: Promise<{ test: TestDatabase; database: Database }> | null = null
  const free: string[] = []
  let made = 0
  const usePlace = () => {
    place ??= createTestDatabase().then(async (test) => ({
      test,
      database: await openPgDatabase({ url: test.url, name: test.url }),
    }))
    return place
  }
  return {
    open: async (options) => {
      const { test, database } = await usePlace()
      const used = free.pop()
      if (used !== undefined) await empty(test, used)
      const schema = used ?? `pool_${made++}`
      const lent: Database = {
        location: database.location,
        withSession: (body) => database.withSession(body),
        close: async () => {
          free.push(schema)
        },
      }
      return openPostgresStore({ ...options, database: lent, schema })
    },
    drop: async () => {
      if (place === null) return
      const { test, database } = await place
      await database.close()
      await test.drop()
    },
  }
}

async function empty(test: TestDatabase, schema: string): Promise<void> {
  await test.query(`DO $$ DECLARE t text; BEGIN
    FOR t IN SELECT tablename FROM pg_tables WHERE schemaname = '${schema}' AND tablename <> 'schema_version'
    LOOP EXECUTE format('DELETE FROM ${schema}.%I', t); END LOOP; END $$`)
}
