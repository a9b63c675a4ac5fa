import { afterEach, describe, expect, it } from 'vitest'
import { openPgliteStore } from '../../../../test/postgres/pglite.ts'
import { testNeighbours } from '../../../testing/memory-store/neighbours.ts'
import { makeWrite, vectorOf } from '../../../testing/memory-store/samples.ts'
import { testVectors } from '../../../testing/memory-store/vectors.ts'
import type { MemoryStore } from '../../memory-store.ts'
import { PostgresConnection } from '../postgres-connection.ts'
import { checkVectors } from './check-vectors.ts'
import { findIdentity } from './identities.ts'
import { IndexedVectors } from './indexed-vectors.ts'

const TENANTS = ['local', 'other', 'elsewhere']
const opened: MemoryStore[] = []

afterEach(async () => {
  for (const store of opened.splice(0)) await store.close()
})

async function useStore() {
  const one = await openPgliteStore({ tenants: TENANTS })
  opened.push(one.store)
  return one
}

describe('the PostgreSQL store with pgvector', () => {
  const open = async (): Promise<MemoryStore> => (await useStore()).store
  testVectors(open)
  testNeighbours(open)
})

/** Numbers that look random and are the same in every run. */
function createSeries(): () => number {
  let state = 1
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647 - 0.5
  }
}

const COUNT = 600

/** Memories 1 to COUNT with vectors of 16 numbers, and the connection to them. */
async function useMany() {
  const { store, database, schema } = await useStore()
  const next = createSeries()
  const ids = Array.from({ length: COUNT }, (_, index) => `memory ${index}`)
  const vectors = ids.map(() => vectorOf(...Array.from({ length: 16 }, next)))
  await store.putDocuments([makeWrite('a.md', ids)])
  await store.putVectors(
    'test',
    ids.map((id, index) => ({ id, embedText: id, windows: [vectors[index] ?? vectorOf(1)] })),
  )
  const connection = new PostgresConnection(database, { schema, tenants: TENANTS })
  const query = vectorOf(...Array.from({ length: 16 }, next))
  const unit = Math.hypot(...query)
  return { connection, query: query.map((value) => value / unit) }
}

describe('an index of pgvector', () => {
  it('finds what comparing one by one finds, as many as are asked for, of what the filter lets through', async () => {
    const { connection, query } = await useMany()
    await connection.read(async (tx) => {
      const identity = await findIdentity(tx, 'local', 'test')
      if (!identity) throw new Error('No identity')
      const byIndex = new IndexedVectors('local', identity, { scanAll: 0 })
      const oneByOne = new IndexedVectors('local', identity)
      for (const every of [1, 7, 60]) {
        const allowed = Uint8Array.from({ length: COUNT + 1 }, (_, ordinal) =>
          ordinal > 0 && ordinal % every === 0 ? 1 : 0,
        )
        const among = { allowed, count: Math.floor(COUNT / every) }
        const exact = await oneByOne.findNearest(tx, [query], among, 10)
        const found = await byIndex.findNearest(tx, [query], among, 10)
        expect(found).toHaveLength(10)
        expect(found.every(({ ordinal }) => ordinal % every === 0)).toBe(true)
        const common = found.filter(({ ordinal }) => exact.some((other) => other.ordinal === ordinal))
        expect(common.length).toBeGreaterThanOrEqual(9)
      }
    })
  })

  it('is what a search by it uses', async () => {
    const { connection } = await useMany()
    const rows = await connection.read(async (tx) => {
      await tx.query("SELECT set_config('enable_seqscan', 'off', true), set_config('enable_sort', 'off', true)")
      return tx.query(`EXPLAIN SELECT ordinal FROM vector_window w WHERE tenant = 'local' AND dimensions = 16
        ORDER BY w.exact::vector(16) <=> '{1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16}'::real[]::vector(16) LIMIT 5`)
    })
    expect(JSON.stringify(rows)).toContain('vector_window_hnsw_16')
  })

  it('is missed by a check where many vectors have none', async () => {
    const { connection } = await useMany()
    const check = (): Promise<string[]> =>
      connection.read(async (tx) => (await checkVectors(tx, ['local'], { many: COUNT })).map(({ id }) => id))
    expect(await check()).toEqual([])
    await connection.alone((session) => session.exec(`DROP INDEX ${connection.schema}.vector_window_hnsw_16`))
    expect(await check()).toEqual(['vector-index-missing'])
  })
})
