import type { Transaction } from './postgres-connection.ts'

/** Ids that are kept between calls: some 20 MB. */
const MAX_KEPT = 200_000

export type IdsOf = (ordinals: readonly number[]) => ReadonlyMap<number, string>

/** The ids of a tenant's memories by ordinal. An ordinal never comes back for another memory, so what was once read stays true. */
export class OrdinalIds {
  readonly #tenant: string
  readonly #ids = new Map<number, string>()

  constructor(tenant: string) {
    this.#tenant = tenant
  }

  /** Runs a computation that asks for ids; where it asks for some that are not known, they are read and it runs again. */
  async settle<T>(tx: Transaction, compute: (idsOf: IdsOf) => T): Promise<T> {
    this.#makeRoom()
    for (;;) {
      const missing = new Set<number>()
      const result = compute((ordinals) => {
        for (const ordinal of ordinals) if (!this.#ids.has(ordinal)) missing.add(ordinal)
        return this.#ids
      })
      if (missing.size === 0) return result
      await this.#load(tx, [...missing])
    }
  }

  /** The ids of these ordinals; what is not there has none. */
  async read(tx: Transaction, ordinals: readonly number[]): Promise<ReadonlyMap<number, string>> {
    this.#makeRoom()
    const missing = ordinals.filter((ordinal) => !this.#ids.has(ordinal))
    if (missing.length > 0) await this.#load(tx, missing)
    return new Map(ordinals.map((ordinal) => [ordinal, this.#ids.get(ordinal) ?? '']))
  }

  async ordinalsOf(tx: Transaction, ids: readonly string[]): Promise<Map<string, number>> {
    const rows = await tx.query('SELECT id, ordinal FROM memory WHERE tenant = $1 AND id = ANY($2::text[])', [
      this.#tenant,
      [...new Set(ids)],
    ])
    return new Map(rows.map(({ id, ordinal }) => [String(id), Number(ordinal)]))
  }

  /** After a failover what was read may never have been. */
  forget(): void {
    this.#ids.clear()
  }

  #makeRoom(): void {
    if (this.#ids.size > MAX_KEPT) this.#ids.clear()
  }

  async #load(tx: Transaction, ordinals: readonly number[]): Promise<void> {
    const rows = await tx.query('SELECT ordinal, id FROM memory WHERE tenant = $1 AND ordinal = ANY($2::integer[])', [
      this.#tenant,
      ordinals,
    ])
    const found = new Map(rows.map(({ ordinal, id }) => [Number(ordinal), String(id)]))
    for (const ordinal of ordinals) this.#ids.set(ordinal, found.get(ordinal) ?? '')
  }
}
