import { afterAll } from 'vitest'
import { describeWithServer } from '../../../test/postgres/describe-with-server.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/postgres/test-database.ts'
import { testMemoryStore } from '../../testing/memory-store-contract.ts'
import { openPostgresStore } from './open-postgres-store.ts'

/** Those that the contract writes for, and looks from. */
const TENANTS = ['local', 'other', 'elsewhere']

describeWithServer('the PostgreSQL store', () => {
  const databases: TestDatabase[] = []
  afterAll(async () => {
    for (const database of databases) await database.drop()
  })

  testMemoryStore('the PostgreSQL store', {
    create: async () => {
      const database = await createTestDatabase()
      databases.push(database)
      return openPostgresStore({ url: database.url, tenants: TENANTS })
    },
  })
})
