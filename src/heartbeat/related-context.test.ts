import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { describeStores, openEmptyStore } from '../../test/stores.ts'
import type { RelatedContext, Signal } from '../model/heartbeat.ts'
import type { RelationshipType } from '../model/relationship.ts'
import { createInMemoryStore } from '../store/memory/in-memory-store.ts'
import type { MemoryStore } from '../store/memory-store.ts'
import { makeWrite, type Sample, vectorOf } from '../testing/memory-store/samples.ts'
import { type Enrichable, enrichWithRelatedContext, type RelatedContextOptions } from './related-context.ts'

const NOW = new Date('2026-03-20T09:00:00Z')
const OWNER = { tenant: 'local' }

interface Turn extends Sample {
  session: string
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item])
  return groups
}

/** A store of transcripts: one document a session, events of days in March unless a turn says otherwise. */
async function makeStore(turns: readonly Turn[], given?: MemoryStore): Promise<MemoryStore> {
  const store = given ?? (await openEmptyStore())
  const sessions = groupBy(turns, ({ session }) => session)
  await store.putDocuments(
    [...sessions].map(([sessionId, own]) =>
      makeWrite(
        `sessions/${sessionId}.jsonl`,
        own.map(({ session: _, ...turn }) => ({
          ...{ category: 'sessions' as const, tier: 'episodic' as const, type: 'event' as const },
          ...turn,
          place: { sessionId, occurredAt: '2026-03-04T09:00:00Z', dateOrigin: 'timestamp' as const, ...turn.place },
        })),
      ),
    ),
  )
  return store
}

function makeSignal(memoryId: string, more: Partial<Signal> = {}): Signal {
  return {
    ...{ kind: 'pending_work', urgency: 'normal', signature: `open:${memoryId}`, summary: memoryId },
    ...{ memoryIds: [memoryId], weight: 1, ...more },
  }
}

function makeTick(signals: Signal[], more: Partial<Enrichable> = {}): Enrichable {
  return { shouldAct: true, signals, relatedContext: [], graphContext: [], degraded: [], ...more }
}

function optionsFor(store: MemoryStore, more: Partial<RelatedContextOptions> = {}): RelatedContextOptions {
  return { store, viewer: OWNER, now: NOW, timeZone: 'UTC', identity: null, related: true, ...more }
}

const idsOf = (found: readonly RelatedContext[]): string[] => found.map(({ id }) => id)

/** Talk that makes words of the tests rare. */
const FILLERS: Turn[] = Array.from({ length: 40 }, (_, index) => ({
  session: `filler-${index % 5}`,
  text: `tide ${index} table ${index % 7} printed on page ${index * 3}`,
}))

const PROBLEM = 'The import scanner hangs: recursive import of nested packages never ends.'
const RESOLVED = 'Resolved the recursive import hang in pull request #8: the scanner has a depth limit now.'
const REQUESTED = 'Dan asked in issue #5 that the import scanner follow nested packages.'
const RECURSION: Turn[] = [
  { session: 'now', id: 'problem', text: PROBLEM, place: { occurredAt: '2026-03-20T08:00:00Z' } },
  { session: 'now', id: 'own', text: 'Recursive import scanner hangs again on nested packages, look at it.' },
  { session: 'then', id: 'resolved', text: RESOLVED, type: 'activity', place: { occurredAt: '2026-03-18T08:00:00Z' } },
  { session: 'before', id: 'requested', text: REQUESTED, place: { occurredAt: '2026-03-15T08:00:00Z' } },
  ...FILLERS,
]

describeStores('related past context', () => {
  it('names the resolution of an earlier problem that a new one resembles, and the pull request that fixed it', async () => {
    const store = await makeStore(RECURSION)
    const { relatedContext, degraded } = await enrichWithRelatedContext(
      makeTick([makeSignal('problem')]),
      optionsFor(store),
    )
    expect(degraded).toEqual([])
    expect(idsOf(relatedContext)).toContain('resolved')
    expect(relatedContext.find(({ id }) => id === 'resolved')).toMatchObject({
      signal: 'open:problem',
      path: 'sessions/then.jsonl',
      snippet: expect.stringContaining('pull request #8'),
      occurredAt: '2026-03-18T08:00:00Z',
    })
    for (const { score } of relatedContext) expect(score).toBeGreaterThanOrEqual(0.5)
  })

  it('asks the store nothing where the tick does not act, or nobody looks at it', async () => {
    const untouchable = new Proxy({} as MemoryStore, {
      get: (_, name) => {
        throw new Error(`the store was asked for ${String(name)}`)
      },
    })
    const acting = makeTick([makeSignal('problem')])
    const silent = { ...acting, shouldAct: false }
    const on = { related: true, analyze: true, hasLanguageModel: true }
    expect(await enrichWithRelatedContext(silent, optionsFor(untouchable, on))).toEqual(silent)
    for (const off of [
      { related: false },
      { related: false, analyze: true },
      { related: false, hasLanguageModel: true },
    ]) {
      expect(await enrichWithRelatedContext(acting, optionsFor(untouchable, off))).toEqual(acting)
    }
    const asked = { related: false, analyze: true, hasLanguageModel: true }
    expect((await enrichWithRelatedContext(acting, optionsFor(untouchable, asked))).degraded).not.toEqual([])
  })

  it('takes three signals by urgency, then weight, and passes over those that are held back', async () => {
    const topics = ['heron', 'otter', 'newt', 'weir', 'crane']
    const store = await makeStore([
      ...topics.map((topic) => ({ session: `new-${topic}`, id: topic, text: `${topic} pump sluice leaks` })),
      ...topics.map((topic) => ({
        session: `old-${topic}`,
        id: `${topic} then`,
        text: `${topic} sluice fixed with tape`,
      })),
      ...FILLERS,
    ])
    const signals = [
      makeSignal('heron', { urgency: 'low' }),
      makeSignal('otter', { weight: 1 }),
      makeSignal('newt', { weight: 9 }),
      makeSignal('weir', { urgency: 'immediate' }),
      makeSignal('crane', { urgency: 'immediate', suppressedBy: 'suppress_cooldown' }),
    ]
    const { relatedContext } = await enrichWithRelatedContext(makeTick(signals), optionsFor(store))
    expect([...new Set(relatedContext.map(({ signal }) => signal))]).toEqual(['open:weir', 'open:newt', 'open:otter'])
  })

  it('shows of a dozen near memories three, and none of its own session, of other types, of other agents', async () => {
    const text = (index: number): string => `sluice gate motor jammed at weir ${index}`
    const near = (index: number, more: Partial<Turn>): Turn => ({
      ...{ session: `other-${index}`, id: `near ${index}`, text: text(index), ...more },
    })
    const store = await makeStore([
      { session: 'now', id: 'jam', text: 'sluice gate motor jammed at the weir', scope: { agent: 'ada' } },
      ...[0, 1].map((index) => near(index, { session: 'now', scope: { agent: 'ada' } })),
      near(2, { type: 'fact', scope: { agent: 'ada' } }),
      near(3, { type: 'preference', scope: { agent: 'ada' } }),
      near(4, { scope: { agent: 'bob' } }),
      ...[5, 6, 7, 8, 9].map((index) => near(index, { scope: { agent: 'ada' } })),
      ...FILLERS.map((turn) => ({ ...turn, scope: { agent: 'ada' } })),
    ])
    const viewer = { ...OWNER, agent: 'ada' }
    const tick = await enrichWithRelatedContext(makeTick([makeSignal('jam')]), optionsFor(store, { viewer }))
    expect(tick.relatedContext).toHaveLength(3)
    for (const id of idsOf(tick.relatedContext)) expect(id).toMatch(/^near [5-9]$/)
  })

  it('stands beside the signal that it is about, of several that one list of items gave', async () => {
    const list = '- Send the quote of the west sluice to Odile. - The pump of the west sluice leaks. - Oil the gate.'
    const store = await makeStore([
      { session: 'now', id: 'list', text: list },
      {
        session: 'then',
        id: 'then',
        text: 'The west sluice pump: Odile replaced its seal, it leaks no more',
        type: 'activity',
      },
      ...FILLERS,
    ])
    const items = {
      quote: 'Send the quote of the west sluice to Odile.',
      pump: 'The pump of the west sluice leaks.',
      gate: 'Oil the gate.',
    }
    const signals = Object.entries(items).map(([signature, topic], index) =>
      makeSignal('list', { signature, topic, weight: 9 - index }),
    )
    const { relatedContext } = await enrichWithRelatedContext(makeTick(signals), optionsFor(store))
    expect(relatedContext).toEqual([expect.objectContaining({ id: 'then', signal: 'pump' })])
    const held = signals.map((one) =>
      one.signature === 'pump' ? { ...one, suppressedBy: 'suppress_repeat' as const } : one,
    )
    const others = await enrichWithRelatedContext(makeTick(held), optionsFor(store))
    expect(others.relatedContext.map(({ signal }) => signal)).toEqual(['quote'])
  })

  it('is not emptied by a long session about the same thing', async () => {
    const own = Array.from({ length: 150 }, (_, index) => `gate motor jammed again, look ${index}`)
    const store = await makeStore([
      ...own.map((text, index) => ({ session: 'now', id: `own ${index}`, text })),
      { session: 'then', id: 'then', text: 'gate motor jammed; greased the gear', type: 'activity' },
      ...FILLERS,
    ])
    const signal = makeSignal('own 140', { topic: 'gate motor jammed gear' })
    const { relatedContext } = await enrichWithRelatedContext(makeTick([signal]), optionsFor(store))
    expect(idsOf(relatedContext)).toEqual(['then'])
  })

  it('counts a day of a note as a session, and another day of the same note as another', async () => {
    const store = await openEmptyStore()
    const day = (date: string, id: string, text: string): Sample => ({
      ...{ id, text, type: 'event', tier: 'episodic', place: { occurredAt: date, dateOrigin: 'text' as const } },
    })
    await store.putDocuments([
      makeWrite('memory/log.md', [
        day('2026-03-20', 'new', 'lock chamber pump trips the breaker'),
        day('2026-03-20', 'same day', 'lock chamber pump trips the breaker, noon'),
        day('2026-02-02', 'other day', 'lock chamber pump tripped the breaker: cable replaced'),
      ]),
      makeWrite(
        'memory/fill.md',
        FILLERS.map(({ text }) => ({ text, type: 'event' as const })),
      ),
    ])
    const { relatedContext } = await enrichWithRelatedContext(makeTick([makeSignal('new')]), optionsFor(store))
    expect(idsOf(relatedContext)).toEqual(['other day'])
  })

  it('names the best of each session before more of one', async () => {
    const same = (id: string, session: string, text: string): Turn => ({ session, id, text })
    const store = await makeStore([
      { session: 'now', id: 'problem', text: PROBLEM },
      same('a1', 'a', 'The import scanner hangs on recursive nested packages.'),
      same('a2', 'a', 'Recursive nested packages: the import scanner hangs.'),
      same('a3', 'a', 'The scanner hangs, import of nested packages, recursive.'),
      same('b1', 'b', 'A recursive import of nested packages ended when the scanner got a limit, as it hangs.'),
      ...FILLERS,
    ])
    const { relatedContext } = await enrichWithRelatedContext(makeTick([makeSignal('problem')]), optionsFor(store))
    const sessions = relatedContext.map(({ path }) => path)
    expect(sessions).toHaveLength(3)
    expect(new Set(sessions.slice(0, 2))).toEqual(new Set(['sessions/a.jsonl', 'sessions/b.jsonl']))
  })

  it('looks for no day and no time that the signal names', async () => {
    const dates = 'Tomorrow, Friday 24 July 2026 at 07:30'
    const store = await makeStore([
      { session: 'now', id: 'problem', text: `${dates}: the winch of the crane squeals.` },
      { session: 'a', id: 'dated', text: `${dates}, the ferry leaves for the island with the choir.` },
      { session: 'b', id: 'winch', text: 'The winch of the crane squeals when its bearing is dry; grease ended it.' },
      ...FILLERS,
    ])
    const { relatedContext } = await enrichWithRelatedContext(makeTick([makeSignal('problem')]), optionsFor(store))
    expect(idsOf(relatedContext)[0]).toBe('winch')
  })

  it('knows a text by all its places: what was said in the own session too is no past', async () => {
    const repeated = { id: 'again', text: 'turbine bearing runs hot, third time', type: 'event' as const }
    const store = await makeStore([
      { session: 'now', id: 'hot', text: 'turbine bearing runs hot' },
      { session: 'now', ...repeated },
      { session: 'then', ...repeated },
      ...FILLERS,
    ])
    const { relatedContext } = await enrichWithRelatedContext(makeTick([makeSignal('hot')]), optionsFor(store))
    expect(relatedContext).toEqual([])
  })

  it('finds by the stored vectors what shares no word, and asks no model for it', async () => {
    const store = await makeStore([
      { session: 'now', id: 'stuck', text: 'barrier jammed' },
      { session: 'then', id: 'greased', text: 'hinge lubricated' },
      ...FILLERS,
    ])
    const put = (id: string, text: string, vector: Float32Array) => ({ id, embedText: text, windows: [vector] })
    await store.putVectors('test', [
      put('stuck', 'barrier jammed', vectorOf(1, 0.1)),
      put('greased', 'hinge lubricated', vectorOf(1)),
      ...FILLERS.map(({ text }, index) => put(text, text, vectorOf(0, 0, index, 40))),
    ])
    const tick = makeTick([makeSignal('stuck')])
    expect((await enrichWithRelatedContext(tick, optionsFor(store))).relatedContext).toEqual([])
    const { relatedContext } = await enrichWithRelatedContext(tick, optionsFor(store, { identity: 'test' }))
    expect(idsOf(relatedContext)).toEqual(['greased'])
  })

  it('says how the two are linked, and lists the other relationships that bear on a decision', async () => {
    const store = await makeStore(RECURSION)
    const link = (sourceId: string, targetId: string, relationshipType: RelationshipType, reason = '') => ({
      ...{ sourceId, targetId, relationshipType, reason, score: 0.9, origin: 'explicit' as const },
    })
    await store.relationships.put(
      [
        link('resolved', 'problem', 'causal', 'the limit came from it'),
        link('resolved', 'requested', 'derives_from'),
        link('requested', 'own', 'temporal_sequence'),
      ],
      { now: NOW },
    )
    const tick = await enrichWithRelatedContext(makeTick([makeSignal('problem')]), optionsFor(store))
    expect(tick.relatedContext.find(({ id }) => id === 'resolved')?.relationship).toEqual({
      type: 'causal',
      reason: 'the limit came from it',
    })
    expect(tick.graphContext).toHaveLength(1)
    expect(tick.graphContext[0]).toMatch(
      /^Resolved the recursive import hang .+ \(sessions\/then\.jsonl\) -\[derives_from\]-> Dan asked .+ \(sessions\/before\.jsonl\)$/,
    )
  })

  it('leaves the tick as it was where the store fails, and says so', async () => {
    const store = await makeStore(RECURSION)
    const broken = new Proxy(store, {
      get: (target, name) => {
        if (name === 'findCandidates') return () => Promise.reject(new Error('the disk is gone'))
        const value: unknown = Reflect.get(target, name)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    const tick = await enrichWithRelatedContext(makeTick([makeSignal('problem')]), optionsFor(broken))
    expect(tick).toMatchObject({
      shouldAct: true,
      relatedContext: [],
      degraded: [{ part: 'related-context', reason: 'the disk is gone' }],
    })
  })

  it('passes over signals about nothing, or about what is gone', async () => {
    const store = await makeStore(RECURSION)
    const signals = [makeSignal('gone'), makeSignal('none', { memoryIds: [] }), makeSignal('problem')]
    const tick = await enrichWithRelatedContext(makeTick(signals), optionsFor(store))
    expect(tick.degraded).toEqual([])
    expect(idsOf(tick.relatedContext)).toContain('resolved')
  })
})

describe('related past context of whatever is stored', () => {
  it('keeps every bound', async () => {
    const words = ['sluice', 'gate', 'motor', 'heron', 'weir', 'pump', 'crane', 'newt', 'otter', 'tide', 'lock', 'buoy']
    const turn = fc.record({
      session: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
      type: fc.constantFrom('event', 'activity', 'plan', 'fact', 'preference'),
      agent: fc.constantFrom('ada', 'bob'),
      words: fc.array(fc.constantFrom(...words), { minLength: 2, maxLength: 6 }),
    })
    const arrangement = fc.record({
      turns: fc.array(turn, { minLength: 1, maxLength: 60 }),
      picked: fc.array(fc.nat(59), { maxLength: 8 }),
      urgencies: fc.array(fc.constantFrom('immediate', 'elevated', 'normal', 'low'), { minLength: 8, maxLength: 8 }),
    })
    await fc.assert(
      fc.asyncProperty(arrangement, async ({ turns, picked, urgencies }) => {
        const samples = turns.map(
          ({ session, type, agent, words: own }, index): Turn => ({
            ...{ session, id: `m${index}`, text: `${own.join(' ')} ${index}`, scope: { agent } },
            type: type as 'event',
          }),
        )
        const store = await makeStore(samples, createInMemoryStore())
        const signals = picked.map((index, at) =>
          makeSignal(`m${index % turns.length}`, { urgency: urgencies[at] as 'low', signature: `s${at}` }),
        )
        const viewer = { ...OWNER, agent: 'ada' }
        const tick = await enrichWithRelatedContext(makeTick(signals), optionsFor(store, { viewer }))
        expect(tick.degraded).toEqual([])
        const found = tick.relatedContext
        expect(found.length).toBeLessThanOrEqual(9)
        expect(new Set(idsOf(found)).size).toBe(found.length)
        const bySignal = groupBy(found, ({ signal }) => signal)
        expect(bySignal.size).toBeLessThanOrEqual(3)
        const sampleOf = new Map(samples.map((sample) => [sample.id, sample]))
        for (const [signature, related] of bySignal) {
          expect(related.length).toBeLessThanOrEqual(3)
          const about = signals.find((signal) => signal.signature === signature)?.memoryIds[0]
          for (const { id, score } of related) {
            const sample = sampleOf.get(id)
            expect(signals.some(({ memoryIds }) => memoryIds.includes(id))).toBe(false)
            expect(score).toBeGreaterThanOrEqual(0.5)
            expect(score).toBeLessThanOrEqual(1)
            expect(sample?.session).not.toBe(sampleOf.get(about)?.session)
            expect(sample?.scope?.agent).toBe('ada')
            expect(['event', 'activity', 'plan']).toContain(sample?.type)
          }
        }
      }),
      { numRuns: 60 },
    )
  })
})
