import { afterAll, beforeAll, it } from 'vitest'
import { describeWithServer } from '../../../test/postgres/describe-with-server.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/postgres/test-database.ts'
import { expectLikeModel } from '../../../test/store-model.ts'
import { openPostgresStore } from './open-postgres-store.ts'

describeWithServer('the PostgreSQL store and the in-memory store', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createTestDatabase()
  })
  afterAll(() => database.drop())

  it('give equal answers after any sequence of writes', async () => {
    let schemas = 0
    const prepare = async () => {
      const url = `${database.url}?schema=model_${schemas++}`
      return () => openPostgresStore({ url, tenants: ['local'] })
    }
    await expectLikeModel(prepare, { numRuns: 8 })
  })
})
