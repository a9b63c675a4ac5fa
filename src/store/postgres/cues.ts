import { CUE_KINDS, type NotedCue } from '../../model/cue.ts'
import { CUE_VERSION } from '../../text/cues/cue-options.ts'
import { occurredMs } from '../canonical-place.ts'
import { type CueQuery, compareCues, dueMs, noteCues } from '../noted-cues.ts'
import type { ApplyFilter } from './apply-filter.ts'
import { describeTable, upsertRows } from './bulk-rows.ts'
import type { SqlParameter, SqlRow } from './database.ts'
import type { PostgresConnection, Transaction } from './postgres-connection.ts'
import { prepareTenants } from './prepare-tenants.ts'
import { SELECT_LINKED, toLinkedMemory } from './relationships/linked-memories.ts'

/** Memories whose cues are read anew in one go. */
const REBUILD_BATCH = 1000
const DEFAULT_ZONE = 'UTC'
/** Cues that are read beyond those asked for: some may be hidden, or of equal time with the last one. */
const SPARE = 8
/** So many times as many are read where too many were hidden. */
const GROWTH = 4
const CUE = describeTable(
  'cue',
  'tenant text, ordinal int, number int, kind smallint, due_ms float8, said_ms float8, detail text',
)

/** What memories say that matters between turns, by their ordinals. */
export interface CuesOfMemory {
  ordinal: number
  cues: readonly NotedCue[]
}

/** Writes what memories say at their canonical places, in place of what is noted of them. */
export async function writeCues(tx: Transaction, tenant: string, memories: readonly CuesOfMemory[]): Promise<void> {
  await dropCues(
    tx,
    tenant,
    memories.map(({ ordinal }) => ordinal),
  )
  const rows = memories.flatMap(({ ordinal, cues }) =>
    cues.map(({ kind, ...detail }, number) => [
      ...[tenant, ordinal, number, CUE_KINDS.indexOf(kind), dueMs(detail), occurredMs(detail), JSON.stringify(detail)],
    ]),
  )
  await upsertRows(tx, CUE, ['tenant', 'ordinal', 'number'], rows)
}

/** Forgets what is noted of memories that are not there any more. */
export async function dropCues(tx: Transaction, tenant: string, ordinals: readonly number[]): Promise<void> {
  if (ordinals.length > 0) await tx.run('DELETE FROM cue WHERE tenant = $1 AND ordinal = ANY($2)', [tenant, ordinals])
}

/** $1 tenant, $2 kinds, $3 how many of each at most, $4 of this time or later (null: any), and the range of $5 and $6. */
const SELECT_SAID = `SELECT k.kind AS kind, c.ordinal, c.number, c.said_ms AS ms, c.detail
  FROM unnest($2::smallint[]) AS k (kind) CROSS JOIN LATERAL (
    SELECT * FROM cue WHERE tenant = $1 AND kind = k.kind AND ($4::float8 IS NULL OR said_ms >= $4)
    ORDER BY said_ms DESC NULLS LAST LIMIT $3::int) c`
const SELECT_DUE = `SELECT k.kind AS kind, c.ordinal, c.number, c.due_ms AS ms, c.detail
  FROM unnest($2::smallint[]) AS k (kind) CROSS JOIN LATERAL (
    SELECT * FROM cue WHERE tenant = $1 AND kind = k.kind AND due_ms >= $5 AND due_ms < $6
      AND ($4::float8 IS NULL OR said_ms >= $4)
    ORDER BY due_ms LIMIT $3::int) c`

/** The cues that a query asks for; within a read transaction. Looks at those of the asked kinds and times alone. */
export async function listCues(tx: Transaction, applyFilter: ApplyFilter, query: CueQuery): Promise<NotedCue[]> {
  const { filter, due, saidFromMs = null, limit } = query
  if (limit <= 0) return []
  const allowed = await applyFilter(tx, filter)
  const found: SqlRow[] = []
  let open = [...new Set(query.kinds)].map((kind) => CUE_KINDS.indexOf(kind))
  for (let size = limit + SPARE; open.length > 0; size *= GROWTH) {
    const parameters: SqlParameter[] = [filter.viewer.tenant, open, size, saidFromMs]
    const rows = due
      ? await tx.query(SELECT_DUE, [...parameters, due.fromMs, due.toMs])
      : await tx.query(SELECT_SAID, parameters)
    open = open.filter((kind) => {
      const ofKind = rows.filter((row) => Number(row.kind) === kind)
      const shown = ofKind.filter(({ ordinal }) => allowed[Number(ordinal)] === 1)
      const last = shown[limit - 1]
      // Of those equal to the last one, ids decide: all of them are needed.
      const isSettled = ofKind.length < size || (last !== undefined && ofKind.at(-1)?.ms !== last.ms)
      if (isSettled) found.push(...shown)
      return !isSettled
    })
  }
  return found
    .sort((a, b) => Number(a.ordinal) - Number(b.ordinal) || Number(a.number) - Number(b.number))
    .map(toCue)
    .sort((a, b) => compareCues(a, b, due !== undefined))
    .slice(0, limit)
}

function toCue({ kind, detail }: SqlRow): NotedCue {
  // Safe because the column holds what writeCues put there.
  const rest = JSON.parse(String(detail)) as Omit<NotedCue, 'kind'>
  return { kind: CUE_KINDS[Number(kind)] ?? 'task', ...rest }
}

const SELECT_STALE = `SELECT t.tenant FROM tenant t LEFT JOIN cue_reading c ON c.tenant = t.tenant
  WHERE t.tenant = ANY($1) AND c.version IS DISTINCT FROM $2 ORDER BY t.tenant`
const SELECT_NEXT = `${SELECT_LINKED} AND m.ordinal > $2 ORDER BY m.ordinal LIMIT ${REBUILD_BATCH}`
const NOTE_VERSION = `INSERT INTO cue_reading (tenant, version) VALUES ($1, $2)
  ON CONFLICT (tenant) DO UPDATE SET version = excluded.version`

/** Reads the cues of all memories anew, where another version of this program noted them. */
export async function prepareCues(connection: PostgresConnection, timeZone = DEFAULT_ZONE): Promise<void> {
  await prepareTenants(connection, {
    selectStale: SELECT_STALE,
    version: CUE_VERSION,
    prepare: (tx, tenant) => rebuildCues(tx, tenant, timeZone),
  })
}

async function rebuildCues(tx: Transaction, tenant: string, timeZone: string): Promise<void> {
  await tx.run('DELETE FROM cue WHERE tenant = $1', [tenant])
  let after = 0
  for (let rows: SqlRow[] = []; ; ) {
    rows = await tx.query(SELECT_NEXT, [tenant, after])
    if (rows.length === 0) break
    after = Number(rows.at(-1)?.ordinal)
    await writeCues(
      tx,
      tenant,
      rows.map((row) => ({ ordinal: Number(row.ordinal), cues: noteCues(toLinkedMemory(row), timeZone) })),
    )
  }
  await tx.run(NOTE_VERSION, [tenant, CUE_VERSION])
}
