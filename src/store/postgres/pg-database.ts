import { createHash } from 'node:crypto'
import type pg from 'pg'
import type { Database, DatabaseSession, SqlParameter, SqlRow } from './database.ts'
import { isConnectionLost } from './postgres-errors.ts'
import { POSTGRES_CONNECT_MS, POSTGRES_IDLE_MS, POSTGRES_POOL_SIZE } from './postgres-options.ts'

const INT8 = 20

/**
 * A database that the driver `pg` speaks to, over a few connections that are kept. Statements are prepared for each of them unless
 * `isPrepared` is false.
 */
export async function openPgDatabase({
  url,
  name,
  isPrepared = true,
}: {
  url: string
  name: string
  isPrepared?: boolean
}): Promise<Database> {
  const { default: driver } = await import('pg')
  const types: pg.CustomTypesConfig = {
    // Numbers of the schema stay below 2^53.
    getTypeParser: (oid, format) => (oid === INT8 ? Number : driver.types.getTypeParser(oid, format)),
  }
  const pool = new driver.Pool({
    connectionString: url,
    types,
    max: POSTGRES_POOL_SIZE,
    connectionTimeoutMillis: POSTGRES_CONNECT_MS,
    idleTimeoutMillis: POSTGRES_IDLE_MS,
    allowExitOnIdle: true,
    application_name: 'madeleine',
    keepAlive: true,
  })
  // A connection that broke while nobody used it concerns nobody: the next call gets another.
  pool.on('error', () => undefined)
  return new PgDatabase(pool, { location: name, isPrepared })
}

class PgDatabase implements Database {
  readonly location: string
  readonly #pool: pg.Pool
  readonly #isPrepared: boolean
  readonly #names = new Map<string, string>()

  constructor(pool: pg.Pool, { location, isPrepared }: { location: string; isPrepared: boolean }) {
    this.#pool = pool
    this.location = location
    this.#isPrepared = isPrepared
  }

  async withSession<T>(body: (session: DatabaseSession) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect()
    let failure: Error | boolean = true
    const note = (error: Error): void => {
      failure = error
    }
    // Without a listener a connection that breaks between two statements would end the process.
    client.on('error', note)
    try {
      const result = await body({
        query: (text, parameters = []) => this.#query(client, text, parameters),
        exec: async (text) => rowsOfEach(await client.query<SqlRow>(text)),
      })
      failure = false
      return result
    } catch (error) {
      // After an error of a statement alone the connection is as good as before: it was rolled back.
      if (failure === true && !isConnectionLost(error)) failure = false
      throw error
    } finally {
      client.off('error', note)
      client.release(failure)
    }
  }

  async close(): Promise<void> {
    await this.#pool.end()
  }

  async #query(
    client: pg.PoolClient,
    text: string,
    parameters: readonly SqlParameter[],
  ): Promise<{ rows: SqlRow[]; changes: number }> {
    const { rows, rowCount } = await client.query<SqlRow>({
      ...(this.#isPrepared && { name: this.#nameOf(text) }),
      text,
      values: parameters.map(toDriver),
    })
    return { rows, changes: rowCount ?? 0 }
  }

  /** Statements have names, so that the server prepares each once a connection. */
  #nameOf(text: string): string {
    const known = this.#names.get(text)
    if (known) return known
    const name = createHash('sha256').update(text).digest('base64url').slice(0, 22)
    this.#names.set(text, name)
    return name
  }
}

/** Of several statements the driver gives a list of results, which its types do not say. */
function rowsOfEach(results: pg.QueryResult<SqlRow> | Array<pg.QueryResult<SqlRow>>): SqlRow[][] {
  return [results].flat().map(({ rows }) => rows)
}

/** The driver takes arrays of `Buffer` for arrays of bytes, and no other kind of bytes there. */
function toDriver(value: SqlParameter): unknown {
  if (Array.isArray(value)) return value.map(toBuffer)
  return toBuffer(value)
}

function toBuffer(value: unknown): unknown {
  return value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : value
}
