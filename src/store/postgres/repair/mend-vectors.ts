import type { Transaction } from '../postgres-connection.ts'
import { raiseSequence } from '../tenant-rows.ts'
import { SELECT_STRAYS, SELECT_TORN } from '../vectors/check-vectors.ts'
import { NO_IDENTITY } from '../vectors/identities.ts'

const DROP_STRAYS = `DELETE FROM embedding WHERE tenant = $1 AND ordinal IN (${SELECT_STRAYS})`
/** As where vectors are taken away: what is marked others learn of, what is deleted they would not. */
const MARK_TORN = `UPDATE embedding SET identity = $2, windows = 0, codes = '', text_hash = '', changed = $3
  WHERE tenant = $1 AND ordinal IN (${SELECT_TORN})`
const DROP_WINDOWS = ['vector_window', 'token_vectors'].map(
  (table) => `DELETE FROM ${table} v WHERE v.tenant = $1 AND NOT EXISTS (
    SELECT 1 FROM embedding e WHERE e.tenant = $1 AND e.ordinal = v.ordinal AND e.identity <> $2)`,
)

/** Drops vectors that belong to nothing, and those that are not whole; within a write. How many memories wait for new ones by it. */
export async function mendVectors(tx: Transaction, tenant: string): Promise<number> {
  const sequence = await raiseSequence(tx, tenant)
  await tx.run(DROP_STRAYS, [tenant])
  const dropped = await tx.run(MARK_TORN, [tenant, NO_IDENTITY, sequence])
  for (const sql of DROP_WINDOWS) await tx.run(sql, [tenant, NO_IDENTITY])
  return dropped
}
