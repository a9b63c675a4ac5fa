import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { describeStores, openEmptyStore } from '../../../test/stores.ts'
import type { BuildCorrelationGraphParams, CorrelationGraph } from '../../model/correlation.ts'
import { TIERS, type Tier } from '../../model/memory.ts'
import { RELATIONSHIP_TYPES, type RelationshipType, type RelationshipWrite } from '../../model/relationship.ts'
import { createInMemoryStore } from '../../store/memory/in-memory-store.ts'
import type { MemoryStore } from '../../store/memory-store.ts'
import { openSqliteStore } from '../../store/sqlite/open-sqlite-store.ts'
import { discover, relate } from '../../testing/memory-store/relationships.ts'
import { makeWrite, type Sample } from '../../testing/memory-store/samples.ts'
import { type CorrelationContext, createCorrelationContext } from '../correlation-context.ts'
import { decideReview } from '../reviews.ts'
import { buildCorrelationGraph } from './build-correlation-graph.ts'

const NOW = new Date('2026-03-01T12:00:00Z')
const folder = mkdtempSync(join(tmpdir(), 'graph-'))
afterAll(() => rmSync(folder, { recursive: true }))

function contextOf(store: MemoryStore, settings: { maxLinks?: number } = {}): CorrelationContext {
  return createCorrelationContext({
    store,
    clock: () => NOW,
    identity: () => null,
    embed: async () => null,
    toViewer: ({ agentId, project }) => ({
      tenant: 'local',
      ...(agentId !== undefined && { agent: agentId }),
      ...(project !== undefined && { project }),
    }),
    settings,
  })
}

/** A store of these memories, each a document of its own that has the memory's id for a name. */
async function fill(store: MemoryStore, samples: ReadonlyArray<string | Sample>): Promise<MemoryStore> {
  const writes = samples.map((one) => {
    const text = typeof one === 'string' ? one : one.text
    return makeWrite(`${(typeof one === 'string' ? undefined : one.id) ?? text}.md`, [one])
  })
  await store.putDocuments(writes)
  return store
}

const edgesOf = ({ edges }: CorrelationGraph): string[] =>
  edges.map(({ sourceId, relationshipType, targetId }) => `${sourceId} ${relationshipType} ${targetId}`)
const idsOf = ({ nodes }: CorrelationGraph): string[] => nodes.map(({ id }) => id).sort()

async function buildOver(
  samples: ReadonlyArray<string | Sample>,
  writes: readonly RelationshipWrite[],
  params: Partial<BuildCorrelationGraphParams> = {},
  settings: { maxLinks?: number } = {},
): Promise<CorrelationGraph> {
  const store = await fill(await openEmptyStore(), samples)
  await store.relationships.put(writes, { now: NOW })
  return buildCorrelationGraph(contextOf(store, settings), { memoryIds: [], ...params })
}

describeStores('a graph around memories', () => {
  const RING = [relate('a', 'b'), relate('b', 'c', 'supports'), relate('c', 'a', 'causal')]

  it('ends in a ring and shows each memory and each relationship once, however deep it is asked to go', async () => {
    const graph = await buildOver(['a', 'b', 'c', 'd'], RING, { memoryIds: ['a', 'd', 'a'], maxDepth: 50 })
    expect(idsOf(graph)).toEqual(['a', 'b', 'c', 'd'])
    expect(edgesOf(graph).sort()).toEqual(['a references b', 'b supports c', 'c causal a'])
    expect(graph.orphans).toEqual(['d'])
    expect(graph.nodes.map(({ id, depth }) => `${id} ${depth}`).sort()).toEqual(['a 0', 'b 1', 'c 1', 'd 0'])
  })

  it('holds what lies within the depth, both ways along a relationship, and nothing else', async () => {
    const chain = [relate('b', 'a'), relate('b', 'c'), relate('d', 'c')]
    const depths = [0, 1, 2, 3].map((maxDepth) =>
      buildOver(['a', 'b', 'c', 'd'], chain, { memoryIds: ['a'], maxDepth }),
    )
    expect((await Promise.all(depths)).map((graph) => [idsOf(graph).join(''), graph.edges.length])).toEqual([
      ['a', 0],
      ['ab', 1],
      ['abc', 2],
      ['abcd', 3],
    ])
    expect(idsOf(await buildOver(['a', 'b', 'c', 'd'], chain, { memoryIds: ['a'] }))).toEqual(['a', 'b', 'c'])
  })

  it('follows only the strongest relationships of a memory that has very many, and says how many it left out', async () => {
    const leaves = Array.from({ length: 60 }, (_, number) => `leaf ${String(number).padStart(2, '0')}`)
    const spokes = leaves.map((leaf, number) => relate('hub', leaf, 'references', { score: number / 60 }))
    const graph = await buildOver(['hub', ...leaves], spokes, { memoryIds: ['hub'] }, { maxLinks: 50 })
    expect(graph.edges).toHaveLength(50)
    expect(graph.edges.at(-1)).toMatchObject({ targetId: 'leaf 10' })
    expect(graph.nodes.find(({ id }) => id === 'hub')).toMatchObject({ hiddenEdges: 10 })
    expect(graph.nodes.filter(({ hiddenEdges }) => hiddenEdges !== undefined)).toHaveLength(1)
    const fromLeaf = await buildOver(['hub', ...leaves], spokes, { memoryIds: ['leaf 00'] }, { maxLinks: 50 })
    expect(fromLeaf.nodes.find(({ id }) => id === 'hub')).toMatchObject({ hiddenEdges: 9 })
    expect(fromLeaf.nodes).toHaveLength(52)
  })

  it('is cut to its limit, nearest and strongest first, and says what found no room', async () => {
    const leaves = ['l1', 'l2', 'l3', 'l4']
    const spokes = leaves.map((leaf, number) => relate('hub', leaf, 'references', { score: 0.5 + number / 10 }))
    const graph = await buildOver(['hub', ...leaves], spokes, { memoryIds: ['hub'], maxNodes: 3 })
    expect(idsOf(graph)).toEqual(['hub', 'l3', 'l4'])
    expect(graph.edges).toHaveLength(2)
    expect(graph.leftOut).toBe(2)
    expect(await buildOver(['hub', ...leaves], spokes, { memoryIds: ['hub'] })).not.toHaveProperty('leftOut')
  })

  it('filters by tier, type and score, and keeps what it was asked for whatever its tier', async () => {
    const samples = [
      { text: 'rule', tier: 'procedural' as const },
      { text: 'rule too', tier: 'procedural' as const },
      { text: 'fact' },
      { text: 'talk', tier: 'episodic' as const },
    ]
    const writes = [
      relate('rule', 'fact', 'supports', { score: 0.9 }),
      relate('rule', 'talk', 'generalizes', { score: 0.8 }),
      relate('rule', 'rule too', 'references', { score: 0.3 }),
    ]
    const build = (params: Partial<BuildCorrelationGraphParams>) =>
      buildOver(samples, writes, { memoryIds: ['rule', 'rule too'], ...params })
    expect(edgesOf(await build({ includeTypes: ['semantic'] }))).toEqual([
      'rule supports fact',
      'rule references rule too',
    ])
    expect(edgesOf(await build({ relationshipTypes: ['generalizes'] }))).toEqual(['rule generalizes talk'])
    const strong = await build({ minScore: 0.85 })
    expect(edgesOf(strong)).toEqual(['rule supports fact'])
    // Weak relationships are relationships: what has them is no orphan.
    expect(strong.orphans).toEqual([])
    expect(strong.tiers).toEqual([
      { tier: 'episodic', count: 0, averageScore: null },
      { tier: 'semantic', count: 1, averageScore: 0.9 },
      { tier: 'procedural', count: 2, averageScore: 0.9 },
    ])
  })

  it('begins with the best connected memories where none are named', async () => {
    const graph = await buildOver(['a', 'b', 'c', 'lone'], [relate('a', 'b'), relate('a', 'c')], { maxDepth: 0 })
    expect(idsOf(graph)).toEqual(['a', 'b', 'c'])
    const whole = await buildOver(['see [[Nowhere]]', 'a', 'b'], [relate('a', 'b')])
    expect(whole.unresolved).toMatchObject([{ memoryId: 'see [[Nowhere]]', target: 'Nowhere', candidates: [] }])
    expect((await buildOver(['see [[Nowhere]]', 'a'], [], { memoryIds: ['a'] })).unresolved).toEqual([])
    expect(await buildOver(['a', 'lone'], [])).toEqual({
      nodes: [],
      edges: [],
      orphans: [],
      unresolved: [],
      tiers: TIERS.map((tier) => ({ tier, count: 0, averageScore: null })),
    })
  })

  it('refuses ids that are not there and ids that are not to be seen in the same words', async () => {
    const store = await fill(await openEmptyStore(), ['a', { text: 'theirs', scope: { agent: 'other' } }])
    const build = (id: string) =>
      buildCorrelationGraph(contextOf(store), { memoryIds: ['a', id], agentId: 'main' }).catch(
        (error: unknown) => error,
      )
    expect(await build('nobody')).toMatchObject({ code: 'NOT_FOUND', message: expect.stringContaining('"nobody"') })
    const hidden = await build('theirs')
    expect(hidden).toMatchObject({ code: 'NOT_FOUND' })
    expect(String(hidden).replace('theirs', 'nobody')).toBe(String(await build('nobody')))
    for (const params of [
      { maxDepth: -1 },
      { maxDepth: 1.5 },
      { minScore: 2 },
      { maxNodes: 0 },
      { includeTypes: ['x' as Tier] },
    ]) {
      const answer = buildCorrelationGraph(contextOf(store), { memoryIds: ['a'], ...params })
      await expect(answer).rejects.toMatchObject({ code: 'INVALID_OPTION' })
    }
  })

  it('leaves out a found contradiction that somebody dismissed, and keeps one that somebody stated', async () => {
    const store = await fill(await openEmptyStore(), ['a', 'b', 'c'])
    const { relationships } = store
    await relationships.put([relate('b', 'c', 'contradicts')], { now: NOW })
    const found = discover('a', 'b', 0.8, { relationshipType: 'contradicts' })
    await relationships.replaceDiscovered([{ id: 'a' }], [found], NOW)
    await relationships.openReviews(
      [
        { firstId: 'a', secondId: 'b' },
        { firstId: 'b', secondId: 'c' },
      ],
      NOW,
    )
    const context = contextOf(store)
    expect((await buildCorrelationGraph(context, { memoryIds: ['a'] })).edges).toHaveLength(2)
    for (const { id } of await relationships.listReviews({ filter: { viewer: { tenant: 'local' } } })) {
      await decideReview(context, { id, decision: 'dismissed', by: 'Ada' })
    }
    const graph = await buildCorrelationGraph(context, { memoryIds: ['a', 'b'] })
    expect(edgesOf(graph)).toEqual(['b contradicts c'])
    expect(graph.orphans).toEqual(['a'])
  })

  it('suggests what is related to the same memories and not to each other, and keeps that to itself', async () => {
    const writes = [relate('a', 'x'), relate('a', 'y'), relate('b', 'x'), relate('b', 'y'), relate('c', 'x')]
    const store = await fill(await openEmptyStore(), ['a', 'b', 'c', 'x', 'y'])
    await store.relationships.put(writes, { now: NOW })
    const build = () => buildCorrelationGraph(contextOf(store), { memoryIds: ['a'], maxDepth: 3, predict: true })
    const graph = await build()
    expect(graph.predicted?.map(({ sourceId, targetId }) => `${sourceId} ${targetId}`)).toEqual(['x y', 'a b'])
    for (const { score } of graph.predicted ?? []) expect(score > 0 && score < 1).toBe(true)
    expect(graph.edges).toHaveLength(5)
    expect((await store.relationships.totals()).discovered).toBe(0)
    await store.relationships.put([relate('b', 'a', 'supports')], { now: NOW })
    expect((await build()).predicted?.map(({ sourceId }) => sourceId)).toEqual(['x'])
    expect(await buildCorrelationGraph(contextOf(store), { memoryIds: ['a'] })).not.toHaveProperty('predicted')
  })

  it('ranks what is near to the memory asked about above what is far from it', async () => {
    const chain = [relate('a', 'b'), relate('b', 'c'), relate('c', 'd')]
    const graph = await buildOver(['a', 'b', 'c', 'd', 'lone'], chain, { memoryIds: ['a', 'lone'], maxDepth: 9 })
    const rank = new Map(graph.nodes.map((node) => [node.id, node.rank]))
    const of = (id: string): number => rank.get(id) ?? 0
    expect(of('b')).toBeGreaterThan(of('c'))
    expect(of('c')).toBeGreaterThan(of('d'))
    expect(of('lone')).toBeGreaterThan(of('d'))
  })
})

interface Plan {
  memories: Array<{ agent: string; visibility: 'private' | 'global'; tier: Tier }>
  links: Array<{ from: number; to: number; type: RelationshipType; score: number }>
  seeds: number[]
  maxDepth: number
  maxLinks: number
  maxNodes: number
}

const plan: fc.Arbitrary<Plan> = fc.record({
  memories: fc.array(
    fc.record({
      agent: fc.constantFrom('main', 'other'),
      visibility: fc.constantFrom('private' as const, 'global' as const),
      tier: fc.constantFrom(...TIERS),
    }),
    { minLength: 1, maxLength: 9 },
  ),
  links: fc.array(
    fc.record({
      from: fc.nat(8),
      to: fc.nat(8),
      type: fc.constantFrom(...RELATIONSHIP_TYPES),
      score: fc.constantFrom(0, 0.25, 0.5, 1),
    }),
    { maxLength: 25 },
  ),
  seeds: fc.array(fc.nat(8), { maxLength: 3 }),
  maxDepth: fc.nat(4),
  maxLinks: fc.integer({ min: 1, max: 4 }),
  maxNodes: fc.integer({ min: 1, max: 9 }),
})

async function enact(store: MemoryStore, { memories, links }: Plan): Promise<void> {
  const samples = memories.map(({ tier, ...scope }, number): Sample => ({ text: `m${number}`, tier, scope }))
  await fill(store, samples)
  const writes = links
    .filter(({ from, to }) => from !== to && from < memories.length && to < memories.length)
    .map(({ from, to, type, score }) => relate(`m${from}`, `m${to}`, type, { score }))
  if (writes.length > 0) await store.relationships.put(writes, { now: NOW })
}

function check(given: Plan, graph: CorrelationGraph, seeds: readonly string[]): void {
  const isSeen = (id: string): boolean => {
    const memory = given.memories[Number(id.slice(1))]
    return memory?.agent === 'main' || memory?.visibility === 'global'
  }
  const ids = graph.nodes.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.filter((id) => !isSeen(id))).toEqual([])
  expect(new Set(edgesOf(graph)).size).toBe(graph.edges.length)
  for (const { sourceId, targetId } of graph.edges) expect(ids.includes(sourceId) && ids.includes(targetId)).toBe(true)
  const depthOf = new Map(graph.nodes.map(({ id, depth }) => [id, depth]))
  for (const { id, depth } of graph.nodes) {
    expect(depth).toBeLessThanOrEqual(given.maxDepth)
    if (depth === 0) continue
    const nearer = graph.edges.some(
      ({ sourceId, targetId }) =>
        (sourceId === id && depthOf.get(targetId) === depth - 1) ||
        (targetId === id && depthOf.get(sourceId) === depth - 1),
    )
    expect(nearer).toBe(true)
  }
  expect(ids.length).toBeLessThanOrEqual(Math.max(given.maxNodes, seeds.length === 0 ? 10 : seeds.length))
  if (ids.length > 0) expect(graph.nodes.reduce((sum, { rank }) => sum + rank, 0)).toBeCloseTo(1, 9)
  const isRelated = (id: string): boolean =>
    given.links.some(({ from, to }) => {
      const ends = [`m${from}`, `m${to}`]
      return (
        from !== to &&
        ends.includes(id) &&
        ends.every((end) => Number(end.slice(1)) < given.memories.length && isSeen(end))
      )
    })
  expect(graph.orphans).toEqual(seeds.filter((id) => !isRelated(id)))
}

describe('whatever is related to what', () => {
  it('a graph shows only what the asker may see, within its limits, and in SQLite as in memory', async () => {
    let run = 0
    await fc.assert(
      fc.asyncProperty(plan, async (given) => {
        const seeds = [...new Set(given.seeds)]
          .filter((number) => {
            const memory = given.memories[number]
            return memory?.agent === 'main' || memory?.visibility === 'global'
          })
          .map((number) => `m${number}`)
        const { maxDepth, maxNodes, maxLinks } = given
        const params = { memoryIds: seeds, maxDepth, maxNodes, agentId: 'main', predict: true }
        const answers: CorrelationGraph[] = []
        for (const store of [createInMemoryStore(), await openSqliteStore({ file: join(folder, `${run++}.db`) })]) {
          await enact(store, given)
          const context = contextOf(store, { maxLinks })
          answers.push(await buildCorrelationGraph(context, params), await buildCorrelationGraph(context, params))
          await store.close()
        }
        const [first, ...others] = answers
        if (!first) return
        for (const other of others) expect(other).toEqual(first)
        check(given, first, seeds)
        expect(
          first.predicted?.every(
            ({ sourceId, targetId }) =>
              !edgesOf(first).some((edge) => edge.startsWith(`${sourceId} `) && edge.endsWith(` ${targetId}`)),
          ),
        ).toBe(true)
      }),
      { numRuns: 25 },
    )
  })
})
