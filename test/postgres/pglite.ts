import { PGlite } from '@electric-sql/pglite'
import { vector } from '@electric-sql/pglite-pgvector'
import type { Database, DatabaseSession, SqlParameter } from '../../src/store/postgres/database.ts'

const ROLE = 'madeleine_test'
/** One instance a process: it takes seconds to open and half a gigabyte, and files of tests share their processes. */
const SHARED = Symbol.for('madeleine.test.pglite')

interface Shared {
  instance: Promise<PGlite>
  /** The one connection is given to one caller at a time. */
  turn: Promise<unknown>
  schemas: number
}

/** A PostgreSQL in this process that has pgvector, and the name of a schema that no other test uses. */
export interface PgliteDatabase {
  /** Closing it drops the schema. */
  database: Database
  schema: string
}

/** Gives a schema of the instance that the tests of this process share; its role is bound by row-level security. */
export async function createPgliteDatabase(): Promise<PgliteDatabase> {
  const holder = globalThis as { [SHARED]?: Shared }
  holder[SHARED] ??= { instance: openInstance(), turn: Promise.resolve(), schemas: 0 }
  const shared = holder[SHARED]
  const schema = `test_${shared.schemas++}`
  return { database: new SharedDatabase(await shared.instance, shared, schema), schema }
}

async function openInstance(): Promise<PGlite> {
  const instance = await PGlite.create({ extensions: { vector } })
  await instance.exec(`CREATE EXTENSION vector; CREATE ROLE ${ROLE};
    GRANT CREATE ON DATABASE postgres TO ${ROLE}; SET ROLE ${ROLE}`)
  return instance
}

class SharedDatabase implements Database {
  readonly location: string
  readonly #instance: PGlite
  readonly #shared: Shared
  readonly #schema: string
  #isClosed = false

  constructor(instance: PGlite, shared: Shared, schema: string) {
    this.location = `pglite/${schema}`
    this.#instance = instance
    this.#shared = shared
    this.#schema = schema
  }

  withSession<T>(body: (session: DatabaseSession) => Promise<T>): Promise<T> {
    const run = this.#shared.turn.then(() => body(new PgliteSession(this.#instance)))
    this.#shared.turn = run.catch(() => undefined)
    return run
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    await this.withSession((session) => session.exec(`DROP SCHEMA IF EXISTS ${this.#schema} CASCADE`))
  }
}

class PgliteSession implements DatabaseSession {
  readonly #instance: PGlite

  constructor(instance: PGlite) {
    this.#instance = instance
  }

  async query(text: string, parameters: readonly SqlParameter[] = []) {
    const { rows, affectedRows = 0 } = await this.#instance.query<Record<string, unknown>>(text, [...parameters])
    return { rows, changes: Math.max(affectedRows, rows.length) }
  }

  async exec(text: string): Promise<void> {
    await this.#instance.exec(text)
  }
}
