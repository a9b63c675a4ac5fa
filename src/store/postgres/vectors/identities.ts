import type { Transaction } from '../postgres-connection.ts'

/** A model whose vectors a tenant has. `dimensions` is 0 while it has only marks of texts without a vector. */
export interface StoredIdentity {
  number: number
  dimensions: number
}

/** The number of no identity: what a memory had was taken away. */
export const NO_IDENTITY = 0

/** The identity of this name, or null when the tenant has never seen it. */
export async function findIdentity(tx: Transaction, tenant: string, name: string): Promise<StoredIdentity | null> {
  const [row] = await tx.query('SELECT number, dimensions FROM embedding_identity WHERE tenant = $1 AND name = $2', [
    tenant,
    name,
  ])
  return row ? { number: Number(row.number), dimensions: Number(row.dimensions) } : null
}

export async function ensureIdentity(tx: Transaction, tenant: string, name: string): Promise<StoredIdentity> {
  const known = await findIdentity(tx, tenant, name)
  if (known) return known
  const [row] = await tx.query(
    `INSERT INTO embedding_identity (tenant, number, name)
     SELECT $1, coalesce(max(number), $3) + 1, $2 FROM embedding_identity WHERE tenant = $1 RETURNING number`,
    [tenant, name, NO_IDENTITY],
  )
  return { number: Number(row?.number), dimensions: 0 }
}

/** Whether a memory has a vector of the identity. */
export async function holdsVectors(tx: Transaction, tenant: string, { number }: StoredIdentity): Promise<boolean> {
  const sql = 'SELECT 1 FROM embedding WHERE tenant = $1 AND identity = $2 AND windows > 0 LIMIT 1'
  return (await tx.query(sql, [tenant, number])).length > 0
}
