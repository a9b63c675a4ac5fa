import type { StoreFinding } from '../../memory-store.ts'
import type { Transaction } from '../postgres-connection.ts'
import { POSTGRES_MANY_VECTORS } from '../postgres-options.ts'
import { INDEXED_DIMENSIONS, readVectorSupport, vectorIndexStatement } from './vector-indexes.ts'

const MEND = 'Run "madeleine doctor --fix"'

/** Ordinals of vectors that belong to nothing; $1 is the tenant. */
export const SELECT_STRAYS = `SELECT e.ordinal FROM embedding e WHERE e.tenant = $1
  AND NOT EXISTS (SELECT 1 FROM memory m WHERE m.tenant = $1 AND m.ordinal = e.ordinal)`
/** Ordinals of memories that have other vectors than are noted for them. */
export const SELECT_TORN = `SELECT e.ordinal FROM embedding e JOIN embedding_identity i ON i.tenant = $1 AND i.number = e.identity
  LEFT JOIN LATERAL (
    SELECT count(*) AS windows, count(*) FILTER (WHERE w.identity = e.identity AND w.dimensions = i.dimensions) AS fitting
    FROM vector_window w WHERE w.tenant = $1 AND w.ordinal = e.ordinal
  ) w ON true
  WHERE e.tenant = $1 AND (w.windows <> e.windows OR w.fitting <> e.windows
    OR length(e.codes) <> e.windows * (4 + i.dimensions))`
const SELECT_DIMENSIONS = `SELECT i.dimensions FROM embedding_identity i
  JOIN embedding e ON e.tenant = $1 AND e.identity = i.number
  WHERE i.tenant = $1 AND i.dimensions > 0 GROUP BY i.dimensions HAVING count(*) >= $2 ORDER BY i.dimensions`

/** What is wrong with vectors, or could be better where they are many; within a read transaction. */
export async function checkVectors(
  tx: Transaction,
  tenants: readonly string[],
  { many = POSTGRES_MANY_VECTORS } = {},
): Promise<StoreFinding[]> {
  const count = async (sql: string): Promise<number> => {
    let sum = 0
    for (const tenant of tenants)
      sum += Number((await tx.query(`SELECT count(*) AS n FROM (${sql}) AS wrong`, [tenant]))[0]?.n ?? 0)
    return sum
  }
  const [strays, torn] = [await count(SELECT_STRAYS), await count(SELECT_TORN)]
  const findings: StoreFinding[] = []
  if (strays > 0) {
    findings.push({
      id: 'vectors-without-memory',
      severity: 'error',
      message: `${strays} vectors belong to memories that are not there`,
      remedy: MEND,
    })
  }
  if (torn > 0) {
    findings.push({
      id: 'vectors-torn',
      severity: 'error',
      message: `${torn} memories have other vectors than are noted for them`,
      remedy: MEND,
    })
  }
  return [...findings, ...(await findMissingIndexes(tx, tenants, many))]
}

async function findMissingIndexes(tx: Transaction, tenants: readonly string[], many: number): Promise<StoreFinding[]> {
  const found = new Set<number>()
  for (const tenant of tenants) {
    for (const row of await tx.query(SELECT_DIMENSIONS, [tenant, many])) found.add(Number(row.dimensions))
  }
  const dimensions = [...found].sort((a, b) => a - b)
  if (dimensions.length === 0) return []
  const support = await readVectorSupport(tx)
  if (support.version === null) {
    return [
      {
        id: 'pgvector-missing',
        severity: 'info',
        message:
          'The database has no pgvector of version 0.8 or newer: each process keeps all vectors in memory and scans them',
        remedy: 'Nothing has to be done; to search them in the server install pgvector and run CREATE EXTENSION vector',
      },
    ]
  }
  return dimensions
    .filter((one) => one <= INDEXED_DIMENSIONS && !support.dimensions.has(one))
    .map((one) => ({
      id: 'vector-index-missing',
      severity: 'info' as const,
      message: `Vectors of ${one} dimensions have no index: each process keeps them in memory and scans them`,
      remedy: `Let the owner of the tables run: ${vectorIndexStatement(one).replaceAll(/\s+/g, ' ')}`,
    }))
}
