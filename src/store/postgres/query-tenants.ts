import type { SqlParameter, SqlRow } from './database.ts'
import type { Transaction } from './postgres-connection.ts'

/**
 * Asks of each tenant ($1) by itself, and gives the rows of all. A statement over several tenants joins tables by them, and the planner
 * takes that for a condition that tells rows apart. A store is mostly opened for one.
 */
export async function queryTenants(
  tx: Transaction,
  tenants: readonly string[],
  text: string,
  parameters: readonly SqlParameter[] = [],
): Promise<SqlRow[]> {
  const found: SqlRow[] = []
  for (const tenant of tenants) for (const row of await tx.query(text, [tenant, ...parameters])) found.push(row)
  return found
}

/** As queryTenants, of statements that write. Returns how many rows they wrote. */
export async function runTenants(
  tx: Transaction,
  tenants: readonly string[],
  text: string,
  parameters: readonly SqlParameter[] = [],
): Promise<number> {
  let written = 0
  for (const tenant of tenants) written += await tx.run(text, [tenant, ...parameters])
  return written
}
