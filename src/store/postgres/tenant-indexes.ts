import type { PostgresConnection, Transaction } from './postgres-connection.ts'
import { TenantIndex } from './tenant-index.ts'

/** The indexes of the tenants that a store is opened for; each is used by one call at a time, in the order of the calls. */
export class TenantIndexes {
  readonly #tenants: readonly string[]
  readonly #indexes = new Map<string, TenantIndex>()
  readonly #turns = new Map<string, Promise<unknown>>()
  #generation = 0

  constructor(connection: PostgresConnection) {
    this.#tenants = connection.tenants
    connection.onLost(() => this.#forget())
  }

  /** Raised whenever all that is kept has been given up, so that what others keep by ordinals goes too. */
  get generation(): number {
    return this.#generation
  }

  /**
   * Runs `body` with the index of a tenant, brought to the state that the transaction sees and left alone until `body` has ended. To
   * be called before the transaction reads anything else: what it sees is fixed with its first statement.
   */
  use<T>(tx: Transaction, tenant: string, body: (index: TenantIndex) => T | Promise<T>): Promise<T> {
    const before = this.#turns.get(tenant) ?? Promise.resolve()
    const turn = before.then(async () => {
      const index = this.#find(tenant)
      await index.refresh(tx)
      return body(index)
    })
    // Whoever comes next waits for this one, however it ends.
    const ended = turn.then(
      () => undefined,
      () => undefined,
    )
    this.#turns.set(tenant, ended)
    return turn
  }

  #find(tenant: string): TenantIndex {
    const known = this.#indexes.get(tenant)
    if (known) return known
    const index = new TenantIndex(tenant)
    // Of a tenant that the store is not opened for there is nothing to see, and nothing to keep.
    if (this.#tenants.includes(tenant)) this.#indexes.set(tenant, index)
    return index
  }

  #forget(): void {
    this.#indexes.clear()
    this.#generation += 1
  }
}
