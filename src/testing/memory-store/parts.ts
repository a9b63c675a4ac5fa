import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TRIM_MEMORIES } from '../../options.ts'
import type { DocumentPart, DocumentWrite, MemoryStore } from '../../store/memory-store.ts'
import { askFor, findIds, makeContent, makeWrite, OWNER, ROOT, vectorOf } from './samples.ts'
import type { StoreFactory } from './store-factory.ts'

const PATH = 'sessions/long.jsonl'
const KEY = { root: ROOT, path: PATH }

/** A part of the document at PATH: all of it settled, the last one, unless it says otherwise. */
function makePart(texts: readonly string[], part: Partial<DocumentPart> & { cursor: string }): DocumentWrite {
  return { ...makeWrite(PATH, texts), part: { settled: texts.length, isLast: true, ...part } }
}

/** Ids of the document at PATH in order. */
async function idsOf(store: MemoryStore): Promise<string[]> {
  return (await store.listDocumentMemories(KEY, OWNER)).map(({ memory }) => memory.id)
}

/** What a store promises about documents that are written in parts. */
export function testParts(useStore: StoreFactory): void {
  describe('documents in parts', () => {
    it('grow part by part, and are partial until the last', async () => {
      const store = await useStore()
      await store.putDocuments([makePart(['heron', 'otter'], { cursor: 'one', isLast: false })])
      expect(await store.listDocuments()).toMatchObject([{ path: PATH, memoryCount: 2, isPartial: true }])
      expect(await store.getCursor(KEY)).toBe('one')
      expect((await findIds(store, askFor('otter')))[0]).toBe('otter')
      await store.putDocuments([makePart(['newt'], { after: 'one', cursor: 'two' })])
      expect(await store.listDocuments()).toMatchObject([{ path: PATH, memoryCount: 3 }])
      expect((await store.listDocuments())[0]).not.toHaveProperty('isPartial')
      const list = await store.listDocumentMemories(KEY, OWNER)
      expect(list.map(({ memory, place }) => [memory.id, place.position])).toEqual([
        ['heron', 0],
        ['otter', 1],
        ['newt', 2],
      ])
      expect(await store.check()).toEqual([])
    })

    it('are searched as one document: windows reach over the seam', async () => {
      const [whole, grown] = [await useStore(), await useStore()]
      await whole.putDocuments([makeWrite(PATH, ['heron', 'otter', 'newt', 'toad'])])
      await grown.putDocuments([makePart(['heron', 'otter'], { cursor: 'one', isLast: false })])
      await grown.putDocuments([makePart(['newt', 'toad'], { after: 'one', cursor: 'two' })])
      const scoresOf = async (store: MemoryStore) =>
        (await store.findCandidates(askFor('otter newt'))).candidates.map(({ memory, ...scores }) => [
          memory.id,
          scores,
        ])
      expect(await scoresOf(grown)).toEqual(await scoresOf(whole))
    })

    it('keep what is settled and replace the rest when they go on', async () => {
      const store = await useStore()
      await store.putDocuments([makePart(['heron', 'otter', 'half a toad'], { cursor: 'one', settled: 2 })])
      const result = await store.putDocuments([makePart(['whole toad', 'newt'], { after: 'one', cursor: 'two' })])
      expect(result).toEqual({ added: ['newt', 'whole toad'], removed: ['half a toad'], duplicates: 0, forgotten: 0 })
      expect(await idsOf(store)).toEqual(['heron', 'otter', 'whole toad', 'newt'])
      expect(await findIds(store, askFor('half'))).toEqual([])
      expect(await store.check()).toEqual([])
    })

    it('refuse a part that follows another than the last one, and change nothing', async () => {
      const store = await useStore()
      const refused = { code: 'STORE_BUSY', remedy: expect.any(String) }
      const stray = makePart(['newt'], { after: 'one', cursor: 'two' })
      await expect(store.putDocuments([stray])).rejects.toMatchObject(refused)
      expect(await store.listDocuments()).toEqual([])
      await store.putDocuments([makePart(['heron'], { cursor: 'one', isLast: false })])
      await store.putDocuments([makePart(['otter'], { after: 'one', cursor: 'two', isLast: false })])
      await expect(store.putDocuments([makeWrite('a.md', ['toad']), stray])).rejects.toMatchObject(refused)
      expect(await idsOf(store)).toEqual(['heron', 'otter'])
      expect((await store.listDocuments()).map(({ path }) => path)).toEqual([PATH])
    })

    it('hold what they held until the last part of a new beginning, vectors included', async () => {
      const store = await useStore()
      await store.putDocuments([makeWrite(PATH, ['heron', 'otter', 'newt'])])
      const vectors = ['heron', 'otter', 'newt'].map((id) => ({ id, embedText: id, windows: [vectorOf(1)] }))
      await store.putVectors('test', vectors)
      const first = await store.putDocuments([makePart(['toad', 'heron'], { cursor: 'one', isLast: false })])
      expect(first).toMatchObject({ added: ['toad'], removed: [] })
      expect((await idsOf(store)).toSorted()).toEqual(['heron', 'newt', 'otter', 'toad'])
      expect(await store.check()).toEqual([])
      const last = await store.putDocuments([makePart(['otter'], { after: 'one', cursor: 'two' })])
      expect(last).toMatchObject({ added: [], removed: ['newt'] })
      expect(await idsOf(store)).toEqual(['toad', 'heron', 'otter'])
      expect((await store.listPendingEmbeddings('test', 9)).map(({ id }) => id)).toEqual(['toad'])
      expect(await store.check()).toEqual([])
    })

    it('have no cursor when they are written as a whole, unknown or removed', async () => {
      const store = await useStore()
      expect(await store.getCursor(KEY)).toBeNull()
      await store.putDocuments([makePart(['heron'], { cursor: 'one', isLast: false })])
      await store.removeDocuments([KEY])
      expect(await store.getCursor(KEY)).toBeNull()
      expect(await store.listMemories(OWNER)).toEqual([])
      await store.putDocuments([makePart(['heron'], { cursor: 'one', isLast: false })])
      await store.putDocuments([makeWrite(PATH, ['heron', 'otter'])])
      expect(await store.getCursor(KEY)).toBeNull()
      expect((await store.listDocuments())[0]).not.toHaveProperty('isPartial')
    })

    it('lose the cursor, which may repeat words, with a memory that is forgotten, and no other document does', async () => {
      const store = await useStore()
      const other = { root: ROOT, path: 'sessions/other.jsonl' }
      await store.putDocuments([
        makePart(['heron', 'otter'], { cursor: 'after otter', isLast: false }),
        { ...makeWrite(other.path, ['newt']), part: { settled: 1, cursor: 'after newt', isLast: true } },
      ])
      await store.forget({ ids: ['otter'] }, new Date(0))
      expect(await store.getCursor(KEY)).toBeNull()
      expect(await store.getCursor(other)).toBe('after newt')
      const result = await store.putDocuments([makePart(['heron', 'otter', 'toad'], { cursor: 'two', settled: 2 })])
      expect(result).toMatchObject({ added: ['toad'], forgotten: 1 })
      await store.putDocuments([makePart(['newt'], { after: 'two', cursor: 'three' })])
      expect(await idsOf(store)).toEqual(['heron', 'newt'])
      expect(await store.check()).toEqual([])
    })

    it('stay away in all their parts when they were forgotten', async () => {
      const store = await useStore()
      await store.putDocuments([makePart(['heron'], { cursor: 'one', isLast: false })])
      await store.forget({ documents: [KEY] }, new Date(0))
      expect(await store.getCursor(KEY)).toBeNull()
      const again = await store.putDocuments([makePart(['heron', 'otter'], { cursor: 'one', isLast: false })])
      expect(again).toMatchObject({ added: [], forgotten: 2 })
      expect(await store.listDocuments()).toEqual([])
    })

    it('are removed to the last memory, however long they are', async () => {
      const store = await useStore()
      const texts = Array.from({ length: 2 * TRIM_MEMORIES + 500 }, (_, n) => `turn ${n}`)
      const scope = makeContent('').scope
      await store.putDocuments([makeWrite(PATH, texts), makeWrite('a.md', ['turn 7'], { scope })])
      const shrunk = await store.putDocuments([makePart(texts.slice(0, 10), { cursor: 'one' })])
      expect(shrunk.removed).toHaveLength(texts.length - 10)
      expect(await store.counts()).toMatchObject({ documents: 2, memories: 10, places: 11 })
      await store.putDocuments([makeWrite(PATH, texts)])
      const result = await store.removeDocuments([KEY])
      expect(result.removed).toHaveLength(texts.length - 1)
      expect(await store.counts()).toEqual({ documents: 1, memories: 1, places: 1, embedded: {}, pending: 0 })
      expect(await findIds(store, askFor('turn'))).toEqual(['turn 7'])
      expect(await store.check()).toEqual([])
    })

    it('are forgotten to the last memory, however long they are', async () => {
      const store = await useStore()
      const texts = Array.from({ length: TRIM_MEMORIES + 500 }, (_, n) => `turn ${n}`)
      await store.putDocuments([
        makeWrite(PATH, texts),
        makeWrite('a.md', ['turn 7'], { scope: makeContent('').scope }),
      ])
      const forgotten = await store.forget({ documents: [KEY] }, new Date(0))
      expect(forgotten.toSorted()).toEqual(texts.filter((text) => text !== 'turn 7').toSorted())
      expect(await store.counts()).toMatchObject({ documents: 1, memories: 1, places: 1 })
      expect(await store.listTombstones()).toHaveLength(texts.length)
      const again = await store.putDocuments([makeWrite(PATH, texts), makeWrite('b.md', ['turn 8'])])
      expect(again).toMatchObject({ added: [], forgotten: texts.length + 1 })
      expect(await store.check()).toEqual([])
    })

    it('end as if written at once, in whatever parts they come and whatever was there before', async () => {
      const word = fc.constantFrom('heron', 'otter', 'newt', 'toad', 'crane', 'vole')
      const scenario = fc.record({
        before: fc.array(word, { maxLength: 6 }),
        parts: fc.array(
          fc.record({ settled: fc.array(word, { maxLength: 4 }), rest: fc.array(word, { maxLength: 3 }) }),
          {
            minLength: 1,
            maxLength: 4,
          },
        ),
      })
      await fc.assert(
        fc.asyncProperty(scenario, async ({ before, parts }) => {
          const [whole, grown] = [await useStore(), await useStore()]
          await grown.putDocuments([makeWrite(PATH, before)])
          const vectors = [...new Set(before)].map((id) => ({ id, embedText: id, windows: [vectorOf(1)] }))
          await grown.putVectors('test', vectors)
          for (const [index, { settled, rest }] of parts.entries()) {
            const isLast = index === parts.length - 1
            await grown.putDocuments([
              makePart([...settled, ...rest], {
                ...(index > 0 && { after: `cursor ${index - 1}` }),
                cursor: `cursor ${index}`,
                settled: settled.length,
                isLast,
              }),
            ])
            expect(await grown.check()).toEqual([])
          }
          const all = parts.flatMap(({ settled, rest }, index) =>
            index === parts.length - 1 ? [...settled, ...rest] : settled,
          )
          await whole.putDocuments([makeWrite(PATH, all)])
          expect(await idsOf(grown)).toEqual(await idsOf(whole))
          expect(await grown.counts()).toMatchObject({ ...(await whole.counts()), embedded: expect.anything() })
          const pending = (await grown.listPendingEmbeddings('test', 99)).map(({ id }) => id)
          expect(pending.filter((id) => before.some((known) => known === id))).toEqual([])
        }),
        { numRuns: 40 },
      )
    })
  })
}
