import type { Transaction } from '../postgres-connection.ts'
import type { TenantIndex } from '../tenant-index.ts'
import { type FoundVectors, TenantVectors, type VectorSearch } from './tenant-vectors.ts'

/** What a process keeps of the vectors of each tenant, beside the tenant's index and as long as that. */
export class PostgresVectors {
  readonly #options: { noNative: boolean }
  readonly #byIndex = new WeakMap<TenantIndex, TenantVectors>()

  constructor(options: { noNative: boolean }) {
    this.#options = options
  }

  of(index: TenantIndex): TenantVectors {
    const known = this.#byIndex.get(index)
    if (known) return known
    const vectors = new TenantVectors(index, this.#options)
    this.#byIndex.set(index, vectors)
    return vectors
  }

  search(tx: Transaction, { index, ...search }: VectorSearch & { index: TenantIndex }): Promise<FoundVectors | null> {
    return this.of(index).search(tx, search)
  }

  countPending(
    tx: Transaction,
    { index, identity, allowed }: { index: TenantIndex; identity: string; allowed: Uint8Array },
  ): Promise<number> {
    return this.of(index).countPending(tx, identity, allowed)
  }
}
