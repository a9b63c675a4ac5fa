import pg from 'pg'

/** Beginning of the names of the databases that a run of tests makes, which the process `ownerPid` is. */
export function databasesOf(ownerPid: number): string {
  return `madeleine_test_${ownerPid}_`
}

/** Runs statements on a connection of their own; the rows of the last one. */
export async function runAs(
  url: string,
  statements: readonly string[],
  values?: unknown[],
): Promise<Array<Record<string, unknown>>> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    let rows: Array<Record<string, unknown>> = []
    for (const sql of statements) rows = (await client.query(sql, values)).rows
    return rows
  } finally {
    await client.end()
  }
}

/** Removes what the tests of a run left on a server that stays. */
export async function dropDatabases(address: string, ownerPid: number): Promise<void> {
  const left = await runAs(
    address,
    ['SELECT datname AS name FROM pg_database WHERE starts_with(datname, $1)'],
    [databasesOf(ownerPid)],
  )
  for (const { name } of left) await runAs(address, [`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`])
}
