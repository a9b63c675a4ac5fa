import fc from 'fast-check'
import { afterEach, expect, it } from 'vitest'
import type { MemoryStore } from '../../src/store/memory-store.ts'
import { openPostgresStore } from '../../src/store/postgres/open-postgres-store.ts'
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts'
import { askFor, findIds, makeWrite, ROOT, vectorOf } from '../../src/testing/memory-store/samples.ts'
import { describePlaces, describeStores } from '../stores.ts'

const WORDS = ['amber', 'birch', 'cedar', 'delta', 'ember', 'fjord', 'grove']
const READ_AT = new Date('2026-03-01T10:00:00Z')
const MODEL = 'model'

describePlaces('what a process keeps of its last searches', (locationOf) => {
  const opened: MemoryStore[] = []
  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close()
  })

  /** A process of its own, as far as a store is concerned. */
  const open = async (): Promise<MemoryStore> => {
    const location = locationOf()
    const store = location.startsWith('postgres')
      ? await openPostgresStore({ url: location, tenants: ['local'] })
      : await openSqliteStore({ file: location })
    opened.push(store)
    return store
  }

  /** A store that has been searched twice, so that it has kept what it read. */
  const openSearched = async (...texts: string[]): Promise<MemoryStore> => {
    const store = await open()
    await store.putDocuments([makeWrite('notes.md', texts)])
    for (const word of [...WORDS, ...WORDS]) await store.findCandidates(askFor(word))
    return store
  }

  /** Ids of the memories that hold a word, best first: those beside them are found too. */
  const findHolders = async (store: MemoryStore, word: string): Promise<string[]> => {
    const { candidates } = await store.findCandidates(askFor(word))
    return candidates.flatMap(({ memory, matched }) => (matched.length > 0 ? [memory.id] : []))
  }

  it('shows that a memory was read since, by this process', async () => {
    const store = await openSearched('amber birch')
    await store.recordAccess(['amber birch'], READ_AT)
    const { candidates } = await store.findCandidates(askFor('amber'))
    expect(candidates[0]?.memory).toMatchObject({ accessCount: 1, lastAccess: READ_AT.toISOString() })
  })

  it('shows that a memory was read since, by another, each time', async () => {
    const store = await openSearched('amber birch', 'amber cedar')
    const other = await open()
    for (const times of [1, 2, 3]) {
      await other.recordAccess(['amber birch'], READ_AT)
      const { candidates } = await store.findCandidates(askFor('birch'))
      expect(candidates[0]?.memory).toMatchObject({ accessCount: times, lastAccess: READ_AT.toISOString() })
    }
    const [cedar] = (await store.findCandidates(askFor('cedar'))).candidates
    expect(cedar?.memory.accessCount).toBe(0)
    expect(cedar?.memory).not.toHaveProperty('lastAccess')
  })

  it('leaves an answer as it was given, whatever is read later', async () => {
    const store = await openSearched('amber birch')
    const [before] = (await store.findCandidates(askFor('amber'))).candidates
    await store.recordAccess(['amber birch'], READ_AT)
    await store.findCandidates(askFor('amber'))
    expect(before?.memory.accessCount).toBe(0)
  })

  it('shows what became of a memory, its place and its words', async () => {
    const store = await openSearched('amber birch', 'cedar')
    const edited = makeWrite('notes.md', ['delta', { text: 'amber birch', importance: 0.9 }])
    await (await open()).putDocuments([edited])
    const [first] = (await store.findCandidates(askFor('amber'))).candidates
    expect(first?.memory).toMatchObject({ id: 'amber birch', importance: 0.9, place: { position: 1, startLine: 2 } })
    expect(await findHolders(store, 'cedar')).toEqual([])
    expect(await findHolders(store, 'delta')).toEqual(['delta'])
  })

  it('finds what another wrote since, among what was there and of words that nothing held', async () => {
    const store = await openSearched('amber birch')
    const other = await open()
    await other.putDocuments([makeWrite('more.md', ['amber amber amber', 'grove'])])
    expect(await findHolders(store, 'amber')).toEqual(['amber amber amber', 'amber birch'])
    expect(await findHolders(store, 'grove')).toEqual(['grove'])
    await other.forget({ ids: ['amber birch', 'grove'] }, READ_AT)
    expect(await findHolders(store, 'amber')).toEqual(['amber amber amber'])
    expect(await findHolders(store, 'grove')).toEqual([])
  })

  it('counts terms and memories as they are, not as they were counted', async () => {
    const store = await openSearched('amber birch')
    const count = (): Promise<unknown> => store.countHolders([{ term: 'amber', field: 'text' }], 'local')
    expect(await count()).toEqual({ documentFrequencies: [1], memoryCount: 1 })
    await (await open()).putDocuments([makeWrite('more.md', ['amber cedar'])])
    expect(await count()).toEqual({ documentFrequencies: [2], memoryCount: 2 })
  })

  it('compares with the vectors that another put in place of those that were compared before', async () => {
    const store = await openSearched('amber', 'birch')
    const give = (from: MemoryStore, id: string, ...numbers: number[]): Promise<void> =>
      from.putVectors(MODEL, [{ id, embedText: id, windows: [vectorOf(...numbers)] }])
    await give(store, 'amber', 1, 0)
    await give(store, 'birch', 0, 1)
    const cosineOf = async (id: string): Promise<number | undefined> => {
      const query = askFor('', { vectors: [vectorOf(1, 0)], identity: MODEL })
      const { candidates } = await store.findCandidates(query)
      return candidates.find(({ memory }) => memory.id === id)?.vector
    }
    expect(await cosineOf('amber')).toBeCloseTo(1, 6)
    const other = await open()
    await give(other, 'amber', 3, 4)
    expect(await cosineOf('amber')).toBeCloseTo(0.6, 6)
    await other.removeVectors(MODEL)
    expect(await cosineOf('amber')).toBeUndefined()
    await give(other, 'amber', 4, 3)
    expect(await cosineOf('amber')).toBeCloseTo(0.8, 6)
  })

  it('learns of a model whose name was asked for before there was one', async () => {
    const store = await openSearched('amber')
    const query = askFor('', { vectors: [vectorOf(1, 0)], identity: MODEL })
    expect(await findIds(store, query)).toEqual([])
    expect((await store.findCandidates(query)).pendingCount).toBe(1)
    await (await open()).putVectors(MODEL, [{ id: 'amber', embedText: 'amber', windows: [vectorOf(1, 0)] }])
    expect(await findIds(store, query)).toEqual(['amber'])
    expect((await store.findCandidates(query)).pendingCount).toBe(0)
  })

  it('changes no answer: a query that goes on where the last one ended is answered as by a process that knows of none', async () => {
    const texts = WORDS.flatMap((a) => WORDS.map((b) => `${a} ${b}`))
    const store = await openSearched(...texts)
    const words = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(words, words, fc.integer({ min: 1, max: 60 }), async (first, more, limit) => {
        await store.findCandidates(askFor(first.join(' ')))
        const query = askFor([...first, ...more].join(' '), { limit })
        const fresh = await open()
        expect(await store.findCandidates(query)).toEqual(await fresh.findCandidates(query))
        await fresh.close()
      }),
      { numRuns: 20 },
    )
  })

  it('is what a process finds that was opened just now, whatever another does in between', async () => {
    const store = await openSearched('amber birch', 'cedar delta')
    const other = await open()
    // Two words and one importance: the same memories come and go, are copied from document to document, and change.
    const texts = WORDS.flatMap((a) => WORDS.map((b) => `${a} ${b}`)).slice(0, 12)
    const sample = fc.record({ text: fc.constantFrom(...texts), importance: fc.constantFrom(0.2, 0.9) })
    const samples = fc.uniqueArray(sample, { maxLength: 6, selector: ({ text }) => text })
    const path = fc.constantFrom('notes.md', 'b.md', 'c.md')
    const put = fc.tuple(path, samples).map(
      ([name, some]) =>
        () =>
          other.putDocuments([makeWrite(name, some)]),
    )
    const remove = path.map((name) => () => other.removeDocuments([{ root: ROOT, path: name }]))
    const note = fc.constantFrom(...texts).map((id) => () => other.recordAccess([id], READ_AT))
    const age = fc.integer({ min: 2026, max: 2040 }).map((year) => () => other.ageMemories(new Date(`${year}-01-01`)))
    const works = fc.oneof({ weight: 4, arbitrary: put }, remove, note, age)
    const search = async (from: MemoryStore): Promise<unknown[]> => {
      const answers: unknown[] = []
      for (const words of ['amber', 'birch amber', 'cedar', 'delta grove'])
        answers.push(await from.findCandidates(askFor(words)))
      return answers
    }
    await fc.assert(
      fc.asyncProperty(fc.array(works, { minLength: 1, maxLength: 4 }), async (some) => {
        for (const work of some) {
          await work()
          await search(store)
        }
        const fresh = await open()
        expect(await search(store)).toEqual(await search(fresh))
        await fresh.close()
      }),
      { numRuns: 25 },
    )
  })

  it('is right for searches at the same time, while another writes', async () => {
    const store = await openSearched('amber birch')
    const other = await open()
    for (let round = 0; round < 5; round++) {
      const writing = other.putDocuments([makeWrite(`round-${round}.md`, [`amber round ${round}`])])
      const during = await Promise.all(Array.from({ length: 6 }, () => findIds(store, askFor('amber birch'))))
      await writing
      for (const ids of during) expect([round + 1, round + 2]).toContain(ids.length)
      const after = await Promise.all(Array.from({ length: 6 }, () => findIds(store, askFor('amber birch'))))
      for (const ids of after) expect(ids).toHaveLength(round + 2)
    }
  })
})

describeStores(
  'what a process keeps of one tenant',
  (openStore) => {
    it('is never shown to another, though ids, words and vectors are equal and they are asked in turns', async () => {
      const store = await openStore()
      const tenants = ['ares', 'boreas']
      for (const tenant of tenants) {
        const scope = { tenant }
        // Of different lengths, so that what is at one place for one tenant is at another for the other.
        const own = [
          ...(tenant === 'ares' ? [`birch of ${tenant}`] : []),
          `amber of ${tenant}`,
          `amber amber of ${tenant}`,
        ]
        const samples = own.map((text) => ({ text, scope }))
        await store.putDocuments([makeWrite(`${tenant}.md`, samples)])
        const windows = [tenant === 'ares' ? vectorOf(1, 0) : vectorOf(0, 1)]
        await store.putVectors(
          MODEL,
          own.map((id) => ({ id, embedText: id, windows })),
        )
      }
      await store.recordAccess(['amber of ares'], READ_AT)
      for (const tenant of [...tenants, ...tenants, ...tenants]) {
        const filter = { viewer: { tenant } }
        const query = askFor('amber', { filter, vectors: [vectorOf(1, 0)], identity: MODEL })
        const { candidates, documentFrequencies, memoryCount } = await store.findCandidates(query)
        const isAres = tenant === 'ares'
        expect({ documentFrequencies, memoryCount }).toEqual({ documentFrequencies: [2], memoryCount: isAres ? 3 : 2 })
        expect(candidates.map(({ memory }) => memory.id).sort()).toEqual(
          [...(isAres ? ['birch of ares'] : []), `amber of ${tenant}`, `amber amber of ${tenant}`].sort(),
        )
        for (const { memory, vector } of candidates) {
          expect(memory.scope.tenant).toBe(tenant)
          expect(memory.text).toContain(`of ${tenant}`)
          expect(memory.accessCount).toBe(memory.id === 'amber of ares' ? 1 : 0)
          expect(vector).toBeCloseTo(isAres ? 1 : 0, 6)
        }
      }
    })
  },
  { tenants: ['ares', 'boreas'] },
)
