import type { MemoryState } from '../../model/memory.ts'
import { unpackDetail } from '../content-codec.ts'
import { packKind, packRoster, type RosterMember } from '../keyword-index/roster.ts'
import { firstOf } from '../keyword-index/roster-part.ts'
import type { SqlRow } from './database.ts'
import type { Transaction } from './postgres-connection.ts'

/** A part of the roster of a document. */
export interface RosterPart {
  document: number
  part: number
}

const SELECT_MEMBERS = `SELECT r.at, m.ordinal, m.length, m.detail, m.state, m.scope,
    (SELECT array_agg(DISTINCT t.occurred_ms ORDER BY t.occurred_ms) FROM place t
     WHERE t.tenant = $1 AND t.ordinal = m.ordinal AND t.occurred_ms IS NOT NULL) AS times
  FROM unnest($2::integer[], $3::integer[], $4::integer[]) WITH ORDINALITY AS r (document, start, stop, at)
  JOIN place p ON p.tenant = $1 AND p.document = r.document AND p.position >= r.start AND p.position < r.stop
  JOIN memory m ON m.tenant = $1 AND m.ordinal = p.ordinal AND m.document = p.document AND m.position = p.position
  ORDER BY r.at, p.position`
const UPSERT_PARTS = `INSERT INTO roster (tenant, document, part, changed, members)
  SELECT $1, u.document, u.part, $2, u.members FROM unnest($3::integer[], $4::integer[], $5::bytea[]) AS u (document, part, members)
  ON CONFLICT (tenant, document, part) DO UPDATE SET changed = excluded.changed, members = excluded.members`

/** Writes parts of rosters, so that all processes load them again. */
export async function writeRosterParts(
  tx: Transaction,
  { tenant, sequence }: { tenant: string; sequence: number },
  parts: ReadonlyArray<RosterPart & { roster: readonly RosterMember[] }>,
): Promise<void> {
  if (parts.length === 0) return
  await tx.run(UPSERT_PARTS, [
    tenant,
    sequence,
    parts.map(({ document }) => document),
    parts.map(({ part }) => part),
    parts.map(({ roster }) => packRoster(roster)),
  ])
}

/** Parts of rosters as the rows of their memories say it. */
export async function readRosterParts(
  tx: Transaction,
  tenant: string,
  parts: readonly RosterPart[],
): Promise<Array<RosterPart & { roster: RosterMember[] }>> {
  const found = parts.map((part) => ({ ...part, roster: [] as RosterMember[] }))
  if (parts.length === 0) return found
  const rows = await tx.query(SELECT_MEMBERS, [
    tenant,
    parts.map(({ document }) => document),
    parts.map(({ part }) => firstOf(part)),
    parts.map(({ part }) => firstOf(part + 1)),
  ])
  for (const row of rows) found[Number(row.at) - 1]?.roster.push(toMember(row))
  return found
}

/** Makes parts of rosters anew from the rows of their memories. */
export async function rewriteRosterParts(
  tx: Transaction,
  tenant: string,
  parts: readonly RosterPart[],
  sequence: number,
): Promise<void> {
  await writeRosterParts(tx, { tenant, sequence }, await readRosterParts(tx, tenant, parts))
}

function toMember({ ordinal, length, detail, state, scope, times }: SqlRow): RosterMember {
  return {
    ordinal: Number(ordinal),
    length: Number(length),
    kind: packKind({ ...unpackDetail(detail), state: String(state) as MemoryState }),
    scope: Number(scope),
    times: Array.isArray(times) ? times.map(Number) : [],
  }
}
