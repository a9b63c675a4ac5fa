import type { Scope, Visibility } from '../../model/memory.ts'
import type { SqlRow } from './database.ts'
import type { Transaction } from './postgres-connection.ts'

/** The scopes of one tenant under their numbers. Numbers are never used again, so what was read once stays true. */
export class ScopeNumbers {
  readonly #tenant: string
  readonly #byNumber = new Map<number, Scope>()
  #last = 0

  constructor(tenant: string) {
    this.#tenant = tenant
  }

  /** Learns the scopes that are new. */
  async refresh(tx: Transaction): Promise<void> {
    const rows = await tx.query(
      'SELECT number, agent, project, visibility FROM scope WHERE tenant = $1 AND number > $2 ORDER BY number',
      [this.#tenant, this.#last],
    )
    for (const row of rows) {
      this.#last = Number(row.number)
      this.#byNumber.set(this.#last, this.#toScope(row))
    }
  }

  /** All that are known. */
  numbers(): number[] {
    return [...this.#byNumber.keys()]
  }

  /** The scope of a number that a row of the store names. */
  get(number: number): Scope {
    const known = this.#byNumber.get(number)
    if (!known)
      throw new Error(`Cannot read scope ${number} of tenant "${this.#tenant}": a row names it and it is not there`)
    return known
  }

  #toScope({ agent, project, visibility }: SqlRow): Scope {
    return {
      tenant: this.#tenant,
      agent: String(agent),
      project: String(project),
      visibility: String(visibility) as Visibility,
    }
  }
}
