import type { MemoryState } from '../../model/memory.ts'
import type { Connection } from './connection.ts'
import { packKind, type RosterMember } from './roster.ts'
import { unpackDetail } from './rows.ts'

/** The roster of a document as its memories' rows say it. */
export function readRoster(connection: Connection, document: number): RosterMember[] {
  const rows = connection
    .sql(
      `SELECT m.ordinal, m.length, m.detail, m.state, m.scope FROM place p
       JOIN memory m ON m.ordinal = p.ordinal AND m.document = p.document AND m.position = p.position
       WHERE p.document = ? ORDER BY p.position`,
    )
    .all(document)
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
