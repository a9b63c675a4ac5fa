import { describe, expect, it } from 'vitest'
import type { MemoryStore } from '../../store/memory-store.ts'
import { discover, edgesOf, NOW, relate } from './relationships.ts'
import { makeContent, makeWrite, OWNER, ROOT } from './samples.ts'
import type { StoreFactory } from './store-factory.ts'

const LATER = new Date('2026-03-02T12:00:00Z')

async function waiting(store: MemoryStore): Promise<string[]> {
  return (await store.relationships.listAwaiting(99)).map(({ id }) => id)
}

/** Links nothing, so that nothing waits any more. */
async function settle(store: MemoryStore): Promise<void> {
  await store.relationships.replaceDiscovered(await store.relationships.listAwaiting(999), [], NOW)
}

/** What a store promises about finding links, and about what waits for it. */
export function testLinking(useStore: StoreFactory): void {
  describe('memories that wait to be linked', () => {
    it('are those that are new or changed, by id, until they are linked', async () => {
      const store = await useStore()
      await store.putDocuments([makeWrite('a.md', ['heron', 'otter'])])
      await store.addRemembered(makeContent('crane'), {})
      expect(await waiting(store)).toEqual(['crane', 'heron', 'otter'])
      expect(await store.relationships.listAwaiting(2)).toMatchObject([{ id: 'crane' }, { id: 'heron' }])
      await settle(store)
      await store.putDocuments([makeWrite('a.md', ['heron', 'otter', 'newt'])])
      await store.recordAccess(['heron'], NOW)
      expect(await waiting(store)).toEqual(['newt'])
      await store.putDocuments([makeWrite('a.md', [{ text: 'heron', headerPath: ['Birds'] }, 'otter'])])
      expect(await waiting(store)).toEqual(['heron'])
      await store.putDocuments([
        makeWrite('a.md', [{ text: 'heron', headerPath: ['Birds'], tier: 'episodic' }, 'otter']),
      ])
      await store.removeDocuments([{ root: ROOT, path: 'a.md' }])
      expect(await waiting(store)).toEqual([])
      await store.relationships.noteAwaiting('all')
      expect(await store.relationships.totals()).toMatchObject({ awaiting: 1 })
      await settle(store)
      await store.relationships.noteAwaiting(['crane', 'nobody'])
      expect(await waiting(store)).toEqual(['crane'])
    })

    it('go on waiting when they change while they are being linked', async () => {
      const store = await useStore()
      await store.putDocuments([makeWrite('a.md', ['heron', 'otter', 'newt'])])
      const taken = await store.relationships.listAwaiting(9)
      await store.putDocuments([makeWrite('a.md', ['heron', { text: 'otter', headerPath: ['Mammals'] }])])
      const found = [discover('heron', 'otter', 0.9), discover('otter', 'newt', 0.8), discover('newt', 'heron', 0.7)]
      expect(await store.relationships.replaceDiscovered(taken, found, NOW)).toEqual({
        written: 1,
        removed: 0,
        skipped: 2,
        stale: ['newt', 'otter'],
      })
      expect(await waiting(store)).toEqual(['otter'])
      expect(await store.relationships.replaceDiscovered(taken, [], LATER)).toMatchObject({ removed: 0, written: 0 })
      expect(await edgesOf(store, ['heron'])).toEqual(['heron references otter 0.9'])
    })
  })

  describe('discovered relationships', () => {
    it('are replaced by what a memory finds now, and no others are', async () => {
      const store = await useStore()
      await store.putDocuments([makeWrite('a.md', ['a', 'b', 'c', 'd'])])
      const { relationships } = store
      const first = [discover('a', 'b', 0.9), discover('c', 'a', 0.8), discover('a', 'd', 0.7)]
      expect(await relationships.replaceDiscovered([{ id: 'a' }], first, NOW)).toMatchObject({ written: 3 })
      await relationships.replaceDiscovered([{ id: 'd' }], [discover('a', 'd', 0.7), discover('d', 'c', 0.6)], NOW)
      const again = [discover('a', 'b', 0.9), discover('a', 'c', 0.5)]
      expect(await relationships.replaceDiscovered([{ id: 'a' }], again, LATER)).toEqual({
        written: 1,
        removed: 1,
        skipped: 0,
        stale: [],
      })
      // What d found too stays until d does not find it any more.
      expect(await edgesOf(store, ['a', 'd'])).toEqual([
        'a references b 0.9',
        'a references d 0.7',
        'd references c 0.6',
        'a references c 0.5',
      ])
      const [kept] = await relationships.list(['b'], { filter: OWNER })
      expect(kept).toMatchObject({ createdAt: NOW.toISOString(), updatedAt: NOW.toISOString() })
      await relationships.replaceDiscovered([{ id: 'd' }], [], LATER)
      expect(await edgesOf(store, ['d'])).toEqual([])
    })

    it('come out the same in whatever order memories are linked', async () => {
      const found = {
        hub: [discover('hub', 'a', 0.9)],
        a: [discover('a', 'hub', 0.9), discover('hub', 'a', 0.9)],
        b: [discover('b', 'hub', 0.8), discover('b', 'a', 0.7, { relationshipType: 'contradicts' })],
      }
      const results: string[][] = []
      for (const order of [['hub', 'a', 'b'] as const, ['b', 'a', 'hub'] as const]) {
        const store = await useStore()
        await store.putDocuments([makeWrite('a.md', ['hub', 'a', 'b'])])
        for (const id of order) await store.relationships.replaceDiscovered([{ id }], found[id], NOW)
        results.push(await edgesOf(store, ['hub', 'a', 'b']))
      }
      expect(results[0]).toHaveLength(4)
      expect(results[1]).toEqual(results[0])
    })

    it('never touch an explicit one, and give way to it', async () => {
      const store = await useStore()
      await store.putDocuments([makeWrite('a.md', ['a', 'b', 'c'])])
      const { relationships } = store
      await relationships.put([relate('a', 'b', 'supports', { score: 0.5, reason: 'Ada says so' })], { now: NOW })
      const found = [
        discover('a', 'b', 0.9, { relationshipType: 'supports', reason: 'alike' }),
        discover('b', 'a', 0.9, { relationshipType: 'supports' }),
      ]
      expect(await relationships.replaceDiscovered([{ id: 'a' }], found, LATER)).toMatchObject({
        written: 1,
        skipped: 1,
      })
      await relationships.put([{ ...found[0], score: 1 } as (typeof found)[0]], { now: LATER })
      await relationships.put([relate('b', 'a', 'supports')], { now: LATER })
      await relationships.replaceDiscovered([{ id: 'a' }, { id: 'b' }], [], LATER)
      expect(await relationships.list(['a'], { filter: OWNER })).toMatchObject([
        { sourceId: 'b', origin: 'explicit', score: 1 },
        { sourceId: 'a', origin: 'explicit', score: 0.5, reason: 'Ada says so' },
      ])
      await relationships.replaceDiscovered([{ id: 'a' }], [discover('a', 'c', 0.9)], LATER)
      const keys = [relate('a', 'b', 'supports'), relate('a', 'c'), relate('a', 'nobody')]
      expect(await relationships.remove(keys)).toBe(1)
      expect(await edgesOf(store, ['a'])).toEqual(['b supports a 1', 'a references c 0.9'])
    })

    it('are refused when they are of other memories, or cannot be', async () => {
      const store = await useStore()
      await store.putDocuments([makeWrite('a.md', ['a', 'b', 'c'])])
      for (const wrong of [discover('b', 'c', 0.9), discover('a', 'b', 2), discover('a', 'a', 0.9)]) {
        const replaced = store.relationships.replaceDiscovered([{ id: 'a' }], [discover('a', 'c', 0.9), wrong], NOW)
        await expect(replaced).rejects.toMatchObject({ code: 'INVALID_OPTION' })
      }
      expect(await edgesOf(store, ['a', 'b', 'c'])).toEqual([])
    })

    it('go when an end goes or changes what it says, and stay when it only moves', async () => {
      const store = await useStore()
      await store.putDocuments([makeWrite('a.md', ['a', 'b', 'c', 'd'])])
      const found = ['b', 'c', 'd'].map((id, index) => discover('a', id, 0.9 - index / 10))
      await store.relationships.replaceDiscovered([{ id: 'a' }], found, NOW)
      await store.putDocuments([makeWrite('a.md', ['d', 'a', 'b']), makeWrite('moved.md', ['a', 'b'])])
      await store.putDocuments([makeWrite('a.md', ['d'])])
      expect(await edgesOf(store, ['a'])).toEqual(['a references b 0.9', 'a references d 0.7'])
      await store.putDocuments([makeWrite('a.md', [{ text: 'd', headerPath: ['New'] }])])
      expect(await edgesOf(store, ['a'])).toEqual(['a references b 0.9'])
      await store.putDocuments([makeWrite('moved.md', ['b'])])
      expect(await edgesOf(store, ['b'])).toEqual([])
      expect(await store.relationships.totals()).toMatchObject({ discovered: 0, dangling: 0 })
      expect(await store.check()).toEqual([])
    })
  })
}
