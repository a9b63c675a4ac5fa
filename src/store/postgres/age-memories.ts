import type { MemoryState } from '../../model/memory.ts'
import { DEFAULT_IMPORTANCE, ROSTER_PART_MEMORIES } from '../../options.ts'
import { AGING_BATCH_MEMORIES, FORGETTING, KIND_IMPORTANCE } from '../forgetting-options.ts'
import { packRoster, unpackRoster, withState } from '../keyword-index/roster.ts'
import { stateOf } from '../vital-signs.ts'
import { describeTable, upsertRows } from './bulk-rows.ts'
import type { PostgresConnection, Transaction } from './postgres-connection.ts'
import { countReferences, HALF_LIFE_MS, SELECT_FACTS, toFacts } from './vitals.ts'

/** Where a memory is so near to the age at which its state changes, the formula decides, not the query. */
const DOUBT_MS = 1000
const STALE_HALVES = -Math.log2(FORGETTING.staleBelow)
const ARCHIVED_HALVES = -Math.log2(FORGETTING.archivedBelow)
/** What says nothing of its importance matters too little by its kind alone: tool output, unless the numbers are set otherwise. */
const MAY_BE_ARCHIVED = Object.entries(KIND_IMPORTANCE).every(
  ([kind, importance]) => kind === 'tool' || importance >= FORGETTING.archivedImportance,
)
  ? `strpos(m.detail, '"role":"tool"') > 0`
  : 'true'
/**
 * Those of the ordinals from $2 to $3 whose state may be another one at the time $4: a few of many, which the columns tell. What was read,
 * what is archived, and what is old and may not matter has to be looked at; of the rest the age decides.
 */
const SELECT_DOUBTFUL = `${SELECT_FACTS} CROSS JOIN LATERAL (SELECT $4::float8 - p.occurred_ms AS age, ${HALF_LIFE_MS} AS half) h
  WHERE m.tenant = $1 AND m.ordinal > $2 AND m.ordinal <= $3 AND (a.count IS NOT NULL OR m.state = 'archived' OR CASE
    WHEN p.occurred_ms IS NULL THEN m.state <> 'active'
    WHEN h.age < ${STALE_HALVES} * h.half - ${DOUBT_MS} THEN m.state <> 'active'
    WHEN h.age < ${STALE_HALVES} * h.half + ${DOUBT_MS} THEN true
    WHEN h.age < ${ARCHIVED_HALVES} * h.half - ${DOUBT_MS} THEN m.state <> 'stale'
    ELSE m.state <> 'stale' OR m.importance < ${DEFAULT_IMPORTANCE} OR ${MAY_BE_ARCHIVED} END)
  ORDER BY m.ordinal`
const UPDATE_STATES = `UPDATE memory m SET state = c.state FROM unnest($2::int[], $3::text[]) AS c (ordinal, state)
  WHERE m.tenant = $1 AND m.ordinal = c.ordinal RETURNING m.ordinal, m.document, m.position, m.state`
const SELECT_ROSTERS = `SELECT r.document, r.part, r.members
  FROM roster r JOIN (SELECT DISTINCT * FROM unnest($2::int[], $3::int[])) AS k (document, part)
    ON r.document = k.document AND r.part = k.part WHERE r.tenant = $1`
const RAISE = 'UPDATE tenant SET sequence = sequence + 1, structure = sequence + 1 WHERE tenant = $1 RETURNING sequence'
const ROSTER = describeTable('roster', 'tenant text, document int, part int, changed bigint, members bytea')

export interface StateChange {
  ordinal: number
  state: MemoryState
}

/** MemoryStore.ageMemories: some at a time, so that others get their turn between them. */
export async function ageMemories(connection: PostgresConnection, at: Date): Promise<number> {
  const atMs = at.getTime()
  let changed = 0
  for (const tenant of connection.tenants) {
    for (let after: number | null = 0; after !== null; ) {
      const from: number = after
      const { changes, last } = await connection.read((tx) => findStateChanges(tx, tenant, { after: from, atMs }))
      if (changes.length > 0) {
        const write = (tx: Transaction): Promise<number> => writeStates(tx, tenant, changes)
        changed += await connection.write(write, { tenants: [tenant], isRepeatable: true })
      }
      after = last
    }
  }
  return changed
}

/** The memories after an ordinal whose state differs at a time, of AGING_BATCH_MEMORIES ordinals. */
async function findStateChanges(
  tx: Transaction,
  tenant: string,
  { after, atMs }: { after: number; atMs: number },
): Promise<{ changes: StateChange[]; last: number | null }> {
  const until = after + AGING_BATCH_MEMORIES
  const rows = (await tx.query(SELECT_DOUBTFUL, [tenant, after, until, atMs])).map((row) => ({
    ...{ ordinal: Number(row.ordinal), id: String(row.id), before: String(row.state) },
    facts: toFacts(row),
  }))
  // References matter only to what would be archived.
  const doubtful = rows.filter(({ facts }) => stateOf(facts, atMs) === 'archived').map(({ id }) => id)
  const incoming = await countReferences(tx, tenant, doubtful)
  const changes = rows.flatMap(({ ordinal, id, before, facts }) => {
    const state = stateOf({ ...facts, incoming: incoming.get(id) ?? 0 }, atMs)
    return state === before ? [] : [{ ordinal, state }]
  })
  const [highest] = await tx.query('SELECT max(ordinal) AS last FROM memory WHERE tenant = $1', [tenant])
  return { changes, last: until < Number(highest?.last ?? 0) ? until : null }
}

/** Writes states, and the rosters by which all processes learn of them. Returns how many were still there. */
export async function writeStates(tx: Transaction, tenant: string, changes: readonly StateChange[]): Promise<number> {
  const rows = await tx.query(UPDATE_STATES, [
    ...[tenant, changes.map(({ ordinal }) => ordinal), changes.map(({ state }) => state)],
  ])
  if (rows.length === 0) return 0
  const states = new Map(rows.map(({ ordinal, state }) => [Number(ordinal), String(state) as MemoryState]))
  const [raised] = await tx.query(RAISE, [tenant])
  const rosters = await tx.query(SELECT_ROSTERS, [
    ...[tenant, rows.map(({ document }) => Number(document))],
    rows.map(({ position }) => Math.floor(Number(position) / ROSTER_PART_MEMORIES)),
  ])
  await upsertRows(
    tx,
    ROSTER,
    ['tenant', 'document', 'part'],
    rosters.map(({ document, part, members }) => {
      const roster = unpackRoster(members as Uint8Array).map((member) => {
        const state = states.get(member.ordinal)
        return state ? { ...member, kind: withState(member.kind, state) } : member
      })
      return [tenant, Number(document), Number(part), Number(raised?.sequence), packRoster(roster)]
    }),
  )
  return rows.length
}
