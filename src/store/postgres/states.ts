import { compareText } from '../canonical-place.ts'
import { parseState } from '../parse-state.ts'
import { type PostgresConnection, quote, type Transaction } from './postgres-connection.ts'

/*
 * Values are kept as JSON texts, which carry every string of JavaScript through the driver unchanged. Callers read and write them before and
 * after every recall: each call is one round trip.
 */

type Alone = Pick<PostgresConnection, 'runAlone'>

export async function getState(connection: Alone, tenant: string, key: string): Promise<string | null> {
  const [row] = await connection.runAlone(`SELECT value FROM state WHERE ${keyIs(tenant, key)}`)
  return parseState(row?.value)
}

export async function setState(connection: Alone, tenant: string, key: string, value: string | null): Promise<void> {
  const sql =
    value === null
      ? `DELETE FROM state WHERE ${keyIs(tenant, key)}`
      : `INSERT INTO state (tenant, key, value) VALUES (${quote(tenant)}, ${quote(key)}, ${quote(JSON.stringify(value))})
         ON CONFLICT (tenant, key) DO UPDATE SET value = excluded.value`
  await connection.runAlone(sql, { isWrite: true })
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
  connection: Alone,
  tenant: string,
  prefix: string,
): Promise<Array<{ key: string; value: string }>> {
  const rows = await connection.runAlone(
    `SELECT key, value FROM state WHERE tenant = ${quote(tenant)} AND starts_with(key, ${quote(prefix)})`,
  )
  return rows
    .flatMap(({ key, value: stored }) => {
      const value = parseState(stored)
      return value === null ? [] : [{ key: String(key), value }]
    })
    .sort((a, b) => compareText(a.key, b.key))
}

function keyIs(tenant: string, key: string): string {
  return `tenant = ${quote(tenant)} AND key = ${quote(key)}`
}
