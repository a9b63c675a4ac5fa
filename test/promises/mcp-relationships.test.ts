import { describe, expect, it } from 'vitest'
import { MCP_LIMITS } from '../../src/index.ts'
import { useMcp } from './mcp-client.ts'
import { useWorkspace } from './workspace.ts'

const workspace = useWorkspace()
const mcp = useMcp()

const connect = (env: Record<string, string> = {}, ...more: string[]) =>
  mcp.run({ home: workspace.home, args: ['--store', workspace.storeFile, ...more], env })

interface Graph {
  nodes: Array<{ id: string }>
  edges: Array<{ sourceId: string; targetId: string; relationshipType: string }>
  orphans: string[]
  unresolved: Array<{ target: string; candidates: string[] }>
  totalNodes: number
  totalEdges: number
  truncated: boolean
  nextOffset?: number
}

async function remember(texts: Record<string, string>) {
  const { call, ...rest } = await connect()
  for (const [id, text] of Object.entries(texts)) await call('memory_remember', { id, text })
  return { call, ...rest }
}

const WINCH = {
  'winch-fault': 'The kite winch stopped at noon.',
  'winch-cause': 'The fuse of the quay was blown.',
  bakery: 'The bakery opens at six.',
}

describe('memory_link', () => {
  it('states a relationship, and saying it twice is one; both ends show it, each from its side', async () => {
    const { call } = await remember(WINCH)
    const stated = { source: 'winch-cause', target: 'winch-fault', relationship: 'causal', score: 0.9 }
    const { relationship } = await call('memory_link', { ...stated, metadata: { said: 'by the electrician' } })
    expect(relationship).toMatchObject({
      sourceId: 'winch-cause',
      targetId: 'winch-fault',
      relationshipType: 'causal',
      score: 0.9,
      origin: 'explicit',
      metadata: { said: 'by the electrician' },
    })
    await call('memory_link', stated)
    expect((await call('memory_graph', { ids: ['winch-fault'] })).totalEdges).toBe(1)
    expect(await call('memory_related', { id: 'winch-fault' })).toMatchObject({
      memoryId: 'winch-fault',
      totalFound: 1,
      truncated: false,
      correlations: [
        { targetId: 'winch-cause', relationshipType: 'causal', direction: 'in', path: 'remembered/winch-cause' },
      ],
    })
    expect(await call('memory_related', { id: 'winch-cause' })).toMatchObject({
      correlations: [{ targetId: 'winch-fault', direction: 'out' }],
    })
  })

  it('joins nothing to what merely has a similar name, and writes nothing where an end is missing or a value is wrong', async () => {
    const { call, refusal } = await remember(WINCH)
    const good = { source: 'winch-cause', target: 'winch-fault', relationship: 'causal' }
    for (const [wrong, code] of [
      [{ source: 'ghost-1' }, 'NOT_FOUND'],
      [{ target: 'winch' }, 'NOT_FOUND'],
      [{ target: '../../etc/hosts' }, 'NOT_FOUND'],
      [{ target: 'memory/%2e%2e/x.md' }, 'NOT_FOUND'],
      [{ target: 'memory/a\u0000.md' }, 'NOT_FOUND'],
      [{ relationship: 'likes' }, 'INVALID_OPTION'],
      [{ score: 1.7 }, 'INVALID_OPTION'],
      [{ target: 'winch-cause' }, 'INVALID_OPTION'],
    ] as const) {
      expect(await refusal('memory_link', { ...good, ...wrong })).toMatchObject({ code })
    }
    expect((await call('memory_graph', { ids: ['winch-cause', 'winch-fault'] })).totalEdges).toBe(0)
  })

  it('refuses a title that two notes have, with both, and takes one that only one has', async () => {
    workspace.note('a/Roadmap.md', '# Roadmap\n\nThe north quay first.\n')
    workspace.note('b/Roadmap.md', '# Roadmap\n\nThe south quay first.\n')
    workspace.note('c/Winter store.md', '# Winter store\n\nIt closes in May.\n')
    await workspace.openIndexed()
    const { call, refusal } = await connect()
    const ambiguous = { source: 'Winter store', target: 'roadmap', relationship: 'references' }
    const { code, remedy } = await refusal('memory_link', ambiguous)
    expect(code).toBe('INVALID_OPTION')
    expect(remedy).toContain('a/Roadmap.md:')
    expect(remedy).toContain('b/Roadmap.md:')
    const { relationship } = await call('memory_link', { ...ambiguous, target: 'b/Roadmap.md' })
    expect(relationship).toMatchObject({ relationshipType: 'references' })
  })
})

describe('memory_graph', () => {
  it('comes in parts within the budget that make up the whole, every relationship after its ends', async () => {
    const { call } = await remember({ hub: 'The hub of the harbour.' })
    const long = 'a long heading of its own that takes room in every answer '.repeat(3)
    for (let n = 0; n < 45; n++) {
      const id = `leaf-${n}-${'x'.repeat(100)}`
      await call('memory_remember', { id, text: `Leaf ${n}: ${long}` })
      await call('memory_link', { source: 'hub', target: id, relationship: 'references', score: 0.9 })
    }
    const nodes = new Set<string>()
    const edges = new Set<string>()
    let pages = 0
    for (let next: number | undefined = 0; next !== undefined; pages++) {
      const page = (await call('memory_graph', { ids: ['hub'], depth: 1, offset: next })) as unknown as Graph
      expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThanOrEqual(MCP_LIMITS.answerBytes)
      expect(page).toMatchObject({ totalNodes: 46, totalEdges: 45, truncated: page.nextOffset !== undefined })
      for (const { id } of page.nodes) {
        expect(nodes.has(id)).toBe(false)
        nodes.add(id)
      }
      for (const { sourceId, targetId, relationshipType } of page.edges) {
        expect([nodes.has(sourceId), nodes.has(targetId)]).toEqual([true, true])
        edges.add(`${sourceId} ${relationshipType} ${targetId}`)
      }
      next = page.nextOffset
    }
    expect(pages).toBeGreaterThan(1)
    expect([nodes.size, edges.size]).toEqual([46, 45])
  })

  it('names what bears on nothing, and links in texts that name nothing', async () => {
    workspace.note('x.md', '# Winches\n\nSee [[Overview (north dock)]].\n')
    workspace.note('y.md', '# Overview of winches\n\nAll of them.\n')
    await workspace.openIndexed()
    const { call } = await connect()
    const graph = (await call('memory_graph', { ids: ['x.md'] })) as unknown as Graph
    expect(graph.orphans).toHaveLength(1)
    expect(graph.unresolved).toEqual([expect.objectContaining({ target: 'Overview (north dock)', candidates: [] })])
  })
})

describe('the report', () => {
  it('is a resource: around the best connected memories, and around one', async () => {
    const { call, client } = await remember(WINCH)
    await call('memory_link', { source: 'winch-cause', target: 'winch-fault', relationship: 'causal', score: 0.9 })
    const { resources } = await client.listResources()
    expect(resources.map(({ uri }) => uri)).toContain('memory://report/relationships')
    const textAt = async (uri: string) => {
      const [content] = (await client.readResource({ uri })).contents
      return content && 'text' in content ? content.text : ''
    }
    expect(await textAt('memory://report/relationships')).toContain('winch-cause')
    expect(await textAt('memory://report/relationships/winch-fault')).toMatch(/winch-cause.*causal \| 0\.90/)
    await expect(textAt('memory://report/relationships/ghost')).rejects.toMatchObject({ code: -32_002 })
  })
})

describe('the correlator, switched off', () => {
  it('is no failure: every tool says so in the form of its answer', async () => {
    const { call } = await connect({ CORRELATOR_ENABLED: 'false' })
    await call('memory_remember', { id: 'a', text: 'The quay is wet.' })
    await call('memory_remember', { id: 'b', text: 'The quay is dry.' })
    expect(await call('memory_related', { id: 'a' })).toMatchObject({ disabled: true, correlations: [] })
    expect(await call('memory_graph')).toMatchObject({ disabled: true, nodes: [], edges: [] })
    expect(await call('memory_link', { source: 'a', target: 'b', relationship: 'supports' })).toEqual({
      disabled: true,
    })
  })
})
