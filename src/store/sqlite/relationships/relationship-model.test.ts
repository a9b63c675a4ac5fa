import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { RELATIONSHIP_TYPES, type Relationship, type RelationshipWrite } from '../../../model/relationship.ts'
import type { MemoryFilter } from '../../../model/search.ts'
import { makeContent, makeWrite, OWNER, ROOT, type Sample } from '../../../testing/memory-store/samples.ts'
import { createInMemoryStore } from '../../memory/in-memory-store.ts'
import type { MemoryStore, NeighbourQuery } from '../../memory-store.ts'
import { openSqliteStore } from '../open-sqlite-store.ts'

const folder = mkdtempSync(join(tmpdir(), 'relationships-'))
afterAll(() => rmSync(folder, { recursive: true }))

const WORDS = ['heron', 'otter', 'newt', 'reed', 'mud', 'pump', 'kite', '__proto__', '备份']
const PATHS = ['a.md', 'b.md', 'c.md']
const OWN = ['own0', 'constructor']
const MAIN: MemoryFilter = { viewer: { tenant: 'local', agent: 'main' } }

/** A text of some words; its id is the text, so that another text is another memory, as it is when one is edited. */
const sample: fc.Arbitrary<Sample> = fc
  .uniqueArray(fc.nat(WORDS.length - 1), { minLength: 1, maxLength: 4 })
  .chain((numbers) => fc.tuple(fc.constant(numbers), fc.nat(1)))
  .map(([numbers, header]) => ({
    text: numbers.map((number) => WORDS[number]).join(' '),
    headerPath: header === 1 ? ['Birds'] : [],
    tier: numbers.length === 2 ? ('episodic' as const) : ('semantic' as const),
    scope: { agent: (numbers[0] ?? 0) % 4 === 0 ? 'ravi' : 'main' },
  }))

const put = fc.array(fc.tuple(fc.constantFrom(...PATHS), fc.array(sample, { maxLength: 4 })), { maxLength: 2 })
/** Which memories a step is about: numbers into whatever is there. */
const pair = fc.record({
  source: fc.nat(20),
  target: fc.nat(20),
  relationshipType: fc.constantFrom(...RELATIONSHIP_TYPES),
  score: fc.constantFrom(0, 0.25, 0.5, 0.75, 1),
  hasEvidence: fc.boolean(),
})
type Pair = typeof pair extends fc.Arbitrary<infer T> ? T : never

type Step = (store: MemoryStore, now: Date) => Promise<unknown>
const named = (name: string, step: Step): Step => Object.assign(step, { [fc.toStringMethod]: () => name })

async function idsOf(store: MemoryStore): Promise<string[]> {
  return (await store.listMemories(OWNER)).map(({ id }) => id).sort()
}

function toWrite(ids: readonly string[], given: Pair, origin: RelationshipWrite['origin']): RelationshipWrite {
  const { source, target, relationshipType, score, hasEvidence } = given
  return {
    sourceId: ids[source % Math.max(1, ids.length)] ?? 'nobody',
    targetId: ids[target % Math.max(1, ids.length)] ?? 'nobody',
    relationshipType,
    score,
    origin,
    reason: `${source} ${target}`,
    ...(hasEvidence && { evidence: [{ side: 'source', start: 0, end: 3 }], metadata: { source } }),
  }
}

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: put.map((given) =>
      named(`put ${JSON.stringify(given)}`, (store) =>
        store.putDocuments(given.map(([path, samples]) => makeWrite(path, samples))),
      ),
    ),
  },
  fc
    .constantFrom(...PATHS)
    .map((path) => named(`remove ${path}`, (store) => store.removeDocuments([{ root: ROOT, path }]))),
  fc
    .constantFrom(...OWN)
    .map((id) => named(`remember ${id}`, (store) => store.addRemembered(makeContent({ id, text: `heron ${id}` }), {}))),
  fc.nat(20).map((number) =>
    named(`forget ${number}`, async (store, now) => {
      const ids = await idsOf(store)
      return store.forget({ ids: [ids[number % Math.max(1, ids.length)] ?? ''] }, now)
    }),
  ),
  fc
    .constantFrom(...PATHS)
    .map((path) => named(`forget ${path}`, (store, now) => store.forget({ documents: [{ root: ROOT, path }] }, now))),
  {
    weight: 4,
    arbitrary: fc.array(pair, { maxLength: 3 }).map((pairs) =>
      named(`relate ${JSON.stringify(pairs)}`, async (store, now) => {
        const ids = await idsOf(store)
        return store.relationships.put(
          pairs.map((one) => toWrite(ids, one, 'explicit')),
          { now, ...(pairs.length === 2 && { filter: MAIN }) },
        )
      }),
    ),
  },
  pair.map((given) =>
    named(`unrelate ${JSON.stringify(given)}`, async (store) =>
      store.relationships.remove([toWrite(await idsOf(store), given, 'explicit')]),
    ),
  ),
  {
    weight: 4,
    arbitrary: fc.tuple(fc.nat(3), fc.array(pair, { maxLength: 6 })).map(([limit, pairs]) =>
      named(`link ${limit} ${JSON.stringify(pairs)}`, async (store, now) => {
        const waiting = await store.relationships.listAwaiting(limit + 1)
        const all = await idsOf(store)
        const linked = waiting.map(({ id }) => id)
        const found = pairs.map((one) => ({
          ...toWrite(all, one, 'discovered'),
          sourceId: linked[one.source % Math.max(1, linked.length)] ?? 'nobody',
        }))
        const ends = found.filter(({ sourceId, targetId }) => sourceId !== targetId)
        return store.relationships.replaceDiscovered(waiting, ends, now)
      }),
    ),
  },
  fc.constant(named('link all again', (store) => store.relationships.noteAwaiting('all'))),
  fc.array(pair, { maxLength: 2 }).map((pairs) =>
    named(`review ${JSON.stringify(pairs)}`, async (store, now) => {
      const ids = await idsOf(store)
      const openings = pairs.map((one) => toWrite(ids, one, 'explicit'))
      return store.relationships.openReviews(
        openings.map(({ sourceId, targetId, evidence = [] }) => ({ firstId: sourceId, secondId: targetId, evidence })),
        now,
      )
    }),
  ),
  fc.tuple(fc.nat(4), fc.constantFrom('Ada', 'Ravi'), fc.boolean()).map(([number, by, isRight]) =>
    named(`decide ${number} ${by} ${isRight}`, async (store, now) => {
      const reviews = await store.relationships.listReviews({ filter: OWNER, withMissing: true })
      const { id } = reviews[number] ?? { id: 'none' }
      const decision = isRight ? ('confirmed' as const) : ('dismissed' as const)
      return store.relationships.decide(id, { decision, by }, { now, filter: OWNER })
    }),
  ),
)

const QUERIES: NeighbourQuery[] = [
  { filter: OWNER },
  { filter: OWNER, perMemory: 2, limit: 3 },
  { filter: MAIN, minScore: 0.5, limit: 2 },
  { filter: OWNER, types: ['contradicts', 'causal'], origin: 'explicit' },
  { filter: MAIN, otherTiers: ['episodic'], origin: 'discovered', perMemory: 1 },
  { filter: { ...OWNER, tiers: ['semantic'] }, otherTiers: ['semantic', 'episodic'] },
]

async function allPages(store: MemoryStore): Promise<Relationship[]> {
  const all: Relationship[] = []
  for (let after: string | undefined; ; ) {
    const page = await store.relationships.page({ filter: OWNER, limit: 2, ...(after !== undefined && { after }) })
    all.push(...page.relationships)
    after = page.next
    if (after === undefined) return all
  }
}

/** Everything that relationships can be asked. */
async function observe(store: MemoryStore): Promise<Record<string, unknown>> {
  const { relationships } = store
  const ids = [...(await idsOf(store)), 'nobody']
  const inOrder = (all: Relationship[]): string[] =>
    all.map((one) => JSON.stringify(one, Object.keys(one).sort())).sort()
  return {
    lists: await Promise.all(QUERIES.map((query) => relationships.list(ids, query))),
    single: await Promise.all(ids.map((id) => relationships.list([id], { filter: OWNER, limit: 2 }))),
    counts: await Promise.all(QUERIES.map((query) => relationships.count(ids, query))),
    pages: inOrder(await allPages(store)),
    dangling: await relationships.listDangling(OWNER.viewer),
    danglingOfMain: await relationships.listDangling(MAIN.viewer),
    totals: await relationships.totals(),
    waiting: (await relationships.listAwaiting(99)).map(({ id }) => id),
    reviews: await relationships.listReviews({ filter: OWNER, withMissing: true }),
    reviewsOfMain: await relationships.listReviews({ filter: MAIN }),
    findings: await store.check(),
  }
}

async function attempt(store: MemoryStore, step: Step, now: Date): Promise<unknown> {
  try {
    return (await step(store, now)) ?? null
  } catch (error) {
    return (error as { code?: string }).code
  }
}

describe('relationships in the SQLite store and in the in-memory store', () => {
  let files = 0

  it('are the same after any sequence of writes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 16 }), fc.nat(15), async (steps, reopenAt) => {
        const file = join(folder, `${files++}.db`)
        const model = createInMemoryStore()
        let real: MemoryStore = await openSqliteStore({ file })
        try {
          for (const [index, one] of steps.entries()) {
            const now = new Date(Date.UTC(2026, 2, 1, 0, index))
            const answer = await attempt(real, one, now)
            expect(answer).toEqual(await attempt(model, one, now))
            if (index === reopenAt) {
              await real.close()
              real = await openSqliteStore({ file })
            }
            const seen = await observe(real)
            expect(seen).toEqual(await observe(model))
            assertSound(seen)
          }
        } finally {
          await real.close()
        }
      }),
      { numRuns: 40 },
    )
  })

  it('that people made outlast any edits: they hold, or they dangle', async () => {
    const edit = fc.tuple(fc.constantFrom(...PATHS), fc.option(fc.array(sample, { maxLength: 4 }), { nil: null }))
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 12 }), async (edits) => {
        const store = await openSqliteStore({ file: join(folder, `${files++}.db`) })
        const now = new Date(0)
        try {
          await store.addRemembered(makeContent('note'), {})
          await store.putDocuments([makeWrite('a.md', ['heron otter newt', 'reed mud'])])
          const said = {
            targetId: 'note',
            relationshipType: 'supports' as const,
            score: 1,
            origin: 'explicit' as const,
          }
          await store.relationships.put([{ ...said, sourceId: 'heron otter newt' }], { now })
          await store.relationships.openReviews([{ firstId: 'note', secondId: 'heron otter newt' }], now)
          for (const [path, samples] of edits) {
            if (samples) await store.putDocuments([makeWrite(path, samples)])
            else await store.removeDocuments([{ root: ROOT, path }])
            const held = await store.relationships.list(['note'], { filter: OWNER })
            const dangling = await store.relationships.listDangling(OWNER.viewer)
            expect(held.length + dangling.length).toBe(1)
            const end = (held[0] ?? dangling[0]?.relationship)?.sourceId
            const reviews = await store.relationships.listReviews({ filter: OWNER, withMissing: true })
            expect(reviews.map(({ firstId, secondId }) => [firstId, secondId].filter((id) => id !== 'note'))).toEqual([
              [end],
            ])
            expect(await store.getMemories([end ?? ''])).toHaveLength(held.length)
            expect(await store.check()).toEqual([])
          }
        } finally {
          await store.close()
        }
      }),
      { numRuns: 40 },
    )
  })
})

/** What holds of any state. */
function assertSound(seen: Record<string, unknown>): void {
  const [all = []] = seen.lists as Relationship[][]
  const keys = all.map(({ sourceId, targetId, relationshipType }) => [sourceId, relationshipType, targetId].join('\0'))
  expect(new Set(keys).size).toBe(keys.length)
  for (const { sourceId, targetId, relationshipType } of all) {
    expect(sourceId).not.toBe(targetId)
    if (relationshipType === 'contradicts') expect(sourceId < targetId).toBe(true)
  }
  expect(all).toHaveLength((seen.pages as unknown[]).length)
}
