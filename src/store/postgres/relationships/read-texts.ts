import type { TextOf } from '../../relationships/to-relationship.ts'
import type { Transaction } from '../postgres-connection.ts'
import { queryTenants } from '../query-tenants.ts'

/** The texts of memories, those that are there. */
export async function readTexts(tx: Transaction, tenants: readonly string[], ids: readonly string[]): Promise<TextOf> {
  if (ids.length === 0) return () => undefined
  const sql = 'SELECT id, text FROM memory WHERE tenant = $1 AND id = ANY($2)'
  const rows = await queryTenants(tx, tenants, sql, [[...new Set(ids)]])
  const texts = new Map(rows.map(({ id, text }) => [String(id), String(text)]))
  return (id) => texts.get(id)
}
