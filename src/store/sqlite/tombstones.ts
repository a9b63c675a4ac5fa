import type { Tombstone } from '../memory-store.ts'
import type { Connection } from './connection.ts'

/** `key` is a memory's id, or a document's path under `root`. */
export interface Buried {
  kind: Tombstone['kind']
  tenant: string
  root: string
  key: string
}

export function tombstoneKey({ kind, tenant, root, key }: Buried): string {
  return [kind, tenant, root, key].join('\0')
}

/** All that was forgotten, by tombstoneKey: far less than a store holds, and asked for with every memory that is written. */
export function readTombstones(connection: Connection): Set<string> {
  const rows = connection.sql('SELECT kind, tenant, root, key FROM tombstone').all()
  // Safe because the columns hold what was a Buried when it was written.
  return new Set(rows.map((row) => tombstoneKey(row as unknown as Buried)))
}

export function listTombstones(connection: Connection): Tombstone[] {
  const rows = connection.sql('SELECT * FROM tombstone ORDER BY kind, tenant, root, key').all()
  return rows.map((row) => ({
    kind: row.kind === 'document' ? 'document' : 'memory',
    tenant: String(row.tenant),
    key: row.kind === 'document' ? `${row.root}\0${row.key}` : String(row.key),
    forgottenAt: String(row.forgotten_at),
  }))
}
