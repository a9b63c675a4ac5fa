import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { MemoryStore } from '../../src/index.ts'
import { openPostgresStore } from '../../src/store/postgres/open-postgres-store.ts'
import { openPgDatabase } from '../../src/store/postgres/pg-database.ts'
import { toPostgresError } from '../../src/store/postgres/postgres-errors.ts'
import { askFor, makeWrite, vectorOf } from '../../src/testing/memory-store/samples.ts'
import { runCommand } from '../run-command.ts'
import { describeWithServer } from './describe-with-server.ts'
import { findPooler, startPooler, type TestPooler } from './pooler.ts'
import { createTestDatabase, type TestDatabase } from './test-database.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

const TENANTS = ['ada', 'bo', 'cleo']
const ROUNDS = 8
const NOW = new Date('2026-03-01T12:00:00Z')

function describeWithPooler(title: string, define: () => void): void {
  const reason = `${title}: PgBouncer is not installed`
  if (findPooler() !== null) describeWithServer(title, define)
  else if (process.env.MADELEINE_REQUIRE_ALL !== '1') describe.skip(reason, define)
  else {
    it('has a pooler', () => {
      throw new Error(reason)
    })
  }
}

describeWithPooler('behind a pooler that gives each transaction another connection', () => {
  let database: TestDatabase
  let pooler: TestPooler
  let url = ''
  beforeAll(async () => {
    database = await createTestDatabase()
    pooler = await startPooler(database.url)
    url = `${pooler.url}?prepare=false`
  })
  afterAll(async () => {
    await pooler.stop()
    await database.drop()
  })

  it('tenants see their own rows and no others, and no write is lost', async () => {
    const stores = await Promise.all(TENANTS.map((tenant) => openPostgresStore({ url, tenants: [tenant] })))
    const work = async (store: MemoryStore, tenant: string): Promise<void> => {
      for (let round = 0; round < ROUNDS; round++) {
        const id = `${tenant} heron ${round}`
        await store.putDocuments([makeWrite(`${round}.md`, [{ text: id, scope: { tenant } }])])
        await store.putVectors('m', [{ id, embedText: id, windows: [vectorOf(1, round)] }])
        await store.setState('round', String(round))
        await store.recordAccess([id], NOW)
        const { candidates } = await store.findCandidates(askFor('heron', { filter: { viewer: { tenant } } }))
        expect(candidates.map(({ memory }) => memory.text.split(' ')[0])).toEqual(
          Array.from({ length: round + 1 }, () => tenant),
        )
      }
    }
    await Promise.all(stores.map((store, at) => work(store, TENANTS[at] ?? '')))
    for (const [at, store] of stores.entries()) {
      const tenant = TENANTS[at] ?? ''
      expect((await store.listDocuments()).map(({ path }) => path)).toHaveLength(ROUNDS)
      expect(await store.getState('round')).toBe(String(ROUNDS - 1))
      // Nobody reads another's by asking for it.
      expect(await store.listMemories({ viewer: { tenant: TENANTS[(at + 1) % TENANTS.length] ?? '' } })).toEqual([])
      expect(await store.countMemories({ viewer: { tenant } })).toBe(ROUNDS)
      expect(await store.check()).toEqual([])
      await store.close()
    }
  })

  it('commands work as they do without one', async () => {
    const run = (...args: string[]) => runCommand([...args, '--store', url, '--now', NOW.toISOString(), '--json'])
    expect((await run('remember', 'The heron stands by the pump.', '--id', 'heron')).code).toBe(0)
    expect(JSON.parse((await run('search', 'heron')).out).results).toMatchObject([{ id: 'heron' }])
    expect((await run('heartbeat')).code).toBe(0)
    expect((await run('forget', 'heron')).code).toBe(0)
    expect(JSON.parse((await run('search', 'heron')).out).results).toEqual([])
  })
})

describeWithServer('statements that were prepared on another connection', () => {
  it('are told as what they are: a pooler that has to be named in the URL', async () => {
    const place = await createTestDatabase()
    const database = await openPgDatabase({ url: place.url, name: 'named' })
    const failure = await database
      .withSession((session) => session.exec('EXECUTE never_prepared'))
      .catch((error: unknown) => toPostgresError(error, 'named'))
    expect(failure).toMatchObject({ code: 'STORE_UNUSABLE', remedy: expect.stringContaining('?prepare=false') })
    await database.close()
    await expect(openPostgresStore({ url: `${place.url}?prepare=maybe`, tenants: ['local'] })).rejects.toMatchObject({
      code: 'INVALID_OPTION',
    })
    await place.drop()
  })
})
