import fc from 'fast-check'
import { RELATIONSHIP_TYPES } from '../../src/model/relationship.ts'
import type { DocumentWrite, MemoryStore } from '../../src/store/memory-store.ts'
import { makeContent, makeWrite, OWNER, type Sample } from '../../src/testing/memory-store/samples.ts'

const NOW = new Date('2026-03-01T12:00:00Z')
const LATER = new Date('2026-07-01T12:00:00Z')
const IDENTITY = 'test/model'

/** What a small store is filled with. */
export interface Filling {
  documents: Array<{ path: string; samples: Sample[]; part?: 'last' | 'partial' }>
  remembered: Array<{ sample: Sample; occurredAt?: string }>
  links: Array<{ from: number; to: number; type: number; isExplicit: boolean; score: number; metadata: unknown }>
  reviews: Array<{ first: number; second: number; note: string }>
  vectors: Array<{ of: number; windows: number[][]; tokens: number[] }>
  accesses: number[]
  forgotten: number[]
  states: Array<{ key: string; value: string }>
  isAged: boolean
  isLinked: boolean
}

const WORDS = [
  'heron',
  'otter',
  'gate',
  'oil',
  'Friday',
  'São',
  '\u2028',
  '🙂',
  'done',
  '- [ ] oil the gate',
  'x'.repeat(40),
]
const text = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 5 }).map((words) => words.join(' '))
const place = fc.record(
  {
    occurredAt: fc.constantFrom('2026-01-01T00:00:00Z', '2026-02-03T04:05:06+02:00'),
    sessionId: fc.constantFrom('s-1', 's "2"'),
    turnId: fc.constantFrom('t-1', 't-2'),
  },
  { requiredKeys: [] },
)
const sample: fc.Arbitrary<Sample> = fc.record({
  text,
  id: fc.integer({ min: 0, max: 14 }).map((n) => `id-${n}`),
  tier: fc.constantFrom('episodic' as const, 'semantic' as const),
  importance: fc.constantFrom(0.5, 0.9, 0.1 + 0.2),
  headerPath: fc.constantFrom<string[]>([], ['Yard', 'Gate "old"']),
  embedText: text,
  place,
  scope: fc.constantFrom({}, { agent: 'otter', visibility: 'team' as const }, { project: '/src/app' }),
})
const index = fc.nat({ max: 20 })

export const filling: fc.Arbitrary<Filling> = fc.record({
  documents: fc.uniqueArray(
    fc.record({
      path: fc.constantFrom('a.md', 'b.md', 'notes/c.md', 'notes/ü "d".md'),
      samples: fc.array(sample, { maxLength: 6 }),
      part: fc.constantFrom(undefined, undefined, 'last' as const, 'partial' as const),
    }),
    { selector: ({ path }) => path, maxLength: 4 },
  ) as fc.Arbitrary<Filling['documents']>,
  remembered: fc.uniqueArray(fc.record({ sample, occurredAt: fc.constant('2026-01-05T00:00:00Z') }), {
    selector: ({ sample: { id } }) => id,
    maxLength: 3,
  }),
  links: fc.array(
    fc.record({
      ...{ from: index, to: index, type: fc.nat({ max: RELATIONSHIP_TYPES.length - 1 }), isExplicit: fc.boolean() },
      score: fc.nat({ max: 300 }).map((n) => n / 300),
      metadata: fc.constantFrom({}, { basis: 'stated', nul: 'a\0b', half: '\ud800', list: [1, null] }),
    }),
    { maxLength: 8 },
  ),
  reviews: fc.array(fc.record({ first: index, second: index, note: fc.constantFrom('', 'seen "twice"') }), {
    maxLength: 4,
  }),
  vectors: fc.array(
    fc.record({
      of: index,
      windows: fc.array(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 3, maxLength: 3 }), { maxLength: 2 }),
      tokens: fc.array(fc.integer({ min: -127, max: 127 }), { maxLength: 6 }),
    }),
    { maxLength: 6 },
  ),
  accesses: fc.array(index, { maxLength: 4 }),
  forgotten: fc.array(index, { maxLength: 2 }),
  states: fc.uniqueArray(
    fc.record({ key: fc.constantFrom('tick', 'tick/1', 'b%'), value: fc.constantFrom('', 'nul \0 half \ud800 🙂') }),
    { selector: ({ key }) => key },
  ),
  isAged: fc.boolean(),
  isLinked: fc.boolean(),
})

/** Fills a store by what everybody may call. Memories are named by their place in the order of their ids. */
export async function fillStore(store: MemoryStore, given: Filling): Promise<void> {
  for (const { sample: one, occurredAt } of given.remembered) {
    await store.addRemembered(makeContent({ ...one, id: `own-${one.id}` }), occurredAt ? { occurredAt } : {})
  }
  for (const { path, samples, part } of given.documents) await store.putDocuments([toWrite(path, samples, part)])
  for (const { key, value } of given.states) await store.setState(key, value)
  const ids = (await store.listMemories(OWNER)).map(({ id }) => id).sort()
  const idOf = (at: number): string => ids[at % Math.max(1, ids.length)] ?? 'nobody'
  if (ids.length > 1) {
    await relate(store, given, idOf)
    await putVectors(store, given, idOf)
  }
  await store.recordAccess(given.accesses.map(idOf), NOW)
  if (given.isLinked) {
    const waiting = await store.relationships.listAwaiting(3)
    await store.relationships.replaceDiscovered(waiting, [], NOW)
  }
  if (given.forgotten.length > 0) await store.forget({ ids: given.forgotten.map(idOf) }, LATER)
  const [lost] = given.documents
  // What people said of memories that are gone dangles.
  if (lost && given.isAged) await store.removeDocuments([toWrite(lost.path, []).head])
  if (given.isAged) await store.ageMemories(LATER)
}

function toWrite(path: string, samples: readonly Sample[], part?: 'last' | 'partial'): DocumentWrite {
  const write = makeWrite(path, samples)
  const scope = { ...write.head.scope, tenant: 'local' }
  const head = { ...write.head, scope }
  if (!part) return { ...write, head }
  return {
    ...write,
    head,
    part: { settled: Math.min(1, samples.length), cursor: `at ${path}`, isLast: part === 'last' },
  }
}

async function relate(store: MemoryStore, { links, reviews }: Filling, idOf: (at: number) => string): Promise<void> {
  const { relationships } = store
  for (const { from, to, type, isExplicit, score, metadata } of links) {
    const [sourceId, targetId] = [idOf(from), idOf(to)]
    const relationshipType = RELATIONSHIP_TYPES[type] ?? 'references'
    if (sourceId === targetId) continue
    const evidence = [{ side: 'source' as const, start: 0, end: 3 }]
    const parts = { coOccurrence: { value: score, weight: 1 } }
    const rest = {
      score,
      reason: `because of "${type}"`,
      evidence,
      parts,
      metadata: metadata as Record<string, unknown>,
    }
    const origin = isExplicit ? 'explicit' : 'discovered'
    await relationships.put([{ sourceId, targetId, relationshipType, origin, ...rest }], { now: NOW })
  }
  await relationships.openReviews(
    reviews.map(({ first, second }) => ({ firstId: idOf(first), secondId: idOf(second), reason: 'both?' })),
    NOW,
  )
  for (const [at, { id }] of (await relationships.listReviews({ filter: OWNER })).entries()) {
    const note = reviews[at]?.note
    const decision = at % 2 === 0 ? ('confirmed' as const) : ('dismissed' as const)
    if (note !== undefined) await relationships.decide(id, { decision, by: 'Ada', note }, { now: LATER, filter: OWNER })
  }
}

async function putVectors(store: MemoryStore, { vectors }: Filling, idOf: (at: number) => string): Promise<void> {
  for (const { of, windows, tokens } of vectors) {
    const [memory] = await store.getMemories([idOf(of)])
    if (!memory) continue
    const given = { id: memory.id, embedText: memory.embedText, windows: windows.map((one) => Float32Array.from(one)) }
    const words = windows.length > 0 && tokens.length > 0 ? { tokens: Int8Array.from(tokens) } : {}
    await store.putVectors(IDENTITY, [{ ...given, ...words }])
  }
}
