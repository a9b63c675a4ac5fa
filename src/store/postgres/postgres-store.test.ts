import { describeWithServer } from '../../../test/postgres/describe-with-server.ts'
import { useStorePool } from '../../../test/postgres/store-pool.ts'
import { testMemoryStore } from '../../testing/memory-store-contract.ts'

/** Those that the contract writes for, and looks from. */
const TENANTS = ['local', 'other', 'elsewhere']

describeWithServer('the PostgreSQL store', () => {
  testMemoryStore('the PostgreSQL store', { create: () => useStorePool().open({ tenants: TENANTS }) })
})
