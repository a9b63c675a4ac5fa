import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { describeStores, openEmptyStore } from '../../test/stores.ts'
import { RELATIONSHIP_TYPES, type RelationshipWrite } from '../model/relationship.ts'
import type { Hit, MemoryFilter } from '../model/search.ts'
import { createInMemoryStore } from '../store/memory/in-memory-store.ts'
import type { MemoryStore } from '../store/memory-store.ts'
import { discover, relate } from '../testing/memory-store/relationships.ts'
import { makeWrite, OWNER, type Sample } from '../testing/memory-store/samples.ts'
import { expandHits } from './expand-hits.ts'

const NOW = new Date('2026-03-01T12:00:00Z')

async function storeOf(
  samples: ReadonlyArray<string | Sample>,
  writes: readonly RelationshipWrite[],
  given?: MemoryStore,
): Promise<MemoryStore> {
  const store = given ?? (await openEmptyStore())
  await store.putDocuments(samples.map((sample, number) => makeWrite(`${number}.md`, [sample])))
  if (writes.length > 0) await store.relationships.put(writes, { now: NOW })
  return store
}

/** Hits of these memories with these scores. */
async function hitsOf(store: MemoryStore, scores: Record<string, number>): Promise<Hit[]> {
  const zero = { vector: 0, keyword: 0, header: 0, filepath: 0 }
  const memories = await store.getMemories(Object.keys(scores))
  return memories.map((memory) => ({
    memory,
    score: scores[memory.id] ?? 0,
    explanation: { signals: zero, weights: zero, boosts: [], matchedTerms: [] },
  }))
}

async function expand(
  store: MemoryStore,
  scores: Record<string, number>,
  options: Partial<Parameters<typeof expandHits>[2]> = {},
): Promise<Hit[]> {
  const given = { filter: OWNER, limit: 8, minScore: 0, ...options }
  return (await expandHits(store, await hitsOf(store, scores), given)).hits
}

const idsOf = (hits: readonly Hit[]): string[] => hits.map(({ memory }) => memory.id)
const at = (text: string, day: string): Sample => ({
  text,
  place: { occurredAt: `${day}T09:00:00Z`, dateOrigin: 'name' },
})

describeStores('following relationships from what was found', () => {
  it('brings in what bears on it, below it, one step far, and says by which relationship', async () => {
    const store = await storeOf(
      ['a', 'b', 'c', 'near', 'far'],
      [relate('near', 'a', 'supports', { score: 0.9, reason: 'says so' }), relate('near', 'far')],
    )
    const hits = await expand(store, { a: 0.9, b: 0.2 })
    expect(idsOf(hits)).toEqual(['a', 'near', 'b'])
    expect(hits[1]?.score).toBeLessThan(0.9 * 0.9)
    const link = { relationshipType: 'supports', score: 0.9, reason: 'says so' }
    expect(hits.map(({ links }) => links)).toEqual([
      [{ ...link, id: 'near', direction: 'in' }],
      [{ ...link, id: 'a', direction: 'out', broughtIn: true }],
      [],
    ])
    expect(hits[1]?.explanation.boosts).toMatchObject([{ name: 'link', reason: 'supports, beside 0.md: says so' }])
  })

  it('changes nothing where nothing bears on it, or what does is too weak', async () => {
    const store = await storeOf(['a', 'b', 'c'], [relate('a', 'c', 'references', { score: 0.2 })])
    expect(idsOf(await expand(store, { b: 0.9 }))).toEqual(['b'])
    expect(idsOf(await expand(store, { a: 0.9 }))).toEqual(['a'])
    expect(await expand(store, {})).toEqual([])
    const strong = await storeOf(['a', 'c'], [relate('a', 'c')])
    expect(idsOf(await expand(strong, { a: 0.5 }))).toEqual(['a', 'c'])
    expect(idsOf(await expand(strong, { a: 0.5 }, { minScore: 0.5 }))).toEqual(['a'])
  })

  it('sets the newer of two that contradict each other above the older, whichever of them was found', async () => {
    const samples = [at('old', '2026-01-02'), at('new', '2026-02-10'), 'other']
    const store = await storeOf(samples, [relate('old', 'new', 'contradicts', { score: 0.8 })])
    expect(idsOf(await expand(store, { old: 0.9, other: 0.85 }))).toEqual(['new', 'old', 'other'])
    expect(idsOf(await expand(store, { new: 0.9, other: 0.85 }))).toEqual(['new', 'old', 'other'])
    const both = await expand(store, { old: 0.9, other: 0.8, new: 0.7 })
    expect(idsOf(both)).toEqual(['new', 'old', 'other'])
    expect(both.map(({ score }) => score)).toEqual([0.9, 0.9, 0.8])
    // A much worse answer is no better answer for being newer.
    expect(idsOf(await expand(store, { old: 0.9, other: 0.8, new: 0.2 }))).toEqual(['old', 'other', 'new'])
    const undated = await storeOf(['old', 'new'], [relate('old', 'new', 'contradicts')])
    expect(idsOf(await expand(undated, { old: 0.9 }))).toEqual(['old', 'new'])
  })

  it('can keep to corrections that somebody stated or enough people confirmed, and then brings in nothing else', async () => {
    const samples = [at('old', '2026-01-02'), at('new', '2026-02-10'), 'other']
    const store = await storeOf(samples, [relate('old', 'other', 'supports')])
    const found = discover('old', 'new', 0.9, { relationshipType: 'contradicts' })
    await store.relationships.replaceDiscovered([{ id: 'old' }], [found], NOW)
    await store.relationships.openReviews([{ firstId: 'old', secondId: 'new' }], NOW)
    const [review] = await store.relationships.listReviews({ filter: OWNER })
    const confirm = (by: string) =>
      store.relationships.decide(review?.id ?? '', { decision: 'confirmed', by }, { now: NOW, filter: OWNER })
    const expandTo = async (id: string) => idsOf(await expand(store, { [id]: 0.6 }, { consensus: 2, minScore: 0.6 }))
    expect(await expandTo('old')).toEqual(['old'])
    await confirm('Ada')
    expect(await expandTo('old')).toEqual(['old'])
    await confirm('Ravi')
    expect(await expandTo('old')).toEqual(['new', 'old'])
    expect(await expandTo('new')).toEqual(['new'])
    await store.relationships.put([relate('new', 'other', 'contradicts')], { now: NOW })
    expect(await expandTo('new')).toEqual(['new', 'other'])
  })

  it('does not know contradictions that somebody dismissed', async () => {
    const store = await storeOf(['a', 'b'], [])
    const found = discover('a', 'b', 0.9, { relationshipType: 'contradicts' })
    await store.relationships.replaceDiscovered([{ id: 'a' }], [found], NOW)
    await store.relationships.openReviews([{ firstId: 'a', secondId: 'b' }], NOW)
    expect(idsOf(await expand(store, { a: 0.9 }))).toEqual(['a', 'b'])
    const [review] = await store.relationships.listReviews({ filter: OWNER })
    await store.relationships.decide(
      review?.id ?? '',
      { decision: 'dismissed', by: 'Ada' },
      { now: NOW, filter: OWNER },
    )
    expect(idsOf(await expand(store, { a: 0.9 }))).toEqual(['a'])
  })
})

describe('whatever is related to what was found', () => {
  it('never shows what the asker may not see, in order of score and within the limit, the same every time', async () => {
    const link = fc.record({
      from: fc.nat(9),
      to: fc.nat(9),
      type: fc.constantFrom(...RELATIONSHIP_TYPES),
      score: fc.double({ min: 0, max: 1, noNaN: true }),
    })
    const plan = fc.record({
      links: fc.array(link, { maxLength: 30 }),
      scores: fc.uniqueArray(fc.tuple(fc.nat(9), fc.double({ min: 0, max: 1, noNaN: true })), {
        selector: ([id]) => id,
        maxLength: 6,
      }),
      limit: fc.integer({ min: 6, max: 10 }),
      minScore: fc.constantFrom(0, 0.4),
    })
    const filter: MemoryFilter = { viewer: { tenant: 'local', agent: 'main' } }
    await fc.assert(
      fc.asyncProperty(plan, async ({ links, scores, limit, minScore }) => {
        const isSecret = (number: number): boolean => number % 4 === 3
        const samples = Array.from(
          { length: 10 },
          (_, number): Sample => ({
            ...at(`m${number}`, `2026-01-${10 + (number % 5)}`),
            scope: { agent: isSecret(number) ? 'other' : 'main' },
          }),
        )
        const writes = links
          .filter(({ from, to }) => from !== to)
          .map(({ from, to, type, score }) => relate(`m${from}`, `m${to}`, type, { score }))
        const store = await storeOf(samples, writes, createInMemoryStore())
        const given = scores
          .filter(([number, score]) => !isSecret(number) && score >= minScore)
          .sort(([, a], [, b]) => b - a)
        const found = Object.fromEntries(given.map(([number, score]) => [`m${number}`, score]))
        const hits = await expand(store, found, { filter, limit, minScore })
        expect(await expand(store, found, { filter, limit, minScore })).toEqual(hits)
        expect(JSON.stringify(hits)).not.toMatch(/"m[37]"/)
        expect(hits.length).toBeLessThanOrEqual(limit)
        expect(new Set(idsOf(hits)).size).toBe(hits.length)
        for (const [index, { score }] of hits.entries()) {
          expect(score).toBeGreaterThanOrEqual(minScore)
          expect(score).toBeLessThanOrEqual(hits[index - 1]?.score ?? 1)
        }
        if (given.length === 0) expect(hits).toEqual([])
      }),
      { numRuns: 60 },
    )
  })
})
