import { formatHeader, type MemoryState, type Role } from '../../model/memory.ts'
import { RELATIONSHIP_TYPES } from '../../model/relationship.ts'
import { DEFAULT_IMPORTANCE } from '../../options.ts'
import { compareText } from '../canonical-place.ts'
import { unpackDetail } from '../content-codec.ts'
import { FORGETTING, KIND_IMPORTANCE } from '../forgetting-options.ts'
import { importanceOf, lossOf, strengthOf, type Vital, type VitalFacts, type VitalQuery } from '../vital-signs.ts'
import type { ApplyFilter } from './apply-filter.ts'
import type { SqlRow } from './database.ts'
import type { Transaction } from './postgres-connection.ts'

const DAY_MS = 86_400_000
const REFERENCES = RELATIONSHIP_TYPES.indexOf('references')
/** Of so many times the asked for it is known how many memories refer to them, which may change their order. */
const SPARE = 2
/** Half-lives beyond which nothing is left that a number could tell from 0. */
const MAX_HALVES = 900

const FACTS = `m.ordinal, m.id, m.importance, m.state, m.detail, d.path, p.occurred_ms, a.count, a.last,
    length(m.text) AS size`
const JOIN_FACTS = `JOIN place p ON p.tenant = m.tenant AND p.document = m.document AND p.position = m.position
  JOIN document d ON d.tenant = m.tenant AND d.number = m.document
  LEFT JOIN access a ON a.tenant = m.tenant AND a.id = m.id`
/** What state and importance follow from. Append joins and conditions. */
export const SELECT_FACTS = `SELECT ${FACTS} FROM memory m ${JOIN_FACTS}`
export const TIER_LETTER = `substr(m.detail, strpos(m.detail, '"tier":"') + 8, 1)`
const { episodic, semantic, procedural } = FORGETTING.halfLifeDays
/** Half-life of a memory's tier, ms. */
export const HALF_LIFE_MS = `(CASE ${TIER_LETTER} WHEN 'e' THEN ${episodic * DAY_MS} WHEN 's' THEN ${semantic * DAY_MS} ELSE ${procedural * DAY_MS} END)::float8`
/** As importanceOf of vital-signs.ts reckons what says nothing of itself. */
const BASE = `(CASE WHEN strpos(m.detail, '"role":"tool"') > 0 THEN ${KIND_IMPORTANCE.tool}
  WHEN starts_with(m.detail, '{"category":"sessions"') THEN ${KIND_IMPORTANCE.talk}
  WHEN starts_with(d.path, 'remembered/') THEN ${KIND_IMPORTANCE.remembered}
  WHEN ${TIER_LETTER} = 'e' THEN ${KIND_IMPORTANCE.daily}
  WHEN d.path COLLATE "C" ~ '^([A-Z]+|BOOT[A-Za-z0-9_]*)[.]md$' THEN ${KIND_IMPORTANCE.core} ELSE ${KIND_IMPORTANCE.topic} END)::float8`
const leftOf = (since: string): string =>
  `power(2::float8, -least(${MAX_HALVES}, greatest(0, $2::float8 - (${since})) / f.half))`
/**
 * Those of the ordinals in $3 of which most is lost at the time $2, as lossOf reckons it without references, and of a stated importance of
 * $4 at least. It only chooses: what comes of it is reckoned anew by the one formula.
 */
const SELECT_MOST_LOST = `SELECT f.* FROM (
    SELECT ${FACTS}, ${BASE} AS base, ${HALF_LIFE_MS} AS half
    FROM unnest($3::int[]) AS shown (ordinal) JOIN memory m ON m.tenant = $1 AND m.ordinal = shown.ordinal ${JOIN_FACTS}
    WHERE m.importance >= $4) f
  CROSS JOIN LATERAL (SELECT
    CASE WHEN f.importance >= ${DEFAULT_IMPORTANCE} THEN f.base + (1 - f.base) * (f.importance - ${DEFAULT_IMPORTANCE}) / ${1 - DEFAULT_IMPORTANCE}
      ELSE f.base * f.importance / ${DEFAULT_IMPORTANCE} END AS importance,
    CASE WHEN f.occurred_ms IS NULL THEN 1 ELSE greatest(${leftOf('f.occurred_ms')},
      coalesce(f.count / (f.count + ${FORGETTING.accessHalf}::float8) * ${leftOf('extract(epoch FROM f.last::timestamptz)::float8 * 1000')}, 0)) END AS strength) l
  ORDER BY least(1, greatest(0, l.importance)) * (1 - l.strength) DESC, f.id COLLATE "C" LIMIT $5::int`

/** The memories of which most is lost by how much they matter; within a read transaction. */
export async function listVitals(tx: Transaction, applyFilter: ApplyFilter, query: VitalQuery): Promise<Vital[]> {
  const { filter, at, statedFrom = 0, limit } = query
  const { tenant } = filter.viewer
  const atMs = at.getTime()
  const allowed = await applyFilter(tx, filter)
  const shown = [...allowed.keys()].filter((ordinal) => allowed[ordinal] === 1)
  const rows = await tx.query(SELECT_MOST_LOST, [tenant, atMs, shown, statedFrom, SPARE * limit])
  const incoming = await countReferences(
    tx,
    tenant,
    rows.map(({ id }) => String(id)),
  )
  return rows
    .map((row) => toVital(row, incoming.get(String(row.id)) ?? 0, atMs))
    .sort((a, b) => lossOf(b) - lossOf(a) || compareText(a.id, b.id))
    .slice(0, limit)
}

/** How many memories refer to each of these. */
export async function countReferences(
  tx: Transaction,
  tenant: string,
  ids: readonly string[],
): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map()
  const sql = `SELECT target, count(*) AS incoming FROM relationship
    WHERE tenant = $1 AND target = ANY($2) AND type = $3 GROUP BY target`
  const counted = await tx.query(sql, [tenant, ids, REFERENCES])
  return new Map(counted.map(({ target, incoming }) => [String(target), Number(incoming)]))
}

/** `row`: the columns of SELECT_FACTS. */
export function toFacts({ detail, importance, path, occurred_ms: occurred, count, last }: SqlRow): VitalFacts {
  const { category, tier, role } = unpackDetail(detail)
  return {
    ...{ category, tier, importance: Number(importance), path: String(path), incoming: 0 },
    ...(role !== undefined && { role: role as Role }),
    occurredMs: occurred === null ? null : Number(occurred),
    accessCount: Number(count ?? 0),
    lastAccessMs: typeof last === 'string' ? Date.parse(last) : null,
  }
}

function toVital(row: SqlRow, incoming: number, atMs: number): Vital {
  const facts = { ...toFacts(row), incoming }
  const { path, category, tier, accessCount, occurredMs } = facts
  return {
    ...{ id: String(row.id), path, category, tier, accessCount, incoming, size: Number(row.size) },
    state: String(row.state) as MemoryState,
    header: formatHeader(unpackDetail(row.detail).headerPath),
    importance: importanceOf(facts),
    strength: strengthOf(facts, atMs),
    ...(occurredMs !== null && { occurredAt: new Date(occurredMs).toISOString() }),
    ...(typeof row.last === 'string' && { lastAccess: row.last }),
  }
}
