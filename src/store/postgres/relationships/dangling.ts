import type { DanglingRelationship } from '../../../model/relationship.ts'
import type { Viewer } from '../../../model/search.ts'
import type { RelationshipTotals } from '../../relationship-store.ts'
import { compareStrength } from '../../relationships/canonical.ts'
import { mayHaveSeen } from '../../relationships/may-have-seen.ts'
import { unpackRelationship } from '../../relationships/packed-rows.ts'
import { toMissing, toRelationship } from '../../relationships/to-relationship.ts'
import type { Transaction } from '../postgres-connection.ts'
import { queryTenants } from '../query-tenants.ts'
import { loadRows, SELECT_RELATIONSHIP } from './load-rows.ts'

/** Explicit relationships with an end that is not there. Append to a selection of `r`. */
const DANGLE = `WHERE r.tenant = $1 AND r.found_by = 0 AND (
    NOT EXISTS (SELECT 1 FROM memory m WHERE m.tenant = r.tenant AND m.id = r.source)
    OR NOT EXISTS (SELECT 1 FROM memory m WHERE m.tenant = r.tenant AND m.id = r.target))`

/** Those that the viewer may know of, strongest first; within a read transaction. */
export async function listDangling(tx: Transaction, viewer: Viewer): Promise<DanglingRelationship[]> {
  const tenants = [viewer.tenant]
  const found = (await queryTenants(tx, tenants, `${SELECT_RELATIONSHIP} ${DANGLE}`)).map(unpackRelationship)
  const ends = found.flatMap(({ sourceId, targetId }) => [sourceId, targetId])
  const rows = await loadRows(tx, tenants, { scopes: ends, anchors: ends })
  return found
    .filter((one) =>
      [one.sourceId, one.targetId].every((id) => mayHaveSeen(viewer, rows.scopeOf(id) ?? rows.anchor(id)?.scope)),
    )
    .sort(compareStrength)
    .map((one) => ({
      relationship: toRelationship(one, () => undefined),
      missing: [one.sourceId, one.targetId]
        .filter((id) => !rows.scopeOf(id))
        .map((id) => toMissing(id, rows.anchor(id))),
    }))
}

/** RelationshipStore.totals. */
export async function countTotals(tx: Transaction, tenants: readonly string[]): Promise<RelationshipTotals> {
  const counted = await queryTenants(
    tx,
    tenants,
    `SELECT (SELECT count(*) FROM relationship WHERE tenant = $1) AS known,
       (SELECT count(*) FROM relationship WHERE tenant = $1 AND found_by = 0) AS explicit,
       (SELECT count(*) FROM relationship r ${DANGLE}) AS dangling,
       (SELECT count(*) FROM awaiting_link WHERE tenant = $1) AS awaiting`,
  )
  const sum = (name: string): number => counted.reduce((total, row) => total + Number(row[name]), 0)
  const reviews = { open: 0, confirmed: 0, dismissed: 0 }
  const sql = 'SELECT status, count(*) AS n FROM review WHERE tenant = $1 GROUP BY status'
  for (const { status, n } of await queryTenants(tx, tenants, sql)) {
    reviews[status as keyof typeof reviews] += Number(n)
  }
  const explicit = sum('explicit')
  return {
    explicit,
    discovered: sum('known') - explicit,
    dangling: sum('dangling'),
    awaiting: sum('awaiting'),
    reviews,
  }
}
