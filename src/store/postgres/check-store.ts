import type { StoreFinding } from '../memory-store.ts'
import { checkRole } from './check-role.ts'
import { checkTenant } from './check-tenant.ts'
import type { PostgresConnection } from './postgres-connection.ts'
import { checkVectors } from './vectors/check-vectors.ts'

/** MemoryStore.check: what is wrong, and what should be known of the server. */
export async function checkStore(connection: PostgresConnection): Promise<StoreFinding[]> {
  const { tenants, schema } = connection
  return connection.read(async (tx) => {
    const findings = await checkRole(tx, schema)
    for (const tenant of tenants) findings.push(...(await checkTenant(tx, tenant)))
    return [...findings, ...(await checkVectors(tx, tenants))]
  })
}
