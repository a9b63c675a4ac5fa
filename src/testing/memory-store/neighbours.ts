import { describe, expect, it } from 'vitest'
import type { MemoryStore, NeighbourSearch } from '../../store/memory-store.ts'
import { discover, edgesOf, NOW, relate } from './relationships.ts'
import { makeWrite, OWNER, vectorOf } from './samples.ts'
import type { StoreFactory } from './store-factory.ts'

const ask = (id: string, keys: readonly string[], search: Partial<NeighbourSearch> = {}): NeighbourSearch => ({
  memories: [{ id, keys }],
  filter: OWNER,
  limit: 2,
  ...search,
})

async function findOf(store: MemoryStore, search: NeighbourSearch): Promise<string[]> {
  const [found = []] = (await store.findNeighbours(search)).values()
  return found.map(({ id }) => id)
}

/** What a store promises about what is near to its memories, and about how many relationships each keeps. */
export function testNeighbours(useStore: StoreFactory): void {
  describe('neighbours of stored memories', () => {
    it('are those nearest by vector, with the cosine of the two nearest windows, the same from either side', async () => {
      const store = await useStore()
      await store.putDocuments([makeWrite('a.md', ['heron', 'otter', 'newt', 'mud'])])
      await store.putVectors('test', [
        { id: 'heron', embedText: 'heron', windows: [vectorOf(1), vectorOf(0, 1)] },
        { id: 'otter', embedText: 'otter', windows: [vectorOf(3, 4)] },
        { id: 'newt', embedText: 'newt', windows: [vectorOf(-1, 0.1)] },
      ])
      const found = await store.findNeighbours({
        memories: ['heron', 'otter', 'nobody', 'mud'].map((id) => ({ id, keys: [] })),
        identity: 'test',
        filter: OWNER,
        limit: 1,
      })
      expect([...found.keys()].sort()).toEqual(['heron', 'mud', 'otter'])
      expect(found.get('heron')).toEqual([{ id: 'otter', cosine: expect.closeTo(0.8, 2) }])
      expect(found.get('otter')).toEqual([{ id: 'heron', cosine: found.get('heron')?.[0]?.cosine }])
      expect(found.get('mud')).toEqual([])
      expect(await findOf(store, ask('heron', [], { identity: 'other' }))).toEqual([])
    })

    it('are those that hold the same rare keys, the rarer the nearer, in texts, headings and paths', async () => {
      const store = await useStore()
      const texts = ['heron reed', 'otter reed', 'newt reed', 'crane heron']
      await store.putDocuments([
        makeWrite('a.md', texts),
        makeWrite('pond.md', [{ text: 'mud', headerPath: ['Floor'] }, 'sand']),
      ])
      expect(await findOf(store, ask('heron reed', ['heron', 'reed'], { limit: 1 }))).toEqual(['crane heron'])
      expect(await findOf(store, ask('heron reed', ['heron', 'reed'], { limit: 9 }))).toEqual([
        'crane heron',
        'newt reed',
        'otter reed',
      ])
      expect(await findOf(store, ask('heron reed', ['/pond', '#floor'], { limit: 1 }))).toEqual(['mud'])
      expect(await findOf(store, ask('heron reed', ['nowhere']))).toEqual([])
    })

    it('are those that are named in any case, without the memory itself and what is not there', async () => {
      const store = await useStore()
      await store.putDocuments([makeWrite('a.md', ['heron', 'otter'])])
      const memories = [{ id: 'heron', keys: [], also: ['otter', 'heron', 'nobody'] }]
      expect(await findOf(store, { memories, filter: OWNER, limit: 1 })).toEqual(['otter'])
    })

    it('pass the filter before they are counted', async () => {
      const store = await useStore()
      const bens = { scope: { agent: 'ben' } }
      await store.putDocuments([
        makeWrite('a.md', ['heron a', 'heron b']),
        makeWrite(
          'b.md',
          ['heron c', 'heron d'].map((text) => ({ text, ...bens })),
        ),
        makeWrite('c.md', [{ text: 'heron e', scope: { tenant: 'other' } }]),
      ])
      const windows = [vectorOf(1)]
      const ids = ['heron a', 'heron b', 'heron c', 'heron d', 'heron e']
      await store.putVectors(
        'test',
        ids.map((id) => ({ id, embedText: id, windows })),
      )
      const also = ['heron c', 'heron e']
      const search: NeighbourSearch = {
        memories: [{ id: 'heron a', keys: ['heron'], also }],
        identity: 'test',
        filter: { viewer: { tenant: 'local', agent: 'main' } },
        limit: 1,
      }
      expect(await findOf(store, search)).toEqual(['heron b'])
      expect(await findOf(store, { ...search, filter: OWNER, limit: 9 })).toEqual(['heron b', 'heron c', 'heron d'])
    })
  })

  describe('trimming discovered relationships', () => {
    it('keeps the strongest of a memory and whatever somebody stated', async () => {
      const store = await useStore()
      await store.putDocuments([makeWrite('a.md', ['a', 'b', 'c', 'd', 'e'])])
      const { relationships } = store
      const found = [discover('a', 'b', 0.7), discover('c', 'a', 0.9), discover('a', 'd', 0.8), discover('d', 'b', 0.6)]
      await relationships.replaceDiscovered([{ id: 'a' }, { id: 'd' }], found, NOW)
      await relationships.put([relate('a', 'e')], { now: NOW })
      expect(await relationships.trimDiscovered(['a', 'nobody'], 2)).toBe(1)
      const kept = (await edgesOf(store, ['a', 'd'])).map((edge) =>
        edge.split(' ').filter((word) => /^[a-e]$/.test(word)),
      )
      expect(kept.map((ends) => ends.join('')).sort()).toEqual(['ad', 'ae', 'ca', 'db'])
      expect(await relationships.trimDiscovered(['a'], 2)).toBe(0)
    })

    it('keeps what the texts state before what is inferred', async () => {
      const store = await useStore()
      await store.putDocuments([makeWrite('a.md', ['a', 'b', 'c', 'd'])])
      const stated = { ...discover('a', 'b', 0.2), metadata: { basis: 'stated' } }
      const contrary = discover('a', 'c', 0.1, { relationshipType: 'contradicts' })
      await store.relationships.replaceDiscovered([{ id: 'a' }], [stated, contrary, discover('a', 'd', 0.9)], NOW)
      expect(await store.relationships.trimDiscovered(['a'], 2)).toBe(1)
      expect((await edgesOf(store, ['a'])).map((edge) => edge.split(' ')[2]).sort()).toEqual(['b', 'c'])
    })

    it('counts for each audience by itself: what one agent has takes no place of what another one sees', async () => {
      const store = await useStore()
      const ofBen = (text: string) => ({ text, scope: { agent: 'ben' } })
      const all = { scope: { visibility: 'global' as const } }
      await store.putDocuments([
        makeWrite('g.md', [{ text: 'g', ...all }]),
        makeWrite('a.md', ['a', 'b']),
        makeWrite('c.md', [ofBen('c'), ofBen('d')]),
      ])
      const found = [discover('g', 'a', 0.6), discover('g', 'b', 0.7), discover('g', 'c', 0.8), discover('g', 'd', 0.9)]
      await store.relationships.replaceDiscovered([{ id: 'g' }], found, NOW)
      expect(await store.relationships.trimDiscovered(['g'], 1)).toBe(2)
      expect((await edgesOf(store, ['g'])).map((edge) => edge.split(' ').at(-2))).toEqual(['d', 'b'])
    })
  })
}
