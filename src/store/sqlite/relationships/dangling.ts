import type { MissingEnd } from '../../../model/relationship.ts'
import type { Viewer } from '../../../model/search.ts'
import type { RelationshipTotals } from '../../relationship-store.ts'
import { compareStrength } from '../../relationships/canonical.ts'
import type { KeptRelationship } from '../../relationships/kept.ts'
import { mayHaveSeen } from '../../relationships/may-have-seen.ts'
import { unpackRelationship } from '../../relationships/packed-rows.ts'
import { toMissing } from '../../relationships/to-relationship.ts'
import type { Connection } from '../connection.ts'
import type { Names } from '../rows.ts'
import { SqliteRows } from './sqlite-rows.ts'

/** Explicit relationships with an end that is not there; append to a selection of columns. */
const FROM_DANGLING = `FROM relationship r INDEXED BY relationship_explicit
  CROSS JOIN node s ON s.number = r.source CROSS JOIN node t ON t.number = r.target
  LEFT JOIN memory ms ON ms.id = s.id LEFT JOIN memory mt ON mt.id = t.id
  WHERE r.found_by = 0 AND (ms.ordinal IS NULL OR mt.ordinal IS NULL)`

/** Those that the viewer may know of, strongest first; within a read transaction. */
export function listDangling(
  { connection, names }: { connection: Connection; names: Names },
  viewer: Viewer,
): Array<{ kept: KeptRelationship; missing: MissingEnd[] }> {
  const rows = new SqliteRows({ connection, names })
  return connection
    .sql(
      `SELECT s.id AS source_id, t.id AS target_id, r.type, r.score, r.found_by, r.created_ms, r.updated_ms, r.detail,
         ms.scope AS source_scope, mt.scope AS target_scope ${FROM_DANGLING}`,
    )
    .all()
    .map((row) => {
      const kept = unpackRelationship(row)
      const ends = [
        { id: kept.sourceId, scope: row.source_scope, anchor: rows.anchor(kept.sourceId) },
        { id: kept.targetId, scope: row.target_scope, anchor: rows.anchor(kept.targetId) },
      ]
      return { kept, ends }
    })
    .filter(({ ends }) =>
      ends.every(({ scope, anchor }) =>
        mayHaveSeen(viewer, scope === null ? anchor?.scope : names.scopes.get(Number(scope))),
      ),
    )
    .sort((a, b) => compareStrength(a.kept, b.kept))
    .map(({ kept, ends }) => ({
      kept,
      missing: ends.filter(({ scope }) => scope === null).map(({ id, anchor }) => toMissing(id, anchor)),
    }))
}

/** RelationshipStore.totals. */
export function countTotals(connection: Connection): RelationshipTotals {
  const count = (sql: string): number => Number(connection.sql(`SELECT count(*) AS n ${sql}`).get()?.n)
  const explicit = count('FROM relationship INDEXED BY relationship_explicit WHERE found_by = 0')
  const countReviews = (status: string): number => count(`FROM review WHERE status = '${status}'`)
  return {
    explicit,
    discovered: count('FROM relationship') - explicit,
    dangling: count(FROM_DANGLING),
    awaiting: count('FROM awaiting_link'),
    reviews: {
      open: countReviews('open'),
      confirmed: countReviews('confirmed'),
      dismissed: countReviews('dismissed'),
    },
  }
}
