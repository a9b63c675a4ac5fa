import type { StoreFinding } from '../memory-store.ts'
import type { Transaction } from './postgres-connection.ts'

const SELECT_ROLE = `SELECT rolname, rolsuper, rolbypassrls FROM pg_roles WHERE rolname = current_user`
const SELECT_UNSECURED = `SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'tenant' AND NOT a.attisdropped
  WHERE n.nspname = $1 AND c.relkind IN ('r', 'p') AND NOT (c.relrowsecurity AND c.relforcerowsecurity) ORDER BY c.relname`

/** Whether the server keeps tenants apart for the role that this program has; within a read transaction. */
export async function checkRole(tx: Transaction, schema: string): Promise<StoreFinding[]> {
  const findings: StoreFinding[] = []
  const [role] = await tx.query(SELECT_ROLE)
  if (role && (role.rolsuper === true || role.rolbypassrls === true)) {
    const why = role.rolsuper === true ? 'is a superuser' : 'has BYPASSRLS'
    findings.push({
      id: 'role-sees-all-tenants',
      severity: 'warning',
      message: `The role ${role.rolname} ${why}: the server does not keep tenants apart for it`,
      remedy: 'Use a role without these rights: docs/scale.md has the statements',
    })
  }
  const tables = (await tx.query(SELECT_UNSECURED, [schema])).map(({ relname }) => String(relname))
  if (tables.length > 0) {
    findings.push({
      id: 'row-security-off',
      severity: 'error',
      message: `Row-level security is not in force on ${tables.join(', ')}`,
      remedy: `Let the owner run ${tables.map((table) => `ALTER TABLE ${schema}.${table} ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY`).join('; ')}`,
    })
  }
  return findings
}
