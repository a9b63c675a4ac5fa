import { expect, it } from 'vitest'
import {
  collectCorrelationReport,
  formatCorrelationReport,
  formatGraph,
  GRAPH_FORMATS,
  type Madeleine,
} from '../../src/index.ts'
import { describeOverStores, useWorkspace } from './workspace.ts'

const here = useWorkspace()

async function idsOf(memory: Madeleine, path: string): Promise<string[]> {
  return (await memory.listMemories(path)).map(({ id }) => id)
}

describeOverStores(here, 'a graph over notes on disk', () => {
  it('takes no callout, checkbox, timecode, address or code for a link, and keeps the words of each', async () => {
    here.note(
      'memory/yard.md',
      [
        '# Yard',
        '',
        '> [!info] Tide is late',
        '',
        '- [ ] call the yard',
        '- [/] half done',
        '- [decision] use larch #wood',
        '',
        '[00:01:12] speaker: hi',
        '',
        'The [site](http://x.test) is down.',
        '',
        '```',
        '[[Not A Link]]',
        '```',
        '',
      ].join('\n'),
    )
    const memory = await here.openIndexed()
    const graph = await memory.buildCorrelationGraph({ memoryIds: await idsOf(memory, 'memory/yard.md') })
    expect(graph).toMatchObject({ edges: [], unresolved: [] })
    expect(graph.nodes.every(({ path }) => path === 'memory/yard.md')).toBe(true)
    const texts = (await memory.listMemories('memory/yard.md')).map(({ text }) => text).join('\n')
    for (const words of ['Tide is late', 'half done', 'use larch', 'speaker: hi', 'site'])
      expect(texts).toContain(words)
  })

  it('shows links that name nothing, and those that name several notes of which none is near', async () => {
    here.note('memory/Overview of winches.md', 'All winches stand in a row.\n')
    here.note('memory/North.md', 'The north quay floods in March.\n')
    here.note('memory/a/Roadmap.md', 'First the quay.\n')
    here.note('memory/b/Roadmap.md', 'First the crane.\n')
    here.note('memory/a/x.md', 'As [[Overview (north dock)]] says, and [[Roadmap]] plans.\n')
    here.note('memory/c/y.md', 'The [[Roadmap]] has it.\n')
    here.note('memory/cafe\u0301.md', 'Coffee is kept here.\n')
    here.note('memory/z.md', 'See [[caf\u00e9]].\n')
    const memory = await here.openIndexed()
    const { unresolved } = await memory.buildCorrelationGraph({ memoryIds: [] })
    expect(unresolved.map(({ path, target, candidates }) => [path, target, candidates])).toEqual(
      expect.arrayContaining([
        ['memory/a/x.md', 'Overview (north dock)', []],
        ['memory/c/y.md', 'Roadmap', ['memory/a/Roadmap.md', 'memory/b/Roadmap.md']],
      ]),
    )
    expect(unresolved).toHaveLength(2)
  })

  it('names nothing of what was forgotten, in any format', async () => {
    const memory = await here.openIndexed()
    const { id } = await memory.remember('The pewter key hangs behind the stove.')
    const { id: other } = await memory.remember('Stove ash goes to the garden.', { id: '__proto__' })
    await memory.addRelationship({ sourceId: id, targetId: other, relationshipType: 'references' })
    const before = await memory.buildCorrelationGraph({ memoryIds: ['__proto__'] })
    expect(before.edges).toHaveLength(1)
    await memory.forget(id)
    const graph = await memory.buildCorrelationGraph({ memoryIds: ['__proto__'] })
    expect(graph).toMatchObject({ edges: [], orphans: ['__proto__'] })
    for (const format of GRAPH_FORMATS) expect(formatGraph(graph, format)).not.toContain(id)
    await expect(memory.buildCorrelationGraph({ memoryIds: [id] })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('tells an agent nothing of what belongs to another, however they are related', async () => {
    const memory = await here.openIndexed()
    const mark = ['MARL', '7781'].join('-')
    const { id: secret } = await memory.remember(`The vault code is ${mark}.`, { agentId: 'a1', id: 'secret-of-a1' })
    const { id: own } = await memory.remember('The vault is in the cellar.', { agentId: 'a2', id: 'note-of-a2' })
    const { id: mine } = await memory.remember('The cellar has a red door.', { agentId: 'a2', id: 'door-of-a2' })
    await memory.addRelationship({ sourceId: secret, targetId: own, relationshipType: 'contradicts' })
    await memory.addRelationship({ sourceId: secret, targetId: mine, relationshipType: 'supports' })
    await memory.addRelationship({ sourceId: own, targetId: mine, relationshipType: 'supports' })
    const asked = { agentId: 'a2' }
    const graphs = [
      await memory.buildCorrelationGraph({ ...asked, memoryIds: [own], maxDepth: 5, predict: true }),
      await memory.buildCorrelationGraph({ ...asked, memoryIds: [] }),
      await memory.buildFileGraph({ ...asked, source: 'all' }),
      await memory.listReviews({ ...asked, status: 'all' }),
      await memory.search('vault cellar', { ...asked, expand: true, explain: true }),
      await memory.recall({ ...asked, prompt: 'Where is the vault with the red door?', expand: true, explain: true }),
    ]
    const report = await collectCorrelationReport(memory, { ...asked, memoryIds: [own] }, new Date(0))
    const shown = JSON.stringify([...graphs, report]) + formatCorrelationReport(report)
    expect(shown).toContain('door-of-a2')
    expect(shown).not.toContain(mark)
    expect(shown).not.toContain('secret-of-a1')
    expect(report.graph.edges).toHaveLength(1)
    expect(JSON.stringify(await memory.buildCorrelationGraph({ memoryIds: [own] }))).toContain('secret-of-a1')
  })

  it('is told in a report of which every line is so', async () => {
    here.note('memory/chain.md', 'The winch chain was dry.\n')
    here.note('memory/sluice.md', 'The sluice jammed on Friday. See [[Nowhere]].\n')
    here.note('memory/lone.md', 'Mara keeps the rota.\n')
    const memory = await here.openIndexed()
    const [chain = ''] = await idsOf(memory, 'memory/chain.md')
    const [sluice = ''] = await idsOf(memory, 'memory/sluice.md')
    const [lone = ''] = await idsOf(memory, 'memory/lone.md')
    await memory.addRelationship({
      sourceId: chain,
      targetId: sluice,
      relationshipType: 'causal',
      score: 0.9,
      metadata: { reason: 'a dry | chain jams' },
    })
    const report = formatCorrelationReport(
      await collectCorrelationReport(memory, { memoryIds: [sluice, lone] }, new Date('2026-06-10T09:00:00Z')),
    )
    expect(report).toContain('**Generated:** 2026-06-10T09:00:00.000Z')
    expect(report).toContain(`**Seed Memory:** memory/sluice.md (${sluice}); memory/lone.md (${lone})`)
    expect(report).toContain(`| memory/chain.md (${chain}) | semantic | ← causal | 0.90 | a dry \\| chain jams |`)
    expect(report).toContain(
      `memory/sluice.md [${sluice}]\n└── memory/chain.md [${chain}] (← causal, 0.90)\nmemory/lone.md [${lone}]`,
    )
    expect(report).toContain('| Semantic | 3 | 0.90 |')
    expect(report).toContain(`**Orphan memory** — memory/lone.md (${lone}) has no correlations`)
    expect(report).toContain('"Nowhere" in memory/sluice.md names no memory')
  })
})
