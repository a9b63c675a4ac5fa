import type { DatabaseSession } from '../database.ts'

/** One step from a version of the schema to the next, within a transaction whose search_path is the schema. */
export interface Migration {
  name: string
  apply(session: DatabaseSession): Promise<unknown>
}

/**
 * IS TRUE and the sub-select keep it what it is, a check of what was found: without them the planner would take it for a way to find
 * rows, beside the conditions of the statement, and count on ten tenants where there is one.
 */
const OF_TENANTS = `(tenant = ANY ((SELECT string_to_array(current_setting('madeleine.tenants', true), chr(31)))::text[])) IS TRUE`

/**
 * The statements that let nobody see rows of tables but those of the tenants that a transaction names, the owner included: every table
 * with a column `tenant` has them.
 */
export function secureTables(...tables: readonly string[]): string {
  return tables
    .map(
      (table) => `
  ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
  ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;
  CREATE POLICY of_tenants ON ${table} USING (${OF_TENANTS}) WITH CHECK (${OF_TENANTS});`,
    )
    .join('')
}
