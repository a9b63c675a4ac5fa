import { describe, expect, it } from 'vitest'
import type { TurnContext } from '../../src/host/openclaw/host-types.ts'
import { recorded, useAgentHome } from './agent-home.ts'
import type { FakeHost } from './fake-host.ts'

const home = useAgentHome()
const TURN = { agentId: 'main', sessionKey: 'agent:main:main', sessionId: 'beat' }
const CLASSIC_PROMPT =
  'Read HEARTBEAT.md if it exists (workspace context). Follow it strictly. If nothing needs attention, reply HEARTBEAT_OK.'

/** So many hours from now as notes write it, on this machine's clock. */
function inHours(hours: number): string {
  const at = new Date(Date.now() + hours * 3_600_000)
  const two = (value: number): string => String(value).padStart(2, '0')
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}`
}

/** The host with something open in the notes: due in half a day, on this machine's clock, which hosts tell the plugin nothing of. */
async function startWithDeadline(options: Parameters<typeof home.start>[0] = {}): Promise<FakeHost> {
  home.note(
    'TODO.md',
    `# To do\n\n- [ ] File the harbour permit by ${inHours(12)}\n- [ ] The east valve leaks and must be fixed\n`,
  )
  await home.index()
  return home.start({
    // In the evening, on the clock of this machine, it would keep to itself what can wait.
    pluginConfig: { ...home.config(), heartbeat: { quietHours: 'none' } },
    ...options,
  })
}

/** Plays what comes before a heartbeat's turn, as newer hosts do: the contribution, then the prompt. */
async function beat(host: FakeHost, context: object = {}): Promise<string[]> {
  const who = { ...TURN, workspaceDir: home.workspace(), trigger: 'heartbeat', ...context }
  const asked = { sessionKey: who.sessionKey, agentId: who.agentId }
  return textsOf([
    ...(await host.fire('heartbeat_prompt_contribution', asked, who)),
    ...(await host.fire(
      'before_prompt_build',
      { prompt: 'Follow the heartbeat monitor scratch context', messages: [] },
      who,
    )),
  ])
}

/** Plays a recorded call of a heartbeat's turn, in this test's workspace. */
async function replay(host: FakeHost, version: string, call: string, context: object = {}): Promise<unknown[]> {
  const [{ event, ctx } = { event: {}, ctx: {} }] = recorded<object>(version, `heartbeat_${call}`)
  const name = call === 'prompt_contribution' ? 'heartbeat_prompt_contribution' : call
  const hookInvocation = { assertActive: () => undefined }
  return host.fire(name, event, { ...ctx, hookInvocation, workspaceDir: home.workspace(), ...context })
}

const textsOf = (answers: unknown[]): string[] =>
  answers.flatMap((answer) => (answer as { prependContext?: string } | undefined)?.prependContext ?? [])

describe('the heartbeat in OpenClaw', () => {
  it('is told once what needs attention, and then nothing until there is something new', async () => {
    const host = await startWithDeadline()
    const [text, ...more] = await beat(host)
    expect(text).toMatch(/^<heartbeat-signals>[\s\S]*east valve leaks[\s\S]*<\/heartbeat-signals>$/)
    expect(more).toEqual([])
    expect(await beat(host)).toEqual([])
    expect(host.log.filter((line) => line.includes('heartbeat'))).toEqual([])
  })

  it.each(['heartbeat', undefined])(
    'is told through the prompt where the host asks for nothing else, trigger %s',
    async (trigger) => {
      const host = await startWithDeadline({ generation: 'classic' })
      const who = { ...TURN, workspaceDir: home.workspace(), trigger }
      const play = async () =>
        textsOf(await host.fire('before_prompt_build', { prompt: CLASSIC_PROMPT, messages: [] }, who))
      expect(await play()).toEqual([expect.stringContaining('east valve leaks')])
      expect(await play()).toEqual([])
    },
  )

  it('is told by the hooks as a newer host calls them, once a turn', async () => {
    const host = await startWithDeadline()
    expect(textsOf(await replay(host, '2026.9.6', 'prompt_contribution'))).toEqual([
      expect.stringContaining('east valve leaks'),
    ])
    expect(textsOf(await replay(host, '2026.9.6', 'before_prompt_build'))).toEqual([])
    expect(host.log.filter((line) => line.includes('nothing for'))).toEqual([])
  })

  it.each([
    ['says what began the turn', {}],
    ['does not', { trigger: undefined }],
  ])('is told by the hook as an older host calls it, which %s', async (_, context) => {
    const host = await startWithDeadline({ generation: 'classic' })
    const told = textsOf(await replay(host, '2026.4.2', 'before_prompt_build', context))
    expect(told).toEqual([expect.stringMatching(/^<heartbeat-signals>[\s\S]*east valve leaks/)])
  })

  it('says nothing to turns that something else began, whatever they say of heartbeats', async () => {
    const host = await startWithDeadline()
    for (const trigger of ['user', 'cron', 'memory']) {
      const who = { ...TURN, workspaceDir: home.workspace(), trigger }
      const answers = await host.fire('before_prompt_build', { prompt: CLASSIC_PROMPT, messages: [] }, who)
      expect(textsOf(answers).join()).not.toContain('<heartbeat-signals>')
    }
    const { event, ctx } = recorded<object>('2026.9.6', 'before_prompt_build')[0] ?? { event: {}, ctx: {} }
    const plain = { ...ctx, hookInvocation: { assertActive: () => undefined } } as TurnContext
    expect(textsOf(await host.fire('before_prompt_build', event, plain)).join()).not.toContain('<heartbeat-signals>')
    // The user is there now: what can wait does.
    expect((await beat(host)).join()).toMatch(/harbour permit/)
  })

  it('keeps still in groups, and where it is switched off', async () => {
    const host = await startWithDeadline()
    expect(await beat(host, { sessionKey: 'agent:main:telegram:group:42' })).toEqual([])
    const off = await startWithDeadline({
      pluginConfig: { store: home.storeFile, embedding: 'none', heartbeat: { enabled: false } },
    })
    expect(await beat(off)).toEqual([])
  })

  it('never fails a turn', async () => {
    const host = home.start({ seams: () => ({ store: '/dev/null/none', embedding: 'none' }) })
    expect(await beat(host)).toEqual([])
    expect(host.log.join()).toContain('nothing for this heartbeat')
  })
})
