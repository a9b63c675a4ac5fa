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

/**
 * In the file of the rosters, so that copying it or putting an older one in its place changes both. The table is there since something
 * was kept: it can be made again at any time, and no store has to be upgraded for it.
 */
const KEPT_TABLE = 'CREATE TABLE IF NOT EXISTS kept_layout (id INTEGER PRIMARY KEY CHECK (id = 1), data BLOB NOT NULL)'

function readKeptLayout(connection: Connection): Uint8Array | null {
  const kept = hasKept(connection) && connection.sql('SELECT data FROM kept_layout').get()?.data
  return kept instanceof Uint8Array ? kept : null
}

function hasKept(connection: Connection): boolean {
  return connection.sql("SELECT 1 FROM sqlite_master WHERE name = 'kept_layout'").get() !== undefined
}

/** Takes away what was kept, which tells when forgotten memories were and how long; within a write transaction. */
export function dropKeptLayout(connection: Connection): void {
  if (hasKept(connection)) connection.exec('DELETE FROM kept_layout')
}

/** Within a write transaction. */
export function keepLayout(connection: Connection, packed: Uint8Array): void {
  connection.exec(KEPT_TABLE)
  connection.sql('INSERT OR REPLACE INTO kept_layout (id, data) VALUES (1, ?)').run(packed)
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
