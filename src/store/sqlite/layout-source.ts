import type { LayoutSource, RosterChanges } from '../keyword-index/layout.ts'
import type { Connection } from './connection.ts'
import type { Scopes } from './scopes.ts'

/** Reads the rosters that changed; within a transaction. `mayUseKept`: begins with what an earlier process kept of them. */
export function createLayoutSource(
  connection: Connection,
  scopes: Scopes,
  { mayUseKept = false }: { mayUseKept?: boolean } = {},
): LayoutSource {
  return {
    getScope: (number) => scopes.get(number),
    readChanges: (after) => readChanges(connection, after),
    ...(mayUseKept && { readKept: () => readKeptLayout(connection) }),
  }
}

/** Of the same file as the rosters, so that copying it or putting an older one in its place changes both. */
function readKeptLayout(connection: Connection): Uint8Array | null {
  const kept = connection.sql("SELECT value FROM meta WHERE key = 'kept_layout'").get()?.value
  return kept instanceof Uint8Array ? kept : null
}

/** Within a write transaction. */
export function keepLayout(connection: Connection, packed: Uint8Array): void {
  connection.sql("INSERT OR REPLACE INTO meta (key, value) VALUES ('kept_layout', ?)").run(packed)
}

const ALL_PARTS = 'SELECT document, members FROM roster ORDER BY document, part'
const CHANGED_PARTS = `SELECT document, members FROM roster
  WHERE document IN (SELECT document FROM roster WHERE changed > ?) ORDER BY document, part`

function readChanges(connection: Connection, after: number): RosterChanges | null {
  const sequence = Number(connection.sql("SELECT value FROM meta WHERE key = 'sequence'").get()?.value)
  if (sequence === after) return null
  const documents: RosterChanges['documents'] = []
  const rows = after === -1 ? connection.rows(ALL_PARTS) : connection.rows(CHANGED_PARTS, after)
  for (const [document, members] of rows) {
    const last = documents.at(-1)
    if (last && last.document === document) last.parts.push(members as Uint8Array)
    else documents.push({ document: Number(document), parts: [members as Uint8Array] })
  }
  return { sequence, documents }
}
