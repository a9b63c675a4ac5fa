import type { SqlParameter, SqlScalar } from './database.ts'
import type { Transaction } from './postgres-connection.ts'

/** Rows that go in one statement: what it takes as parameters stays of a bounded size. */
const BATCH_ROWS = 2000

/** A table with the columns that are written: `tenant text, id text, …`, by their types. */
export interface BulkTable {
  name: string
  columns: readonly string[]
  types: readonly string[]
}

export function describeTable(name: string, columns: string): BulkTable {
  const pairs = columns.split(',').map((column) => column.trim().split(' '))
  return { name, columns: pairs.map(([column = '']) => column), types: pairs.map(([, type = '']) => type) }
}

/** Adds rows, in place of those of the same key. Of equal keys only one may be given. */
export async function upsertRows(
  tx: Transaction,
  table: BulkTable,
  key: readonly string[],
  rows: readonly SqlScalar[][],
): Promise<void> {
  const { name, columns } = table
  const set = columns.filter((column) => !key.includes(column)).map((column) => `${column} = excluded.${column}`)
  const text = `INSERT INTO ${name} (${columns.join(', ')}) SELECT * FROM ${unnest(table)}
    ON CONFLICT (${key.join(', ')}) DO UPDATE SET ${set.join(', ')}`
  for (const batch of batches(rows)) await tx.run(text, transpose(table, batch))
}

/** Deletes the rows of these keys; the columns of the table are those of its key. */
export async function deleteRows(tx: Transaction, table: BulkTable, rows: readonly SqlScalar[][]): Promise<void> {
  const { name, columns } = table
  const same = columns.map((column) => `t.${column} = k.${column}`)
  const text = `DELETE FROM ${name} t USING ${unnest(table)} AS k (${columns.join(', ')}) WHERE ${same.join(' AND ')}`
  for (const batch of batches(rows)) await tx.run(text, transpose(table, batch))
}

function unnest({ types }: BulkTable): string {
  return `unnest(${types.map((type, index) => `$${index + 1}::${type}[]`).join(', ')})`
}

function transpose({ columns }: BulkTable, rows: readonly SqlScalar[][]): SqlParameter[] {
  return columns.map((_, index) => rows.map((row) => row[index] ?? null))
}

function* batches(rows: readonly SqlScalar[][]): Generator<readonly SqlScalar[][]> {
  for (let at = 0; at < rows.length; at += BATCH_ROWS) yield rows.slice(at, at + BATCH_ROWS)
}
