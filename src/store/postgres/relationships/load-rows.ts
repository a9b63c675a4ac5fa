import type { RelationshipKey } from '../../../model/relationship.ts'
import type { KeptRelationship, KeptReview } from '../../relationships/kept.ts'
import { numberOfType, unpackAnchor, unpackRelationship, unpackReview } from '../../relationships/packed-rows.ts'
import type { SqlRow } from '../database.ts'
import type { Transaction } from '../postgres-connection.ts'
import { queryTenants } from '../query-tenants.ts'
import { readLinkedMemories, readScopes } from './linked-memories.ts'
import { LoadedRows } from './loaded-rows.ts'

/** A relationship with the names of columns that unpackRelationship takes. Append a WHERE. */
export const SELECT_RELATIONSHIP = `SELECT r.tenant, r.source AS source_id, r.target AS target_id, r.type, r.score, r.found_by,
    r.created_ms, r.updated_ms, r.detail
  FROM relationship r`
const OF_TENANT = 'r.tenant = $1'
const SELECT_REVIEW = 'SELECT tenant, id, first, second, opened_ms, detail, history FROM review WHERE tenant = $1'
const SELECT_ANCHOR = `SELECT a.tenant, a.id, a.scope, a.root, a.path, a.position, a.turn, a.sketch, a.successor, a.likeness
  FROM anchor a WHERE a.tenant = $1`

/** Which rows a rule looks at. */
export interface RowsWanted {
  /** Memories with all that is known of them. */
  memories?: Iterable<string>
  /** Memories of which it counts only whose they are, and that they are there. */
  scopes?: Iterable<string>
  relationships?: readonly RelationshipKey[]
  /** Relationships with one of these as an end: all, explicit or discovered ones, or those that it found. */
  withEnd?: Iterable<string>
  explicitOf?: Iterable<string>
  discoveredOf?: Iterable<string>
  foundBy?: Iterable<string>
  reviews?: Iterable<string>
  reviewsWith?: Iterable<string>
  anchors?: Iterable<string>
  anchorsIn?: ReadonlyArray<{ root: string; path: string }>
  marks?: Iterable<string>
}

/** Reads rows and adds them to those that are there. One statement for each kind that is asked for, however many ids there are. */
export async function loadRows(
  tx: Transaction,
  tenants: readonly string[],
  wanted: RowsWanted,
  rows = new LoadedRows(),
): Promise<LoadedRows> {
  const { relationships = [], anchorsIn = [] } = wanted
  await loadMemories(tx, tenants, wanted, rows)
  const found = [
    ...(await readSides(tx, tenants, wanted.withEnd, { source: '', target: '' })),
    ...(await readSides(tx, tenants, wanted.explicitOf, both('AND r.found_by = 0'))),
    ...(await readSides(tx, tenants, wanted.discoveredOf, both('AND r.found_by <> 0'))),
    ...(await readSides(tx, tenants, wanted.foundBy, {
      source: 'AND r.found_by & 1 <> 0',
      target: 'AND r.found_by & 2 <> 0',
    })),
    ...(await readByKeys(tx, tenants, relationships)),
  ]
  rows.relationships.load(found.map((row) => noteTenant(rows, unpackRelationship(row), row)))
  const reviews = [
    ...(await readBy(tx, tenants, `${SELECT_REVIEW} AND id = ANY($2)`, wanted.reviews)),
    ...(await readBy(tx, tenants, `${SELECT_REVIEW} AND (first = ANY($2) OR second = ANY($2))`, wanted.reviewsWith)),
  ]
  rows.reviews.load(reviews.map((row) => noteReviewTenant(rows, unpackReview(row), row)))
  const anchors = [
    ...(await readBy(tx, tenants, `${SELECT_ANCHOR} AND a.id = ANY($2)`, wanted.anchors)),
    ...(await readAnchorsIn(tx, tenants, anchorsIn)),
  ]
  rows.anchors.load(anchors.map(unpackAnchor))
  const marks = 'SELECT id, mark FROM awaiting_link WHERE tenant = $1 AND id = ANY($2)'
  for (const { id, mark } of await readBy(tx, tenants, marks, wanted.marks)) rows.marks.set(String(id), Number(mark))
  return rows
}

async function loadMemories(
  tx: Transaction,
  tenants: readonly string[],
  { memories = [], scopes = [] }: RowsWanted,
  rows: LoadedRows,
): Promise<void> {
  const whole = [...new Set(memories)]
  for (const memory of whole.length > 0 ? await readLinkedMemories(tx, tenants, whole) : []) {
    rows.memories.set(memory.content.id, { scope: memory.content.scope, memory })
  }
  const rest = [...new Set(scopes)].filter((id) => !rows.memories.has(id))
  for (const [id, scope] of rest.length > 0 ? await readScopes(tx, tenants, rest) : []) {
    rows.memories.set(id, { scope })
  }
}

function both(condition: string): { source: string; target: string } {
  return { source: condition, target: condition }
}

/** By the index of each side. */
async function readSides(
  tx: Transaction,
  tenants: readonly string[],
  ids: Iterable<string> | undefined,
  conditions: { source: string; target: string },
): Promise<SqlRow[]> {
  const { source, target } = conditions
  const text = `${SELECT_RELATIONSHIP} WHERE ${OF_TENANT} AND r.source = ANY($2) ${source}
    UNION ALL ${SELECT_RELATIONSHIP} WHERE ${OF_TENANT} AND r.target = ANY($2) ${target}`
  return readBy(tx, tenants, text, ids)
}

async function readByKeys(
  tx: Transaction,
  tenants: readonly string[],
  keys: readonly RelationshipKey[],
): Promise<SqlRow[]> {
  if (keys.length === 0) return []
  return queryTenants(
    tx,
    tenants,
    `${SELECT_RELATIONSHIP} JOIN unnest($2::text[], $3::text[], $4::smallint[]) AS k (source, target, type)
       ON r.source = k.source AND r.target = k.target AND r.type = k.type WHERE ${OF_TENANT}`,
    [
      keys.map(({ sourceId }) => sourceId),
      keys.map(({ targetId }) => targetId),
      keys.map(({ relationshipType }) => numberOfType(relationshipType)),
    ],
  )
}

async function readAnchorsIn(
  tx: Transaction,
  tenants: readonly string[],
  documents: ReadonlyArray<{ root: string; path: string }>,
): Promise<SqlRow[]> {
  if (documents.length === 0) return []
  return queryTenants(
    tx,
    tenants,
    `${SELECT_ANCHOR} AND hashtextextended(a.path, 0) IN (SELECT hashtextextended(path, 0) FROM unnest($2::text[]) AS path)
       AND (a.path, a.root) IN (SELECT * FROM unnest($2::text[], $3::text[]))`,
    [documents.map(({ path }) => path), documents.map(({ root }) => root)],
  )
}

async function readBy(
  tx: Transaction,
  tenants: readonly string[],
  text: string,
  ids: Iterable<string> | undefined,
): Promise<SqlRow[]> {
  const list = [...new Set(ids ?? [])]
  return list.length === 0 ? [] : queryTenants(tx, tenants, text, [list])
}

function noteTenant(rows: LoadedRows, one: KeptRelationship, { tenant }: SqlRow): KeptRelationship {
  for (const id of [one.sourceId, one.targetId]) rows.tenants.set(id, String(tenant))
  return one
}

function noteReviewTenant(rows: LoadedRows, review: KeptReview, { tenant }: SqlRow): KeptReview {
  for (const id of [review.firstId, review.secondId]) rows.tenants.set(id, String(tenant))
  return review
}
