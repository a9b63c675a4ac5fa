import { describe, expect, it } from 'vitest'
import { TOOL_NAMES } from '../../src/host/openclaw/register-plugin.ts'
import { openMadeleine } from '../../src/index.ts'
import { agent, head, user } from '../promises/workspace.ts'
import { useAgentHome } from './agent-home.ts'

const home = useAgentHome()
const MODES = ['companion', 'owner'] as const

interface Answer {
  correlations?: Array<{ targetId: string; path?: string }>
  nodes?: Array<{ id: string; path: string }>
  edges?: unknown[]
  error?: string
  action?: string
  unavailable?: boolean
  disabled?: boolean
}

/** A host whose memory holds a note and a session, with the one stated to rest on the other. */
async function startRelated(mode: 'companion' | 'owner', pluginConfig: object = {}) {
  home.note('memory/2026-06-08.md', '# Mill\n\nThe heron pump in the mill runs on 24 volts.\n')
  home.session('s', [{ ...head('s'), cwd: home.workspace() }, user('The electrician wired 24 volts.'), agent('Noted.')])
  await home.index()
  const engine = await openMadeleine({ store: home.storeFile, embedding: 'none' })
  const [note] = await engine.findNamed('memory/2026-06-08.md')
  const [said] = await engine.findNamed('sessions/s.jsonl')
  const ends = { sourceId: note?.id ?? '', targetId: said?.id ?? '' }
  await engine.addRelationship({ ...ends, relationshipType: 'derives_from' })
  await engine.close()
  const base = { store: home.storeFile, embedding: 'none', timeZone: 'UTC' }
  const host = home.start({ mode, pluginConfig: { ...base, ...pluginConfig } })
  const call = async (tool: 'related' | 'graph', parameters: unknown, sessionKey = 'agent:main:main') => {
    const context = { agentId: 'main', sessionKey, workspaceDir: home.workspace() }
    const answer = await host.tools.get(TOOL_NAMES[mode][tool])?.(context)?.execute('1', parameters)
    expect(JSON.parse(answer?.content[0]?.text ?? '')).toEqual(answer?.details)
    return answer?.details as Answer
  }
  return { call, ...ends }
}

const GROUP = 'agent:main:telegram:group:1'

describe.each(MODES)('the tools about relationships, as %s', (mode) => {
  it('show how a memory bears on another, with the place of each, and the graph around it', async () => {
    const { call, sourceId, targetId } = await startRelated(mode)
    const { correlations } = await call('related', { id: 'memory/2026-06-08.md', relationshipTypes: ['derives_from'] })
    expect(correlations).toMatchObject([{ targetId, relationshipType: 'derives_from', path: 'sessions/s.jsonl' }])
    const { nodes, edges } = await call('graph', { ids: [sourceId], depth: 1 })
    expect(nodes?.map(({ id }) => id)).toEqual([sourceId, targetId])
    expect(edges).toMatchObject([{ sourceId, targetId, origin: 'explicit' }])
  })

  it('keep past sessions out of sessions that others read', async () => {
    const { call, sourceId, targetId } = await startRelated(mode)
    const said = [
      await call('related', { id: sourceId }, GROUP),
      await call('graph', { ids: [sourceId] }, GROUP),
      await call('related', { id: 'sessions/s.jsonl' }, GROUP),
    ]
    expect(said[0]?.correlations).toEqual([])
    expect(said[1]?.nodes?.map(({ id }) => id)).toEqual([sourceId])
    expect(said[2]?.error).toMatch(/no memory has this/)
    expect(JSON.stringify(said)).not.toContain(targetId)
    expect(JSON.stringify(said)).not.toContain('electrician')
  })

  it('say what is wrong with a call, join nothing to a similar name, and read nothing outside', async () => {
    const { call } = await startRelated(mode)
    for (const id of ['', 7, 'heron', '../../etc/hosts', '/etc/hosts', 'memory/../x.md']) {
      expect(await call('related', { id })).toMatchObject({ correlations: [], error: /\S/, action: /\S/ })
    }
    expect(await call('graph', { ids: ['no-such'] })).toMatchObject({ nodes: [], error: /no-such/ })
    expect((await call('graph', null)).nodes).toBeDefined()
  })

  it('say that they are switched off, which is no failure, and fail as the host knows it where memory is out of reach', async () => {
    const { call, sourceId } = await startRelated(mode, { correlation: { enabled: false } })
    const off = await call('related', { id: sourceId })
    expect(off).toMatchObject({ disabled: true, correlations: [] })
    expect(off.error).toBeUndefined()
    const broken = home.start({ mode, pluginConfig: { store: home.stateDir, embedding: 'none' } })
    const tool = broken.tools.get(TOOL_NAMES[mode].graph)?.({ agentId: 'main' })
    expect((await tool?.execute('1', {}))?.details).toMatchObject({ unavailable: true, error: expect.any(String) })
  })
})
