import { expect, it } from 'vitest'
import type { CueKind } from '../../src/model/cue.ts'
import type { MemoryStore } from '../../src/store/memory-store.ts'
import type { Database } from '../../src/store/postgres/database.ts'
import { openPostgresStore } from '../../src/store/postgres/open-postgres-store.ts'
import { openPgDatabase } from '../../src/store/postgres/pg-database.ts'
import { relate } from '../../src/testing/memory-store/relationships.ts'
import { askFor, makeContent, makeWrite, type Sample } from '../../src/testing/memory-store/samples.ts'
import { describeWithServer } from './describe-with-server.ts'
import { createTestDatabase } from './test-database.ts'

const TENANTS = 50
const READS = 10_000
/** Calls that run side by side: more than a pool has connections. */
const AT_ONCE = 6
const NOW = new Date('2026-03-01T12:00:00Z')
const IDS = ['heron', 'otter', 'gate', 'pump', 'only']
const KINDS: CueKind[] = ['task']

const tenantOf = (index: number): string => `team ${index}`
/** Stands in whatever a tenant writes, and tells whose it is. */
const markOf = (index: number): string => `mark-${index}-`
const scopeOf = (index: number) => ({ tenant: tenantOf(index), visibility: 'global' as const })

/** The same ids, paths and words for all, with the mark of the tenant in each. */
async function fill(store: MemoryStore, index: number): Promise<void> {
  const mark = markOf(index)
  const write = (id: string, text: string): Sample => ({ id, text, headerPath: [mark], scope: scopeOf(index) })
  const samples = [
    write('heron', 'the heron nests by the pump'),
    write('otter', 'an otter at the gate'),
    write('gate', '- [ ] oil the gate by Friday'),
    write('only', `${mark} heron`),
  ]
  await store.putDocuments([
    makeWrite('a.md', samples, { root: `/home/${mark}`, scope: makeContent(write('', '')).scope }),
  ])
  await store.addRemembered(makeContent(write('pump', `the pump is blue`)), { sessionId: mark })
  const metadata = { mark }
  await store.relationships.put(
    [relate('heron', 'otter', 'supports', { metadata }), relate('gate', 'otter', 'causal', { metadata })],
    { now: NOW },
  )
  await store.relationships.openReviews([{ firstId: 'heron', secondId: 'pump', reason: mark }], NOW)
  await store.putVectors('m', [
    { id: 'heron', embedText: 'the heron nests by the pump', windows: [Float32Array.of(1, index + 1)] },
  ])
  await store.recordAccess(['heron'], NOW)
  await store.setState('tick', mark)
  await store.forget({ ids: ['gate'] }, NOW)
}

type Read = (store: MemoryStore, tenant: string, id: string) => Promise<unknown>

const filterOf = (tenant: string) => ({ filter: { viewer: { tenant } } })
const READ: Read[] = [
  (store) => store.getMemories(IDS),
  (store, tenant) => store.listMemories({ viewer: { tenant } }),
  (store, _, id) => store.listPlaces(id),
  (store) => store.listDocuments(),
  (store, tenant) => store.listDocumentMemories({ path: 'a.md' }, { viewer: { tenant } }),
  (store, tenant, id) => store.findCandidates(askFor(`${id} heron pump`, filterOf(tenant))),
  (store, tenant) =>
    store.findCandidates(askFor('', { ...filterOf(tenant), vectors: [Float32Array.of(1, 1)], identity: 'm' })),
  (store, tenant, id) =>
    store.findNeighbours({ memories: [{ id, keys: ['theron'] }], identity: 'm', limit: 5, ...filterOf(tenant) }),
  (store, tenant) => store.listCues({ kinds: KINDS, limit: 5, ...filterOf(tenant) }),
  (store, tenant) => store.listVitals({ at: NOW, limit: 5, ...filterOf(tenant) }),
  (store) => store.listPendingEmbeddings('m', 5),
  async (store) => [...(await store.getVectors('m', IDS))],
  (store, tenant) => store.relationships.list(IDS, filterOf(tenant)),
  (store, tenant) => store.relationships.page({ limit: 5, ...filterOf(tenant) }),
  (store, tenant) => store.relationships.listConnected({ limit: 5, ...filterOf(tenant) }),
  (store, tenant) => store.relationships.listDangling({ tenant }),
  (store, tenant) => store.relationships.listReviews({ withMissing: true, ...filterOf(tenant) }),
  (store) => store.relationships.listAwaiting(50),
  (store) => store.listTombstones(),
  (store) => store.getState('tick'),
  (store) => store.listStates(''),
]

/** How many rows of others an answer shows, by their marks and tenants; ids and words are the same for all. */
function countForeign(answer: unknown, index: number): number {
  const text = JSON.stringify(answer) ?? ''
  const marks = [...text.matchAll(/mark-(\d+)-|team (\d+)/g)].map(([, a, b]) => Number(a ?? b))
  return marks.filter((mark) => mark !== index).length
}

/** More rows than one tenant has are rows of others, whatever they look like. */
function isTooLong(answer: unknown): boolean {
  return Array.isArray(answer) && answer.length > IDS.length
}

/** Numbers that look like chance and are the same every time. */
function makeChance(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** Reads at random, as the tenant and as one who asks for another's; returns how many rows of others came. */
async function readAtRandom(stores: readonly MemoryStore[], reads: number): Promise<{ foreign: number; own: number }> {
  const chance = makeChance(reads)
  let left = reads
  const sums = { foreign: 0, own: 0 }
  const work = async (): Promise<void> => {
    while (left-- > 0) {
      const index = chance(stores.length)
      const asked = chance(4) === 0 ? chance(TENANTS) : index
      const read = READ[chance(READ.length)] ?? READ[0]
      const answer = await read?.(stores[index] as MemoryStore, tenantOf(asked), IDS[chance(IDS.length)] ?? '')
      sums.foreign += countForeign(answer, index) + (isTooLong(answer) ? 1 : 0)
      if (JSON.stringify(answer)?.includes(markOf(index))) sums.own += 1
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return sums
}

/** A database that several stores use, of which none closes it. */
function lend(database: Database, change: (text: string) => string = (text) => text): Database {
  return {
    location: database.location,
    withSession: (body) =>
      database.withSession((session) =>
        body({ ...session, query: (text, parameters) => session.query(change(text), parameters) }),
      ),
    close: async () => undefined,
  }
}

/** What a statement would be if whoever wrote it had forgotten the tenant: row-level security alone is left. */
function withoutTenants(text: string): string {
  return text
    .replaceAll(/\b(?:\w+\.)?tenant = \$(\d+)/g, '$$$1::text IS NOT NULL')
    .replaceAll(/\b(?:\w+\.)?tenant = ANY ?\(\$(\d+)(?:::text\[\])?\)/g, '$$$1::text[] IS NOT NULL')
}

describeWithServer('tenants of one database', () => {
  it(`see no row of another in ${READS} reads, nor where every statement forgets the tenant`, async () => {
    const place = await createTestDatabase()
    const own = await openPgDatabase({ url: place.url, name: 'fuzz' })
    const openAll = (database: Database) =>
      Promise.all(Array.from({ length: TENANTS }, (_, n) => openPostgresStore({ database, tenants: [tenantOf(n)] })))
    const stores = await openAll(lend(own))
    for (const [index, store] of stores.entries()) await fill(store, index)

    const filtered = await readAtRandom(stores, READS / 2)
    expect(filtered.foreign).toBe(0)
    expect(filtered.own).toBeGreaterThan(READS / 10)

    const forgetful = await openAll(lend(own, withoutTenants))
    const secured = await readAtRandom(forgetful, READS / 2)
    expect(secured.foreign).toBe(0)
    expect(secured.own).toBeGreaterThan(READS / 10)

    // That there is something to be seen: to a role that row-level security does not bind the same statements show rows of others.
    const above = await openPgDatabase({ url: place.adminUrl, name: 'fuzz above' })
    const bare = await openPostgresStore({ database: lend(above, withoutTenants), tenants: [tenantOf(0)] })
    expect(countForeign([await bare.listDocuments(), await bare.listStates('')], 0)).toBeGreaterThanOrEqual(TENANTS - 1)
    await above.close()
    await own.close()
    await place.drop()
  }, 900_000)
})
