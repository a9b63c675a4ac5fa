import { describe, expect, it } from 'vitest'
import type { MemoryFilter, Viewer } from '../../model/search.ts'
import type { MemoryStore } from '../../store/memory-store.ts'
import { askFor, findIds, makeWrite, type Sample, vectorOf } from './samples.ts'
import type { StoreFactory } from './store-factory.ts'

const viewer: Viewer = { tenant: 'local' }
const dayMs = (day: string): number => Date.parse(`2026-02-${day}T00:00:00Z`)

/** Ids under a filter, asserted to be the same for every kind of reading. */
async function seen(store: MemoryStore, filter: MemoryFilter): Promise<string[]> {
  const listed = (await store.listMemories(filter)).map(({ id }) => id).sort()
  expect((await findIds(store, askFor('heron', { filter }))).sort()).toEqual(listed)
  const byVector = askFor('', { filter, vectors: [vectorOf(1)], identity: 'test' })
  expect((await findIds(store, byVector)).sort()).toEqual(listed)
  const documents = (await store.listDocuments()).map(({ path }) => path)
  const inDocuments = await Promise.all(documents.map((path) => store.listDocumentMemories({ path }, filter)))
  expect([...new Set(inDocuments.flat().map(({ memory }) => memory.id))].sort()).toEqual(listed)
  return listed
}

/** One document for each sample, each memory with a vector and the word "heron". */
async function fill(store: MemoryStore, samples: Array<Omit<Sample, 'text'> & { id: string }>): Promise<void> {
  await store.putDocuments(
    samples.map((sample) => makeWrite(`${sample.id}.md`, [{ text: `heron ${sample.id}`, ...sample }])),
  )
  const vectors = samples.map(({ id }) => ({ id, embedText: `heron ${id}`, windows: [vectorOf(1)] }))
  await store.putVectors('test', vectors)
}

/** What a store promises about scope and conditions. */
export function testFilters(useStore: StoreFactory): void {
  describe('filters', () => {
    it('shows the owner the tenant and nothing else', async () => {
      const store = await useStore()
      await fill(store, [
        { id: 'mine', scope: {} },
        { id: 'ravi', scope: { agent: 'ravi', project: '/p' } },
        { id: 'other', scope: { tenant: 'other', visibility: 'global' } },
      ])
      expect(await seen(store, { viewer })).toEqual(['mine', 'ravi'])
      expect(await seen(store, { viewer: { tenant: 'other' } })).toEqual(['other'])
      expect(await seen(store, { viewer: { tenant: 'nobody' } })).toEqual([])
    })

    it('counts, and lists documents, for a viewer as far as they may see them', async () => {
      const store = await useStore()
      await fill(store, [
        { id: 'mine', scope: {} },
        { id: 'ravi', scope: { agent: 'ravi', project: '/p' } },
        { id: 'shared', scope: { agent: 'ravi', visibility: 'global' } },
        { id: 'other', scope: { tenant: 'other', visibility: 'global' } },
      ])
      await store.putDocuments([
        makeWrite('waiting.md', [{ text: 'heron waiting', id: 'waiting', scope: { agent: 'ravi' } }]),
        { ...makeWrite('empty.md', []) },
      ])
      const told = async (asking: Viewer | undefined) => ({
        ...(await store.counts('test', asking)),
        listed: (await store.listDocuments(asking)).map(({ path }) => path),
      })
      const places = ['empty.md', 'mine.md', 'ravi.md', 'shared.md', 'waiting.md']
      expect(await told(undefined)).toMatchObject({ documents: 6, memories: 5, pending: 1 })
      expect(await told(viewer)).toEqual({
        ...{ documents: 5, memories: 4, places: 4, embedded: { test: 3 }, pending: 1, listed: places },
      })
      expect(await told({ ...viewer, agent: 'main' })).toEqual({
        ...{ documents: 2, memories: 2, places: 2, embedded: { test: 2 }, pending: 0 },
        listed: ['mine.md', 'shared.md'],
      })
      expect(await told({ ...viewer, agent: 'nobody' })).toMatchObject({ memories: 1, listed: ['shared.md'] })
      expect(await told({ tenant: 'nobody' })).toMatchObject({ documents: 0, memories: 0, embedded: {}, listed: [] })
    })

    it('shows an agent its own, what its team shares, and what is global', async () => {
      const store = await useStore()
      const agents = ['main', 'ravi', 'mira']
      const visibilities = ['private', 'team', 'global'] as const
      await fill(
        store,
        agents.flatMap((agent) =>
          visibilities.map((visibility) => ({ id: `${agent} ${visibility}`, scope: { agent, visibility } })),
        ),
      )
      const own = ['main global', 'main private', 'main team']
      const global = ['mira global', 'ravi global']
      expect(await seen(store, { viewer: { ...viewer, agent: 'main' } })).toEqual([...own, ...global])
      expect(await seen(store, { viewer: { ...viewer, agent: 'main', team: ['main', 'ravi'] } })).toEqual(
        [...own, ...global, 'ravi team'].sort(),
      )
      expect(await seen(store, { viewer: { ...viewer, agent: 'nobody' } })).toEqual(['main global', ...global])
      expect(await seen(store, { viewer: { ...viewer, agent: 'Main' } })).toEqual(['main global', ...global])
    })

    it('stays in the project and in what is global', async () => {
      const store = await useStore()
      await fill(store, [
        { id: 'here', scope: { project: '/p' } },
        { id: 'there', scope: { project: '/p/q' } },
        { id: 'nowhere', scope: { project: '' } },
        { id: 'team there', scope: { project: '/q', visibility: 'team', agent: 'ravi' } },
        { id: 'team here', scope: { project: '/p', visibility: 'team', agent: 'ravi' } },
        { id: 'global', scope: { project: '/q', visibility: 'global', agent: 'ravi' } },
      ])
      expect(await seen(store, { viewer: { ...viewer, project: '/p' } })).toEqual(['global', 'here', 'team here'])
      expect(await seen(store, { viewer: { ...viewer, project: '' } })).toEqual(['global', 'nowhere'])
      expect(await seen(store, { viewer: { ...viewer, agent: 'main', project: '/p' } })).toEqual(['global', 'here'])
      const team = { ...viewer, agent: 'main', team: ['ravi'], project: '/p' }
      expect(await seen(store, { viewer: team })).toEqual(['global', 'here', 'team here'])
    })

    it('takes category, tier, type and state exactly', async () => {
      const store = await useStore()
      await fill(store, [
        { id: 'note', category: 'memory', tier: 'semantic', type: 'fact' },
        { id: 'talk', category: 'sessions', tier: 'episodic', type: 'event' },
        { id: 'guide', category: 'memory', tier: 'procedural', type: 'plan' },
      ])
      expect(await seen(store, { viewer, category: 'sessions' })).toEqual(['talk'])
      expect(await seen(store, { viewer, tiers: ['episodic', 'procedural'] })).toEqual(['guide', 'talk'])
      expect(await seen(store, { viewer, types: ['fact', 'plan'] })).toEqual(['guide', 'note'])
      expect(await seen(store, { viewer, types: ['fact'], category: 'sessions' })).toEqual([])
      expect(await seen(store, { viewer, tiers: [] })).toEqual([])
      expect(await seen(store, { viewer, states: ['active'] })).toEqual(['guide', 'note', 'talk'])
      expect(await seen(store, { viewer, states: ['stale', 'archived'] })).toEqual([])
    })

    it('takes a half-open range of time, of any place of a memory', async () => {
      const store = await useStore()
      const at = (occurredAt: string) => ({ place: { occurredAt } })
      await fill(store, [
        { id: 'first', ...at('2026-02-01T00:00:00Z') },
        { id: 'second', ...at('2026-02-02T01:00:00+01:00') },
        { id: 'third', ...at('2026-02-03T00:00:00Z') },
        { id: 'undated' },
      ])
      const again = makeWrite('again.md', [{ id: 'first', text: 'heron first', ...at('2026-02-09T00:00:00Z') }])
      await store.putDocuments([again])
      expect(await seen(store, { viewer, afterMs: dayMs('02') })).toEqual(['first', 'second', 'third'])
      expect(await seen(store, { viewer, beforeMs: dayMs('02') })).toEqual(['first'])
      expect(await seen(store, { viewer, afterMs: dayMs('02'), beforeMs: dayMs('03') })).toEqual(['second'])
      expect(await seen(store, { viewer, afterMs: dayMs('04'), beforeMs: dayMs('10') })).toEqual(['first'])
      expect(await seen(store, { viewer, afterMs: dayMs('04'), beforeMs: dayMs('09') })).toEqual([])
    })

    it('applies before limits: what others hold never crowds out what may be seen', async () => {
      const store = await useStore()
      const crowd = Array.from({ length: 60 }, (_, index) => ({ id: `crowd ${index}`, scope: { agent: 'ravi' } }))
      await fill(store, [...crowd, { id: 'mine', text: 'heron of mine among many other words', scope: {} } as never])
      await store.putVectors('test', [
        { id: 'mine', embedText: 'heron of mine among many other words', windows: [vectorOf(0.1, 1)] },
      ])
      const filter = { viewer: { ...viewer, agent: 'main' } }
      for (const query of [askFor('heron'), askFor('', { vectors: [vectorOf(1)], identity: 'test' })]) {
        const found = await store.findCandidates({ ...query, filter, limit: 1 })
        expect(found.candidates.map(({ memory }) => memory.id)).toEqual(['mine'])
        expect(found.matchedCount).toBe(1)
        expect(found.memoryCount).toBe(61)
      }
      expect((await store.listMemories(filter, { limit: 1 })).map(({ id }) => id)).toEqual(['mine'])
    })

    it('counts rarity within the tenant', async () => {
      const store = await useStore()
      await fill(store, [
        { id: 'a' },
        { id: 'b', scope: { agent: 'ravi' } },
        { id: 'c', scope: { tenant: 'other' } },
        { id: 'd', scope: { tenant: 'other' } },
      ])
      const filter = { viewer: { ...viewer, agent: 'main' } }
      const alone = await store.findCandidates(askFor('heron', { filter }))
      expect(alone).toMatchObject({ documentFrequencies: [2], memoryCount: 2, matchedCount: 1 })
      await store.putDocuments([makeWrite('e.md', [{ text: 'heron', scope: { tenant: 'other' } }])])
      expect(await store.findCandidates(askFor('heron', { filter }))).toEqual(alone)
    })
  })
}
