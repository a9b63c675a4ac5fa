import fc from 'fast-check'
import { expect } from 'vitest'
import type { MemoryFilter } from '../src/model/search.ts'
import { createInMemoryStore } from '../src/store/memory/in-memory-store.ts'
import type { CandidateQuery, MemoryStore } from '../src/store/memory-store.ts'
import { askFor, makeContent, makeWrite, OWNER, ROOT, type Sample } from '../src/testing/memory-store/samples.ts'

const WORDS = ['heron', 'otter', 'newt', 'reed', 'mud', '__proto__', '备份']
const PATHS = ['a.md', 'b.md', 'sessions/c.jsonl']
const IDS = Array.from({ length: 12 }, (_, index) => `id${index}`)
const NOW = new Date('2026-03-01T00:00:00Z')

const time = fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined })

/** A memory whose id decides its text and scope, as ids do; the rest may differ from place to place. */
const sample: fc.Arbitrary<Sample> = fc
  .record({
    number: fc.nat(IDS.length - 1),
    header: fc.constantFrom('', 'Birds', 'Reeds'),
    late: time,
    isTalk: fc.boolean(),
  })
  .map(({ number, header, late, isTalk }) => ({
    id: IDS[number] ?? '',
    text: `${WORDS[number % 7]} ${WORDS[(number * 3) % 7]} ${number % 2 ? WORDS[0] : ''}`.trim(),
    headerPath: header ? [header] : [],
    embedText: `${header} text ${number % 5}`,
    category: isTalk ? 'sessions' : 'memory',
    tier: number % 3 === 0 ? 'episodic' : 'semantic',
    importance: (number % 4) / 4,
    scope: { agent: number % 4 === 0 ? 'ravi' : 'main', visibility: number % 8 === 0 ? 'global' : 'private' },
    place: late === undefined ? {} : { occurredAt: `2026-02-0${late}T00:00:00Z` },
  }))

const ids = fc.uniqueArray(fc.constantFrom(...IDS, 'own0', 'own1'), { maxLength: 4 })
const documents = fc.uniqueArray(fc.constantFrom(...PATHS), { minLength: 1, maxLength: 2 })

/** One step, applied to either store. Returns what the call answered, errors by their code. */
type Step = (store: MemoryStore) => Promise<unknown>

const named = (name: string, step: Step): Step => Object.assign(step, { [fc.toStringMethod]: () => name })

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .array(fc.tuple(fc.constantFrom(...PATHS), fc.array(sample, { maxLength: 7 })), { maxLength: 3 })
      .map((given) =>
        named(`put ${JSON.stringify(given)}`, (store) =>
          store.putDocuments(given.map(([path, samples]) => makeWrite(path, samples))),
        ),
      ),
  },
  documents.map((paths) =>
    named(`remove ${paths}`, (store) => store.removeDocuments(paths.map((path) => ({ root: ROOT, path })))),
  ),
  ids.map((given) => named(`forget ${given}`, (store) => store.forget({ ids: given }, NOW))),
  documents.map((paths) =>
    named(`forget documents ${paths}`, (store) =>
      store.forget({ documents: paths.map((path) => ({ root: ROOT, path })) }, NOW),
    ),
  ),
  fc
    .tuple(fc.constantFrom('own0', 'own1', 'id0', 'id1'), time)
    .map(([id, late]) =>
      named(`remember ${id}`, (store) =>
        store.addRemembered(
          makeContent({ id, text: `heron of ${id}` }),
          late ? { occurredAt: `2026-02-0${late}` } : {},
        ),
      ),
    ),
  {
    weight: 3,
    arbitrary: fc.tuple(fc.nat(14), fc.nat(2)).map(([limit, windows]) =>
      named(`embed ${limit}`, async (store) => {
        const pending = await store.listPendingEmbeddings('m', limit)
        await store.putVectors(
          'm',
          pending.map((one) => ({ ...one, windows: vectorsOf(one.embedText, windows) })),
        )
        return pending
      }),
    ),
  },
  ids.map((given) => named(`access ${given}`, (store) => store.recordAccess(given, NOW))),
)

function vectorsOf(text: string, count: number): Float32Array[] {
  return Array.from({ length: count }, (_, window) => {
    const vector = new Float32Array(8).fill(0.1)
    vector[(text.length + window) % 8] = 1
    return vector
  })
}

const QUERIES: CandidateQuery[] = [
  askFor('heron newt'),
  askFor('otter reed 备份', { limit: 3 }),
  {
    ...askFor('mud'),
    terms: [
      { term: 'bird', field: 'header', weight: 1 },
      { term: 'b', field: 'path', weight: 2 },
    ],
  },
  askFor('heron', {
    filter: { viewer: { tenant: 'local', agent: 'main' } },
    vectors: vectorsOf('abc', 2),
    identity: 'm',
  }),
  askFor('', { vectors: vectorsOf('ab', 1), identity: 'm', limit: 4, filter: { ...OWNER, tiers: ['episodic'] } }),
  askFor('reed mud', { filter: { ...OWNER, afterMs: Date.parse('2026-02-02'), beforeMs: Date.parse('2026-02-04') } }),
]
const FILTERS: MemoryFilter[] = [OWNER, { viewer: { tenant: 'local', agent: 'main' }, category: 'memory' }]

/** Everything that a store can be asked. */
async function observe(store: MemoryStore): Promise<unknown> {
  const all = [...IDS, 'own0', 'own1']
  return {
    documents: await store.listDocuments(),
    counts: await store.counts('m'),
    tombstones: await store.listTombstones(),
    memories: await store.getMemories(all),
    places: await Promise.all(all.map((id) => store.listPlaces(id))),
    lists: await Promise.all(FILTERS.map((filter) => store.listMemories(filter))),
    inDocument: await store.listDocumentMemories({ root: ROOT, path: 'a.md' }, OWNER),
    pending: await store.listPendingEmbeddings('m', 99),
    found: await Promise.all(QUERIES.map((query) => store.findCandidates(query))),
    findings: await store.check(),
  }
}

async function attempt(store: MemoryStore, step: Step): Promise<unknown> {
  try {
    return (await step(store)) ?? null
  } catch (error) {
    return (error as { code?: string }).code
  }
}

/**
 * Expects a store to give the answers of the in-memory store after any sequence of writes, also when it is closed and opened again
 * between them. `prepare` makes an empty store and says how it is opened.
 */
export async function expectLikeModel(
  prepare: () => Promise<() => Promise<MemoryStore>>,
  { numRuns }: { numRuns: number },
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), fc.nat(11), async (steps, reopenAt) => {
      const model = createInMemoryStore()
      const open = await prepare()
      let real = await open()
      try {
        for (const [index, one] of steps.entries()) {
          expect(await attempt(real, one)).toEqual(await attempt(model, one))
          if (index === reopenAt) {
            await real.close()
            real = await open()
          }
          expect(await observe(real)).toEqual(await observe(model))
        }
      } finally {
        await real.close()
      }
    }),
    { numRuns },
  )
}
