import { describe, expect, it } from 'vitest'
import { askFor, findIds, makeContent, makeWrite, OWNER, ROOT, vectorOf } from './samples.ts'
import type { StoreFactory } from './store-factory.ts'

/** What a store promises about documents, duplicates and places. */
export function testDocuments(useStore: StoreFactory): void {
  describe('documents', () => {
    it('is empty at first', async () => {
      const store = await useStore()
      expect(await store.listDocuments()).toEqual([])
      expect(await store.listMemories(OWNER)).toEqual([])
      expect(await store.counts()).toEqual({ documents: 0, memories: 0, places: 0, embedded: {}, pending: 0 })
      expect(await store.check()).toEqual([])
    })

    it('keeps every field of a memory and of its place', async () => {
      const store = await useStore()
      const content = makeContent({
        id: 'full',
        text: 'The heron nests in the reeds',
        category: 'sessions',
        tier: 'episodic',
        type: 'event',
        trust: 'untrusted',
        importance: 0.25,
        headerPath: ['Birds', 'Herons > grey'],
        embedText: 'Birds\nThe heron nests in the reeds',
        role: 'tool',
        speaker: 'Ada',
        tool: 'read_file',
        scope: { agent: 'ravi', project: '/src/app', visibility: 'team' },
      })
      const place = {
        startLine: 3,
        endLine: 5,
        occurredAt: '2026-02-08T09:30:00+01:00',
        dateOrigin: 'timestamp' as const,
        sessionId: 's-1',
        turnId: 't-9',
      }
      const write = makeWrite('sessions/a.jsonl', [])
      await store.putDocuments([{ ...write, memories: [{ content, place }] }])
      const canonical = { ...place, root: ROOT, path: 'sessions/a.jsonl', position: 0 }
      expect(await store.getMemories(['full'])).toEqual([
        { ...content, place: canonical, placeCount: 1, state: 'active', accessCount: 0 },
      ])
      expect(await store.listPlaces('full')).toEqual([canonical])
    })

    it('lists documents by root and path with what the next run compares', async () => {
      const store = await useStore()
      await store.putDocuments([makeWrite('b.md', ['two', 'three']), makeWrite('a.md', ['one'])])
      await store.touchDocument({ root: ROOT, path: 'a.md' }, 'touched', 77)
      await store.touchDocument({ root: ROOT, path: 'unknown.md' }, 'touched', 77)
      expect(await store.listDocuments()).toEqual([
        {
          root: ROOT,
          path: 'a.md',
          tenant: 'local',
          contentHash: 'hash of a.md',
          fingerprint: 'touched',
          chunkerVersion: 1,
          indexedAtMs: 77,
          memoryCount: 1,
        },
        expect.objectContaining({ path: 'b.md', fingerprint: 'fingerprint of b.md', memoryCount: 2 }),
      ])
    })

    it('makes a document consist of exactly the memories of the last write', async () => {
      const store = await useStore()
      const first = await store.putDocuments([makeWrite('a.md', ['heron', 'otter', 'newt'])])
      expect(first).toEqual({ added: ['heron', 'newt', 'otter'], removed: [], duplicates: 0, forgotten: 0 })
      const second = await store.putDocuments([makeWrite('a.md', ['otter', 'beaver', 'heron'])])
      expect(second).toEqual({ added: ['beaver'], removed: ['newt'], duplicates: 0, forgotten: 0 })
      const list = await store.listDocumentMemories({ path: 'a.md' }, OWNER)
      expect(list.map(({ memory, place }) => [memory.id, place.position, place.startLine])).toEqual([
        ['otter', 0, 1],
        ['beaver', 1, 2],
        ['heron', 2, 3],
      ])
      expect(await findIds(store, askFor('newt'))).toEqual([])
      expect(await store.check()).toEqual([])
    })

    it('changes nothing when a document is written again', async () => {
      const store = await useStore()
      await store.putDocuments([makeWrite('a.md', ['heron', 'otter'])])
      const before = await store.findCandidates(askFor('heron otter'))
      const again = await store.putDocuments([makeWrite('a.md', ['heron', 'otter'])])
      expect(again).toEqual({ added: [], removed: [], duplicates: 0, forgotten: 0 })
      expect(await store.findCandidates(askFor('heron otter'))).toEqual(before)
    })

    it('removes documents with the memories that stand nowhere else', async () => {
      const store = await useStore()
      await store.putDocuments([makeWrite('a.md', ['heron', 'otter']), makeWrite('b.md', ['otter'])])
      const result = await store.removeDocuments([
        { root: ROOT, path: 'a.md' },
        { root: ROOT, path: 'unknown.md' },
      ])
      expect(result).toEqual({ added: [], removed: ['heron'], duplicates: 0, forgotten: 0 })
      expect((await store.listDocuments()).map(({ path }) => path)).toEqual(['b.md'])
      expect(await findIds(store, askFor('heron otter'))).toEqual(['otter'])
      expect(await store.counts()).toMatchObject({ documents: 1, memories: 1, places: 1 })
    })

    it('writes all documents of a call or none', async () => {
      const store = await useStore()
      const stranger = makeWrite('b.md', [{ text: 'otter', scope: { tenant: 'other' } }], {
        scope: makeContent('').scope,
      })
      await expect(store.putDocuments([makeWrite('a.md', ['heron']), stranger])).rejects.toMatchObject({
        code: 'INVALID_OPTION',
      })
      expect(await store.listDocuments()).toEqual([])
      expect(await store.listMemories(OWNER)).toEqual([])
    })

    it('refuses a document without a root, where remembered memories stand', async () => {
      const store = await useStore()
      await store.addRemembered(makeContent('heron'), {})
      const intruder = makeWrite('remembered/heron', [], { root: '' })
      await expect(store.putDocuments([intruder])).rejects.toMatchObject({ code: 'INVALID_OPTION' })
      expect((await store.listMemories(OWNER)).map(({ id }) => id)).toEqual(['heron'])
    })

    it('keeps odd texts, NUL and halves of pairs replaced, and takes no id for another', async () => {
      const store = await useStore()
      const odd = { id: 'odd', text: 'heron \0 \ud83d \ud83e\udda9 \u{10ffff} 备份', embedText: 'a \0 b' }
      const expected = { text: 'heron \ufffd \ufffd \ud83e\udda9 \u{10ffff} 备份', embedText: 'a \ufffd b' }
      for (let round = 0; round < 2; round++) {
        const result = await store.putDocuments([makeWrite('a.md', [odd])])
        expect(result.added).toEqual(round === 0 ? ['odd'] : [])
        expect(await store.getMemories(['odd'])).toMatchObject([expected])
      }
      expect(await findIds(store, askFor('heron'))).toEqual(['odd'])
      expect(await findIds(store, askFor('备份'))).toEqual(['odd'])
      expect(await store.getMemories(['odd\0', 'odd\0x'])).toEqual([])
      await store.setState('odd', 'a\0b\ud83d')
      expect(await store.getState('odd')).toBe('a\0b\ud83d')
      expect(await store.check()).toEqual([])
    })

    it('takes documents without memories', async () => {
      const store = await useStore()
      await store.putDocuments([makeWrite('empty.md', [])])
      expect(await store.listDocuments()).toEqual([expect.objectContaining({ path: 'empty.md', memoryCount: 0 })])
    })

    it('asks for the root of a path that stands under two', async () => {
      const store = await useStore()
      await store.putDocuments([makeWrite('a.md', ['heron']), makeWrite('a.md', ['otter'], { root: '/other' })])
      await expect(store.listDocumentMemories({ path: 'a.md' }, OWNER)).rejects.toMatchObject({
        code: 'INVALID_OPTION',
      })
      const list = await store.listDocumentMemories({ root: '/other', path: 'a.md' }, OWNER)
      expect(list.map(({ memory }) => memory.id)).toEqual(['otter'])
      expect(await store.listDocumentMemories({ path: 'unknown.md' }, OWNER)).toEqual([])
    })

    it('does not tell of a path that the filter does not let be seen', async () => {
      const store = await useStore()
      const scope = { tenant: 'local', agent: 'bo', project: '', visibility: 'private' as const }
      await store.putDocuments([
        makeWrite('a.md', ['heron']),
        makeWrite('a.md', [{ text: 'otter', scope }], { root: '/other' }),
      ])
      const list = await store.listDocumentMemories({ path: 'a.md' }, { viewer: { tenant: 'local', agent: 'bo' } })
      expect(list.map(({ memory }) => memory.text)).toEqual(['otter'])
    })

    it('gives memories in the order asked for, each once, unknown ones left out', async () => {
      const store = await useStore()
      await store.putDocuments([makeWrite('a.md', ['heron', 'otter'])])
      const memories = await store.getMemories(['otter', 'nobody', 'heron', 'otter'])
      expect(memories.map(({ id }) => id)).toEqual(['otter', 'heron'])
    })

    it('lists memories newest first, undated last, equal ones by id', async () => {
      const store = await useStore()
      const at = (day: string) => ({ occurredAt: `2026-02-${day}T12:00:00Z` })
      await store.putDocuments([
        makeWrite('a.md', [
          'z undated',
          'a undated',
          { text: 'old', place: at('01') },
          { text: 'new b', place: at('03') },
          { text: 'new a', place: at('03') },
        ]),
      ])
      const ids = async (limit?: number) =>
        (await store.listMemories(OWNER, limit === undefined ? {} : { limit })).map(({ id }) => id)
      expect(await ids()).toEqual(['new a', 'new b', 'old', 'a undated', 'z undated'])
      expect(await ids(2)).toEqual(['new a', 'new b'])
    })
  })

  describe('duplicates', () => {
    it('keeps one memory with all its places and counts the others', async () => {
      const store = await useStore()
      const result = await store.putDocuments([
        makeWrite('b.md', ['heron', 'heron']),
        makeWrite('a.md', ['heron', 'otter']),
      ])
      expect(result).toEqual({ added: ['heron', 'otter'], removed: [], duplicates: 2, forgotten: 0 })
      const [memory] = await store.getMemories(['heron'])
      expect(memory).toMatchObject({ placeCount: 3, place: { path: 'a.md', position: 0 } })
      const places = await store.listPlaces('heron')
      expect(places.map(({ path, position }) => [path, position])).toEqual([
        ['a.md', 0],
        ['b.md', 0],
        ['b.md', 1],
      ])
      expect(await store.counts()).toMatchObject({ memories: 2, places: 4 })
      expect(await findIds(store, askFor('heron'))).toEqual(['heron', 'otter'])
    })

    it('chooses the same canonical place in whatever order documents come', async () => {
      const at = (day: string) => ({ occurredAt: `2026-02-${day}T12:00:00Z` })
      const session = { text: 'heron', category: 'sessions' as const, role: 'user' as const }
      const writes = [
        makeWrite('sessions/2.jsonl', [{ ...session, place: at('02') }]),
        makeWrite('sessions/1.jsonl', [{ ...session, place: at('01') }]),
        makeWrite('sessions/0.jsonl', [session]),
        makeWrite('z.md', [{ text: 'heron', headerPath: ['Birds'], place: at('05') }]),
      ]
      const expected = ['z.md', 'sessions/1.jsonl', 'sessions/2.jsonl', 'sessions/0.jsonl']
      for (const order of [writes, writes.toReversed()]) {
        const store = await useStore()
        for (const write of order) await store.putDocuments([write])
        expect((await store.listPlaces('heron')).map(({ path }) => path)).toEqual(expected)
        const [memory] = await store.getMemories(['heron'])
        expect(memory).toMatchObject({ category: 'memory', headerPath: ['Birds'], place: { path: 'z.md' } })
        expect(memory).not.toHaveProperty('role')
      }
    })

    it('shows the content of the next place when the canonical one goes', async () => {
      const store = await useStore()
      await store.putDocuments([
        makeWrite('a.md', [{ text: 'heron', headerPath: ['Birds'], embedText: 'Birds: heron' }]),
        makeWrite('sessions/s.jsonl', ['otter', { text: 'heron', category: 'sessions', role: 'user' }]),
      ])
      const result = await store.removeDocuments([{ root: ROOT, path: 'a.md' }])
      expect(result).toMatchObject({ added: [], removed: [] })
      const [memory] = await store.getMemories(['heron'])
      expect(memory).toMatchObject({
        category: 'sessions',
        role: 'user',
        headerPath: [],
        embedText: 'heron',
        placeCount: 1,
        place: { path: 'sessions/s.jsonl', position: 1 },
      })
      expect(await findIds(store, askFor('birds'))).toEqual([])
      expect(await findIds(store, { ...askFor(''), terms: [{ term: 'bird', field: 'header', weight: 1 }] })).toEqual([])
      expect(await findIds(store, { ...askFor(''), terms: [{ term: 's', field: 'path', weight: 1 }] })).toEqual([
        'heron',
        'otter',
      ])
      expect(await store.check()).toEqual([])
    })

    it('keeps the wording of each place, and finds the next one by its own words as soon as it stands for the memory', async () => {
      const store = await useStore()
      const copies = [
        makeWrite('a.md', [{ id: 'nest', text: 'The heron nests here', embedText: 'A heron' }]),
        makeWrite('b.md', [{ id: 'nest', text: 'heron nest, here now', embedText: 'B heron' }]),
        makeWrite('c.md', [{ id: 'nest', text: 'HERON: nests, there', embedText: 'C heron' }]),
      ]
      const result = await store.putDocuments(copies)
      expect(result).toEqual({ added: ['nest'], removed: [], duplicates: 2, forgotten: 0 })
      await store.putVectors('model', [{ id: 'nest', embedText: 'A heron', windows: [vectorOf(1)] }])
      const look = async () => (await store.getMemories(['nest'])).map(({ text, place }) => [place.path, text])
      expect(await look()).toEqual([['a.md', 'The heron nests here']])
      const [copy] = await store.listDocumentMemories({ path: 'c.md' }, OWNER)
      expect(copy).toMatchObject({ memory: { text: 'HERON: nests, there', placeCount: 3 }, place: { path: 'c.md' } })

      // The canonical place says something else now: the memory that it held stands elsewhere, and is searched there.
      expect(await store.putDocuments([makeWrite('a.md', ['beaver'])])).toMatchObject({
        added: ['beaver'],
        removed: [],
      })
      expect(await look()).toEqual([['b.md', 'heron nest, here now']])
      expect(await findIds(store, askFor('now'))).toEqual(['nest'])
      expect(await store.listPendingEmbeddings('model', 10)).toContainEqual({
        id: 'nest',
        embedText: 'B heron',
        ownFrom: 0,
      })

      await store.removeDocuments([{ root: ROOT, path: 'b.md' }])
      expect(await look()).toEqual([['c.md', 'HERON: nests, there']])
      expect(await findIds(store, askFor('now'))).toEqual([])
      expect(await findIds(store, askFor('there'))).toEqual(['nest'])

      // An earlier place comes back: the same memory, again as it is worded there.
      expect(await store.putDocuments(copies.slice(0, 1))).toMatchObject({
        added: [],
        removed: ['beaver'],
        duplicates: 1,
      })
      expect(await look()).toEqual([['a.md', 'The heron nests here']])
      expect(await findIds(store, askFor('there'))).toEqual([])
      expect(await store.check()).toEqual([])
    })
  })
}
