import { prepareOnce } from '../prepare-once.ts'
import type { SqlParameter } from './database.ts'
import type { PostgresConnection, Transaction } from './postgres-connection.ts'

/** What an upgrade of the program has to do for a tenant. */
export interface TenantPreparation {
  /** Gives the tenants among $1 that stand at another version than $2. */
  selectStale: string
  version: SqlParameter
  /** Brings one up to date, within a write of its own. */
  prepare(tx: Transaction, tenant: string): Promise<void>
  isRepeatable?: boolean
}

/** Brings the tenants of a connection up to date, each by one of the processes that open it. */
export async function prepareTenants(
  connection: PostgresConnection,
  { selectStale, version, prepare, isRepeatable = false }: TenantPreparation,
): Promise<void> {
  const listStale = async (tx: Transaction, tenants: readonly string[]): Promise<string[]> =>
    (await tx.query(selectStale, [tenants, version])).map(({ tenant }) => String(tenant))
  for (const tenant of await connection.read((tx) => listStale(tx, connection.tenants))) {
    const isCurrent = async (tx: Transaction): Promise<boolean> => (await listStale(tx, [tenant])).length === 0
    const work = async (tx: Transaction): Promise<void> => {
      if (!(await isCurrent(tx))) await prepare(tx, tenant)
    }
    await prepareOnce(
      () => connection.read(isCurrent),
      () => connection.write(work, { tenants: [tenant], isRepeatable }),
    )
  }
}
