import { type PostgresConnection, quoteName } from './postgres-connection.ts'
import { POSTGRES_ANALYZE } from './postgres-options.ts'

const SELECT_TABLES = 'SELECT tablename FROM pg_tables WHERE schemaname = $1 ORDER BY tablename'

/**
 * Lets the server look at tables that grew fast. It does so by itself, but only a minute later: what a first indexing asks meanwhile
 * it would answer by plans for empty tables, a thousand times slower. A role that does not own the tables has no effect on them.
 */
export class TableStatistics {
  readonly #connection: PostgresConnection
  #added = 0
  #due: number = POSTGRES_ANALYZE.first

  constructor(connection: PostgresConnection) {
    this.#connection = connection
  }

  /** So many memories were added by this process. */
  async note(added: number): Promise<void> {
    this.#added += added
    if (this.#added < this.#due) return
    this.#due = this.#added * POSTGRES_ANALYZE.growth
    await this.#connection.alone(async (session) => {
      const { rows } = await session.query(SELECT_TABLES, [this.#connection.schema])
      const names = rows.map(({ tablename }) => `${quoteName(this.#connection.schema)}.${quoteName(String(tablename))}`)
      await session.exec(`ANALYZE ${names.join(', ')}`)
    })
  }
}
