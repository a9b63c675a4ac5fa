import type { MemoryStore } from '../../store/memory-store.ts'

/** Gives a test an empty store, which is closed after the test. */
export type StoreFactory = () => Promise<MemoryStore>
