import type { Memory } from '../../model/memory.ts'
import { SELECT_MEMORY, toMemory } from './memory-rows.ts'
import type { Transaction } from './postgres-connection.ts'

/** Memories of a tenant by ordinal; those that are not there are left out. */
export async function readByOrdinals(
  tx: Transaction,
  tenant: string,
  ordinals: readonly number[],
): Promise<Map<number, Memory>> {
  if (ordinals.length === 0) return new Map()
  const rows = await tx.query(`${SELECT_MEMORY} AND m.ordinal = ANY($2::integer[])`, [tenant, ordinals])
  return new Map(rows.map((row) => [Number(row.ordinal), toMemory(row)]))
}
