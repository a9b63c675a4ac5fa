import { afterEach, describe, expect, it } from 'vitest'
import type { MemoryStore } from '../store/memory-store.ts'
import { testCues } from './memory-store/cues.ts'
import { testDocuments } from './memory-store/documents.ts'
import { testFilters } from './memory-store/filters.ts'
import { testKeywordSearch } from './memory-store/keyword.ts'
import { testLastingRelationships } from './memory-store/lasting-relationships.ts'
import { testLinking } from './memory-store/linking.ts'
import { testNeighbours } from './memory-store/neighbours.ts'
import { testParts } from './memory-store/parts.ts'
import { discover, relate, testRelationships } from './memory-store/relationships.ts'
import { testRemembered } from './memory-store/remembered.ts'
import { askFor, makeContent, makeWrite, OWNER } from './memory-store/samples.ts'
import { testVectors } from './memory-store/vectors.ts'
import { testVitals } from './memory-store/vitals.ts'

const OWNER_QUERY = { filter: OWNER }

export interface MemoryStoreContractOptions {
  /** Opens an empty store; it is closed when its test is done. */
  create(): MemoryStore | Promise<MemoryStore>
}

/**
 * Registers the tests of the MemoryStore contract with vitest. Every store runs them.
 *
 * @example
 * testMemoryStore('my store', { create: () => createMyStore() })
 */
export function testMemoryStore(name: string, { create }: MemoryStoreContractOptions): void {
  describe(`${name} keeps the contract of MemoryStore`, () => {
    const opened: MemoryStore[] = []
    const useStore = async (): Promise<MemoryStore> => {
      const store = await create()
      opened.push(store)
      return store
    }
    afterEach(async () => {
      for (const store of opened.splice(0)) await store.close()
    })

    testDocuments(useStore)
    testParts(useStore)
    testKeywordSearch(useStore)
    testCues(useStore)
    testFilters(useStore)
    testVectors(useStore)
    testVitals(useStore)
    testRemembered(useStore)
    testRelationships(useStore)
    testLinking(useStore)
    testNeighbours(useStore)
    testLastingRelationships(useStore)

    describe('state', () => {
      it('keeps named values', async () => {
        const store = await useStore()
        expect(await store.getState('cursor')).toBeNull()
        await store.setState('cursor', 'one')
        await store.setState('cursor', '')
        expect(await store.getState('cursor')).toBe('')
        await store.setState('cursor', null)
        await store.setState('never set', null)
        expect(await store.getState('cursor')).toBeNull()
      })

      it('lists the values under a prefix, which means itself and nothing more', async () => {
        const store = await useStore()
        for (const key of ['b/2', 'b/%', 'b/1', 'b', 'a/1', 'B/3', 'b_1']) await store.setState(key, `value of ${key}`)
        expect(await store.listStates('b/')).toEqual([
          { key: 'b/%', value: 'value of b/%' },
          { key: 'b/1', value: 'value of b/1' },
          { key: 'b/2', value: 'value of b/2' },
        ])
        expect(await store.listStates('none/')).toEqual([])
        expect(await store.listStates('')).toHaveLength(7)
      })

      it('gives a named value to one of several who expect it to be what it is', async () => {
        const store = await useStore()
        const claim = (expected: string | null, next: string) => store.claimState('tick', expected, next)
        expect(await claim('something', 'early')).toBe(false)
        const claims = ['a', 'b', 'c']
        const won = await Promise.all(claims.map((next) => claim(null, next)))
        const [winner = ''] = claims.filter((_, index) => won[index])
        expect(won.filter(Boolean)).toHaveLength(1)
        expect(await store.getState('tick')).toBe(winner)
        expect(await claim('another', 'late')).toBe(false)
        expect(await claim(null, 'late')).toBe(false)
        expect(await store.getState('tick')).toBe(winner)
        expect(await claim(winner, '')).toBe(true)
        expect(await claim('', 'again')).toBe(true)
        expect(await store.getState('tick')).toBe('again')
      })
    })

    describe('closing', () => {
      it('rejects every call after close, which may be called twice', async () => {
        const store = await useStore()
        await store.close()
        await store.close()
        const at = new Date(0)
        const key = { root: '', path: 'a.md' }
        const calls: Array<() => Promise<unknown>> = [
          () => store.listDocuments(),
          () => store.putDocuments([makeWrite('a.md', ['heron'])]),
          () => store.getCursor(key),
          () => store.touchDocument(key, '', 0),
          () => store.removeDocuments([key]),
          () => store.addRemembered(makeContent('heron'), {}),
          () => store.forget({ ids: ['heron'] }, at),
          () => store.listTombstones(),
          () => store.getMemories(['heron']),
          () => store.listPlaces('heron'),
          () => store.listDocumentMemories(key, OWNER),
          () => store.listMemories(OWNER),
          () => store.countMemories(OWNER),
          () => store.listCues({ kinds: ['task'], filter: OWNER, limit: 1 }),
          () => store.findCandidates(askFor('heron')),
          () => store.countHolders([{ term: 'heron', field: 'text' }], 'local'),
          () => store.findNeighbours({ memories: [], filter: OWNER, limit: 1 }),
          () => store.recordAccess(['heron'], at),
          () => store.ageMemories(at),
          () => store.listVitals({ filter: OWNER, at, limit: 1 }),
          () => store.listPendingEmbeddings('test', 1),
          () => store.putVectors('test', []),
          () => store.removeVectors('test'),
          () => store.counts(),
          () => store.check(),
          () => store.getState('key'),
          () => store.setState('key', 'value'),
          () => store.claimState('key', null, 'value'),
          () => store.listStates(''),
          () => store.relationships.put([relate('heron', 'otter')], { now: at }),
          () => store.relationships.remove([relate('heron', 'otter')]),
          () => store.relationships.replaceDiscovered([{ id: 'heron' }], [discover('heron', 'otter', 1)], at),
          () => store.relationships.trimDiscovered(['heron'], 1),
          () => store.relationships.list(['heron'], OWNER_QUERY),
          () => store.relationships.count(['heron'], OWNER_QUERY),
          () => store.relationships.page({ ...OWNER_QUERY, limit: 1 }),
          () => store.relationships.listDangling(OWNER.viewer),
          () => store.relationships.totals(),
          () => store.relationships.listAwaiting(1),
          () => store.relationships.noteAwaiting('all'),
          () => store.relationships.openReviews([], at),
          () => store.relationships.decide('1', { decision: 'confirmed', by: 'Ada' }, { now: at, ...OWNER_QUERY }),
          () => store.relationships.listReviews(OWNER_QUERY),
        ]
        for (const call of calls) await expect(call()).rejects.toMatchObject({ code: 'STORE_UNUSABLE' })
      })
    })

    it('gives copies: what a caller changes in an answer changes nothing in the store', async () => {
      const store = await useStore()
      const content = makeContent({ text: 'heron', headerPath: ['Birds'] })
      await store.addRemembered(content, {})
      content.headerPath.push('changed')
      const [first] = await store.getMemories(['heron'])
      first?.headerPath.push('changed')
      expect(await store.getMemories(['heron'])).toMatchObject([{ headerPath: ['Birds'] }])
    })
  })
}
