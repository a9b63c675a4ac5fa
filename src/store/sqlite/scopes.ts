import type { Scope, Visibility } from '../../model/memory.ts'
import type { Connection } from './connection.ts'

/** The scopes of the store under their numbers. Numbers are never used again, so what was read once stays true. */
export class Scopes {
  readonly #connection: Connection
  readonly #byNumber = new Map<number, Scope>()

  constructor(connection: Connection) {
    this.#connection = connection
  }

  get(number: number): Scope {
    const known = this.#byNumber.get(number)
    if (known) return known
    const row = this.#connection.sql('SELECT tenant, agent, project, visibility FROM scope WHERE id = ?').get(number)
    const scope = {
      tenant: String(row?.tenant),
      agent: String(row?.agent),
      project: String(row?.project),
      visibility: String(row?.visibility) as Visibility,
    }
    this.#byNumber.set(number, scope)
    return scope
  }

  /** The number of a scope; within a write, a new one for a new scope. */
  numberOf({ tenant, agent, project, visibility }: Scope): number {
    const values = [tenant, agent, project, visibility]
    const find = 'SELECT id FROM scope WHERE tenant = ? AND agent = ? AND project = ? AND visibility = ?'
    const insert = 'INSERT INTO scope (tenant, agent, project, visibility) VALUES (?, ?, ?, ?) RETURNING id'
    const row = this.#connection.sql(find).get(...values) ?? this.#connection.sql(insert).get(...values)
    return Number(row?.id)
  }
}
