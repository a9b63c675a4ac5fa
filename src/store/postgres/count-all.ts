import type { Viewer } from '../../model/search.ts'
import type { StoreCounts } from '../memory-store.ts'
import { listDocuments, visibleScopes } from './documents.ts'
import type { Transaction } from './postgres-connection.ts'

/** Without looking at what is counted: each part of the index and each document says how much it holds. Every process asks with its first search. */
const COUNT_ALL = `SELECT
  (SELECT count(*) FROM document WHERE tenant = $1 AND NOT is_remembered) AS documents,
  (SELECT coalesce(sum(memories), 0) FROM segment WHERE tenant = $1) AS memories,
  (SELECT coalesce(sum(memory_count), 0) FROM document WHERE tenant = $1) AS places`
const COUNT_OF_SCOPES = `SELECT 0 AS documents, count(*) AS memories, coalesce(sum(place_count), 0) AS places FROM memory
  WHERE tenant = $1 AND scope = ANY($2::integer[])`
const selectEmbedded = (join: string): string =>
  `SELECT i.name, count(*) AS settled, count(*) FILTER (WHERE e.windows > 0) AS embedded
  FROM embedding e JOIN embedding_identity i ON i.tenant = $1 AND i.number = e.identity ${join}
  WHERE e.tenant = $1 GROUP BY i.name`
const COUNT_EMBEDDED = selectEmbedded('')
const COUNT_EMBEDDED_OF_SCOPES = selectEmbedded(
  'JOIN memory m ON m.tenant = $1 AND m.ordinal = e.ordinal AND m.scope = ANY($2::integer[])',
)

/** MemoryStore.counts: of all tenants that the store is opened for, or what a viewer may see of theirs. */
export async function countAll(
  tx: Transaction,
  tenants: readonly string[],
  { wantedIdentity, viewer }: { wantedIdentity: string | undefined; viewer: Viewer | undefined },
): Promise<StoreCounts> {
  const counts: StoreCounts = { documents: 0, memories: 0, places: 0, embedded: {}, pending: 0 }
  const scopes = viewer ? await visibleScopes(tx, viewer) : null
  for (const tenant of viewer ? [viewer.tenant] : tenants) {
    const [row] = scopes ? await tx.query(COUNT_OF_SCOPES, [tenant, scopes]) : await tx.query(COUNT_ALL, [tenant])
    const identities = scopes
      ? await tx.query(COUNT_EMBEDDED_OF_SCOPES, [tenant, scopes])
      : await tx.query(COUNT_EMBEDDED, [tenant])
    counts.documents += Number(row?.documents)
    counts.memories += Number(row?.memories)
    counts.places += Number(row?.places)
    let settled = 0
    for (const { name, embedded, settled: own } of identities) {
      const known = counts.embedded[String(name)] ?? 0
      if (Number(embedded) > 0) counts.embedded[String(name)] = known + Number(embedded)
      if (name === wantedIdentity) settled = Number(own)
    }
    if (wantedIdentity !== undefined) counts.pending += Number(row?.memories) - settled
  }
  if (viewer) counts.documents = (await listDocuments(tx, tenants, viewer)).length
  return counts
}
