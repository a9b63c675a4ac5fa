import { describe, expect, it } from 'vitest'
import type { QueryTerm } from '../../store/memory-store.ts'
import { bm25ByHand } from './bm25-by-hand.ts'
import { askFor, findIds, makeWrite } from './samples.ts'
import type { StoreFactory } from './store-factory.ts'

const field = (name: QueryTerm['field'], term: string): QueryTerm => ({ term, field: name, weight: 1 })

/** Two documents of short texts; every word is its own term. */
const PONDS = [
  ['heron otter newt', 'newt newt beaver', 'otter', 'reed reed reed reed', 'heron', 'mud', 'newt mud moss'],
  ['moss', 'heron moss', 'crane', 'newt crane'],
]

/** What a store promises about search by keyword. */
export function testKeywordSearch(useStore: StoreFactory): void {
  describe('search by keyword', () => {
    it('scores a memory, its window and its document by BM25', async () => {
      const store = await useStore()
      const named = PONDS.map((texts, pond) => texts.map((text, index) => ({ id: `${pond}-${index}`, text })))
      await store.putDocuments(named.map((samples, pond) => makeWrite(`pond-${pond}.md`, samples)))
      const query = ['newt', 'heron', 'reed']
      const texts = PONDS.map((pond) => pond.map((text) => text.split(' ')))
      const memories = texts.flat()
      const windows = texts.flatMap((pond) => pond.map((_, at) => pond.slice(Math.max(0, at - 2), at + 3).flat()))
      const documents = texts.map((pond) => pond.flat())
      const text = bm25ByHand(memories, query)
      const window = bm25ByHand(windows, query, memories)
      const document = bm25ByHand(documents, query)
      const ids = named.flatMap((samples) => samples.map(({ id }) => id))

      const found = await store.findCandidates(askFor(query.join(' ')))
      expect(found.candidates.map(({ memory }) => memory.id).sort()).toEqual(
        ids.filter((_, index) => (window[index] ?? 0) > 0).sort(),
      )
      for (const candidate of found.candidates) {
        const at = ids.indexOf(candidate.memory.id)
        expect(candidate.text).toBeCloseTo(text[at] ?? -1, 10)
        expect(candidate.window).toBeCloseTo(window[at] ?? -1, 10)
        expect(candidate.document).toBeCloseTo(document[candidate.memory.id.startsWith('0') ? 0 : 1] ?? -1, 10)
      }
      expect(found.documentFrequencies).toEqual([4, 3, 1])
      expect(found.memoryCount).toBe(11)
      expect(found.matchedCount).toBe(text.filter((score) => score > 0).length)
      expect(found.pendingCount).toBe(0)
    })

    it('says which terms each memory holds', async () => {
      const store = await useStore()
      await store.putDocuments([makeWrite('a.md', [{ text: 'heron newt', headerPath: ['Ponds'] }, 'otter'])])
      const terms = [field('text', 'newt'), field('header', 'pond'), field('text', 'otter'), field('path', 'a')]
      const { candidates } = await store.findCandidates({ ...askFor(''), terms })
      const matched = Object.fromEntries(candidates.map((one) => [one.memory.text, one.matched]))
      expect(matched).toEqual({ 'heron newt': [0, 1, 3], otter: [2, 3] })
    })

    it('puts memories forward by heading and path when their text does not answer', async () => {
      const store = await useStore()
      await store.putDocuments([
        makeWrite('ponds/birds.md', [{ text: 'grey one', headerPath: ['Herons'] }]),
        makeWrite('lakes/fish.md', ['pike']),
      ])
      const byPath = await store.findCandidates({ ...askFor(''), terms: [field('path', 'bird')] })
      expect(byPath.candidates).toMatchObject([
        { memory: { text: 'grey one' }, text: 0, window: 0, document: 0, matched: [0] },
      ])
      expect(byPath.matchedCount).toBe(0)
      expect(await findIds(store, { ...askFor(''), terms: [field('header', 'heron')] })).toEqual(['grey one'])
      expect(await findIds(store, { ...askFor(''), terms: [field('text', 'bird')] })).toEqual([])
    })

    it('puts a memory forward whose neighbours answer', async () => {
      const store = await useStore()
      await store.putDocuments([makeWrite('a.md', ['heron', 'two', 'three', 'four'])])
      const { candidates } = await store.findCandidates(askFor('heron'))
      expect(candidates.map(({ memory, text }) => [memory.id, text > 0])).toEqual([
        ['heron', true],
        ['three', false],
        ['two', false],
      ])
    })

    it('weighs terms', async () => {
      const store = await useStore()
      await store.putDocuments([makeWrite('a.md', ['heron']), makeWrite('b.md', ['otter'])])
      const ask = (heron: number, otter: number) =>
        findIds(store, {
          ...askFor(''),
          terms: [
            { term: 'heron', field: 'text', weight: heron },
            { term: 'otter', field: 'text', weight: otter },
          ],
        })
      expect(await ask(2, 1)).toEqual(['heron', 'otter'])
      expect(await ask(1, 2)).toEqual(['otter', 'heron'])
      expect(await ask(1, 1)).toEqual(['heron', 'otter'])
    })

    it('returns the best up to the limit and counts all that match', async () => {
      const store = await useStore()
      const texts = Array.from({ length: 30 }, (_, index) => `heron ${'newt '.repeat(index)}`.trim())
      await store.putDocuments(texts.map((text, index) => makeWrite(`${index}.md`, [text])))
      const { candidates, matchedCount } = await store.findCandidates(askFor('heron', { limit: 3 }))
      expect(candidates.map(({ memory }) => memory.text)).toEqual(texts.slice(0, 3))
      expect(matchedCount).toBe(30)
    })

    it('puts a quarter of each category forward at least, however well the other one answers', async () => {
      const store = await useStore()
      const talk = Array.from({ length: 20 }, (_, index) => ({
        text: `heron heron ${index}`,
        category: 'sessions' as const,
      }))
      const notes = ['heron in the mud', 'heron in the mud and the reed', 'heron of the mud, the reed and the newt']
      await store.putDocuments([
        makeWrite('sessions/a.jsonl', talk),
        ...notes.map((note) => makeWrite(`${note}.md`, [note])),
      ])
      const { candidates } = await store.findCandidates(askFor('heron', { limit: 8 }))
      expect(candidates).toHaveLength(10)
      expect(candidates.filter(({ memory }) => memory.category === 'memory').map(({ memory }) => memory.text)).toEqual(
        notes.slice(0, 2),
      )
    })

    it('breaks ties by id, at the cut too', async () => {
      const store = await useStore()
      const ids = ['m', 'c', 'x', 'a', 'q', 'b']
      await store.putDocuments(ids.map((id) => makeWrite(`${id}.md`, [{ id, text: 'heron' }])))
      expect(await findIds(store, askFor('heron', { limit: 3 }))).toEqual(['a', 'b', 'c'])
    })

    it('takes words that are names of object members', async () => {
      const store = await useStore()
      await store.putDocuments([makeWrite('a.md', ['__proto__', 'constructor', 'hasOwnProperty toString valueOf'])])
      expect((await findIds(store, askFor('proto')))[0]).toBe('__proto__')
      expect((await findIds(store, askFor('constructor')))[0]).toBe('constructor')
      expect((await findIds(store, askFor('hasownproperti')))[0]).toBe('hasOwnProperty toString valueOf')
      expect(await findIds(store, askFor('__proto__'))).toEqual([])
      await store.setState('__proto__', 'kept')
      expect(await store.getState('__proto__')).toBe('kept')
      expect(await store.getState('constructor')).toBeNull()
    })

    it('counts the memories of a tenant that hold a term, as a search does', async () => {
      const store = await useStore()
      const sizes = [1, 2, 3, 40]
      const texts = Array.from({ length: 300 }, (_, n) =>
        [
          `numbered${n}`,
          'otter',
          ...sizes.flatMap((size) => (n % size === 0 ? [`every${size}`, `every${size}`] : [])),
        ].join(' '),
      )
      await store.putDocuments([makeWrite('a.md', texts.slice(0, 150)), makeWrite('b.md', texts.slice(150))])
      await store.removeDocuments([{ root: makeWrite('b.md', []).head.root, path: 'b.md' }])
      const query = askFor(['otter', 'unicorn', 'numbered7', ...sizes.map((size) => `every${size}`)].join(' '))
      const { documentFrequencies, memoryCount } = await store.findCandidates(query)
      expect(documentFrequencies[0]).toBe(150)
      const { tenant } = query.filter.viewer
      expect(await store.countHolders(query.terms, tenant)).toEqual({ documentFrequencies, memoryCount })
      const nothing = { documentFrequencies: query.terms.map(() => 0), memoryCount: 0 }
      expect(await store.countHolders(query.terms, `not-${tenant}`)).toEqual(nothing)
    })

    it('finds nothing for a query without terms or of unknown ones', async () => {
      const store = await useStore()
      await store.putDocuments([makeWrite('a.md', ['heron'])])
      for (const words of ['', 'unicorn']) {
        expect(await store.findCandidates(askFor(words))).toMatchObject({
          candidates: [],
          memoryCount: 1,
          matchedCount: 0,
        })
      }
    })
  })
}
