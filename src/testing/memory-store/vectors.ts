import { describe, expect, it } from 'vitest'
import type { WordsMet } from '../../store/memory-store.ts'
import { askFor, findIds, makeContent, makeWrite, OWNER, ROOT, vectorOf } from './samples.ts'
import type { StoreFactory } from './store-factory.ts'

const put = (id: string, ...windows: Float32Array[]) => ({ id, embedText: id, windows })

/** What a store promises about vectors. Cosines may be off by a few thousandths: stores may keep 8 bits a number. */
export function testVectors(useStore: StoreFactory): void {
  describe('search by vector', () => {
    it('gives each memory the cosine of its best window with its best query vector', async () => {
      const store = await useStore()
      await store.putDocuments([makeWrite('a.md', ['heron', 'otter', 'newt', 'mud'])])
      await store.putVectors('test', [
        put('heron', vectorOf(3, 4), vectorOf(0, 0, 5)),
        put('otter', vectorOf(-2)),
        put('newt', vectorOf(1, 1)),
      ])
      const query = askFor('', { vectors: [vectorOf(10), vectorOf(0, 0.1)], identity: 'test' })
      const { candidates, matchedCount, pendingCount } = await store.findCandidates(query)
      expect(candidates.map(({ memory }) => memory.id)).toEqual(['heron', 'newt', 'otter'])
      expect(candidates.map(({ vector }) => vector)).toEqual([
        expect.closeTo(0.8, 2),
        expect.closeTo(Math.SQRT1_2, 2),
        expect.closeTo(0, 2),
      ])
      expect(candidates.every(({ text, window, document }) => text + window + document === 0)).toBe(true)
      expect(matchedCount).toBe(3)
      expect(pendingCount).toBe(1)
    })

    it('scores what the words found by vector, and what the vector found by words', async () => {
      const store = await useStore()
      const texts = Array.from({ length: 20 }, (_, index) => `heron ${'reed '.repeat(index)}`.trim())
      await store.putDocuments(texts.map((text, index) => makeWrite(`${index}.md`, [text])))
      await store.putVectors(
        'test',
        texts.map((text, index) => put(text, vectorOf(index, 20))),
      )
      const query = askFor('heron', { vectors: [vectorOf(1)], identity: 'test', limit: 2 })
      const { candidates, matchedCount } = await store.findCandidates(query)
      expect(candidates.map(({ memory }) => texts.indexOf(memory.id))).toEqual([0, 1, 18, 19])
      for (const { memory, vector, text, matched } of candidates) {
        const index = texts.indexOf(memory.id)
        expect(vector).toBeCloseTo(index / Math.hypot(index, 20), 2)
        expect(text).toBeGreaterThan(0)
        expect(matched).toEqual([0])
      }
      expect(matchedCount).toBe(20)
    })

    it('finds the same for queries that were announced, also after what they look for has changed', async () => {
      const store = await useStore()
      const texts = Array.from({ length: 30 }, (_, index) => `heron ${index}`)
      await store.putDocuments([makeWrite('a.md', texts)])
      const turn = (by: number) =>
        texts.map((text, index) => put(text, vectorOf(index + by, 20), vectorOf(0, 1, index)))
      const queries = [[vectorOf(1)], [vectorOf(2, 1), vectorOf(0, 0, 1)], [vectorOf(1, 3)], [vectorOf(0, 1, 9)]]
      const ask = (): Promise<unknown[]> =>
        Promise.all(
          queries.map((vectors) => store.findCandidates(askFor('heron', { vectors, identity: 'test', limit: 9 }))),
        )
      const askAnnounced = async (): Promise<unknown[]> => {
        await store.expectVectors?.('test', queries)
        return ask()
      }
      await store.putVectors('test', turn(0))
      const before = await ask()
      expect(await askAnnounced()).toEqual(before)
      await store.putVectors('test', turn(15))
      const after = await ask()
      expect(after).not.toEqual(before)
      expect(await askAnnounced()).toEqual(after)
      // Of vectors that are not there, or are not comparable, nothing is said before somebody asks for them.
      await store.expectVectors?.('other', queries)
      await store.expectVectors?.('test', [[new Float32Array([1])], [new Float32Array([2])]])
    })

    it('gives back the vectors of an identity, all windows of a memory, as unit vectors', async () => {
      const store = await useStore()
      await store.putDocuments([makeWrite('a.md', ['heron', 'otter', 'newt', 'mud'])])
      await store.putVectors('test', [put('heron', vectorOf(3, 4), vectorOf(0, 0, 5)), put('mud')])
      await store.putVectors('other', [put('newt', vectorOf(1))])
      const found = await store.getVectors('test', ['newt', 'heron', 'mud', 'otter', 'nowhere'])
      expect([...found.keys()]).toEqual(['heron'])
      const [first, second] = (found.get('heron') ?? []).map((window) => [...window.slice(0, 3)])
      expect(first).toEqual([expect.closeTo(0.6, 5), expect.closeTo(0.8, 5), 0])
      expect(second).toEqual([0, 0, expect.closeTo(1, 5)])
      expect(await store.getVectors('nobody', ['heron'])).toEqual(new Map())
    })

    it('compares vectors of the wanted identity only', async () => {
      const store = await useStore()
      await store.putDocuments([makeWrite('a.md', ['heron', 'otter'])])
      await store.putVectors('old', [put('heron', vectorOf(1)), put('otter', vectorOf(1))])
      await store.putVectors('new', [put('heron', Float32Array.of(1, 0, 0))])
      const find = (identity: string, vector: Float32Array) =>
        store.findCandidates(askFor('', { vectors: [vector], identity }))
      expect((await find('new', Float32Array.of(1, 0, 0))).candidates.map(({ memory }) => memory.id)).toEqual(['heron'])
      expect((await find('new', Float32Array.of(1, 0, 0))).pendingCount).toBe(1)
      expect((await find('old', vectorOf(1))).candidates.map(({ memory }) => memory.id)).toEqual(['otter'])
      expect((await find('none', vectorOf(1))).candidates).toEqual([])
      expect(await store.counts('new')).toMatchObject({ embedded: { new: 1, old: 1 }, pending: 1 })
      expect(await store.counts()).toMatchObject({ pending: 0 })
    })

    it('sees vectors that are replaced and removed', async () => {
      const store = await useStore()
      const query = askFor('', { vectors: [vectorOf(1)], identity: 'test' })
      await store.putDocuments([
        makeWrite('a.md', ['heron']),
        makeWrite('b.md', ['otter']),
        makeWrite('c.md', ['newt']),
      ])
      await store.putVectors('test', [
        put('heron', vectorOf(1)),
        put('otter', vectorOf(1, 1)),
        put('newt', vectorOf(1, 2)),
      ])
      expect(await findIds(store, query)).toEqual(['heron', 'otter', 'newt'])
      await store.putVectors('test', [put('heron', vectorOf(1, 3))])
      expect(await findIds(store, query)).toEqual(['otter', 'newt', 'heron'])
      await store.removeDocuments([{ root: ROOT, path: 'b.md' }])
      expect(await findIds(store, query)).toEqual(['newt', 'heron'])
      await store.putDocuments([makeWrite('d.md', ['crane'])])
      await store.putVectors('test', [put('crane', vectorOf(1))])
      expect(await findIds(store, query)).toEqual(['crane', 'newt', 'heron'])
      expect(await store.check()).toEqual([])
    })

    it('finds the best of many', async () => {
      const store = await useStore()
      const ids = Array.from({ length: 300 }, (_, index) => `memory ${index}`)
      await store.putDocuments([makeWrite('a.md', ids)])
      const angle = (index: number): Float32Array => {
        const radians = ((index * 7) % 300) / 100
        return vectorOf(Math.cos(radians), Math.sin(radians))
      }
      await store.putVectors(
        'test',
        ids.map((id, index) => put(id, angle(index))),
      )
      const query = askFor('', { vectors: [vectorOf(1)], identity: 'test', limit: 10 })
      const expected = ids.toSorted((a, b) => ((ids.indexOf(a) * 7) % 300) - ((ids.indexOf(b) * 7) % 300)).slice(0, 10)
      expect(await findIds(store, query)).toEqual(expected)
    })

    it('puts a quarter of each category forward at least, however much nearer the other one is', async () => {
      const store = await useStore()
      const talk = Array.from({ length: 60 }, (_, index) => ({ text: `talk ${index}`, category: 'sessions' as const }))
      const notes = ['note near', 'note far', 'note farther']
      await store.putDocuments([makeWrite('sessions/a.jsonl', talk), makeWrite('a.md', notes)])
      const entries = talk.map(({ text }, index) => put(text, vectorOf(100, index)))
      await store.putVectors('test', [
        ...entries,
        ...notes.map((note, index) => put(note, vectorOf(index ? 1 : 2, 100))),
      ])
      const query = askFor('', { vectors: [vectorOf(1)], identity: 'test', limit: 4 })
      expect(await findIds(store, query)).toEqual(['talk 0', 'talk 1', 'talk 2', 'talk 3', 'note near'])
    })

    it('refuses vectors that have no direction or another number of dimensions', async () => {
      const store = await useStore()
      await store.putDocuments([makeWrite('a.md', ['heron', 'otter'])])
      await store.putVectors('test', [put('otter', vectorOf(1))])
      const bad = [vectorOf(0), vectorOf(Number.NaN), vectorOf(Number.POSITIVE_INFINITY), Float32Array.of(1, 2)]
      for (const vector of bad) {
        const refusal = { code: 'INVALID_OPTION' }
        await expect(store.putVectors('test', [put('heron', vectorOf(1), vector)])).rejects.toMatchObject(refusal)
        const query = askFor('', { vectors: [vector], identity: 'test' })
        await expect(store.findCandidates(query)).rejects.toMatchObject(refusal)
      }
      expect((await store.counts('test')).embedded).toEqual({ test: 1 })
    })
  })

  describe('pending vectors', () => {
    it('lists the important first, then the newest, then by id', async () => {
      const store = await useStore()
      const at = (day: string) => ({ occurredAt: `2026-02-${day}T12:00:00Z` })
      await store.putDocuments([
        makeWrite('a.md', [
          { text: 'undated' },
          { text: 'old', place: at('01') },
          { text: 'new b', place: at('02') },
          { text: 'new a', place: at('02') },
          { text: 'minor', importance: 0.1, place: at('03') },
          { text: 'vital', importance: 0.9, embedText: 'context: vital' },
        ]),
      ])
      const all = ['vital', 'new a', 'new b', 'old', 'undated', 'minor']
      const list = async (limit: number) => (await store.listPendingEmbeddings('test', limit)).map(({ id }) => id)
      expect(await list(99)).toEqual(all)
      expect(await list(2)).toEqual(all.slice(0, 2))
      expect((await store.listPendingEmbeddings('test', 1))[0]).toEqual({
        id: 'vital',
        embedText: 'context: vital',
        ownFrom: 0,
      })
      await store.putVectors('test', [put('new a', vectorOf(1)), put('old', vectorOf(1))])
      expect(await list(99)).toEqual(['vital', 'new b', 'undated', 'minor'])
      expect((await store.listPendingEmbeddings('other', 99)).map(({ id }) => id)).toEqual(all)
      await store.putDocuments([makeWrite('b.md', [{ text: 'late', importance: 0.8 }])])
      expect(await list(2)).toEqual(['vital', 'late'])
      await store.removeDocuments([{ root: ROOT, path: 'b.md' }])
      expect(await list(2)).toEqual(['vital', 'new b'])
    })

    it('waits no more for a text that the model cannot represent, until the text changes', async () => {
      const store = await useStore()
      await store.putDocuments([makeWrite('a.md', ['heron'])])
      await store.putVectors('test', [put('heron')])
      expect(await store.listPendingEmbeddings('test', 9)).toEqual([])
      expect(await store.counts('test')).toMatchObject({ embedded: {}, pending: 0 })
      expect(await store.findCandidates(askFor('heron', { vectors: [vectorOf(1)], identity: 'test' }))).toMatchObject({
        candidates: [{ memory: { id: 'heron' } }],
        pendingCount: 0,
      })
      expect(await store.listPendingEmbeddings('other', 9)).toHaveLength(1)
      await store.putDocuments([makeWrite('a.md', [{ id: 'heron', text: 'heron', embedText: 'pond: heron' }])])
      expect(await store.listPendingEmbeddings('test', 9)).toEqual([
        { id: 'heron', embedText: 'pond: heron', ownFrom: 0 },
      ])
    })

    it('ignores vectors for a text that changed meanwhile or a memory that is gone', async () => {
      const store = await useStore()
      await store.putDocuments([makeWrite('a.md', [{ text: 'heron', embedText: 'new text' }])])
      await store.putVectors('test', [
        { id: 'heron', embedText: 'old text', windows: [vectorOf(1)] },
        { id: 'gone', embedText: 'gone', windows: [vectorOf(1)] },
      ])
      expect(await store.counts('test')).toMatchObject({ embedded: {}, pending: 1 })
    })

    it('keeps vectors where the embed text stays and drops them where it changes', async () => {
      const store = await useStore()
      await store.putDocuments([makeWrite('a.md', ['heron', 'otter'])])
      await store.putVectors('test', [put('heron', vectorOf(1)), put('otter', vectorOf(1, 1))])
      await store.putDocuments([makeWrite('b.md', ['heron'])])
      await store.putDocuments([makeWrite('a.md', [{ id: 'otter', text: 'otter', embedText: 'pond: otter' }, 'newt'])])
      expect(await store.getMemories(['heron'])).toMatchObject([{ place: { path: 'b.md' } }])
      const query = askFor('', { vectors: [vectorOf(1)], identity: 'test' })
      expect(await findIds(store, query)).toEqual(['heron'])
      expect((await store.listPendingEmbeddings('test', 9)).map(({ id }) => id)).toEqual(['newt', 'otter'])
      expect(await store.check()).toEqual([])
    })

    it('uses vectors again for an equal embed text', async () => {
      const store = await useStore()
      await store.putDocuments([makeWrite('a.md', ['heron'])])
      await store.putVectors('test', [put('heron', vectorOf(1, 2), vectorOf(1))])
      const copy = { id: 'copy', text: 'another heron', embedText: 'heron', scope: { agent: 'ravi' } }
      await store.putDocuments([makeWrite('b.md', [copy])])
      expect(await store.listPendingEmbeddings('test', 9)).toEqual([])
      await store.putDocuments([makeWrite('a.md', [{ ...copy, id: 'successor', scope: {} }])])
      await store.addRemembered(makeContent({ id: 'third', text: 'heron' }), {})
      expect(await store.counts('test')).toMatchObject({ embedded: { test: 3 }, pending: 0 })
      const { candidates } = await store.findCandidates(askFor('', { vectors: [vectorOf(1)], identity: 'test' }))
      expect(candidates.map(({ memory, vector }) => [memory.id, vector])).toEqual([
        ['copy', expect.closeTo(1, 2)],
        ['successor', expect.closeTo(1, 2)],
        ['third', expect.closeTo(1, 2)],
      ])
    })

    it('drops an identity’s vectors and no other’s', async () => {
      const store = await useStore()
      await store.putDocuments([makeWrite('a.md', ['heron', 'otter', 'newt'])])
      await store.putVectors('old', [put('heron', vectorOf(1)), put('otter')])
      await store.putVectors('test', [put('newt', vectorOf(1))])
      const query = (identity: string) => askFor('', { vectors: [vectorOf(1)], identity })
      expect(await findIds(store, query('old'))).toEqual(['heron'])
      expect(await store.removeVectors('old')).toBe(2)
      expect(await store.removeVectors('old')).toBe(0)
      expect(await store.removeVectors('never seen')).toBe(0)
      expect(await findIds(store, query('old'))).toEqual([])
      expect(await findIds(store, query('test'))).toEqual(['newt'])
      expect(await store.counts('old')).toMatchObject({ embedded: { test: 1 }, pending: 3 })
      expect(await store.check()).toEqual([])
    })

    it('waits under the filter only', async () => {
      const store = await useStore()
      await store.putDocuments([makeWrite('a.md', ['heron']), makeWrite('b.md', [{ text: 'otter', tier: 'episodic' }])])
      const pending = async (query = {}) => (await store.findCandidates(askFor('heron', query))).pendingCount
      expect(await pending({ identity: 'test' })).toBe(2)
      expect(await pending({ identity: 'test', filter: { ...OWNER, tiers: ['episodic'] } })).toBe(1)
      expect(await pending()).toBe(0)
    })
  })

  describe('vectors of words', () => {
    const EAST = [127, 0]
    const NORTH = [0, 127]
    const WEST = [-127, 0]
    const putWords = (id: string, ...words: number[][]) => ({
      ...put(id, vectorOf(1)),
      tokens: Int8Array.from(words.flat()),
    })
    const query = { identity: 'test', dimensions: 2, vectors: Int8Array.from([...EAST, ...NORTH]) }

    it('are compared with those of a query, for a memory and for those beside it in its document', async () => {
      const store = await useStore()
      await store.putDocuments([makeWrite('a.md', ['heron', 'otter', 'newt', 'mud']), makeWrite('b.md', ['crane'])])
      await store.putVectors('test', [
        putWords('heron', EAST),
        putWords('otter', WEST, NORTH),
        putWords('newt', [90, 90], WEST),
        put('mud', vectorOf(1)),
        putWords('crane', NORTH),
      ])
      const alone = await store.compareWords(query, ['otter'])
      expect([...alone.keys()]).toEqual(['otter'])
      expect(sortOffsets(alone.get('otter'))).toEqual([[0, [0, 1]]])
      const found = await store.compareWords(query, ['otter', 'mud', 'crane', 'none'], { before: 2, after: 1 })
      const diagonal = [expect.closeTo(Math.SQRT1_2, 2), expect.closeTo(Math.SQRT1_2, 2)]
      expect(sortOffsets(found.get('otter'))).toEqual([
        [-1, [1, 0]],
        [0, [0, 1]],
        [1, diagonal],
      ])
      expect(sortOffsets(found.get('mud'))).toEqual([
        [-2, [0, 1]],
        [-1, diagonal],
      ])
      expect(sortOffsets(found.get('crane'))).toEqual([[0, [0, 1]]])
      expect(found.has('none')).toBe(false)
      expect(await store.compareWords({ ...query, identity: 'other' }, ['otter'])).toEqual(new Map())
      expect(await store.check()).toEqual([])
    })

    it('go with the text that they are of, and come along to an equal one', async () => {
      const store = await useStore()
      const metBy = async (id: string) => sortOffsets((await store.compareWords(query, [id])).get(id))
      await store.putDocuments([makeWrite('a.md', [{ id: 'heron', text: 'heron', embedText: 'heron' }])])
      await store.putVectors('test', [putWords('heron', EAST)])
      await store.putDocuments([makeWrite('b.md', [{ id: 'twin', text: 'heron twin', embedText: 'heron' }])])
      expect(await metBy('twin')).toEqual([[0, [1, 0]]])
      await store.putDocuments([makeWrite('a.md', [{ id: 'heron', text: 'heron', embedText: 'heron at the pond' }])])
      expect(await metBy('heron')).toEqual([])
      await store.putVectors('test', [{ id: 'heron', embedText: 'heron at the pond', windows: [vectorOf(1)] }])
      expect(await metBy('heron')).toEqual([])
      await store.removeVectors('test')
      expect(await metBy('twin')).toEqual([])
      expect(await store.check()).toEqual([])
    })
  })

  describe('the own words of a pending text', () => {
    it('begin behind what was said before a turn, and at the start of a section', async () => {
      const store = await useStore()
      const turn = {
        id: 'turn',
        text: 'At low tide.',
        embedText: 'When does it open?\nMara: At low tide.',
        role: 'user' as const,
      }
      const section = { id: 'section', text: 'At low tide.', embedText: 'Lock\nAt low tide.' }
      await store.putDocuments([makeWrite('a.md', [turn, section])])
      const starts = (await store.listPendingEmbeddings('test', 9)).map(({ id, ownFrom }) => [id, ownFrom])
      expect(Object.fromEntries(starts)).toEqual({ turn: 'When does it open?\n'.length, section: 0 })
    })
  })
}

function sortOffsets(list: readonly WordsMet[] = []): Array<[number, number[]]> {
  return [...list].sort((a, b) => a.offset - b.offset).map(({ offset, best }) => [offset, [...best].map(roundUnit)])
}

/** Free of the last digits of 32 bits, and of the sign of zero. */
const roundUnit = (value: number): number => Math.round(value * 1e4) / 1e4 + 0
