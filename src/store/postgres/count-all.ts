import type { Viewer } from '../../model/search.ts'
import type { StoreCounts } from '../memory-store.ts'
import { listDocuments, visibleScopes } from './documents.ts'
import type { Transaction } from './postgres-connection.ts'

const COUNT_ROWS = `SELECT
  (SELECT count(*) FROM document WHERE tenant = ANY($1::text[]) AND NOT is_remembered) AS documents,
  (SELECT count(*) FROM memory WHERE tenant = ANY($1::text[]) AND ($2::integer[] IS NULL OR scope = ANY($2::integer[]))) AS memories,
  (SELECT coalesce(sum(place_count), 0) FROM memory
   WHERE tenant = ANY($1::text[]) AND ($2::integer[] IS NULL OR scope = ANY($2::integer[]))) AS places`
const COUNT_EMBEDDED = `SELECT i.name, count(*) AS settled, count(*) FILTER (WHERE e.windows > 0) AS embedded
  FROM embedding e JOIN embedding_identity i ON i.tenant = e.tenant AND i.number = e.identity
  JOIN memory m ON m.tenant = e.tenant AND m.ordinal = e.ordinal
  WHERE e.tenant = ANY($1::text[]) AND ($2::integer[] IS NULL OR m.scope = ANY($2::integer[])) GROUP BY i.name`

/** MemoryStore.counts: of all tenants that the store is opened for, or what a viewer may see of theirs. */
export async function countAll(
  tx: Transaction,
  all: readonly string[],
  { wantedIdentity, viewer }: { wantedIdentity: string | undefined; viewer: Viewer | undefined },
): Promise<StoreCounts> {
  const tenants = viewer ? [viewer.tenant] : all
  const scopes = viewer ? await visibleScopes(tx, viewer) : null
  const [row] = await tx.query(COUNT_ROWS, [tenants, scopes])
  const identities = await tx.query(COUNT_EMBEDDED, [tenants, scopes])
  const embedded = identities.filter((one) => Number(one.embedded) > 0)
  const settled = Number(identities.find(({ name }) => name === wantedIdentity)?.settled ?? 0)
  const memories = Number(row?.memories)
  return {
    documents: viewer ? (await listDocuments(tx, tenants, viewer)).length : Number(row?.documents),
    memories,
    places: Number(row?.places),
    embedded: Object.fromEntries(embedded.map((one) => [String(one.name), Number(one.embedded)])),
    pending: wantedIdentity === undefined ? 0 : memories - settled,
  }
}
