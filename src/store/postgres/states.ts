import { compareText } from '../canonical-place.ts'
import { parseState } from '../parse-state.ts'
import type { Transaction } from './postgres-connection.ts'

/*
 * Values are kept as JSON texts, which carry every string of JavaScript through the driver unchanged.
 */

export async function getState(tx: Transaction, tenant: string, key: string): Promise<string | null> {
  const [row] = await tx.query('SELECT value FROM state WHERE tenant = $1 AND key = $2', [tenant, key])
  return parseState(row?.value)
}

export async function setState(tx: Transaction, tenant: string, key: string, value: string | null): Promise<void> {
  if (value === null) {
    await tx.run('DELETE FROM state WHERE tenant = $1 AND key = $2', [tenant, key])
    return
  }
  const sql = `INSERT INTO state (tenant, key, value) VALUES ($1, $2, $3)
    ON CONFLICT (tenant, key) DO UPDATE SET value = excluded.value`
  await tx.run(sql, [tenant, key, JSON.stringify(value)])
}

/** One statement, so that of several who expect the same value one alone finds it. */
export async function claimState(
  tx: Transaction,
  tenant: string,
  { key, expected, next }: { key: string; expected: string | null; next: string },
): Promise<boolean> {
  const sql =
    expected === null
      ? 'INSERT INTO state (tenant, key, value) VALUES ($1, $2, $3) ON CONFLICT (tenant, key) DO NOTHING'
      : 'UPDATE state SET value = $3 WHERE tenant = $1 AND key = $2 AND value = $4'
  const rest = expected === null ? [] : [JSON.stringify(expected)]
  return (await tx.run(sql, [tenant, key, JSON.stringify(next), ...rest])) > 0
}

/** By key, in the order of UTF-16 code units. */
export async function listStates(
  tx: Transaction,
  tenant: string,
  prefix: string,
): Promise<Array<{ key: string; value: string }>> {
  const rows = await tx.query('SELECT key, value FROM state WHERE tenant = $1 AND starts_with(key, $2)', [
    tenant,
    prefix,
  ])
  return rows
    .flatMap(({ key, value: stored }) => {
      const value = parseState(stored)
      return value === null ? [] : [{ key: String(key), value }]
    })
    .sort((a, b) => compareText(a.key, b.key))
}
