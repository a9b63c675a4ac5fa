import { isSqliteError, type SqliteDatabase, type SqlRow } from '../database.ts'

/** Rows in the order of an index of the table, from its beginning and, when there is damage on the way, from its end. */
export function scanFromBothEnds(
  database: SqliteDatabase,
  sql: string,
  order: readonly string[],
): { rows: SqlRow[]; isWhole: boolean } {
  const found = new Map<string, SqlRow>()
  for (const direction of ['ASC', 'DESC']) {
    const isWhole = tryRead(() => {
      const by = order.map((column) => `${column} ${direction}`).join(', ')
      for (const row of database.prepare(`${sql} ORDER BY ${by}`).iterate()) {
        found.set(JSON.stringify(order.map((column) => row[column])), row)
      }
      return true
    })
    if (isWhole) return { rows: [...found.values()], isWhole: true }
  }
  return { rows: [...found.values()], isWhole: false }
}

/** What `read` gives, or undefined where damage is in the way. */
export function tryRead<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (isSqliteError(error) || error instanceof SyntaxError) return undefined
    throw error
  }
}
