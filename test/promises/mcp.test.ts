import { PassThrough, Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { runCli } from '../../src/cli/run-cli.ts'
import { TOOLS } from '../../src/host/mcp/tools.ts'
import { MCP_LIMITS } from '../../src/index.ts'
import { mcpEnvironment, useMcp } from './mcp-client.ts'
import { head, user, useWorkspace } from './workspace.ts'

const workspace = useWorkspace()
const mcp = useMcp()

const sources = (): string[] => [
  ...['--workspace', workspace.notes, '--transcripts', workspace.sessions, '--store', workspace.storeFile],
]
const connect = () => mcp.run({ home: workspace.home, args: sources() })

/** The JSON document of a command line. */
async function askCli(...args: string[]): Promise<Record<string, unknown>> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const surroundings = { env: mcpEnvironment(workspace.home), home: workspace.home, cwd: workspace.home }
  const streams = { stdin: Readable.from([]), stdout, stderr }
  await runCli([...args, ...sources(), '--json'], { ...surroundings, ...streams, platform: process.platform })
  const out = stdout.read() as Buffer | null
  if (out === null) throw new Error(String(stderr.read()))
  return JSON.parse(out.toString('utf8'))
}

interface Page {
  results: Array<{ id: string; path: string; snippet: string }>
  total: number
  truncated: boolean
  nextOffset?: number
}

async function indexNotes(): Promise<void> {
  workspace.note('memory/harbour.md', '# Harbour\n\nThe harbour master answers on radio channel 14.\n')
  workspace.note('memory/pumps.md', '# Pumps\n\n## Heron\n\nREQ-0417: the heron pump runs on 24 V.\n')
  const talk = Array.from({ length: 40 }, (_, n) => user(`Harbour radio chatter number ${n}: the tide is at ${n} cm.`))
  workspace.session('talk.jsonl', [head('talk'), ...talk])
  await workspace.openIndexed()
}

describe('the tools of the server', () => {
  it('are listed with schemas, a line that says first what they do, and how they may act', async () => {
    const { client } = await connect()
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(TOOLS.map(({ name }) => name))
    for (const tool of tools) {
      expect(tool.inputSchema).toMatchObject({ type: 'object', additionalProperties: false })
      expect(tool.outputSchema).toMatchObject({ type: 'object' })
      expect(tool.description).not.toContain('\n')
      expect(tool.annotations).toMatchObject({ openWorldHint: false, readOnlyHint: expect.any(Boolean) })
    }
    const writing = tools.filter(({ annotations }) => !annotations?.readOnlyHint)
    expect(writing.map(({ name, annotations }) => [name, annotations?.destructiveHint])).toEqual([
      ['memory_remember', false],
      ['memory_forget', true],
      ['memory_link', false],
      ['memory_heartbeat', false],
    ])
  })

  it('answer with the document of the command line: same ids, same order, same fields', async () => {
    await indexNotes()
    const { call, client } = await mcp.spawn({ home: workspace.home, args: sources() })
    for (const [query, flags] of [
      ['harbour radio channel', []],
      ['harbour radio channel', ['--source', 'memory']],
      ['harbour radio channel', ['--source', 'sessions', '--limit', '20']],
      ['REQ-0417', ['--mode', 'keyword']],
    ] as Array<[string, string[]]>) {
      const { nextOffset: _, ...answer } = await call('memory_search', { query, ...toArguments(flags) })
      expect(answer).toEqual(await askCli('search', query, ...flags))
    }
    const { results } = (await call('memory_search', { query: 'harbour radio channel' })) as unknown as Page
    expect(results.slice(0, 3).map(({ path }) => path)).toContain('memory/harbour.md')
    expect(await call('memory_get', { id: 'memory/pumps.md' })).toEqual(await askCli('get', 'memory/pumps.md'))
    expect(await call('memory_get', { id: 'memory/pumps.md:5' })).toEqual(await askCli('get', 'memory/pumps.md:5'))
    const part = { id: 'sessions/talk.jsonl', from: 31, lines: 1 }
    expect(await call('memory_get', part)).toEqual(await askCli('get', part.id, '--from', '31', '--lines', '1'))
    const { elapsedMs: _a, ...recalled } = await call('memory_recall', {
      prompt: 'Which voltage does the heron pump need?',
    })
    const { elapsedMs: _b, ...expected } = await askCli('recall', 'Which voltage does the heron pump need?')
    expect(recalled).toEqual(expected)
    expect(recalled.text).toContain('24 V')
    // The command line adds what concerns its other processes.
    expect(await askCli('status')).toMatchObject(await call('memory_status'))
    const { content, structuredContent } = await client.callTool({ name: 'memory_status', arguments: {} })
    expect(JSON.parse((content as Array<{ text: string }>)[0]?.text ?? '')).toEqual(structuredContent)
  })

  it('remember and forget for every other process', async () => {
    await indexNotes()
    const { call, refusal } = await connect()
    const { id } = await call('memory_remember', { text: 'Mara prefers metric units', type: 'preference', tier: null })
    expect(await askCli('search', 'metric units')).toMatchObject({ results: [{ id, type: 'preference' }] })
    expect(await call('memory_forget', { id })).toEqual({ forgotten: [id] })
    expect(await askCli('search', 'metric units')).toMatchObject({ results: [] })
    expect(await refusal('memory_forget', { id })).toMatchObject({ code: 'NOT_FOUND' })
    const { redacted } = await call('memory_remember', { text: 'The key is AKIAIOSFODNN7EXAMPLE, for the harbour.' })
    expect(redacted).toBe(1)
  })

  it('say what is wrong with a call, and what to do, without an exception', async () => {
    const { refusal, client } = await connect()
    for (const [name, args, word] of [
      ['memory_search', {}, 'query is missing'],
      ['memory_search', { query: 'x', limit: 0 }, 'limit'],
      ['memory_search', { query: 'x', agentId: 'other' }, 'agentId'],
      ['memory_search', { query: 'x', after: 'soonish' }, 'soonish'],
      ['memory_recall', { prompt: 7 }, 'prompt'],
      ['memory_remember', { text: 'x', tier: 'sometimes' }, 'tier'],
      ['memory_remember', { text: ' ' }, 'nothing is left'],
      ['memory_get', { id: 'no-such' }, 'no-such'],
    ] as const) {
      const { code, message, remedy } = await refusal(name, args)
      expect(code).toMatch(/^(?:INVALID_OPTION|NOT_FOUND)$/)
      expect(message).toContain(word)
      expect(remedy).not.toBe('')
    }
    await expect(client.callTool({ name: 'memory_teleport', arguments: {} })).rejects.toMatchObject({ code: -32_602 })
  })

  it('read nothing outside the sources, whatever the path', async () => {
    await indexNotes()
    const { refusal } = await connect()
    for (const id of [
      '../store/memories.sqlite',
      '../../etc/hosts',
      '/etc/hosts',
      'memory/../../x.md',
      'memory/%2e%2e/x.md',
      '..\\..\\x.md',
      'memory/harbour\u0000.md',
    ]) {
      expect(await refusal('memory_get', { id })).toMatchObject({ code: 'NOT_FOUND' })
      expect(await refusal('memory_forget', { id })).toMatchObject({ code: 'NOT_FOUND' })
    }
  })
})

describe('a long answer', () => {
  it('of a search comes in pages that fit, with all results once and in their order', async () => {
    const words = (n: number): string => `鱼塘 osprey ${n} ${'塘'.repeat(900)}`
    for (let n = 0; n < 20; n++) workspace.note(`memory/osprey-${n}.md`, `# Osprey ${n}\n\n${words(n)}\n`)
    await workspace.openIndexed()
    const { call } = await connect()
    const found: string[] = []
    let offset: number | undefined = 0
    let pages = 0
    while (offset !== undefined) {
      const page = (await call('memory_search', { query: 'osprey 鱼塘', limit: 20, offset })) as unknown as Page
      expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThanOrEqual(MCP_LIMITS.answerBytes + 100)
      expect(page.results.length).toBeGreaterThan(0)
      expect(page.truncated).toBe(page.nextOffset !== undefined)
      found.push(...page.results.map(({ id }) => id))
      offset = page.nextOffset
      pages += 1
    }
    expect(pages).toBeGreaterThan(1)
    const all = (await askCli('search', 'osprey 鱼塘', '--limit', '20')) as unknown as Page
    expect(found).toEqual(all.results.map(({ id }) => id))
  })

  it('of a document or a memory is read on until nothing is missing', async () => {
    const lines = Array.from({ length: 4000 }, (_, n) => `Line ${n} of the log of the 鱼塘 says ${n * 7}.`)
    workspace.note('memory/log.md', lines.join('\n'))
    await workspace.openIndexed()
    const { call } = await connect()
    const { id } = await call('memory_remember', { text: lines.join('\n') })
    for (const document of [String(id), 'memory/log.md']) {
      let text = ''
      let next: Record<string, unknown> | undefined = {}
      while (next !== undefined) {
        const page: Record<string, unknown> = await call('memory_get', { id: document, ...next })
        expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThanOrEqual(MCP_LIMITS.answerBytes + 100)
        text += page.text
        const { truncated, nextOffset, nextFrom } = page
        expect(truncated).toBe(nextOffset !== undefined || nextFrom !== undefined)
        if (nextFrom !== undefined) text += '\n'
        next =
          nextOffset !== undefined
            ? { ...next, offset: nextOffset }
            : nextFrom !== undefined
              ? { from: nextFrom }
              : undefined
      }
      expect(text.split('\n').filter((line) => line !== '')).toEqual(lines)
    }
  })
})

describe('a long list', () => {
  it('of what was skipped comes in parts, with how much there is', async () => {
    const reasons = Array.from({ length: 400 }, (_, n) => `no-transcript-with-a-rather-long-name-of-its-own-${n}.jsonl`)
    for (const name of reasons) workspace.session(name, [{ hello: 'world' }])
    await workspace.openIndexed()
    const { call } = await connect()
    const { skipped } = await askCli('status')
    const found: unknown[] = []
    let next: number | undefined = 0
    while (next !== undefined) {
      const page: Record<string, unknown> = await call('memory_status', { offset: next })
      expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThanOrEqual(MCP_LIMITS.answerBytes + 100)
      expect(page.skippedTotal).toBe(400)
      found.push(...(page.skipped as unknown[]))
      next = page.nextOffset as number | undefined
      expect(page.truncated).toBe(next !== undefined)
    }
    expect(found).toEqual(skipped)
  })

  it('of what was forgotten is cut, and says how much it was', async () => {
    const sections = Array.from(
      { length: 1500 },
      (_, n) => `## Buoy ${n}\n\nBuoy number ${n} lies at ${n * 3} fathoms.\n`,
    )
    workspace.note('memory/buoys.md', sections.join('\n'))
    await workspace.openIndexed()
    const { call } = await connect()
    const { memories } = await call('memory_status')
    const { forgotten, ...rest } = await call('memory_forget', { id: 'memory/buoys.md' })
    expect(rest).toEqual({ total: memories, truncated: true })
    expect((forgotten as string[]).length).toBeGreaterThan(500)
    expect(Buffer.byteLength(JSON.stringify(forgotten))).toBeLessThanOrEqual(MCP_LIMITS.answerBytes)
    expect(await call('memory_status')).toMatchObject({ memories: 0 })
  })
})

describe('resources and the prompt', () => {
  it('give the status, any memory or document, and what recall would inject', async () => {
    await indexNotes()
    const { client, call } = await connect()
    const { resources } = await client.listResources()
    expect(resources.map(({ uri }) => uri)).toEqual(['memory://report/status', 'memory://report/relationships'])
    const textAt = async (uri: string): Promise<string> => {
      const [content] = (await client.readResource({ uri })).contents
      return content && 'text' in content ? content.text : ''
    }
    expect(JSON.parse(await textAt('memory://report/status'))).toEqual(await call('memory_status'))
    const { id } = await call('memory_remember', { text: 'Mara prefers metric units' })
    expect(await textAt(`memory://memory/${id}`)).toBe('Mara prefers metric units')
    expect(await textAt(`memory://memory/${encodeURIComponent('memory/pumps.md')}`)).toContain('24 V')
    await expect(client.readResource({ uri: 'memory://memory/no-such' })).rejects.toMatchObject({ code: -32_002 })

    const ask = async (prompt: string): Promise<string[]> => {
      const { messages } = await client.getPrompt({ name: 'recall', arguments: { prompt } })
      return messages.map(({ content }) => (content.type === 'text' ? content.text : ''))
    }
    const { text } = await call('memory_recall', { prompt: 'Which voltage does the heron pump need?' })
    expect(await ask('Which voltage does the heron pump need?')).toEqual([
      text,
      'Which voltage does the heron pump need?',
    ])
    expect(await ask('thanks!')).toEqual(['thanks!'])
    await expect(client.getPrompt({ name: 'recall', arguments: {} })).rejects.toMatchObject({ code: -32_602 })
  })
})

/** `--source memory` as the tool's `{source: 'memory'}`. */
function toArguments(flags: readonly string[]): Record<string, unknown> {
  const args: Record<string, unknown> = {}
  for (let at = 0; at < flags.length; at += 2) {
    const value = flags[at + 1] ?? ''
    args[(flags[at] ?? '').slice(2)] = /^\d+$/.test(value) ? Number(value) : value
  }
  return args
}
