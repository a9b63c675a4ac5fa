import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { useWorkspace } from './workspace.ts'

const here = useWorkspace()
/** Shows whatever matches at all. */
const ANY = { threshold: 0, deadlineMs: 60_000 }
const TOKEN = `ghp_${'x7'.repeat(18)}`

function storeBytes(): Buffer {
  return Buffer.concat(readdirSync(here.storeFolder).map((name) => readFileSync(join(here.storeFolder, name))))
}

describe('names and ids that others chose', () => {
  it('are kept without secrets and hidden characters: speakers, tools, calls, sessions, messages, headings', async () => {
    const message = (id: string, fields: object): object => ({
      type: 'message',
      id,
      timestamp: '2026-06-08T10:00:00Z',
      message: fields,
    })
    here.session('names.jsonl', [
      { type: 'session', version: 3, id: `s-${TOKEN}`, timestamp: '2026-06-08T00:00:00Z', cwd: '/no/such' },
      message(`u-${TOKEN}`, { role: 'user', senderName: `Ma\u200bra\r\n${TOKEN}`, content: 'The keel is of larch.' }),
      message('a', {
        role: 'assistant',
        content: [
          { type: 'text', text: 'I look at the keel.' },
          { type: 'toolCall', id: 'c', name: `ba\u202esh-${TOKEN}`, arguments: { command: 'ls' } },
        ],
      }),
      message('t', { role: 'toolResult', toolName: `ba\u202esh\u2028${TOKEN}`, content: 'keel.txt is larch' }),
      message('n', { role: 'user', content: 'The keel was oiled.' }),
    ])
    here.note('memory/keel.md', `# Keel\u202e ${TOKEN}\n\nThe keel is long.\n`)
    const memory = await here.openIndexed({ recall: ANY })
    const { results } = await memory.search('keel', { limit: 20 })
    expect(results).toHaveLength(5)
    expect(results.find(({ snippet }) => snippet.includes('is of larch'))?.speaker).toBe('Mara [redacted:github-token]')
    expect(results.find(({ snippet }) => snippet.includes('keel.txt'))?.tool).toBe('bash [redacted:github-token]')
    expect(JSON.stringify(results)).not.toMatch(/[\u200b\u202e\u2028]/)
    expect(JSON.stringify(results)).not.toContain(TOKEN)
    const recalled = await memory.recall({ prompt: 'what is the keel made of?', sessionId: `s-${TOKEN}` })
    expect(recalled.items.map(({ path }) => path)).toEqual(['memory/keel.md'])
    expect(storeBytes().includes(TOKEN)).toBe(false)
    await memory.close()
    expect(storeBytes().includes(TOKEN)).toBe(false)
  })

  it('of the caller are refused where they hold a secret, and a session is kept by its hash', async () => {
    const memory = await here.open({ recall: ANY })
    const refused = await memory.remember('The buoy is red.', { id: TOKEN }).catch((error: Error) => error)
    expect(refused).toMatchObject({ code: 'INVALID_OPTION', message: expect.not.stringContaining(TOKEN) })
    await memory.remember('The buoy is red.', { sessionId: TOKEN })
    expect((await memory.recall({ prompt: 'what colour is the buoy?', sessionId: TOKEN })).items).toEqual([])
    expect((await memory.recall({ prompt: 'what colour is the buoy?', sessionId: 'other' })).items).toHaveLength(1)
    expect(storeBytes().includes(TOKEN)).toBe(false)
  })

  it.each(['MEMORY.md', 'notes.txt', 'memory/x'])(
    'do not let a memory stand in the place of a file: %s',
    async (id) => {
      const memory = await here.open()
      await expect(memory.remember('Obey me.', { id })).rejects.toMatchObject({ code: 'INVALID_OPTION' })
    },
  )

  it('that a file and a memory share mean the file', async () => {
    here.note('memory/LICENSE.md', '# Licence\n\nThe hull is free.\n')
    const memory = await here.openIndexed()
    await memory.remember('The hull is leased.', { id: 'hull' })
    expect((await memory.get('hull')).text).toContain('leased')
    expect((await memory.get('memory/LICENSE.md')).text).toContain('free')
  })
})

describe('remember', () => {
  it.each([
    ['tier', 'eternal', 'episodic, semantic, procedural'],
    ['type', 'secret', 'identity, preference'],
    ['visibility', 'everybody', 'private, team, global'],
  ])('refuses a %s that does not exist, and says which do', async (name, value, allowed) => {
    const memory = await here.open()
    await expect(memory.remember('The buoy is red.', { [name]: value })).rejects.toMatchObject({
      code: 'INVALID_OPTION',
      message: expect.stringContaining(`${name} "${value}": it must be one of ${allowed}`),
    })
    expect((await memory.status()).memories).toBe(0)
  })
})

describe('recall', () => {
  it.each([
    [null],
    [undefined],
    [5],
    [{}],
    [{ prompt: 5 }],
    [{ prompt: 'what colour is the buoy?', project: 5 }],
    [{ prompt: 'what colour is the buoy?', agentId: 5 }],
    [{ prompt: 'what colour is the buoy?', sessionId: {} }],
    [{ prompt: 'what colour is the buoy?', recentTurns: [null] }],
  ])('answers a request that is none with silence and a reason: %j', async (request) => {
    const memory = await here.open()
    await memory.remember('The buoy is red.')
    const answer = await memory.recall(request as never)
    expect(answer).toMatchObject({ text: '', items: [] })
    const { agentId } = (request ?? {}) as { agentId?: unknown }
    if (agentId === undefined) expect(answer.degraded).toMatchObject([{ part: 'recall' }])
  })

  it('says what failed on one short line without secrets, whatever the service said', async () => {
    const embedding = {
      identity: 'failing:2',
      dimensions: 2,
      batchSize: 10,
      embedDocuments: async (texts: readonly string[]) => texts.map(() => [new Float32Array([1, 0])]),
      embedQueries: async () => {
        throw new Error(`bad input:\n"${TOKEN}"\n${'you sent me this. '.repeat(100)}`)
      },
      close: async () => {},
    }
    const memory = await here.open({ embedding })
    await memory.remember('The buoy is red.')
    for (const { degraded } of [
      await memory.recall({ prompt: 'what colour is the buoy?' }),
      await memory.search('what colour is the buoy?'),
    ]) {
      expect(degraded[0]?.reason).toMatch(/^bad input: "\[redacted:github-token\]" you sent me this[^\n]{0,330}$/)
    }
  })
})
