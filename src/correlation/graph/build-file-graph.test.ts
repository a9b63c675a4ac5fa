import { expect, it } from 'vitest'
import { describeStores, openEmptyStore } from '../../../test/stores.ts'
import type { BuildFileGraphParams, FileGraph } from '../../model/correlation.ts'
import type { MemoryStore } from '../../store/memory-store.ts'
import { makeWrite, type Sample, vectorOf } from '../../testing/memory-store/samples.ts'
import { createCorrelationContext } from '../correlation-context.ts'
import { buildFileGraph } from './build-file-graph.ts'

const build = (
  store: MemoryStore,
  params: BuildFileGraphParams = {},
  model: string | null = 'test',
): Promise<FileGraph> =>
  buildFileGraph(
    createCorrelationContext({
      store,
      clock: () => new Date('2026-03-01T12:00:00Z'),
      identity: () => model,
      embed: async () => null,
      toViewer: ({ agentId }) => ({ tenant: 'local', ...(agentId !== undefined && { agent: agentId }) }),
    }),
    params,
  )

/** Files by path, each of its memories with the vector of an angle, in degrees: their cosine is that of the difference. */
async function storeOf(files: Record<string, Array<[angle: number, sample?: Partial<Sample>]>>): Promise<MemoryStore> {
  const store = await openEmptyStore()
  const all = Object.entries(files).map(([path, memories]) => ({
    path,
    memories: memories.map(([angle, sample], number) => ({ angle, sample: { text: `${path} ${number}`, ...sample } })),
  }))
  await store.putDocuments(
    all.map(({ path, memories }) =>
      makeWrite(
        path,
        memories.map(({ sample }) => sample),
      ),
    ),
  )
  for (const { memories } of all) {
    const vectors = memories.map(({ angle, sample: { id, text } }) => {
      const radians = (angle * Math.PI) / 180
      return { id: id ?? text, embedText: text, windows: [vectorOf(Math.cos(radians), Math.sin(radians))] }
    })
    await store.putVectors('test', vectors)
  }
  return store
}

const linesOf = ({ links }: FileGraph): string[] =>
  links.map(({ a, b, score }) => `${a.path} ${b.path} ${score.toFixed(2)}`)

describeStores('the view by files', () => {
  it('links files that say alike things, most alike first, and names those that are like no other', async () => {
    const store = await storeOf({ 'b.md': [[0], [90]], 'a.md': [[10]], 'c.md': [[55]], 'd.md': [[200]] })
    const graph = await build(store)
    expect(linesOf(graph)).toEqual(['a.md b.md 0.98', 'b.md c.md 0.82'])
    expect(graph.links[0]?.pairs).toEqual([{ aId: 'a.md 0', bId: 'b.md 0', cosine: expect.closeTo(0.98, 2) }])
    expect(graph.orphans.map(({ path }) => path)).toEqual(['d.md'])
    expect(graph.files.map(({ path, memories }) => `${path} ${memories}`)).toEqual([
      'a.md 1',
      'b.md 2',
      'c.md 1',
      'd.md 1',
    ])
    expect(linesOf(await build(store, { minCosine: 0.9 }))).toEqual(['a.md b.md 0.98'])
    expect(graph.degraded).toEqual([])
  })

  it('lets at most five memories stand for a file: important ones, then long ones', async () => {
    const short = Array.from({ length: 5 }, (_, number): [number, Partial<Sample>] => [90, { text: `short ${number}` }])
    const store = await storeOf({
      'long.md': [...short, [0, { text: 'a much longer text than the others' }]],
      'weighty.md': [
        ...short.map(([angle], number): [number, Partial<Sample>] => [angle, { text: `a long other text ${number}` }]),
        [0, { text: 'tiny', importance: 0.9 }],
      ],
      'none.md': [
        ...short.map(([angle], number): [number, Partial<Sample>] => [angle, { text: `yet another text ${number}` }]),
        [0, { text: 'last' }],
      ],
      'x.md': [[0, { text: 'x' }]],
    })
    expect(linesOf(await build(store, { paths: ['x.md'] }))).toEqual(['long.md x.md 1.00', 'weighty.md x.md 1.00'])
    expect((await build(store)).files.map(({ representatives }) => representatives)).toEqual([5, 5, 5, 1])
  })

  it('gives a memory at most five pairs and a file at most ten others', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 14 }, (_, number) => [
        `f${String(number).padStart(2, '0')}.md`,
        [[number]] as Array<[number]>,
      ]),
    )
    const single = await build(await storeOf(many), { paths: ['f00.md'] })
    expect(single.links.map(({ b }) => b.path)).toEqual(['f01.md', 'f02.md', 'f03.md', 'f04.md', 'f05.md'])
    const wide = await build(await storeOf({ ...many, 'f00.md': [[0], [0], [0], [0], [0]] }), { paths: ['f00.md'] })
    expect(wide.links).toHaveLength(5)
    const spread = await build(await storeOf({ ...many, 'f00.md': [[0], [6], [13]] }), { paths: ['f00.md'] })
    expect(spread.links).toHaveLength(10)
    for (const { pairs } of spread.links) expect(pairs.length).toBeGreaterThan(0)
  })

  it('shows files of the asker alone, notes unless talk is asked for, and refuses what is not there', async () => {
    const store = await storeOf({
      'mine.md': [[0]],
      'theirs.md': [[0, { scope: { agent: 'other' } }]],
      'sessions/s.jsonl': [[5, { category: 'sessions' }]],
    })
    expect(linesOf(await build(store, { agentId: 'main' }))).toEqual([])
    expect(linesOf(await build(store, { agentId: 'main', source: 'all' }))).toEqual(['mine.md sessions/s.jsonl 1.00'])
    await expect(build(store, { agentId: 'main', paths: ['theirs.md'] })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(build(store, { minCosine: 2 })).rejects.toMatchObject({ code: 'INVALID_OPTION' })
  })

  it('says so when there are no vectors, and calls nothing an orphan then', async () => {
    const store = await storeOf({ 'a.md': [[0]], 'b.md': [[0]] })
    const bare = await build(store, {}, null)
    expect(bare).toMatchObject({ links: [], orphans: [], degraded: [{ part: 'vector' }] })
    expect(bare.files).toHaveLength(2)
    const other = await build(store, {}, 'another model')
    expect(other).toMatchObject({
      links: [],
      orphans: [],
      degraded: [{ reason: expect.stringContaining('2 memories wait') }],
    })
  })
})
