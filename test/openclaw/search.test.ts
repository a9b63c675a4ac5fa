import { describe, expect, it } from 'vitest'
import type { ReadAnswer } from '../../src/host/openclaw/host-types.ts'
import { agent, head, printed, user } from '../promises/workspace.ts'
import { useAgentHome } from './agent-home.ts'

const home = useAgentHome()

async function startOwner() {
  home.note('memory/2026-06-08.md', '# Mill\n\n## Pumps\n\nThe heron pump in the mill runs on 24 volts.\n')
  home.session('s', [
    { ...head('s'), cwd: home.workspace() },
    user('How is the kiln fired?'),
    printed('exec', 'kiln burner: propane, 40 mbar'),
    agent('With propane.'),
  ])
  await home.index()
  return home.start({ mode: 'owner' })
}

const direct = () => ({ agentId: 'main', sessionKey: 'agent:main:main', workspaceDir: home.workspace() })

describe('memory_search and memory_get', () => {
  it("answer in the host's form, with the heading beside it", async () => {
    const host = await startOwner()
    const tool = host.tools.get('memory_search')?.(direct())
    const { details, content } = (await tool?.execute('1', { query: 'heron pump', corpus: 'memory' })) ?? {}
    expect(JSON.parse(content?.[0]?.text ?? '')).toEqual(details)
    const { results, ...rest } = details as { results: object[] }
    expect(rest).toMatchObject({ provider: 'madeleine', citations: 'auto', mode: 'hybrid' })
    expect(results[0]).toMatchObject({
      path: 'memory/2026-06-08.md',
      startLine: 3,
      endLine: 5,
      source: 'memory',
      corpus: 'memory',
      header: expect.stringContaining('Pumps'),
      score: expect.any(Number),
      citation: 'memory/2026-06-08.md#L3-L5',
      snippet: expect.stringMatching(/24 volts[\s\S]*Source: memory\/2026-06-08\.md#L3-L5$/),
    })
  })

  it('cite only where the owner alone reads, or as the host is configured', async () => {
    const host = await startOwner()
    const search = async (context: object) => {
      const tool = host.tools.get('memory_search')?.({ ...direct(), ...context })
      const answer = await tool?.execute('1', { query: 'heron pump' })
      const { results = [] } = (answer?.details ?? {}) as { results?: Array<{ citation?: string }> }
      return results[0]?.citation
    }
    expect(await search({ sessionKey: 'agent:main:telegram:group:1' })).toBeUndefined()
    expect(await search({ config: { memory: { citations: 'off' } } })).toBeUndefined()
    expect(
      await search({ sessionKey: 'agent:main:telegram:group:1', config: { memory: { citations: 'on' } } }),
    ).toBeDefined()
  })

  it('keep past sessions out of sessions that others read', async () => {
    const host = await startOwner()
    const search = async (sessionKey: string, corpus: string) => {
      const tool = host.tools.get('memory_search')?.({ ...direct(), sessionKey })
      return (await tool?.execute('1', { query: 'kiln burner propane', corpus }))?.details as { results: object[] }
    }
    expect((await search('agent:main:main', 'sessions')).results).not.toEqual([])
    for (const corpus of ['sessions', 'all']) {
      const { results } = await search('agent:main:telegram:group:1', corpus)
      expect(results.filter((hit) => (hit as { source: string }).source === 'sessions')).toEqual([])
    }
  })

  it('read lines, and say what is not there or cannot be read', async () => {
    const host = await startOwner()
    const tool = host.tools.get('memory_get')?.(direct())
    const get = async (parameters: object) => (await tool?.execute('1', parameters))?.details as ReadAnswer
    expect(await get({ path: 'memory/2026-06-08.md', from: 5, lines: 1 })).toEqual({
      status: 'ok',
      path: 'memory/2026-06-08.md',
      text: 'The heron pump in the mill runs on 24 volts.',
      from: 5,
      lines: 1,
    })
    for (const path of ['memory/none.md', '../../etc/hosts', '/etc/hosts', '']) {
      expect(await get({ path })).toEqual({ status: 'not_found', text: '', path })
    }
    expect(await get({ path: 'memory/2026-06-08.md', from: 900 })).toMatchObject({
      status: 'error',
      code: 'INVALID_OPTION',
    })
  })

  it("fail in the host's form when memory is out of reach", async () => {
    const host = home.start({ mode: 'owner', pluginConfig: { store: home.stateDir, embedding: 'none' } })
    const tool = host.tools.get('memory_search')?.(direct())
    expect((await tool?.execute('1', { query: 'pump' }))?.details).toMatchObject({
      results: [],
      disabled: true,
      unavailable: true,
      error: expect.any(String),
      action: expect.any(String),
    })
    expect((await tool?.execute('1', { query: ' ' }))?.details).toMatchObject({
      unavailable: true,
      error: /query is empty/,
    })
    expect((await host.tools.get('memory_get')?.(direct())?.execute('1', { path: 'x.md' }))?.details).toMatchObject({
      status: 'error',
    })
  })
})

describe("the host's memory", () => {
  it('searches, reads, reports and synchronises for one agent', async () => {
    const host = await startOwner()
    const runtime = host.memory.capability?.runtime
    const { manager } = (await runtime?.getMemorySearchManager({ agentId: 'main' })) ?? {}
    expect(manager?.status()).toMatchObject({
      backend: 'builtin',
      provider: 'madeleine',
      files: 2,
      dbPath: home.storeFile,
    })
    expect((await manager?.search('heron pump', { maxResults: 1 }))?.map(({ path }) => path)).toEqual([
      'memory/2026-06-08.md',
    ])
    expect(
      (await manager?.search('kiln', { sources: ['sessions'] }))?.every(({ source }) => source === 'sessions'),
    ).toBe(true)
    expect(await manager?.readFile({ relPath: 'memory/2026-06-08.md', from: 5, lines: 1 })).toMatchObject({
      status: 'ok',
    })
    home.note('memory/new.md', 'The kite winch runs on 12 volts.')
    await manager?.sync({})
    expect((await manager?.search('kite winch'))?.[0]?.path).toBe('memory/new.md')
    const hits = (await manager?.search('kiln burner')) ?? []
    expect(await runtime?.authorizeSearchHits({ requesterSessionKey: 'agent:main:main', hits })).toEqual(hits)
    const inGroup = await runtime?.authorizeSearchHits({ requesterSessionKey: 'agent:main:x:group:1', hits })
    expect(inGroup?.some(({ source }) => source === 'sessions')).toBe(false)
  })

  it('says why where it cannot be opened', async () => {
    const host = home.start({ mode: 'owner', pluginConfig: { store: home.stateDir, embedding: 'none' } })
    const answer = await host.memory.capability?.runtime.getMemorySearchManager({ agentId: 'main' })
    expect(answer).toMatchObject({ manager: null, error: expect.stringMatching(/\S/) })
  })

  it("tells the agent of its tools, and asks it to keep what matters before a compaction, on the user's day", async () => {
    const host = await startOwner()
    const { promptBuilder, flushPlanResolver } = host.memory.capability ?? {}
    expect(promptBuilder?.({ availableTools: new Set() })).toEqual([])
    expect(promptBuilder?.({ availableTools: new Set(['memory_get']), citationsMode: 'off' }).join('\n')).not.toMatch(
      /memory_search|memory_related|Source:/,
    )
    expect(promptBuilder?.({ availableTools: new Set(['memory_search', 'memory_related']) }).join('\n')).toMatch(
      /memory_related tells/,
    )
    const nowMs = Date.parse('2026-06-08T23:30:00Z')
    const defaults = { userTimezone: 'Pacific/Auckland' }
    const plan = flushPlanResolver?.({ cfg: { agents: { defaults } }, nowMs, contextWindowTokens: 200_000 })
    expect(plan).toMatchObject({
      relativePath: 'memory/2026-06-09.md',
      softThresholdTokens: 4000,
      forceFlushTranscriptBytes: 2 * 1024 * 1024,
      prompt: expect.stringMatching(/memory\/2026-06-09\.md[\s\S]*NO_REPLY/),
    })
    const small = flushPlanResolver?.({ nowMs, contextWindowTokens: 8000 })
    expect((small?.softThresholdTokens ?? 0) + (small?.reserveTokensFloor ?? 0)).toBeLessThan(8000)
    const memoryFlush = { forceFlushTranscriptBytes: '4mb', prompt: 'Keep it short.' }
    const own = flushPlanResolver?.({ cfg: { agents: { defaults: { compaction: { memoryFlush } } } }, nowMs })
    expect(own).toMatchObject({
      forceFlushTranscriptBytes: 4 * 1024 * 1024,
      prompt: expect.stringMatching(/^Keep it short\./),
    })
    const off = { agents: { defaults: { compaction: { memoryFlush: { enabled: false } } } } }
    expect(flushPlanResolver?.({ cfg: off, nowMs })).toBeNull()
  })

  it("adds past sessions to the host's own search, where another plugin owns it", async () => {
    await startOwner()
    const host = home.start()
    const { supplement } = host.memory
    const [hit] = (await supplement?.search({ query: 'kiln burner propane', agentId: 'main' })) ?? []
    expect(hit).toMatchObject({ corpus: 'madeleine', path: 'sessions/s.jsonl', kind: 'output of exec', startLine: 3 })
    const text = await supplement?.get({ lookup: hit?.path ?? '', fromLine: 3, lineCount: 1, agentId: 'main' })
    expect(text?.content).toMatch(/40 mbar/)
    expect(await supplement?.get({ lookup: 'none', agentId: 'main' })).toBeNull()
  })
})
