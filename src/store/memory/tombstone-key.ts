import type { Tombstone } from '../memory-store.ts'

/** By what a tombstone is found: one of each kind, tenant and id or document. */
export function tombstoneKey(kind: Tombstone['kind'], tenant: string, key: string): string {
  return [kind, tenant, key].join('\0')
}
