import type { LayoutSource, RosterChanges } from '../keyword-index/layout.ts'
import type { Connection } from './connection.ts'
import type { Scopes } from './scopes.ts'

/** Reads the rosters that changed; within a transaction. */
export function createLayoutSource(connection: Connection, scopes: Scopes): LayoutSource {
  return {
    getScope: (number) => scopes.get(number),
    readChanges: (after) => readChanges(connection, after),
  }
}

function readChanges(connection: Connection, after: number): RosterChanges | null {
  const sequence = Number(connection.sql("SELECT value FROM meta WHERE key = 'sequence'").get()?.value)
  if (sequence === after) return null
  const changed = connection
    .sql('SELECT DISTINCT document FROM roster WHERE changed > ? ORDER BY document')
    .all(after)
    .map(({ document }) => Number(document))
  const parts = connection.sql('SELECT members FROM roster WHERE document = ? ORDER BY part')
  const documents = changed.map((document) => ({
    document,
    parts: parts.all(document).map(({ members }) => members as Uint8Array),
  }))
  return { sequence, documents }
}
