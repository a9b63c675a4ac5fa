import type { Viewer } from '../../model/search.ts'
import type { StoreCounts } from '../memory-store.ts'
import { listDocuments, visibleScopes } from './documents.ts'
import type { Transaction } from './postgres-connection.ts'

const COUNT_ROWS = `SELECT
  (SELECT count(*) FROM document WHERE tenant = $1 AND NOT is_remembered) AS documents, count(*) AS memories,
  coalesce(sum(place_count), 0) AS places FROM memory
  WHERE tenant = $1 AND ($2::integer[] IS NULL OR scope = ANY($2::integer[]))`
const COUNT_EMBEDDED = `SELECT i.name, count(*) AS settled, count(*) FILTER (WHERE e.windows > 0) AS embedded
  FROM embedding e JOIN embedding_identity i ON i.tenant = $1 AND i.number = e.identity
  JOIN memory m ON m.tenant = $1 AND m.ordinal = e.ordinal
  WHERE e.tenant = $1 AND ($2::integer[] IS NULL OR m.scope = ANY($2::integer[])) GROUP BY i.name`

/** MemoryStore.counts: of all tenants that the store is opened for, or what a viewer may see of theirs. */
export async function countAll(
  tx: Transaction,
  tenants: readonly string[],
  { wantedIdentity, viewer }: { wantedIdentity: string | undefined; viewer: Viewer | undefined },
): Promise<StoreCounts> {
  const counts: StoreCounts = { documents: 0, memories: 0, places: 0, embedded: {}, pending: 0 }
  const scopes = viewer ? await visibleScopes(tx, viewer) : null
  for (const tenant of viewer ? [viewer.tenant] : tenants) {
    const [row] = await tx.query(COUNT_ROWS, [tenant, scopes])
    counts.documents += Number(row?.documents)
    counts.memories += Number(row?.memories)
    counts.places += Number(row?.places)
    let settled = 0
    for (const { name, embedded, settled: own } of await tx.query(COUNT_EMBEDDED, [tenant, scopes])) {
      const known = counts.embedded[String(name)] ?? 0
      if (Number(embedded) > 0) counts.embedded[String(name)] = known + Number(embedded)
      if (name === wantedIdentity) settled = Number(own)
    }
    if (wantedIdentity !== undefined) counts.pending += Number(row?.memories) - settled
  }
  if (viewer) counts.documents = (await listDocuments(tx, tenants, viewer)).length
  return counts
}
