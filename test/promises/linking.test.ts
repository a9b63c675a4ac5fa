import fc from 'fast-check'
import { afterEach, expect, it } from 'vitest'
import type { CorrelatorSettings, Madeleine, MemoryStore, Relationship } from '../../src/index.ts'
import { openMadeleine } from '../../src/index.ts'
import type { Memory } from '../../src/model/memory.ts'
import { isStated } from '../../src/model/relationship.ts'
import { createFakeProvider } from '../../src/testing/index.ts'
import { makeWrite, ROOT, type Sample } from '../../src/testing/memory-store/samples.ts'
import { describeStores } from '../stores.ts'

const NOW = new Date('2026-05-09T12:00:00Z')
const OWNER = { filter: { viewer: { tenant: 'local' } } }

const engines: Madeleine[] = []

afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.close()
})

interface Given {
  samples?: ReadonlyArray<string | Sample>
  correlation?: CorrelatorSettings
  embedding?: 'none'
  agentId?: string
}

async function openWith(store: MemoryStore, { samples = [], correlation, embedding, agentId }: Given = {}) {
  const provider = createFakeProvider()
  const engine = await openMadeleine({
    store,
    embedding: embedding ?? provider,
    now: () => NOW,
    timeZone: 'UTC',
    ...(agentId !== undefined && { agentId }),
    ...(correlation && { correlation }),
  })
  engines.push(engine)
  if (samples.length > 0) {
    await store.putDocuments(samples.map((sample, at) => makeWrite(`notes/${at}.md`, [sample])))
    if (!embedding) await embedAll(store, provider)
  }
  return engine
}

async function embedAll(store: MemoryStore, provider: ReturnType<typeof createFakeProvider>): Promise<void> {
  for (const { id, embedText } of await store.listPendingEmbeddings(provider.identity, 1000)) {
    const [windows = []] = await provider.embedDocuments([embedText])
    await store.putVectors(provider.identity, [{ id, embedText, windows }])
  }
}

async function listAll(store: MemoryStore): Promise<Relationship[]> {
  return (await store.relationships.page({ ...OWNER, limit: 10_000 })).relationships
}

const show = ({ sourceId, relationshipType, targetId, score }: Relationship): string =>
  `${sourceId} | ${relationshipType} | ${targetId} | ${score.toFixed(6)}`

const OLD = 'The sluice gate at Heron Mill opens at a water level of 3.0 m.'
const NEW = 'The sluice gate at Heron Mill opens at a water level of 3.5 m.'
const COPY = 'From the log: the sluice gate at Heron Mill opens at a water level of 3.0 m, as it always did.'
const OTHER = 'Egret baked two loaves of rye bread for the fair on Sunday.'

describeStores(
  'linking',
  (openStore) => {
    it('puts a contradiction before people and keeps it as a relationship, once', async () => {
      const store = await openStore()
      const engine = await openWith(store, { samples: [OLD, NEW, OTHER] })
      const report = await engine.linkMemories()
      expect(report).toMatchObject({ memories: 3, reviews: 1, awaiting: 0, degraded: [] })
      expect((await listAll(store)).map(({ relationshipType }) => relationshipType)).toEqual(['contradicts'])
      expect(await engine.linkMemories({ all: true })).toMatchObject({
        memories: 3,
        written: 0,
        removed: 0,
        reviews: 0,
      })
      expect((await store.relationships.totals()).reviews).toMatchObject({ open: 1 })
    })

    it.each([
      ['As written in notes/0.md, the boiler limit is 5 bar.', 1],
      ['The boiler limit is 5 bar (see [[boiler]]).', 1],
      ['As written in notes/0.md, the hall was painted in June.', 0],
    ])('finds what contradicts a text although it cites it: "%s"', async (citing, reviews) => {
      const store = await openStore()
      const engine = await openWith(store, {
        samples: ['The boiler limit is 2 bar.', citing, OTHER],
        embedding: 'none',
      })
      expect(await engine.linkMemories()).toMatchObject({ reviews })
    })

    it('finds by words alone where there is no model', async () => {
      const store = await openStore()
      const engine = await openWith(store, { samples: [OLD, NEW, OTHER], embedding: 'none' })
      await engine.linkMemories()
      expect((await listAll(store)).map(({ sourceId }) => sourceId)).toEqual([OLD])
    })

    it('links what comes later to what was there, both ways, and nothing else anew', async () => {
      const store = await openStore()
      const engine = await openWith(store, { samples: [OLD, OTHER], embedding: 'none' })
      await engine.linkMemories()
      expect(await listAll(store)).toEqual([])
      await store.putDocuments([makeWrite('notes/later.md', [COPY])])
      expect(await engine.linkMemories()).toMatchObject({ memories: 1 })
      const whole = await listAll(store)
      expect(whole.map(show).some((line) => line.startsWith(COPY) || line.includes(`| ${COPY} |`))).toBe(true)
      await engine.linkMemories({ all: true })
      expect((await listAll(store)).map(show)).toEqual(whole.map(show))
    })

    it('takes back what a changed text no longer shows', async () => {
      const store = await openStore()
      const engine = await openWith(store, { samples: [OLD, NEW], embedding: 'none' })
      await engine.linkMemories()
      await store.putDocuments([makeWrite('notes/1.md', [OTHER])])
      await engine.linkMemories()
      expect(await listAll(store)).toEqual([])
    })

    it('keeps what it found when a file is renamed or read again', async () => {
      const store = await openStore()
      const engine = await openWith(store, { samples: [OLD, NEW], embedding: 'none' })
      await engine.linkMemories()
      const before = (await listAll(store)).map(show)
      expect(before).toHaveLength(1)
      await store.putDocuments([makeWrite('elsewhere.md', [OLD]), makeWrite('notes/1.md', [NEW])])
      await store.removeDocuments([{ root: ROOT, path: 'notes/0.md' }])
      expect((await listAll(store)).map(show)).toEqual(before)
      await engine.linkMemories()
      expect((await listAll(store)).map(show)).toEqual(before)
    })

    it('looks at nothing that tools gave back, and at no code', async () => {
      const store = await openStore()
      const code = (text: string): string => `\`\`\`\n${text}\n\`\`\``
      const samples = [{ text: OLD, role: 'tool' as const }, NEW, code(COPY), `[tool] Read: ${OLD}`]
      const engine = await openWith(store, { samples, embedding: 'none', correlation: { minScore: 0 } })
      await engine.linkMemories()
      expect(await listAll(store)).toEqual([])
    })

    it('keeps no more than the strongest of a memory', async () => {
      const store = await openStore()
      const copies = Array.from({ length: 8 }, (_, at) => `${OLD} Note ${at} of Egret.`)
      const engine = await openWith(store, { samples: copies, correlation: { maxLinks: 3, minScore: 0 } })
      await engine.linkMemories()
      const degrees = new Map<string, number>()
      for (const { sourceId, targetId } of await listAll(store)) {
        for (const id of [sourceId, targetId]) degrees.set(id, (degrees.get(id) ?? 0) + 1)
      }
      expect(degrees.size).toBeGreaterThan(3)
      expect(Math.max(...degrees.values())).toBeLessThanOrEqual(3)
    })

    it('keeps and shows what the texts state whatever its score, unless a least score is asked for', async () => {
      const store = await openStore()
      const [gate, log] = ['See [[1]] for the gate.', 'Egret baked two loaves.']
      const engine = await openWith(store, { samples: [gate, log], embedding: 'none', correlation: { minScore: 1 } })
      const ask = async (more = {}) =>
        (await engine.findCorrelations({ memoryId: gate, type: 'semantic', ...more })).correlations
      expect(await ask()).toMatchObject([{ targetId: log, relationshipType: 'references', origin: 'computed' }])
      await engine.linkMemories()
      expect(await listAll(store)).toMatchObject([{ sourceId: gate, targetId: log, metadata: { basis: 'stated' } }])
      const [found] = await ask()
      expect(found).toMatchObject({ targetId: log, origin: 'discovered' })
      expect(await ask({ minScore: found?.score ?? 0 })).toHaveLength(1)
      expect(await ask({ minScore: 0.99 })).toEqual([])
    })

    it('takes a name that several documents have for the one beside it, and for none where none is', async () => {
      const store = await openStore()
      const engine = await openWith(store, { embedding: 'none' })
      await store.putDocuments([
        makeWrite('a/x.md', ['As in [[Plan]].']),
        makeWrite('c/y.md', ['Settled by [[Plan]].']),
        makeWrite('d/z.md', ['Written down in [[b/Plan]].']),
        makeWrite('a/Plan.md', ['Bake two loaves.']),
        makeWrite('b/Plan.md', ['Mend the weir.']),
      ])
      await engine.linkMemories()
      expect((await listAll(store)).map(({ sourceId, targetId }) => [sourceId, targetId]).sort()).toEqual([
        ['As in [[Plan]].', 'Bake two loaves.'],
        ['Written down in [[b/Plan]].', 'Mend the weir.'],
      ])
      const asked = { memoryId: 'new', content: 'See [[Plan]] and [[a/Plan]].', type: 'semantic' as const }
      expect((await engine.discoverLinks(asked)).map(({ targetId }) => targetId)).toEqual(['Bake two loaves.'])
    })

    it('tells two that refer to each other once, both ways', async () => {
      const store = await openStore()
      const engine = await openWith(store, { embedding: 'none' })
      await store.putDocuments([makeWrite('x.md', ['After [[y]].']), makeWrite('y.md', ['Before x.md.'])])
      for (const origin of ['computed', 'discovered']) {
        const { correlations, totalFound } = await engine.findCorrelations({
          memoryId: 'After [[y]].',
          type: 'semantic',
        })
        expect(totalFound).toBe(1)
        expect(correlations).toMatchObject([
          { origin, direction: 'out', reason: 'both ways: links to it; the other one names its file' },
        ])
        expect(correlations[0]?.evidence.map(({ side, text }) => `${side} ${text}`)).toEqual([
          'source [[y]]',
          'target x.md',
        ])
        await engine.linkMemories()
      }
    })

    it('finds the beginning of a long document that is named', async () => {
      const store = await openStore()
      const engine = await openWith(store, { embedding: 'none' })
      const parts = Array.from({ length: 120 }, (_, at) => `Part ${at} of the weir book.`)
      await store.putDocuments([makeWrite('weir.md', parts), makeWrite('x.md', ['Read weir.md first.'])])
      await engine.linkMemories()
      const named = (await listAll(store)).filter(({ sourceId }) => sourceId.startsWith('Read'))
      expect(named.map(({ targetId }) => targetId)).toEqual(['Part 0 of the weir book.'])
    })

    it('discovers by words where the provider of vectors fails', async () => {
      const store = await openStore()
      const engine = await openMadeleine({
        store,
        embedding: { ...createFakeProvider(), embedDocuments: async () => Promise.reject(new Error('no answer')) },
        now: () => NOW,
      })
      engines.push(engine)
      await store.putDocuments([makeWrite('notes/old.md', [OLD])])
      const found = await engine.discoverLinks({ memoryId: 'new', content: NEW, type: 'semantic' })
      expect(found.map(({ targetId, relationshipType }) => [targetId, relationshipType])).toEqual([
        [OLD, 'contradicts'],
      ])
    })

    it('relates nothing that no one may see together, nor of other tenants', async () => {
      const store = await openStore()
      const of = (text: string, scope: Sample['scope'] = {}): Sample => ({ text, id: `${scope.agent} ${text}`, scope })
      const samples = [
        of(OLD, { agent: 'ada' }),
        of(NEW, { agent: 'ben' }),
        of(NEW, { agent: 'ben', tenant: 'other' }),
        of(COPY, { agent: 'cleo', visibility: 'global' }),
      ]
      samples[2] = { ...of(NEW, { agent: 'ben', tenant: 'other' }), id: 'elsewhere' }
      const engine = await openWith(store, { samples, correlation: { minScore: 0.3 } })
      await engine.linkMemories()
      const pairs = (await listAll(store)).map(({ sourceId, targetId }) => [sourceId, targetId].sort().join(' + '))
      expect(pairs.length).toBeGreaterThan(0)
      for (const pair of pairs) {
        expect(pair).not.toContain('elsewhere')
        expect(pair).toContain('cleo')
      }
    })

    it('goes on after an abort where it stopped', async () => {
      const store = await openStore()
      const engine = await openWith(store, { samples: [OLD, NEW], embedding: 'none' })
      const aborted = AbortSignal.abort()
      await expect(engine.linkMemories({ signal: aborted })).rejects.toMatchObject({ code: 'INTERRUPTED' })
      expect(await engine.linkMemories()).toMatchObject({ memories: 2, written: 1 })
    })

    it('shows what is stored and what is computed once each, with its direction, and counts before it cuts', async () => {
      const store = await openStore()
      const engine = await openWith(store, { samples: [OLD, NEW, COPY, OTHER], correlation: { minScore: 0.3 } })
      const ask = (memoryId: string, more = {}) => engine.findCorrelations({ memoryId, type: 'semantic', ...more })
      const computed = await ask(OLD)
      expect(computed.correlations.length).toBeGreaterThan(0)
      expect(computed.correlations.every(({ origin }) => origin === 'computed')).toBe(true)
      await engine.linkMemories()
      const stored = await ask(OLD)
      expect(stored.correlations.map(({ targetId, relationshipType }) => [targetId, relationshipType])).toEqual(
        computed.correlations.map(({ targetId, relationshipType }) => [targetId, relationshipType]),
      )
      expect(stored.correlations.every(({ origin }) => origin === 'discovered')).toBe(true)
      await engine.addRelationship({ sourceId: OTHER, targetId: OLD, relationshipType: 'causal' })
      const all = await ask(OLD, { maxResults: 1 })
      expect(all.totalFound).toBe(stored.totalFound + 1)
      expect(all.correlations).toMatchObject([{ targetId: OTHER, direction: 'in', origin: 'explicit', score: 1 }])
      expect((await ask(OTHER)).correlations).toMatchObject([{ targetId: OLD, direction: 'out' }])
      expect((await ask(OLD, { relationshipTypes: ['causal'] })).totalFound).toBe(1)
      await expect(ask('nobody')).rejects.toMatchObject({ code: 'NOT_FOUND' })
      await expect(engine.findCorrelations({ memoryId: OLD, type: 'episodic' })).rejects.toMatchObject({
        code: 'INVALID_OPTION',
      })
      await expect(ask(OLD, { minScore: 2 })).rejects.toMatchObject({ code: 'INVALID_OPTION' })
    })

    it('suggests for a text that is no memory, stores nothing and repeats no secret', async () => {
      const store = await openStore()
      const engine = await openWith(store, { samples: [OLD, OTHER], embedding: 'none', correlation: { minScore: 0.3 } })
      const secret = `ghp_${'a1B2'.repeat(9)}`
      const content = `${NEW} token ${secret}`
      const links = await engine.discoverLinks({ memoryId: 'not yet', content, type: 'semantic' })
      expect(links).toMatchObject([{ targetId: OLD, relationshipType: 'contradicts' }])
      expect(JSON.stringify(links)).not.toContain(secret)
      const nowhere = { memoryId: 'not yet', content, type: 'semantic' as const, searchSpace: ['episodic' as const] }
      expect(await engine.discoverLinks(nowhere)).toEqual([])
      expect(await store.relationships.totals()).toMatchObject({ discovered: 0, reviews: { open: 0 } })
    })

    it('takes secrets out of what is stated', async () => {
      const store = await openStore()
      const engine = await openWith(store, { samples: [OLD, OTHER], embedding: 'none' })
      const secret = `ghp_${'a1B2'.repeat(9)}`
      const { relationship } = await engine.addRelationship({
        sourceId: OLD,
        targetId: OTHER,
        relationshipType: 'supports',
        metadata: { reason: `said with ${secret}`, deep: [{ [secret]: secret }], password: 'hunter2hunter2' },
      })
      expect(relationship.reason).toContain('said with')
      expect(JSON.stringify(relationship)).not.toContain(secret)
      expect(JSON.stringify(relationship)).not.toContain('hunter2')
      const key = { sourceId: OLD, targetId: OTHER }
      expect(await engine.removeRelationship(key)).toEqual({ removed: 1 })
      await expect(engine.removeRelationship(key)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    })

    it('states what the texts of two memories show when the type is left to it, and nothing that they do not show', async () => {
      const store = await openStore()
      const REPORT = 'Across nine farms, the yield of barley decreases after weeks of storage in the barn.'
      const CLAIM = 'Cold storage increases the yield of winter barley.'
      const engine = await openWith(store, { samples: [REPORT, CLAIM, OTHER], embedding: 'none' })
      // Among many it is too little to be called a contradiction; of these two somebody wants to know.
      await engine.linkMemories()
      expect((await listAll(store)).filter(({ relationshipType }) => relationshipType === 'contradicts')).toEqual([])
      const { relationship } = await engine.addRelationship({ sourceId: CLAIM, targetId: REPORT })
      expect(relationship).toMatchObject({
        relationshipType: 'contradicts',
        origin: 'explicit',
        score: 1,
        reason: '"increases" against "decreases": opposite of the same statement',
      })
      await expect(engine.addRelationship({ sourceId: CLAIM, targetId: OTHER })).rejects.toMatchObject({
        code: 'INVALID_OPTION',
        message: expect.stringContaining('their texts show no relationship'),
      })
      await expect(engine.addRelationship({ sourceId: CLAIM, targetId: 'gone' })).rejects.toMatchObject({
        code: 'NOT_FOUND',
      })
      const [weir, reader] = ['Open the weir by hand.', 'Read notes/0.md before the flood comes.']
      const told = await openWith(await openStore(), { samples: [weir, reader], embedding: 'none' })
      expect((await told.addRelationship({ sourceId: reader, targetId: weir })).relationship.relationshipType).toBe(
        'references',
      )
      await expect(told.addRelationship({ sourceId: weir, targetId: reader })).rejects.toThrow(
        /the other way round \(references/,
      )
    })

    it('says that it is switched off, and links nothing of itself then', async () => {
      const store = await openStore()
      const engine = await openWith(store, { embedding: 'none', correlation: { enabled: false } })
      await engine.remember(OLD)
      await engine.remember(NEW)
      await expect(engine.linkMemories()).rejects.toMatchObject({ code: 'DISABLED' })
      expect(await store.relationships.totals()).toMatchObject({ discovered: 0, awaiting: 2 })
    })

    it('links what is remembered at once, unless told otherwise', async () => {
      const store = await openStore()
      const engine = await openWith(store, { embedding: 'none' })
      await engine.remember(OLD, { id: 'old' })
      await engine.remember(NEW, { id: 'new' })
      expect(await listAll(store)).toMatchObject([
        { sourceId: 'new', targetId: 'old', relationshipType: 'contradicts' },
      ])
      expect(await store.relationships.totals()).toMatchObject({ awaiting: 0, reviews: { open: 1 } })
      const later = await openStore()
      const quiet = await openWith(later, { embedding: 'none', correlation: { autoDiscover: false } })
      await quiet.remember(OLD)
      expect(await later.relationships.totals()).toMatchObject({ awaiting: 1 })
    })
  },
  { tenants: ['local', 'other'] },
)

const WORDS =
  'heron otter sluice gate mill level 3 m 4 m not never opens closes pump PMP-7 Egret because of then always'
const sentence = fc
  .array(fc.constantFrom(...WORDS.split(' ')), { minLength: 3, maxLength: 12 })
  .map((words) => `The ${words.join(' ')}.`)
const sample = fc.record({
  text: sentence,
  tier: fc.constantFrom('episodic' as const, 'semantic' as const, 'procedural' as const),
  agent: fc.constantFrom('ada', 'ben'),
  visibility: fc.constantFrom('private' as const, 'global' as const),
  day: fc.integer({ min: 1, max: 9 }),
})

describeStores('linking, whatever a store holds,', (openStore) => {
  it('gives scores in [0,1], the same every time and in any order, within what may be seen, and changes no memory', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(sample, { minLength: 2, maxLength: 9, selector: ({ text }) => text }),
        async (given) => {
          const samples = given.map(
            ({ text, tier, agent, visibility, day }): Sample => ({
              text,
              tier,
              scope: { agent, visibility },
              place: { occurredAt: `2026-05-0${day}T09:00:00Z`, dateOrigin: 'timestamp' },
            }),
          )
          const correlation = { minScore: 0.4, maxLinks: 4 }
          const store = await openStore()
          const engine = await openWith(store, { samples, correlation })
          const ids = samples.map(({ text }) => text)
          const before = await store.getMemories(ids)
          await engine.linkMemories()
          const found = await listAll(store)
          expect(await store.getMemories(ids)).toEqual(before)
          const scopes = new Map(before.map((memory: Memory) => [memory.id, memory.scope]))
          for (const one of found) {
            const { sourceId, targetId, score } = one
            expect(score >= 0 && score <= 1).toBe(true)
            expect(isStated(one) || score >= 0.4).toBe(true)
            const [a, b] = [scopes.get(sourceId), scopes.get(targetId)]
            expect(a?.agent === b?.agent || a?.visibility === 'global' || b?.visibility === 'global').toBe(true)
          }
          for (const agent of ['ada', 'ben']) {
            const own = { filter: { viewer: { tenant: 'local', agent } } }
            for (const one of await store.relationships.list(ids, own)) {
              for (const id of [one.sourceId, one.targetId]) {
                const scope = scopes.get(id)
                expect(scope?.agent === agent || scope?.visibility === 'global').toBe(true)
              }
            }
          }
          await engine.linkMemories({ all: true })
          expect((await listAll(store)).map(show).sort()).toEqual(found.map(show).sort())
          const other = await openStore()
          const again = await openWith(other, {
            samples: [...samples].reverse(),
            correlation: { ...correlation, maxLinks: 99 },
          })
          await again.linkMemories()
          const all = new Set((await listAll(other)).map(show))
          expect(found.map(show).filter((line) => !all.has(line))).toEqual([])
          for (const done of engines.splice(0)) await done.close()
        },
      ),
      { numRuns: 10 },
    )
  })
})
