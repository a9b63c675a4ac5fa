import { describe, expect, it } from 'vitest'
import { askFor, findIds, makeContent, makeWrite, OWNER, ROOT, type Sample, vectorOf } from './samples.ts'
import type { StoreFactory } from './store-factory.ts'

const NOW = new Date('2026-03-01T12:00:00Z')

/** What a store promises about remembering and forgetting. */
export function testRemembered(useStore: StoreFactory): void {
  describe('remembering', () => {
    it('adds a memory that has no file', async () => {
      const store = await useStore()
      const content = makeContent({ id: 'own-id', text: 'The heron\nnests late' })
      await store.addRemembered(content, { occurredAt: '2026-02-08T09:30:00+01:00', sessionId: 's-1' })
      const place = {
        root: '',
        path: 'remembered/own-id',
        startLine: 1,
        endLine: 2,
        position: 0,
        occurredAt: '2026-02-08T09:30:00+01:00',
        dateOrigin: 'timestamp',
        sessionId: 's-1',
      }
      expect(await store.getMemories(['own-id'])).toEqual([
        { ...content, place, placeCount: 1, state: 'active', accessCount: 0 },
      ])
      expect(await findIds(store, askFor('heron'))).toEqual(['own-id'])
      expect((await store.listPendingEmbeddings('test', 9)).map(({ id }) => id)).toEqual(['own-id'])
      expect(await store.listDocuments()).toEqual([])
      expect(await store.counts()).toMatchObject({ documents: 0, memories: 1, places: 1 })
      expect(await store.listDocumentMemories({ path: 'remembered/own-id' }, OWNER)).toHaveLength(1)
    })

    it('refuses an id that is taken, by a file too', async () => {
      const store = await useStore()
      await store.addRemembered(makeContent('heron'), {})
      await store.putDocuments([makeWrite('a.md', ['otter'])])
      for (const id of ['heron', 'otter']) {
        const again = store.addRemembered(makeContent({ id, text: 'something else' }), {})
        await expect(again).rejects.toMatchObject({ code: 'ALREADY_EXISTS' })
      }
      expect((await store.getMemories(['heron', 'otter'])).map(({ text }) => text)).toEqual(['heron', 'otter'])
    })

    it('keeps what was remembered whatever happens to documents', async () => {
      const store = await useStore()
      await store.addRemembered(makeContent('heron'), {})
      await store.putDocuments([makeWrite('a.md', ['heron', 'otter'])])
      expect(await store.getMemories(['heron'])).toMatchObject([{ placeCount: 2 }])
      await store.removeDocuments([
        { root: ROOT, path: 'a.md' },
        { root: '', path: 'remembered/heron' },
      ])
      await store.touchDocument({ root: '', path: 'remembered/heron' }, 'x', 1)
      expect((await store.listMemories(OWNER)).map(({ id }) => id)).toEqual(['heron'])
    })
  })

  describe('forgetting', () => {
    it('takes the words out of what the next turn is embedded with, and no document brings them back', async () => {
      const store = await useStore()
      const talk = (id: string, text: string, before = ''): Sample => ({
        id,
        text,
        role: 'user',
        speaker: 'Mara',
        embedText: `${before}Mara: ${text}`,
        place: { turnId: id },
      })
      const write = makeWrite('talk.jsonl', [
        talk('a', 'the heron nests'),
        talk('b', 'the safe is behind the otter', 'the heron nests\n'),
        { id: 'tool', text: 'ok', role: 'tool', embedText: 'ls: ok' },
        talk('c', 'thanks', 'the safe is behind the otter\n'),
        talk('d', 'bye', 'thanks\n'),
      ])
      await store.putDocuments([write])
      const vectors = write.memories.map(({ content: { id, embedText } }) => ({
        id,
        embedText,
        windows: [vectorOf(1)],
      }))
      await store.putVectors('test', vectors)
      expect(await store.forget({ ids: ['b'] }, NOW)).toEqual(['b'])
      const left = { a: 'Mara: the heron nests', tool: 'ls: ok', c: 'Mara: thanks', d: 'thanks\nMara: bye' }
      const texts = async (): Promise<unknown> =>
        Object.fromEntries((await store.getMemories(Object.keys(left))).map(({ id, embedText }) => [id, embedText]))
      expect(await texts()).toEqual(left)
      expect(await store.listPendingEmbeddings('test', 9)).toEqual([{ id: 'c', embedText: 'Mara: thanks', ownFrom: 0 }])
      await store.putDocuments([write])
      expect(await texts()).toEqual(left)
      expect(await store.check()).toEqual([])
    })

    it('removes a memory from every index, for good', async () => {
      const store = await useStore()
      const write = makeWrite('a.md', ['heron', 'otter', 'newt'])
      await store.putDocuments([write, makeWrite('b.md', ['heron'])])
      await store.putVectors('test', [{ id: 'heron', embedText: 'heron', windows: [vectorOf(1)] }])
      expect(await store.forget({ ids: ['heron', 'nobody'] }, NOW)).toEqual(['heron'])
      expect(await store.getMemories(['heron'])).toEqual([])
      expect(await store.listPlaces('heron')).toEqual([])
      expect((await store.listDocumentMemories({ path: 'a.md' }, OWNER)).map(({ memory }) => memory.id)).toEqual([
        'otter',
        'newt',
      ])
      const found = await store.findCandidates(askFor('heron', { vectors: [vectorOf(1)], identity: 'test' }))
      expect(found).toMatchObject({ candidates: [], documentFrequencies: [0], memoryCount: 2 })
      expect((await store.counts('test')).embedded).toEqual({})
      const again = await store.putDocuments([write])
      expect(again).toEqual({ added: [], removed: [], duplicates: 0, forgotten: 1 })
      expect(await store.getMemories(['heron'])).toEqual([])
      expect((await store.listDocuments()).map(({ path, memoryCount }) => [path, memoryCount])).toEqual([
        ['a.md', 2],
        ['b.md', 0],
      ])
      expect(await store.listTombstones()).toEqual([
        { kind: 'memory', tenant: 'local', key: 'heron', forgottenAt: NOW.toISOString() },
      ])
      expect(await store.check()).toEqual([])
    })

    it('removes a document and keeps what stands elsewhere too', async () => {
      const store = await useStore()
      const write = makeWrite('a.md', ['heron', 'otter'])
      await store.putDocuments([write, makeWrite('b.md', ['otter'])])
      const keys = [
        { root: ROOT, path: 'a.md' },
        { root: ROOT, path: 'unknown.md' },
      ]
      expect(await store.forget({ documents: keys }, NOW)).toEqual(['heron'])
      expect((await store.listDocuments()).map(({ path }) => path)).toEqual(['b.md'])
      expect((await store.listMemories(OWNER)).map(({ id }) => id)).toEqual(['otter'])
      expect(await store.putDocuments([write])).toEqual({ added: [], removed: [], duplicates: 0, forgotten: 2 })
      expect((await store.listDocuments()).map(({ path }) => path)).toEqual(['b.md'])
      expect(await store.listTombstones()).toEqual([
        { kind: 'document', tenant: 'local', key: `${ROOT}\0a.md`, forgottenAt: NOW.toISOString() },
        { kind: 'memory', tenant: 'local', key: 'heron', forgottenAt: NOW.toISOString() },
      ])
    })

    it('does not bring a forgotten text back from a renamed file', async () => {
      const store = await useStore()
      await store.putDocuments([makeWrite('a.md', ['heron'])])
      await store.forget({ documents: [{ root: ROOT, path: 'a.md' }] }, NOW)
      const moved = await store.putDocuments([makeWrite('moved.md', ['heron', 'newt'])])
      expect(moved).toEqual({ added: ['newt'], removed: [], duplicates: 0, forgotten: 1 })
    })

    it('forgets what was remembered, by id or by path, and lets it be remembered anew', async () => {
      const store = await useStore()
      await store.addRemembered(makeContent('heron'), {})
      await store.addRemembered(makeContent('otter'), {})
      expect(await store.forget({ ids: ['heron'] }, NOW)).toEqual(['heron'])
      expect(await store.forget({ documents: [{ root: '', path: 'remembered/otter' }] }, NOW)).toEqual(['otter'])
      expect(await store.listMemories(OWNER)).toEqual([])
      await store.addRemembered(makeContent('heron'), {})
      expect((await store.listMemories(OWNER)).map(({ id }) => id)).toEqual(['heron'])
      expect((await store.listTombstones()).map(({ key }) => key)).toEqual(['otter'])
    })

    it('keeps tombstones to their tenant', async () => {
      const store = await useStore()
      await store.putDocuments([makeWrite('a.md', [{ text: 'heron', scope: { tenant: 'other' } }])])
      await store.forget({ ids: ['heron'] }, NOW)
      const result = await store.putDocuments([makeWrite('a.md', ['heron'])])
      expect(result).toMatchObject({ added: ['heron'], forgotten: 0 })
    })

    it('answers nothing to a call without a target', async () => {
      const store = await useStore()
      await store.putDocuments([makeWrite('a.md', ['heron'])])
      expect(await store.forget({}, NOW)).toEqual([])
      expect(await store.listTombstones()).toEqual([])
    })
  })

  describe('access', () => {
    it('counts accesses and keeps the last', async () => {
      const store = await useStore()
      await store.putDocuments([makeWrite('a.md', ['heron', 'otter'])])
      await store.recordAccess(['heron', 'nobody'], new Date('2026-03-01T00:00:00Z'))
      await store.recordAccess(['heron'], NOW)
      const memories = await store.getMemories(['heron', 'otter'])
      expect(memories[0]).toMatchObject({ accessCount: 2, lastAccess: NOW.toISOString() })
      expect(memories[1]).toMatchObject({ accessCount: 0 })
      expect(memories[1]).not.toHaveProperty('lastAccess')
    })

    it('survives that a document goes and comes back, and not that the memory is forgotten', async () => {
      const store = await useStore()
      await store.putDocuments([makeWrite('a.md', ['heron'])])
      await store.recordAccess(['heron'], NOW)
      await store.removeDocuments([{ root: ROOT, path: 'a.md' }])
      await store.addRemembered(makeContent('heron'), {})
      expect(await store.getMemories(['heron'])).toMatchObject([{ accessCount: 1 }])
      await store.forget({ ids: ['heron'] }, NOW)
      await store.addRemembered(makeContent('heron'), {})
      expect(await store.getMemories(['heron'])).toMatchObject([{ accessCount: 0 }])
    })
  })
}
