import { addRelationshipRows, type RelationshipRowRecord } from '../archive/add-relationship-rows.ts'
import type { AccessRecord, RowRecord, StateRecord, StatusRecord, TombstoneRecord } from '../archive/archive-record.ts'
import { writeStates } from './age-memories.ts'
import type { Transaction } from './postgres-connection.ts'
import { queryTenants, runTenants } from './query-tenants.ts'
import { loadRows } from './relationships/load-rows.ts'
import { saveRows } from './relationships/save-rows.ts'
import { hashOf } from './tombstones.ts'

type Tenants = readonly string[]

const SELECT_MEMORIES = 'SELECT tenant, id, ordinal, state FROM memory WHERE tenant = $1 AND id = ANY($2)'
/** Of a memory that is not there it is the first tenant who read it. */
const ADD_ACCESSES = `INSERT INTO access (tenant, id, count, last)
  SELECT coalesce(m.tenant, ($1::text[])[1]), a.id, a.count, a.last FROM unnest($2::text[], $3::int[], $4::text[]) AS a (id, count, last)
  LEFT JOIN memory m ON m.tenant = ANY($1::text[]) AND m.id = a.id ON CONFLICT DO NOTHING`
const ADD_TOMBSTONES = `INSERT INTO tombstone (tenant, kind, root, key, name_hash, forgotten_at)
  SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[]) ON CONFLICT DO NOTHING`
const ADD_STATES = `INSERT INTO state (tenant, key, value)
  SELECT $1, * FROM unnest($2::text[], $3::text[]) ON CONFLICT DO NOTHING`

/** Adds records of an archive that are not there yet, within a transaction. Returns how many. */
export async function addArchiveRows(
  tx: Transaction,
  tenants: Tenants,
  records: readonly RowRecord[],
): Promise<number> {
  const ofParts = <Part extends RowRecord['part']>(...parts: Part[]): Array<Extract<RowRecord, { part: Part }>> =>
    records.filter((one): one is Extract<RowRecord, { part: Part }> => (parts as string[]).includes(one.part))
  const added = [
    await addRelationships(tx, tenants, ofParts('relationship', 'review', 'anchor')),
    await addStatus(tx, tenants, ofParts('status')),
    await addAccesses(tx, tenants, ofParts('access')),
    await addTombstones(tx, ofParts('tombstone')),
    await addStates(tx, tenants, ofParts('state')),
  ]
  return added.reduce((sum, count) => sum + count, 0)
}

async function addRelationships(
  tx: Transaction,
  tenants: Tenants,
  records: readonly RelationshipRowRecord[],
): Promise<number> {
  if (records.length === 0) return 0
  const pairs = records.flatMap((one) => {
    if (one.part === 'relationship') return [one.sourceId, one.targetId]
    return one.part === 'review' ? [one.firstId, one.secondId] : [one.id]
  })
  const reviews = records.flatMap((one) => (one.part === 'review' ? one : []))
  const rows = await loadRows(tx, tenants, {
    scopes: pairs,
    anchors: pairs,
    relationships: records.flatMap((one) => (one.part === 'relationship' ? one : [])),
    reviews: reviews.map(({ id }) => id),
    reviewsWith: reviews.flatMap(({ firstId, secondId }) => [firstId, secondId]),
  })
  const added = addRelationshipRows(rows, records)
  await saveRows(tx, tenants, rows)
  return added
}

async function addStatus(tx: Transaction, tenants: Tenants, records: readonly StatusRecord[]): Promise<number> {
  if (records.length === 0) return 0
  const given = new Map(records.map((record) => [record.id, record]))
  const known = await queryTenants(tx, tenants, SELECT_MEMORIES, [[...given.keys()]])
  for (const tenant of tenants) {
    const changes = known.flatMap((row) => {
      const state = given.get(String(row.id))?.state
      const isChange = row.tenant === tenant && state !== undefined && row.state === 'active' && state !== 'active'
      return isChange ? [{ ordinal: Number(row.ordinal), state }] : []
    })
    if (changes.length > 0) await writeStates(tx, tenant, changes)
  }
  const linked = records.filter(({ isLinked }) => isLinked).map(({ id }) => id)
  await runTenants(tx, tenants, 'DELETE FROM awaiting_link WHERE tenant = $1 AND id = ANY($2)', [linked])
  return known.length
}

async function addAccesses(tx: Transaction, tenants: Tenants, records: readonly AccessRecord[]): Promise<number> {
  if (records.length === 0) return 0
  return tx.run(ADD_ACCESSES, [
    tenants,
    records.map(({ id }) => id),
    records.map(({ count }) => count),
    records.map(({ last }) => last),
  ])
}

async function addTombstones(tx: Transaction, records: readonly TombstoneRecord[]): Promise<number> {
  if (records.length === 0) return 0
  const rows = records.map(({ kind, tenant, key: whole, forgottenAt }) => {
    const [root = '', key = ''] = kind === 'document' ? whole.split('\0') : ['', whole]
    return { tenant, kind, root, key, hash: hashOf({ kind, root, key }), forgottenAt }
  })
  return tx.run(ADD_TOMBSTONES, [
    rows.map(({ tenant }) => tenant),
    rows.map(({ kind }) => kind),
    rows.map(({ root }) => root),
    rows.map(({ key }) => key),
    rows.map(({ hash }) => hash),
    rows.map(({ forgottenAt }) => forgottenAt),
  ])
}

async function addStates(tx: Transaction, tenants: Tenants, records: readonly StateRecord[]): Promise<number> {
  if (records.length === 0) return 0
  return tx.run(ADD_STATES, [tenants[0] ?? '', records.map(({ key }) => key), records.map(({ value }) => value)])
}
