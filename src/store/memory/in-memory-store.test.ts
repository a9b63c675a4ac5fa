import { testMemoryStore } from '../../testing/memory-store-contract.ts'
import { createInMemoryStore } from './in-memory-store.ts'

testMemoryStore('the in-memory store', { create: () => createInMemoryStore() })
