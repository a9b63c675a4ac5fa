import { describe, expect, it } from 'vitest'
import type { MemoryStore } from '../../store/memory-store.ts'
import { edgesOf, NOW, relate } from './relationships.ts'
import { makeContent, makeWrite, OWNER, ROOT, type Sample } from './samples.ts'
import type { StoreFactory } from './store-factory.ts'

const LATER = new Date('2026-03-02T12:00:00Z')
const BOILER = { id: 'boiler', text: 'The boiler limit is 2 bar, said the plumber on the phone.' }
const EDITED = { id: 'boiler2', text: 'The boiler limit is 3 bar, said the plumber on the phone.' }
const LODGE = { id: 'lodge', text: 'We met at the lodge in May.' }
const KITE = { id: 'kite', text: 'Kite winch runs on twelve volts since winter.' }

async function danglingOf(store: MemoryStore): Promise<unknown> {
  const list = await store.relationships.listDangling(OWNER.viewer)
  return list.map(({ relationship: { sourceId, targetId }, missing }) => [sourceId, targetId, missing])
}

/** What a store promises to keep of what people said. */
export function testLastingRelationships(useStore: StoreFactory): void {
  const storeWith = async (...samples: Sample[]): Promise<MemoryStore> => {
    const store = await useStore()
    await store.putDocuments([makeWrite('a.md', samples)])
    await store.addRemembered(makeContent('note'), {})
    return store
  }

  describe('explicit relationships and reviews', () => {
    it('follow a text that is edited, wherever it then stands in its document', async () => {
      const store = await storeWith(LODGE, BOILER)
      const evidence = [{ side: 'source' as const, start: 20, end: 25 }]
      await store.relationships.put([relate('boiler', 'note', 'supports', { reason: 'why', evidence })], { now: NOW })
      await store.relationships.openReviews([{ firstId: 'note', secondId: 'boiler', evidence }], NOW)
      await store.putDocuments([makeWrite('a.md', [KITE, LODGE, EDITED])])
      expect(await store.relationships.list(['note'], { filter: OWNER })).toMatchObject([
        { sourceId: 'boiler2', targetId: 'note', reason: 'why', evidence: [], createdAt: NOW.toISOString() },
      ])
      const [review] = await store.relationships.listReviews({ filter: OWNER })
      expect(review).toMatchObject({ firstId: 'boiler2', secondId: 'note', evidence: [], missing: [] })
      // Back again, and on.
      await store.putDocuments([makeWrite('a.md', [KITE, LODGE, BOILER])])
      expect(await edgesOf(store, ['note'])).toEqual(['boiler supports note 1'])
      expect(await danglingOf(store)).toEqual([])
      expect(await store.check()).toEqual([])
    })

    it('follow each text to its own edit', async () => {
      const pump = (id: string, name: string, word: string): Sample => ({
        id,
        text: `Pump ${name} stands in the ${name} house and ${word} at ${name} noon.`,
      })
      const store = await storeWith(pump('a', 'amber', 'runs'), pump('b', 'basalt', 'runs'))
      await store.relationships.put([relate('a', 'note'), relate('note', 'b')], { now: NOW })
      await store.putDocuments([makeWrite('a.md', [pump('b2', 'basalt', 'rests'), pump('a2', 'amber', 'rests')])])
      expect(await edgesOf(store, ['note'])).toEqual(['a2 references note 1', 'note references b2 1'])
    })

    it('follow a text that changes much in its place, and none that is another text', async () => {
      const rewritten = { id: 'lodge2', text: 'In May we went to a lodge with Mara, and it rained.' }
      const store = await storeWith(LODGE, BOILER)
      await store.relationships.put([relate('lodge', 'note')], { now: NOW })
      await store.putDocuments([makeWrite('a.md', [rewritten, BOILER])])
      expect(await edgesOf(store, ['note'])).toEqual(['lodge2 references note 1'])
      await store.putDocuments([makeWrite('a.md', [KITE, BOILER])])
      expect(await edgesOf(store, ['note', 'kite'])).toEqual([])
      expect(await danglingOf(store)).toEqual([['lodge2', 'note', [{ id: 'lodge2', root: ROOT, path: 'a.md' }]]])
    })

    it('survive renaming, copies and their end, and the loss of the file until it is back', async () => {
      const store = await storeWith(LODGE, BOILER)
      await store.relationships.put([relate('boiler', 'lodge', 'causal')], { now: NOW })
      await store.putDocuments([makeWrite('0.md', [BOILER]), makeWrite('b.md', [LODGE, BOILER])])
      await store.removeDocuments([
        { root: ROOT, path: 'a.md' },
        { root: ROOT, path: '0.md' },
      ])
      expect(await edgesOf(store, ['boiler'])).toEqual(['boiler causal lodge 1'])
      // It is known to stand there now: an edit there is followed.
      await store.putDocuments([makeWrite('b.md', [LODGE, EDITED])])
      expect(await edgesOf(store, ['lodge'])).toEqual(['boiler2 causal lodge 1'])
      await store.removeDocuments([{ root: ROOT, path: 'b.md' }])
      expect(await edgesOf(store, ['lodge', 'boiler2'])).toEqual([])
      const missing = [
        { id: 'boiler2', root: ROOT, path: 'b.md' },
        { id: 'lodge', root: ROOT, path: 'b.md' },
      ]
      expect(await danglingOf(store)).toEqual([['boiler2', 'lodge', missing]])
      expect(await store.relationships.totals()).toMatchObject({ explicit: 1, dangling: 1 })
      await store.putDocuments([makeWrite('c.md', [LODGE, EDITED])])
      expect(await edgesOf(store, ['lodge'])).toEqual(['boiler2 causal lodge 1'])
      expect(await danglingOf(store)).toEqual([])
    })

    it('find the edited text again when the document is away in between', async () => {
      const store = await storeWith(LODGE, BOILER)
      await store.relationships.put([relate('boiler', 'lodge', 'causal')], { now: NOW })
      await store.removeDocuments([{ root: ROOT, path: 'a.md' }])
      await store.putDocuments([makeWrite('a.md', [LODGE, EDITED])])
      expect(await edgesOf(store, ['lodge'])).toEqual(['boiler2 causal lodge 1'])
    })

    it('follow a turn whose document is written anew in parts', async () => {
      const turn = (sample: Sample, turnId: string): Sample => ({ ...sample, place: { turnId } })
      const before = [turn(LODGE, 't1'), turn(BOILER, 't2'), turn(KITE, 't3')]
      const store = await storeWith(...before)
      await store.relationships.put([relate('boiler', 'note')], { now: NOW })
      const part = (samples: Sample[], cursor: string, isLast: boolean, after?: string) => ({
        ...makeWrite('a.md', samples),
        part: { settled: samples.length, cursor, isLast, ...(after !== undefined && { after }) },
      })
      const short = { id: 'boiler3', text: 'Three bar is the limit of the boiler now.' }
      await store.putDocuments([part([turn(LODGE, 't1'), turn(short, 't2')], 'one', false)])
      // The old turn is there until the document has been read to its end.
      expect(await edgesOf(store, ['note'])).toEqual(['boiler references note 1'])
      await store.putDocuments([part([turn(KITE, 't3')], 'two', true, 'one')])
      expect(await edgesOf(store, ['note'])).toEqual(['boiler3 references note 1'])
    })

    it('are not lost when two texts become one', async () => {
      const twin = { id: 'twin', text: 'The boiler limit is 2 bar, said the plumber on the radio.' }
      const store = await storeWith(BOILER, twin)
      const { relationships } = store
      const said = [relate('boiler', 'note'), relate('twin', 'note'), relate('boiler', 'twin', 'contradicts')]
      await relationships.put(said, { now: NOW })
      await store.putDocuments([makeWrite('a.md', [EDITED])])
      expect(await relationships.totals()).toMatchObject({ explicit: 3 })
      expect(await edgesOf(store, ['note'])).toEqual(['boiler2 references note 1'])
      await store.putDocuments([makeWrite('a.md', [BOILER, twin])])
      expect(await edgesOf(store, ['boiler', 'twin', 'note'])).toHaveLength(3)
    })

    it('that dangle show themselves to those who could see both ends, and can be removed', async () => {
      const store = await useStore()
      await store.putDocuments([makeWrite('a.md', [{ text: 'theirs', scope: { agent: 'ravi' } }])])
      await store.addRemembered(makeContent('note'), {})
      await store.relationships.put([relate('note', 'theirs')], { now: NOW })
      await store.removeDocuments([{ root: ROOT, path: 'a.md' }])
      for (const agent of ['main', 'ravi']) {
        expect(await store.relationships.listDangling({ tenant: 'local', agent })).toEqual([])
      }
      expect(await store.relationships.listDangling({ tenant: 'other' })).toEqual([])
      expect(await danglingOf(store)).toHaveLength(1)
      expect(await store.relationships.remove([relate('note', 'theirs')])).toBe(1)
      expect(await danglingOf(store)).toEqual([])
    })

    it('go with a memory that is forgotten, and are not found again', async () => {
      const store = await storeWith(LODGE, BOILER)
      const { relationships } = store
      await relationships.put([relate('boiler', 'note'), relate('lodge', 'note')], { now: NOW })
      await relationships.openReviews([{ firstId: 'boiler', secondId: 'lodge' }], NOW)
      await store.forget({ ids: ['boiler'] }, LATER)
      expect(await edgesOf(store, ['note'])).toEqual(['lodge references note 1'])
      expect(await relationships.listReviews({ filter: OWNER, withMissing: true })).toEqual([])
      expect(await relationships.totals()).toMatchObject({ explicit: 1, dangling: 0 })
      await store.putDocuments([makeWrite('a.md', [EDITED])])
      await store.forget({ ids: ['lodge'] }, LATER)
      expect(await relationships.totals()).toMatchObject({ explicit: 0, dangling: 0 })
      expect(await store.check()).toEqual([])
    })

    it('go with a document that is forgotten, those of texts that were gone before too', async () => {
      const store = await storeWith(LODGE, BOILER)
      await store.relationships.put([relate('boiler', 'note'), relate('lodge', 'note')], { now: NOW })
      await store.putDocuments([makeWrite('a.md', [LODGE])])
      expect(await store.relationships.totals()).toMatchObject({ explicit: 2, dangling: 1 })
      await store.forget({ documents: [{ root: ROOT, path: 'a.md' }] }, LATER)
      expect(await store.relationships.totals()).toMatchObject({ explicit: 0, dangling: 0 })
      expect(await store.relationships.listAwaiting(9)).toMatchObject([{ id: 'note' }])
    })
  })

  describe('reviews', () => {
    it('are opened once for a pair, and keep every decision with who and when', async () => {
      const store = await storeWith(BOILER, LODGE)
      const { relationships } = store
      const evidence = [
        { side: 'source' as const, start: 3, end: 7 },
        { side: 'target' as const, start: 20, end: 25 },
      ]
      const pair = { firstId: 'lodge', secondId: 'boiler', reason: 'another number', evidence }
      const openings = [pair, { firstId: 'note', secondId: 'nobody' }, { firstId: 'note', secondId: 'note' }]
      expect(await relationships.openReviews(openings, NOW)).toBe(1)
      expect(await relationships.openReviews([{ firstId: 'boiler', secondId: 'lodge' }], LATER)).toBe(0)
      const [review] = await relationships.listReviews({ filter: OWNER, status: 'open' })
      expect(review).toEqual({
        id: expect.any(String),
        firstId: 'boiler',
        secondId: 'lodge',
        status: 'open',
        reason: 'another number',
        evidence: [
          { side: 'target', start: 3, end: 7, text: 'met ' },
          { side: 'source', start: 20, end: 25, text: '2 bar' },
        ],
        openedAt: NOW.toISOString(),
        history: [],
        confirmations: 0,
        dismissals: 0,
        missing: [],
      })
      const id = review?.id ?? ''
      const decide = (decision: 'confirmed' | 'dismissed', by: string, note?: string) =>
        relationships.decide(id, { decision, by, ...(note !== undefined && { note }) }, { now: LATER, filter: OWNER })
      await decide('confirmed', 'Ada')
      await decide('confirmed', 'Ada', 'again')
      await decide('dismissed', 'Ravi')
      expect(await decide('confirmed', 'Mara')).toMatchObject({ status: 'confirmed', confirmations: 2, dismissals: 1 })
      const last = await decide('dismissed', 'Ada')
      expect(last).toMatchObject({ status: 'dismissed', by: 'Ada', at: LATER.toISOString(), confirmations: 1 })
      expect(last.history.map(({ decision, by, note }) => [decision, by, note])).toEqual([
        ['confirmed', 'Ada', undefined],
        ['confirmed', 'Ada', 'again'],
        ['dismissed', 'Ravi', undefined],
        ['confirmed', 'Mara', undefined],
        ['dismissed', 'Ada', undefined],
      ])
      expect(await relationships.openReviews([pair], LATER)).toBe(0)
      expect(await relationships.listReviews({ filter: OWNER, status: 'open' })).toEqual([])
      expect(await relationships.listReviews({ filter: OWNER, status: 'dismissed', memoryIds: ['lodge'] })).toEqual([
        last,
      ])
      expect(await relationships.listReviews({ filter: OWNER, ids: ['another'] })).toEqual([])
      expect(await relationships.listReviews({ filter: OWNER, memoryIds: ['note'] })).toEqual([])
      expect((await relationships.totals()).reviews).toEqual({ open: 0, confirmed: 0, dismissed: 1 })
      await expect(decide('confirmed', ' ')).rejects.toMatchObject({ code: 'INVALID_OPTION' })
      const unknown = relationships.decide('none', { decision: 'confirmed', by: 'Ada' }, { now: LATER, filter: OWNER })
      await expect(unknown).rejects.toMatchObject({ code: 'NOT_FOUND' })
    })

    it('outlast an end that is gone, and become one with all that was said when their pairs do', async () => {
      const store = await storeWith(LODGE, BOILER, EDITED)
      const { relationships } = store
      await relationships.openReviews([{ firstId: 'lodge', secondId: 'boiler2' }], NOW)
      await relationships.openReviews([{ firstId: 'lodge', secondId: 'boiler' }], LATER)
      for (const review of await relationships.listReviews({ filter: OWNER })) {
        const decision = { decision: 'confirmed' as const, by: review.firstId }
        await relationships.decide(review.id, decision, { now: LATER, filter: OWNER })
      }
      await relationships.put([relate('boiler', 'lodge', 'causal', { score: 0.5 })], { now: NOW })
      await relationships.put([relate('boiler2', 'lodge', 'causal', { score: 0.25 })], { now: LATER })
      await store.putDocuments([makeWrite('a.md', [LODGE, BOILER])])
      expect(await relationships.listReviews({ filter: OWNER })).toMatchObject([{ firstId: 'boiler' }])
      expect(await relationships.listReviews({ filter: OWNER, withMissing: true })).toMatchObject([
        { firstId: 'boiler2', status: 'confirmed', missing: [{ id: 'boiler2', path: 'a.md' }] },
        { firstId: 'boiler', missing: [] },
      ])
      await store.putDocuments([makeWrite('a.md', [LODGE, EDITED])])
      expect(await relationships.listReviews({ filter: OWNER, withMissing: true })).toMatchObject([
        { firstId: 'boiler2', openedAt: NOW.toISOString(), confirmations: 2, missing: [] },
      ])
      expect(await edgesOf(store, ['lodge'])).toEqual(['boiler2 causal lodge 0.25'])
      expect(await relationships.totals()).toMatchObject({ explicit: 1, dangling: 0 })
    })
  })
}
