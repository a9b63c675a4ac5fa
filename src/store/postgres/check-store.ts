import type { StoreFinding } from '../memory-store.ts'
import type { PostgresConnection } from './postgres-connection.ts'
import { checkVectors } from './vectors/check-vectors.ts'

/** MemoryStore.check: what is wrong, and what should be known of the server. */
export async function checkStore(connection: PostgresConnection): Promise<StoreFinding[]> {
  return connection.read((tx) => checkVectors(tx, connection.tenants))
}
