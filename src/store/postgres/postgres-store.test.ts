import { afterAll } from 'vitest'
import { describeWithServer } from '../../../test/postgres/describe-with-server.ts'
import { createStorePool } from '../../../test/postgres/store-pool.ts'
import { testMemoryStore } from '../../testing/memory-store-contract.ts'

/** Those that the contract writes for, and looks from. */
const TENANTS = ['local', 'other', 'elsewhere']

describeWithServer('the PostgreSQL store', () => {
  const pool = createStorePool()
  afterAll(() => pool.drop())

  testMemoryStore('the PostgreSQL store', { create: () => pool.open({ tenants: TENANTS }) })
})
