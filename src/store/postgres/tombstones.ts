import { sha256 } from '../../text/hash.ts'
import { compareText } from '../canonical-place.ts'
import type { Tombstone } from '../memory-store.ts'
import type { Transaction } from './postgres-connection.ts'

/** `key` is a memory's id (`root` is empty then), or a document's path under `root`. */
export interface Buried {
  kind: Tombstone['kind']
  root: string
  key: string
}

/** What of a tenant was forgotten. */
export class Graves {
  readonly #found: ReadonlySet<string>

  constructor(found: ReadonlySet<string>) {
    this.#found = found
  }

  has(buried: Buried): boolean {
    return this.#found.has(graveKey(buried))
  }
}

function graveKey({ kind, root, key }: Buried): string {
  return [kind, root, key].join('\0')
}

/** By what a tombstone is looked up. */
export function hashOf({ root, key }: Buried): string {
  return sha256(root, key)
}

/** Looks which of these were forgotten. */
export async function findGraves(tx: Transaction, tenant: string, buried: readonly Buried[]): Promise<Graves> {
  const rows = await tx.query(
    'SELECT kind, root, key FROM tombstone WHERE tenant = $1 AND name_hash = ANY($2::text[])',
    [tenant, [...new Set(buried.map(hashOf))]],
  )
  return new Graves(
    new Set(
      rows.map(({ kind, root, key }) =>
        graveKey({ kind: kind === 'document' ? 'document' : 'memory', root: String(root), key: String(key) }),
      ),
    ),
  )
}

export async function bury(tx: Transaction, tenant: string, buried: readonly Buried[], now: Date): Promise<void> {
  if (buried.length === 0) return
  await tx.run(
    `INSERT INTO tombstone (tenant, kind, root, key, name_hash, forgotten_at)
     SELECT $1, u.*, $6 FROM unnest($2::text[], $3::text[], $4::text[], $5::text[]) AS u
     ON CONFLICT (tenant, kind, name_hash) DO UPDATE SET forgotten_at = excluded.forgotten_at`,
    [
      tenant,
      buried.map(({ kind }) => kind),
      buried.map(({ root }) => root),
      buried.map(({ key }) => key),
      buried.map(hashOf),
      now.toISOString(),
    ],
  )
}

/** Lets a memory of this id be remembered again. */
export async function unearth(tx: Transaction, tenant: string, id: string): Promise<void> {
  await tx.run("DELETE FROM tombstone WHERE tenant = $1 AND kind = 'memory' AND name_hash = $2", [
    tenant,
    hashOf({ kind: 'memory', root: '', key: id }),
  ])
}

export async function listTombstones(tx: Transaction, tenants: readonly string[]): Promise<Tombstone[]> {
  const rows = await tx.query(
    'SELECT kind, tenant, root, key, forgotten_at FROM tombstone WHERE tenant = ANY($1::text[])',
    [tenants],
  )
  return rows
    .map(
      ({ kind, tenant, root, key, forgotten_at: forgottenAt }): Tombstone => ({
        kind: kind === 'document' ? 'document' : 'memory',
        tenant: String(tenant),
        key: kind === 'document' ? `${root}\0${key}` : String(key),
        forgottenAt: String(forgottenAt),
      }),
    )
    .sort((a, b) => compareText(a.kind, b.kind) || compareText(a.tenant, b.tenant) || compareText(a.key, b.key))
}
