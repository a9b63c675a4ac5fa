import { numberOfType, packAnchor, packRelationship, packReview } from '../../relationships/packed-rows.ts'
import { deleteRows, describeTable, upsertRows } from '../bulk-rows.ts'
import type { Transaction } from '../postgres-connection.ts'
import { runTenants } from '../query-tenants.ts'
import type { LoadedRows } from './loaded-rows.ts'

const RELATIONSHIP_KEY = describeTable('relationship', 'tenant text, source text, target text, type smallint')
const RELATIONSHIP = describeTable(
  'relationship',
  `tenant text, source text, target text, type smallint, score float8, found_by smallint, created_ms bigint, updated_ms bigint,
   detail text`,
)
const REVIEW_KEY = describeTable('review', 'tenant text, id text')
const REVIEW = describeTable(
  'review',
  'tenant text, id text, first text, second text, status text, opened_ms bigint, detail text, history text',
)
const ANCHOR_KEY = describeTable('anchor', 'tenant text, id text')
const ANCHOR = describeTable(
  'anchor',
  `tenant text, id text, scope text, root text, path text, position int, turn text, sketch bytea, successor text,
   likeness float8`,
)
const WAITING_KEY = describeTable('awaiting_link', 'tenant text, id text')
const WAITING = describeTable('awaiting_link', 'tenant text, id text, mark bigint')
const NEXT_MARK = `INSERT INTO link_mark (tenant, value) SELECT t, 1 FROM unnest($1::text[]) AS t
  ON CONFLICT (tenant) DO UPDATE SET value = link_mark.value + 1 RETURNING tenant, value`

type OwnerOf = (ids: readonly string[]) => string

/**
 * Writes what the rules changed of rows, each kind with a few statements. `tenants` are those of the store; the first of them owns what
 * nothing tells of whose it is.
 */
export async function saveRows(tx: Transaction, tenants: readonly string[], rows: LoadedRows): Promise<void> {
  const ownerOf: OwnerOf = (ids) => rows.tenantOf(ids) ?? tenants[0] ?? ''
  await bareEnds(tx, tenants, [...rows.bared])
  await saveRelationships(tx, rows, ownerOf)
  await saveReviews(tx, rows, ownerOf)
  await saveAnchors(tx, tenants, rows)
  await saveWaiting(tx, rows, ownerOf)
}

async function bareEnds(tx: Transaction, tenants: readonly string[], ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const text = `DELETE FROM relationship
    WHERE tenant = $1 AND found_by <> 0 AND (source = ANY($2) OR target = ANY($2))`
  await runTenants(tx, tenants, text, [ids])
}

async function saveRelationships(tx: Transaction, rows: LoadedRows, ownerOf: OwnerOf): Promise<void> {
  const { written, dropped } = rows.relationships.changes()
  await deleteRows(
    tx,
    RELATIONSHIP_KEY,
    dropped.map(({ sourceId, targetId, relationshipType }) => [
      ...[ownerOf([sourceId, targetId]), sourceId, targetId, numberOfType(relationshipType)],
    ]),
  )
  await upsertRows(
    tx,
    RELATIONSHIP,
    RELATIONSHIP_KEY.columns,
    written.map((one) => {
      const { sourceId, targetId, relationshipType, score, finders, createdMs, updatedMs } = one
      const key = [ownerOf([sourceId, targetId]), sourceId, targetId, numberOfType(relationshipType)]
      return [...key, score, finders, createdMs, updatedMs, packRelationship(one)]
    }),
  )
}

async function saveReviews(tx: Transaction, rows: LoadedRows, ownerOf: OwnerOf): Promise<void> {
  const { written, dropped } = rows.reviews.changes()
  await deleteRows(
    tx,
    REVIEW_KEY,
    dropped.map(({ id, firstId, secondId }) => [ownerOf([firstId, secondId]), id]),
  )
  await upsertRows(
    tx,
    REVIEW,
    REVIEW_KEY.columns,
    written.map((review) => [ownerOf([review.firstId, review.secondId]), ...packReview(review)]),
  )
}

async function saveAnchors(tx: Transaction, tenants: readonly string[], rows: LoadedRows): Promise<void> {
  const { written, dropped } = rows.anchors.changes()
  const spent = [...rows.spent]
  if (spent.length > 0) {
    const text = 'UPDATE anchor SET successor = NULL, likeness = NULL WHERE tenant = $1 AND successor = ANY($2)'
    await runTenants(tx, tenants, text, [spent])
  }
  await deleteRows(
    tx,
    ANCHOR_KEY,
    dropped.map(({ id, scope }) => [scope.tenant, id]),
  )
  await upsertRows(
    tx,
    ANCHOR,
    ANCHOR_KEY.columns,
    written.map((anchor) => [anchor.scope.tenant, ...packAnchor(anchor)]),
  )
}

async function saveWaiting(tx: Transaction, rows: LoadedRows, ownerOf: OwnerOf): Promise<void> {
  const [waiting, settled] = [true, false].map((isWaiting) =>
    [...rows.waiting].filter(([, one]) => one === isWaiting).map(([id]) => [ownerOf([id]), id] as const),
  )
  await deleteRows(
    tx,
    WAITING_KEY,
    (settled ?? []).map((key) => [...key]),
  )
  if (!waiting || waiting.length === 0) return
  const marks = await tx.query(NEXT_MARK, [[...new Set(waiting.map(([tenant]) => tenant))].sort()])
  const markOf = new Map(marks.map(({ tenant, value }) => [tenant, Number(value)]))
  await upsertRows(
    tx,
    WAITING,
    WAITING_KEY.columns,
    waiting.map(([tenant, id]) => [tenant, id, markOf.get(tenant) ?? 0]),
  )
}
