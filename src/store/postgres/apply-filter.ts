import type { MemoryFilter } from '../../model/search.ts'
import type { Transaction } from './postgres-connection.ts'

/** For each ordinal of the viewer's tenant, 1 when the filter lets its memory through, as the transaction sees the store. */
export type ApplyFilter = (tx: Transaction, filter: MemoryFilter) => Promise<Uint8Array>
