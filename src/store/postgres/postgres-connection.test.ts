import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWithServer } from '../../../test/postgres/describe-with-server.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/postgres/test-database.ts'
import { MadeleineError } from '../../errors.ts'
import { makeContent, makeWrite, OWNER } from '../../testing/memory-store/samples.ts'
import { openPostgresStore } from './open-postgres-store.ts'
import { openPgDatabase } from './pg-database.ts'

describeWithServer('a store in PostgreSQL', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createTestDatabase()
  })
  afterAll(() => database.drop())

  const change = (alter: (url: URL) => void): string => {
    const url = new URL(database.url)
    alter(url)
    return url.href
  }
  const failureOf = async (url: string): Promise<MadeleineError> => {
    const password = new URL(database.url).password
    try {
      const store = await openPostgresStore({ url, tenants: ['local'] })
      await store.close()
    } catch (error) {
      if (!(error instanceof MadeleineError)) throw error
      expect(error.remedy).not.toBe('')
      for (const text of [error.message, error.remedy]) {
        expect(text).not.toContain(password)
        expect(text).not.toContain('wrong-word')
      }
      return error
    }
    throw new Error('It was opened')
  }

  it('says that no server answers', async () => {
    const error = await failureOf(
      change((url) => {
        url.port = '1'
      }),
    )
    expect(error).toMatchObject({ code: 'STORE_UNUSABLE' })
    expect(error.message).toContain('no server answers')
  })

  it('says that user or password are refused, and shows neither password', async () => {
    const wrong = await failureOf(
      change((url) => {
        url.password = 'wrong-word'
      }),
    )
    const missing = await failureOf(
      change((url) => {
        url.password = ''
      }),
    )
    for (const error of [wrong, missing]) {
      expect(error).toMatchObject({ code: 'STORE_UNUSABLE' })
      expect(error.message).toContain('refuses user or password')
    }
  })

  it('says that there is no database of the name', async () => {
    const error = await failureOf(
      change((url) => {
        url.pathname = '/nowhere'
      }),
    )
    expect(error.message).toContain('no database of this name')
    expect(error.remedy).toContain('createdb')
  })

  it('says that the role has no right to a schema', async () => {
    await database.query('CREATE SCHEMA of_others')
    const error = await failureOf(`${database.url}?schema=of_others`)
    expect(error).toMatchObject({ code: 'STORE_UNUSABLE' })
    expect(error.message).toContain('no right')
  })

  it('refuses a URL that it cannot read, and a schema of no plain name, without the password', async () => {
    expect(await failureOf('postgres://vera:wrong-word@host:port/notes')).toMatchObject({ code: 'INVALID_OPTION' })
    expect(await failureOf(`${database.url}?schema=a"b`)).toMatchObject({ code: 'INVALID_OPTION' })
  })

  it('refuses a schema of a newer version', async () => {
    const url = `${database.url}?schema=newer`
    await (await openPostgresStore({ url, tenants: ['local'] })).close()
    await database.query('UPDATE newer.schema_version SET version = 99')
    expect((await failureOf(url)).message).toContain('newer version')
  })

  it('is made once by many who open it at the same time', async () => {
    const url = `${database.url}?schema=together`
    const stores = await Promise.all(Array.from({ length: 4 }, () => openPostgresStore({ url, tenants: ['local'] })))
    await Promise.all(stores.map((store, index) => store.putDocuments([makeWrite(`${index}.md`, [`heron ${index}`])])))
    for (const store of stores) expect(await store.countMemories(OWNER)).toBe(4)
    for (const store of stores) await store.close()
  })

  it('goes on after its connections were ended', async () => {
    const store = await openPostgresStore({ url: `${database.url}?schema=ended`, tenants: ['local'] })
    await store.addRemembered(makeContent('heron'), {})
    await database.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database()',
    )
    expect(await store.getMemories(['heron'])).toHaveLength(1)
    await store.addRemembered(makeContent('otter'), {})
    expect(await store.countMemories(OWNER)).toBe(2)
    await store.close()
  })

  it('waits for another writer for a bounded time, then says that the store is busy', async () => {
    const options = { url: `${database.url}?schema=busy`, tenants: ['local'] }
    const store = await openPostgresStore({ ...options, busyMs: 50 })
    const other = await openPgDatabase({ url: database.url, name: 'other' })
    await other.withSession(async (session) => {
      await session.query("SELECT pg_advisory_lock(hashtextextended('madeleine busy local', 0))")
      await expect(store.addRemembered(makeContent('heron'), {})).rejects.toMatchObject({ code: 'STORE_BUSY' })
      expect(await store.countMemories(OWNER)).toBe(0)
      await session.query('SELECT pg_advisory_unlock_all()')
    })
    await store.addRemembered(makeContent('heron'), {})
    await other.close()
    await store.close()
  })

  it('keeps tenants apart who have memories of one id, also where the program asks for all rows', async () => {
    const url = `${database.url}?schema=tenants`
    const [local, other] = await Promise.all(
      ['local', 'other'].map((tenant) => openPostgresStore({ url, tenants: [tenant] })),
    )
    if (!local || !other) throw new Error('Cannot open the stores')
    await local.addRemembered(makeContent('heron'), {})
    await other.addRemembered({ ...makeContent({ id: 'heron', text: 'otter', scope: { tenant: 'other' } }) }, {})
    expect((await local.getMemories(['heron'])).map(({ text }) => text)).toEqual(['heron'])
    expect((await other.getMemories(['heron'])).map(({ text }) => text)).toEqual(['otter'])
    expect(await local.countMemories({ viewer: { tenant: 'other' } })).toBe(0)
    await expect(
      local.addRemembered({ ...makeContent('newt'), scope: { ...makeContent('newt').scope, tenant: 'other' } }, {}),
    ).rejects.toMatchObject({ code: 'INVALID_OPTION' })
    const tables = await database.query(
      "SELECT relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = 'tenants' AND relkind = 'r' AND NOT relforcerowsecurity",
    )
    expect(tables.map(({ relname }) => relname)).toEqual(['schema_version'])
    await local.close()
    await other.close()
  })
})
