import type { MemoryState } from '../../model/memory.ts'
import { unpackDetail } from '../content-codec.ts'
import { packKind, scanRoster } from '../keyword-index/roster.ts'
import type { StoreFinding } from '../memory-store.ts'
import { checkTerms } from './check-terms.ts'
import type { SqlRow } from './database.ts'
import type { Transaction } from './postgres-connection.ts'

const MEND = 'Run "madeleine doctor --fix"'

/** What is counted, the finding that it is, and how that is said. $1 is the tenant. */
const COUNTS: ReadonlyArray<{ id: string; sql: string; describe: (count: number) => string }> = [
  {
    id: 'places-without-memory',
    sql: `SELECT count(*) AS n FROM place p WHERE p.tenant = $1
      AND NOT EXISTS (SELECT 1 FROM memory m WHERE m.tenant = $1 AND m.ordinal = p.ordinal)`,
    describe: (n) => `${n} places are of memories that are not there`,
  },
  {
    id: 'memories-without-place',
    sql: `SELECT count(*) AS n FROM memory m WHERE m.tenant = $1 AND NOT EXISTS (SELECT 1 FROM place p
      WHERE p.tenant = $1 AND p.document = m.document AND p.position = m.position AND p.ordinal = m.ordinal)`,
    describe: (n) => `${n} memories do not stand where they should`,
  },
  {
    id: 'document-counts',
    sql: `SELECT count(*) AS n FROM document d WHERE d.tenant = $1 AND d.memory_count <>
      (SELECT count(*) FROM place p WHERE p.tenant = $1 AND p.document = d.number)`,
    describe: (n) => `${n} documents hold another number of memories than is noted`,
  },
  {
    id: 'segment-counts',
    sql: `SELECT abs((SELECT coalesce(sum(memories), 0) FROM segment WHERE tenant = $1)
      - (SELECT count(*) FROM memory WHERE tenant = $1)) AS n`,
    describe: (n) => `The keyword index holds ${n} memories more or fewer than there are`,
  },
  {
    id: 'relationship-strays',
    sql: `SELECT count(*) AS n FROM relationship r WHERE r.tenant = $1 AND r.found_by <> 0 AND (
      NOT EXISTS (SELECT 1 FROM memory m WHERE m.tenant = $1 AND m.id = r.source)
      OR NOT EXISTS (SELECT 1 FROM memory m WHERE m.tenant = $1 AND m.id = r.target))`,
    describe: (n) => `${n} relationships that were discovered are of memories that are not there`,
  },
  {
    id: 'link-queue-strays',
    sql: `SELECT count(*) AS n FROM awaiting_link w WHERE w.tenant = $1
      AND NOT EXISTS (SELECT 1 FROM memory m WHERE m.tenant = $1 AND m.id = w.id)`,
    describe: (n) => `${n} memories wait to be linked and are not there`,
  },
  {
    id: 'cue-strays',
    sql: `SELECT count(*) AS n FROM cue c WHERE c.tenant = $1
      AND NOT EXISTS (SELECT 1 FROM memory m WHERE m.tenant = $1 AND m.ordinal = c.ordinal)`,
    describe: (n) => `${n} lines that matter between turns are of memories that are not there`,
  },
  {
    id: 'forgotten-but-there',
    sql: `SELECT count(*) AS n FROM tombstone t WHERE t.tenant = $1 AND (
      (t.kind = 'memory' AND EXISTS (SELECT 1 FROM memory m WHERE m.tenant = $1 AND m.id = t.key))
      OR (t.kind = 'document' AND EXISTS (SELECT 1 FROM document d WHERE d.tenant = $1 AND d.name_hash = t.name_hash)))`,
    describe: (n) => `${n} memories or documents were forgotten and are there all the same`,
  },
]
const SELECT_ROSTERS = 'SELECT members FROM roster WHERE tenant = $1'
const SELECT_MEMORIES = 'SELECT ordinal, length, scope, state, detail FROM memory WHERE tenant = $1'

/** Compares what is kept of a tenant in several places; within a read transaction. */
export async function checkTenant(tx: Transaction, tenant: string): Promise<StoreFinding[]> {
  const findings: StoreFinding[] = []
  for (const { id, sql, describe } of COUNTS) {
    const [row] = await tx.query(sql, [tenant])
    const count = Number(row?.n ?? 0)
    if (count > 0) findings.push({ id, severity: 'error', message: describe(count), remedy: MEND })
  }
  return [...findings, ...(await checkRosters(tx, tenant)), ...(await checkTerms(tx, tenant, MEND))]
}

/** Rosters are what every process searches by: they say of each memory what its row says. */
async function checkRosters(tx: Transaction, tenant: string): Promise<StoreFinding[]> {
  const expected = new Map((await tx.query(SELECT_MEMORIES, [tenant])).map((row) => [Number(row.ordinal), sign(row)]))
  let wrong = 0
  for (const { members } of await tx.query(SELECT_ROSTERS, [tenant])) {
    scanRoster(members as Uint8Array, (ordinal, length, kind, scope) => {
      if (expected.get(ordinal) !== `${length} ${kind} ${scope}`) wrong += 1
      expected.delete(ordinal)
    })
  }
  wrong += expected.size
  if (wrong === 0) return []
  const message = `Search knows ${wrong} memories otherwise than they are`
  return [{ id: 'rosters-wrong', severity: 'error', message, remedy: MEND }]
}

function sign({ length, scope, state, detail }: SqlRow): string {
  return `${Number(length)} ${packKind({ ...unpackDetail(detail), state: String(state) as MemoryState })} ${Number(scope)}`
}
