import { describe, expect, it } from 'vitest'
import type { RelationshipType, RelationshipWrite } from '../../model/relationship.ts'
import type { MemoryStore } from '../../store/memory-store.ts'
import { makeWrite, OWNER, type Sample } from './samples.ts'
import type { StoreFactory } from './store-factory.ts'

export const NOW = new Date('2026-03-01T12:00:00Z')
const LATER = new Date('2026-03-02T12:00:00Z')

/** An explicit relationship between memories of these ids. */
export function relate(
  sourceId: string,
  targetId: string,
  relationshipType: RelationshipType = 'references',
  rest: Partial<RelationshipWrite> = {},
): RelationshipWrite {
  return { sourceId, targetId, relationshipType, score: 1, origin: 'explicit', ...rest }
}

/** A relationship that was found. */
export function discover(sourceId: string, targetId: string, score: number, rest: Partial<RelationshipWrite> = {}) {
  return relate(sourceId, targetId, rest.relationshipType, { ...rest, score, origin: 'discovered' })
}

/** Relationships in short: source, target, type and score. */
export async function edgesOf(
  store: MemoryStore,
  ids: readonly string[],
  query: Partial<Parameters<MemoryStore['relationships']['list']>[1]> = {},
): Promise<string[]> {
  const found = await store.relationships.list(ids, { filter: OWNER, ...query })
  return found.map((one) => `${one.sourceId} ${one.relationshipType} ${one.targetId} ${one.score}`)
}

async function storeWith(useStore: StoreFactory, samples: ReadonlyArray<string | Sample>): Promise<MemoryStore> {
  const store = await useStore()
  await store.putDocuments([makeWrite('a.md', samples)])
  return store
}

/** What a store promises about relationships that are written and read. */
export function testRelationships(useStore: StoreFactory): void {
  describe('relationships', () => {
    it('keep every field, with evidence in the words of both ends', async () => {
      const store = await storeWith(useStore, ['the heron nests', 'reeds and a heron'])
      const parts = { coOccurrence: { value: 0.25, weight: 0.4 }, semanticSimilarity: { value: 0.9, weight: 0.6 } }
      const write = relate('the heron nests', 'reeds and a heron', 'supports', {
        score: 0.75,
        reason: 'Entity match: heron',
        parts,
        evidence: [
          { side: 'source', start: 4, end: 9 },
          { side: 'target', start: 12, end: 17 },
        ],
        metadata: { kind: 'note', list: [1, { constructor: 'x' }], __proto__x: null, half: '\ud800', nul: 'a\0b' },
      })
      const stored = {
        ...write,
        evidence: [
          { side: 'source', start: 4, end: 9, text: 'heron' },
          { side: 'target', start: 12, end: 17, text: 'heron' },
        ],
        createdAt: NOW.toISOString(),
        updatedAt: NOW.toISOString(),
      }
      expect(await store.relationships.put([write], { now: NOW })).toEqual([stored])
      for (const id of [write.sourceId, write.targetId]) {
        expect(await store.relationships.list([id], { filter: OWNER })).toEqual([stored])
      }
      expect(await store.check()).toEqual([])
    })

    it('are one, however often they are written', async () => {
      const store = await storeWith(useStore, ['heron', 'otter'])
      const write = relate('heron', 'otter', 'causal', { score: 0.5, reason: 'once' })
      const [first] = await store.relationships.put([write, write], { now: NOW })
      expect(await store.relationships.put([write], { now: LATER })).toEqual([first])
      const [changed] = await store.relationships.put([{ ...write, score: 0.75 }], { now: LATER })
      expect(changed).toEqual({ ...first, score: 0.75, updatedAt: LATER.toISOString() })
      await store.relationships.put([relate('otter', 'heron', 'causal')], { now: NOW })
      expect(await edgesOf(store, ['heron'])).toEqual(['otter causal heron 1', 'heron causal otter 0.75'])
    })

    it('of a symmetric type have the lesser id first, whichever was given first', async () => {
      const store = await storeWith(useStore, ['2 bar', '3 bar'])
      const evidence = [
        { side: 'source' as const, start: 0, end: 1 },
        { side: 'target' as const, start: 0, end: 1 },
      ]
      const [one] = await store.relationships.put([relate('3 bar', '2 bar', 'contradicts', { evidence })], { now: NOW })
      expect(one).toMatchObject({ sourceId: '2 bar', targetId: '3 bar' })
      expect(one?.evidence.map(({ side, text }) => [side, text])).toEqual([
        ['target', '3'],
        ['source', '2'],
      ])
      await store.relationships.put([relate('2 bar', '3 bar', 'contradicts')], { now: LATER })
      expect(await edgesOf(store, ['3 bar', '2 bar'])).toEqual(['2 bar contradicts 3 bar 1'])
      expect(await store.relationships.count(['2 bar', '3 bar'], { filter: OWNER })).toEqual([
        { id: '2 bar', outgoing: 0, incoming: 0, mutual: 1 },
        { id: '3 bar', outgoing: 0, incoming: 0, mutual: 1 },
      ])
      expect(await store.relationships.remove([relate('3 bar', '2 bar', 'contradicts')])).toBe(1)
      expect(await edgesOf(store, ['2 bar'])).toEqual([])
    })

    it('are refused together, each with its reason, when one of them cannot be', async () => {
      const store = await storeWith(useStore, ['heron', 'otter', { text: 'newt', scope: { agent: 'ravi' } }])
      const wrong = [
        relate('heron', 'otter'),
        relate('ghost-1', 'ghost-2', 'supports'),
        relate('heron', 'otter', 'likes' as RelationshipType),
        relate('heron', 'otter', 'supports', { score: 1.7 }),
        relate('heron', 'otter', 'supports', { score: Number.NaN }),
        relate('heron', 'heron'),
        relate('heron', 'otter', 'supports', { metadata: { text: 'x'.repeat(20_000) } }),
        relate('heron', 'otter', 'supports', { metadata: { count: 1n } }),
        relate('heron', 'otter', 'supports', { reason: 'x'.repeat(20_000) }),
      ]
      const message =
        /8 of 9.*2: .*"ghost-1" and "ghost-2".*3: .*"likes".*4: .*1\.7.*5: .*NaN.*6: .*itself.*7: .*8: .*9: /
      const refused = store.relationships.put(wrong, { now: NOW })
      await expect(refused).rejects.toMatchObject({ code: 'INVALID_OPTION', message: expect.stringMatching(message) })
      expect(await store.relationships.totals()).toMatchObject({ explicit: 0, discovered: 0 })
      const asMain = { now: NOW, filter: { viewer: { tenant: 'local', agent: 'main' } } }
      for (const hidden of ['newt', 'nobody']) {
        const put = store.relationships.put([relate('heron', hidden)], asMain)
        const expected = expect.stringContaining(`there is no memory "${hidden}"`)
        await expect(put).rejects.toMatchObject({ code: 'NOT_FOUND', message: expected })
      }
      await store.relationships.put(wrong.slice(0, 1), asMain)
      expect(await edgesOf(store, ['heron'])).toEqual(['heron references otter 1'])
    })

    it('never join two tenants', async () => {
      const store = await storeWith(useStore, ['heron'])
      const scope = { tenant: 'other', agent: 'main', project: '', visibility: 'global' as const }
      await store.putDocuments([makeWrite('b.md', [{ text: 'otter', scope }])])
      const put = store.relationships.put([relate('heron', 'otter')], { now: NOW })
      await expect(put).rejects.toMatchObject({ code: 'INVALID_OPTION' })
      const linked = await store.relationships.replaceDiscovered(
        [{ id: 'heron' }],
        [discover('heron', 'otter', 1)],
        NOW,
      )
      expect(linked).toEqual({ written: 0, removed: 0, skipped: 1, stale: [] })
      expect(await store.relationships.openReviews([{ firstId: 'heron', secondId: 'otter' }], NOW)).toBe(0)
    })

    it('come strongest first, equal ones by id, cut after the filters', async () => {
      const store = await storeWith(useStore, ['hub', 'a', 'b', 'c', { text: 'd', tier: 'episodic' }, 'e'])
      const { relationships } = store
      await relationships.put(
        [
          relate('hub', 'c', 'supports', { score: 0.5 }),
          relate('b', 'hub', 'supports', { score: 0.5 }),
          relate('hub', 'a', 'supports', { score: 0.5 }),
          relate('hub', 'a', 'causal', { score: 0.5 }),
          relate('d', 'hub', 'references', { score: 0.9 }),
          relate('hub', 'e', 'generalizes', { score: 0.1 }),
          discover('a', 'e', 0.7),
        ],
        { now: NOW },
      )
      const all = [
        'd references hub 0.9',
        'b supports hub 0.5',
        'hub causal a 0.5',
        'hub supports a 0.5',
        'hub supports c 0.5',
        'hub generalizes e 0.1',
      ]
      expect(await edgesOf(store, ['hub'])).toEqual(all)
      for (let limit = 0; limit <= 6; limit++) {
        expect(await edgesOf(store, ['hub'], { limit })).toEqual(all.slice(0, limit))
        expect(await edgesOf(store, ['hub'], { perMemory: limit })).toEqual(all.slice(0, limit))
      }
      expect(await edgesOf(store, ['hub'], { minScore: 0.5, types: ['supports', 'generalizes'], limit: 2 })).toEqual([
        'b supports hub 0.5',
        'hub supports a 0.5',
      ])
      expect(await edgesOf(store, ['hub'], { types: [] })).toEqual([])
      expect(await edgesOf(store, ['hub'], { otherTiers: ['episodic'], limit: 1 })).toEqual(all.slice(0, 1))
      expect(await edgesOf(store, ['d'], { otherTiers: ['semantic'] })).toEqual(all.slice(0, 1))
      expect(await edgesOf(store, ['a'], { origin: 'discovered' })).toEqual(['a references e 0.7'])
      expect(await edgesOf(store, ['a', 'e'], { origin: 'explicit', limit: 1 })).toEqual(['hub causal a 0.5'])
      expect(await edgesOf(store, ['a', 'hub', 'a', 'nobody'], { perMemory: 1 })).toEqual([
        'd references hub 0.9',
        'a references e 0.7',
      ])
      expect(await relationships.count(['e', 'hub', 'e', 'nobody'], { filter: OWNER, minScore: 0.5 })).toEqual([
        { id: 'e', outgoing: 0, incoming: 1, mutual: 0 },
        { id: 'hub', outgoing: 3, incoming: 2, mutual: 0 },
      ])
    })

    it('tell which memories have most of them, as far as the query lets them through', async () => {
      const scope = { agent: 'other' }
      const store = await storeWith(useStore, ['hub', 'a', 'b', 'c', 'alone'])
      await store.putDocuments([
        makeWrite('theirs.md', [
          { text: 'theirs', scope },
          { text: 'more', scope },
        ]),
      ])
      const writes = [
        relate('hub', 'a'),
        relate('b', 'hub'),
        relate('hub', 'c', 'contradicts', { score: 0.5 }),
        relate('a', 'b'),
        relate('theirs', 'more'),
        relate('theirs', 'hub', 'supports'),
        relate('theirs', 'a', 'supports'),
      ]
      await store.relationships.put(writes, { now: NOW })
      const list = async (query: Partial<Parameters<typeof store.relationships.listConnected>[0]>) =>
        (await store.relationships.listConnected({ filter: OWNER, limit: 10, ...query })).map(
          ({ id, outgoing, incoming, mutual }) => `${id} ${outgoing}/${incoming}/${mutual}`,
        )
      expect(await list({})).toEqual(['hub 1/2/1', 'a 1/2/0', 'theirs 3/0/0', 'b 1/1/0', 'c 0/0/1', 'more 0/1/0'])
      expect(await list({ limit: 1 })).toEqual(['hub 1/2/1'])
      expect(await list({ minScore: 0.6, types: ['references', 'contradicts'] })).toEqual([
        'a 1/1/0',
        'b 1/1/0',
        'hub 1/1/0',
        'more 0/1/0',
        'theirs 1/0/0',
      ])
      const filter = { viewer: { tenant: 'local', agent: 'main' } }
      expect(await list({ filter })).toEqual(['hub 1/1/1', 'a 1/1/0', 'b 1/1/0', 'c 0/0/1'])
      expect(await list({ filter: { viewer: { tenant: 'local', agent: 'nobody' } } })).toEqual([])
    })

    it('are listed page by page, each once', async () => {
      const names = ['a', 'b', 'c', 'd', 'e', { text: 'hidden', scope: { agent: 'ravi' } }]
      const store = await storeWith(useStore, names)
      const writes = ['b', 'c', 'd', 'e', 'hidden'].map((id) => relate('a', id))
      await store.relationships.put([...writes, relate('d', 'c', 'supports', { score: 0.5 })], { now: NOW })
      const filter = { viewer: { tenant: 'local', agent: 'main' } }
      const found: string[] = []
      let after: string | undefined
      do {
        const page = await store.relationships.page({ filter, limit: 2, ...(after !== undefined && { after }) })
        expect(page.relationships.length).toBeLessThanOrEqual(2)
        found.push(...page.relationships.map(({ sourceId, targetId }) => `${sourceId} ${targetId}`))
        after = page.next
      } while (after !== undefined)
      expect(found.sort()).toEqual(['a b', 'a c', 'a d', 'a e', 'd c'])
      expect((await store.relationships.page({ filter, limit: 9, minScore: 0.6 })).relationships).toHaveLength(4)
      expect(await store.relationships.page({ filter, limit: 9, types: ['causal'] })).toEqual({ relationships: [] })
    })

    it('with an end that the viewer may not see are not there', async () => {
      const ravi = { agent: 'ravi' }
      const store = await storeWith(useStore, [
        'mine',
        { text: 'shared', scope: { ...ravi, visibility: 'global' } },
        { text: 'theirs', scope: ravi },
        { text: 'elsewhere', scope: { project: '/src/app' } },
      ])
      const { relationships } = store
      await relationships.put(
        [
          relate('theirs', 'mine', 'supports', { score: 0.9 }),
          relate('theirs', 'shared', 'supports', { score: 0.8 }),
          relate('mine', 'shared', 'supports', { score: 0.7 }),
          relate('mine', 'elsewhere', 'supports', { score: 0.6 }),
        ],
        { now: NOW },
      )
      await relationships.openReviews([{ firstId: 'theirs', secondId: 'mine' }], NOW)
      const main = { viewer: { tenant: 'local', agent: 'main' } }
      expect(await edgesOf(store, ['mine', 'theirs', 'shared'], { filter: main, limit: 1 })).toEqual([
        'mine supports shared 0.7',
      ])
      const inApp = { viewer: { tenant: 'local', agent: 'main', project: '' } }
      expect(await edgesOf(store, ['mine'], { filter: inApp })).toEqual(['mine supports shared 0.7'])
      expect(await relationships.count(['theirs', 'shared'], { filter: main })).toEqual([
        { id: 'shared', outgoing: 0, incoming: 1, mutual: 0 },
      ])
      expect(await relationships.listReviews({ filter: main })).toEqual([])
      const [review] = await relationships.listReviews({ filter: OWNER })
      const decision = { decision: 'confirmed' as const, by: 'Ada' }
      const decide = relationships.decide(review?.id ?? '', decision, { now: NOW, filter: main })
      await expect(decide).rejects.toMatchObject({ code: 'NOT_FOUND' })
      expect(await relationships.remove([relate('theirs', 'mine', 'supports')], { filter: main })).toBe(0)
      expect(await relationships.remove([relate('theirs', 'mine', 'supports')], { filter: OWNER })).toBe(1)
      expect(await edgesOf(store, ['mine'], { filter: { viewer: { tenant: 'other' } } })).toEqual([])
    })
  })
}
