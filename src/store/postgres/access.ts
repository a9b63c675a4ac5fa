import type { Transaction } from './postgres-connection.ts'
import { runTenants } from './query-tenants.ts'

/** In the order of the ids, so that two processes that note the same memories do not wait for each other. */
const NOTE_ACCESS = `INSERT INTO access (tenant, id, count, last)
  SELECT m.tenant, m.id, count(*), $3 FROM unnest($2::text[]) AS u (id) JOIN memory m ON m.tenant = $1 AND m.id = u.id
  GROUP BY m.tenant, m.id ORDER BY m.tenant, m.id
  ON CONFLICT (tenant, id) DO UPDATE SET count = access.count + excluded.count, last = excluded.last`

/** MemoryStore.recordAccess. */
export async function recordAccess(
  tx: Transaction,
  tenants: readonly string[],
  ids: readonly string[],
  at: Date,
): Promise<void> {
  if (ids.length > 0) await runTenants(tx, tenants, NOTE_ACCESS, [ids, at.toISOString()])
}
