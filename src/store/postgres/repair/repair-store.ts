import { applyRepairs, type Repair } from '../../apply-repairs.ts'
import type { StoreFinding } from '../../memory-store.ts'
import { forget } from '../forget.ts'
import { rebuildIndex } from '../index-version.ts'
import type { MemoryWrites } from '../memory-writes.ts'
import type { PostgresConnection, Transaction } from '../postgres-connection.ts'
import type { WriteSession } from '../write-session.ts'
import { mendPlaces, mendRosters } from './mend-places.ts'
import { mendVectors } from './mend-vectors.ts'

interface RepairedParts {
  connection: PostgresConnection
  writes: MemoryWrites
}

const SELECT_FORGOTTEN_MEMORIES = `SELECT m.id FROM tombstone t JOIN memory m ON m.tenant = $1 AND m.id = t.key
  WHERE t.tenant = $1 AND t.kind = 'memory' ORDER BY m.id`
const SELECT_FORGOTTEN_DOCUMENTS = `SELECT d.root, d.path FROM tombstone t
  JOIN document d ON d.tenant = $1 AND d.name_hash = t.name_hash
  WHERE t.tenant = $1 AND t.kind = 'document' ORDER BY d.root, d.path`
const DROP_RELATIONSHIPS = `DELETE FROM relationship r WHERE r.tenant = $1 AND r.found_by <> 0 AND (
  NOT EXISTS (SELECT 1 FROM memory m WHERE m.tenant = $1 AND m.id = r.source)
  OR NOT EXISTS (SELECT 1 FROM memory m WHERE m.tenant = $1 AND m.id = r.target))`
const DROP_AWAITING = `DELETE FROM awaiting_link w WHERE w.tenant = $1
  AND NOT EXISTS (SELECT 1 FROM memory m WHERE m.tenant = $1 AND m.id = w.id)`

/** In the order in which they are done: the indexes are made from what stands in its place. */
const REPAIRS: ReadonlyArray<Repair<RepairedParts>> = [
  {
    ids: ['forgotten-but-there'],
    apply: async ({ writes }, now) => {
      await writes.write((session) => forgetAgain(session, now))
      return 'it was removed again'
    },
  },
  {
    ids: ['places-without-memory', 'memories-without-place', 'document-counts', 'rosters-wrong', 'cue-strays'],
    apply: async ({ connection, writes }) => {
      await writes.write((session) => mendPlaces(session), { isRepeatable: true })
      await forEachTenant(connection, mendRosters)
      return 'the lists of which memory stands where were made anew'
    },
  },
  {
    ids: ['segment-counts', 'keyword-index-differs', 'keyword-index-strays'],
    apply: async ({ connection }) => {
      await forEachTenant(connection, rebuildIndex)
      return 'the keyword index was made anew from the texts'
    },
  },
  {
    ids: ['vectors-without-memory', 'vectors-torn'],
    apply: async ({ connection }) => {
      const dropped = (await forEachTenant(connection, mendVectors)).reduce((sum, count) => sum + count, 0)
      const pending = dropped > 0 ? `; ${dropped} memories wait for new ones: run "madeleine index"` : ''
      return `the vectors were put in order${pending}`
    },
  },
  {
    ids: ['relationship-strays', 'link-queue-strays'],
    apply: async ({ connection }) => {
      await forEachTenant(connection, async (tx, tenant) => {
        await tx.run(DROP_RELATIONSHIPS, [tenant])
        await tx.run(DROP_AWAITING, [tenant])
      })
      return 'relationships of what is not there were removed; what people said stays'
    },
  },
]

/** Mends what checkStore found, each as far as it can be made again from the rows. Returns what was done, by id of finding. */
export function repairStore(
  parts: RepairedParts,
  findings: readonly StoreFinding[],
  now: Date,
): Promise<Record<string, string>> {
  return applyRepairs(REPAIRS, parts, { findings, now })
}

/** Each tenant in a write of its own, so that others get their turn. */
async function forEachTenant<T>(
  connection: PostgresConnection,
  mend: (tx: Transaction, tenant: string) => Promise<T>,
): Promise<T[]> {
  const results: T[] = []
  for (const tenant of connection.tenants) {
    results.push(await connection.write((tx) => mend(tx, tenant), { tenants: [tenant], isRepeatable: true }))
  }
  return results
}

async function forgetAgain(session: WriteSession, now: Date): Promise<void> {
  const { tx, tenant } = session
  const ids = (await tx.query(SELECT_FORGOTTEN_MEMORIES, [tenant])).map(({ id }) => String(id))
  const documents = (await tx.query(SELECT_FORGOTTEN_DOCUMENTS, [tenant])).map(({ root, path }) => ({
    root: String(root),
    path: String(path),
  }))
  await forget(session, { target: { ids, documents }, now })
}
