import type { MemoryState } from '../../model/memory.ts'
import { unpackDetail } from '../content-codec.ts'
import { packKind, packRoster, type RosterMember } from '../keyword-index/roster.ts'
import { firstOf, partOf } from '../keyword-index/roster-part.ts'
import type { Connection } from './connection.ts'

/** Writes one part of a roster, so that all processes load it again. */
export function writeRosterPart(
  connection: Connection,
  given: { document: number; part: number; sequence: number; roster: readonly RosterMember[] },
): void {
  connection
    .sql('INSERT OR REPLACE INTO roster (document, part, changed, members) VALUES (?, ?, ?, ?)')
    .run(given.document, given.part, given.sequence, packRoster(given.roster))
}

/** Makes the roster of a document anew from its memories' rows. */
export function rewriteRoster(connection: Connection, document: number, sequence: number): void {
  connection.sql('DELETE FROM roster WHERE document = ?').run(document)
  const last = connection.sql('SELECT max(position) AS n FROM place WHERE document = ?').get(document)?.n
  for (let part = 0; part <= partOf(Number(last ?? 0)); part++) {
    writeRosterPart(connection, { document, part, sequence, roster: readRoster(connection, document, part) })
  }
}

/** One part of the roster of a document as its memories' rows say it. */
export function readRoster(connection: Connection, document: number, part: number): RosterMember[] {
  const rows = connection
    .sql(
      `SELECT m.ordinal, m.length, m.detail, m.state, m.scope FROM place p
       JOIN memory m ON m.ordinal = p.ordinal AND m.document = p.document AND m.position = p.position
       WHERE p.document = ? AND p.position >= ? AND p.position < ? ORDER BY p.position`,
    )
    .all(document, firstOf(part), firstOf(part + 1))
  const times = connection.sql(
    'SELECT DISTINCT occurred_ms FROM place WHERE ordinal = ? AND occurred_ms IS NOT NULL ORDER BY occurred_ms',
  )
  return rows.map((row) => ({
    ordinal: Number(row.ordinal),
    length: Number(row.length),
    kind: packKind({
      ...unpackDetail(row.detail),
      state: String(row.state) as MemoryState,
    }),
    scope: Number(row.scope),
    times: times.all(Number(row.ordinal)).map(({ occurred_ms: ms }) => Number(ms)),
  }))
}
