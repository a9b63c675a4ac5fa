import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { runCli } from '../../src/cli/run-cli.ts'
import { type FakeEmbeddingServer, startFakeEmbeddingServer } from '../../src/testing/index.ts'
import { agent, head, NOW, user, useWorkspace } from './workspace.ts'

const here = useWorkspace()

/** Runs a command line over the workspace as a script would, within this process. */
async function run(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const common = ['--workspace', here.notes, '--transcripts', here.sessions, '--store', here.storeFile, '--now', NOW]
  const code = await runCli([...args, ...common, '--tz', 'UTC', '--json'], {
    env: { MADELEINE_EMBEDDING: 'none', MADELEINE_RECALL_DEADLINE_MS: '60000', ...env },
    home: here.home,
    cwd: here.home,
    platform: 'linux',
    stdin: Readable.from([]),
    stdout,
    stderr,
  })
  const textOf = (stream: PassThrough): string => (stream.read() as Buffer | null)?.toString('utf8') ?? ''
  const [out, err] = [textOf(stdout), textOf(stderr)]
  return { code, err, document: out === '' ? null : JSON.parse(out) }
}

describe('the command line', () => {
  it('answers as the library does: the same memories in the same order', async () => {
    here.note('memory/port.md', '# Port\n\nThe port office listens on channel 14.\n')
    here.session('talk.jsonl', [
      head('talk'),
      ...Array.from({ length: 30 }, (_, n) =>
        (n % 3 ? user : agent)(`Message ${n}: the port office channel was loud.`),
      ),
    ])
    const memory = await here.openIndexed()
    for (const source of ['all', 'memory', 'sessions'] as const) {
      const expected = await memory.search('port office channel', { source, limit: 10 })
      const { code, document } = await run(['search', 'port office channel', '--source', source, '--limit', '10'])
      expect(code).toBe(0)
      expect(document).toEqual(expected)
    }
    const { text, items } = await memory.recall({ prompt: 'which channel does the port office listen on?' })
    const { document } = await run(['recall', 'which channel does the port office listen on?'])
    expect(document).toMatchObject({ text, items })
    expect(items.length).toBeGreaterThan(0)
  })

  it('is partly done, and says so with 3, when a line could not be read; all else is there', async () => {
    here.session('broken.jsonl', [
      head('broken'),
      user('The stork nests on chimney 4.'),
      '{"type":',
      user('The last one.'),
    ])
    const { code, document } = await run(['index'])
    expect(code).toBe(3)
    expect(document.problems).toContainEqual({
      path: 'sessions/broken.jsonl',
      line: 3,
      reason: expect.any(String),
      failed: true,
    })
    expect((await run(['search', 'stork'])).document.results[0]).toMatchObject({ startLine: 2 })
    expect((await run(['doctor'])).document.findings).toContainEqual(
      expect.objectContaining({ id: 'unread-parts', message: expect.stringContaining('broken.jsonl:3') }),
    )
  })

  it('does not pass over sessions that a newer host keeps in a database', async () => {
    const sessions = join(here.home, 'agents/main/sessions')
    mkdirSync(sessions, { recursive: true })
    mkdirSync(join(here.home, 'agents/main/agent'))
    writeFileSync(join(here.home, 'agents/main/agent/openclaw-agent.sqlite'), 'SQLite format 3\u0000')
    const indexed = await run(['index', '--transcripts', sessions])
    expect(indexed.document.problems).toContainEqual({
      path: expect.stringContaining('openclaw-agent.sqlite'),
      reason: expect.stringContaining('newer session store'),
      failed: true,
    })
    expect(indexed.code).toBe(3)
    const { code, document } = await run(['doctor', '--transcripts', sessions])
    expect(code).toBe(3)
    expect(document.findings).toContainEqual(
      expect.objectContaining({ id: 'sessions-store-unsupported', severity: 'error' }),
    )
    const { skipped } = (await run(['status', '--transcripts', sessions])).document
    expect(skipped.map(({ reason }: { reason: string }) => reason)).toEqual(
      indexed.document.problems.map(({ reason }: { reason: string }) => reason),
    )
  })

  it('names a wrong word in the configuration, the right one, and what may stand there', async () => {
    here.note('memory/a.md', '# A\n\nThe buoy is red.\n')
    for (const [text, parts] of [
      ['wieghts: 3\n', ['wieghts']],
      ['workspace: [a]\n', ['workspace', 'workspaces']],
      ['recall:\n  treshold: 0.4\n', ['treshold', 'threshold']],
      ['recall:\n  threshold: 7\n', ['7', 'threshold', '0 to 1']],
      ['recall:\n  tokenBudget: lots\n', ['lots', 'tokenBudget']],
      ['a: [unclosed\n', ['config.yaml']],
    ] as const) {
      const config = join(here.home, 'config.yaml')
      writeFileSync(config, text)
      for (const command of [['search', 'x'], ['status']]) {
        const { code, err, document } = await run([...command, '--config', config])
        expect({ code, document }, text).toEqual({ code: 2, document: null })
        for (const part of parts) expect(err).toContain(part)
        expect(err).not.toMatch(/\n\s+at /)
      }
    }
  })

  it('works without compiled code when it is told to', async () => {
    here.note('memory/a.md', '# A\n\nThe buoy is red.\n')
    await run(['index'])
    expect((await run(['status'])).document.vectors.backend).toBe('wasm')
    expect((await run(['status'], { MADELEINE_NO_NATIVE: '1' })).document.vectors.backend).toBe('js')
    expect((await run(['status'], { MADELEINE_NO_NATIVE: 'false' })).document.vectors.backend).toBe('wasm')
    expect((await run(['search', 'buoy'], { MADELEINE_NO_NATIVE: '1' })).document).toEqual(
      (await run(['search', 'buoy'])).document,
    )
  })

  it('recalls by words, and says so, while the embedding service hangs or is gone', async () => {
    here.note('memory/boat.md', '# Boat\n\nFor the rowing boat we chose spar varnish, two coats.\n')
    const server = await startFakeEmbeddingServer({ kind: 'openai' })
    const env = {
      MADELEINE_EMBEDDING: 'openai:some-model',
      MADELEINE_EMBEDDING_BASE_URL: server.baseUrl,
      MADELEINE_EMBEDDING_KEY: 'k',
    }
    try {
      expect((await run(['index'], env)).document).toMatchObject({ embedded: 1, pending: 0 })
      server.script.push('hang')
      const recall = ['recall', 'which varnish did we choose for the rowing boat?']
      const slow = await run(recall, { ...env, MADELEINE_RECALL_DEADLINE_MS: '2000' })
      expect(slow).toMatchObject({
        code: 0,
        document: { items: [{ path: 'memory/boat.md' }], degraded: [{ part: 'vector' }] },
      })
      await server.close()
      const gone = await run(recall, { ...env, MADELEINE_RECALL_DEADLINE_MS: '2000' })
      expect(gone).toMatchObject({
        code: 0,
        document: { items: [{ path: 'memory/boat.md' }], degraded: [{ part: 'vector' }] },
      })
    } finally {
      await server.close()
    }
  })
})

describe('a process that is killed while it indexes', () => {
  // Each round starts processes, and a busy machine takes seconds for each.
  vi.setConfig({ testTimeout: 180_000 })
  const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
  beforeAll(() => {
    expect(
      spawnSync(process.execPath, [join(ROOT, 'scripts', 'build.mjs'), '--if-stale'], { stdio: 'inherit' }).status,
    ).toBe(0)
  }, 180_000)

  /** Starts `index` in a process of its own and kills it as soon as `isTime`. */
  async function killWhile(server: FakeEmbeddingServer, isTime: () => boolean): Promise<void> {
    const args = ['index', '--workspace', here.notes, '--store', here.storeFile, '--json']
    const env = {
      PATH: process.env.PATH,
      HOME: here.home,
      MADELEINE_EMBEDDING: 'openai:some-model',
      MADELEINE_EMBEDDING_BASE_URL: server.baseUrl,
      MADELEINE_EMBEDDING_KEY: 'k',
    }
    const child = spawn(process.execPath, [join(ROOT, 'dist/cli/main.js'), ...args], { env, stdio: 'ignore' })
    const gone = once(child, 'exit')
    while (!isTime() && child.exitCode === null) await wait(2)
    child.kill('SIGKILL')
    await gone
  }

  it('loses nothing that was done, blocks nobody, and leaves nothing behind', async () => {
    for (let n = 0; n < 400; n++)
      here.note(`memory/n${n}.md`, `# Note ${n}\n\nCrate K${1000 + n} stands in hall ${n}.\n`)
    const server = await startFakeEmbeddingServer({ kind: 'openai' })
    try {
      await killWhile(server, () => existsSync(here.storeFile))
      await killWhile(server, () => server.requests.length > 0)
      server.script.push('normal', 'normal', 'normal', 'hang')
      const before = server.requests.length
      await killWhile(server, () => server.requests.length >= before + 4)
      server.script.length = 0

      const memory = await here.open({
        transcripts: [],
        embedding: 'openai:some-model',
        embeddingEndpoint: { baseUrl: server.baseUrl, apiKey: 'k' },
      })
      const { results, degraded } = await memory.search('K1007', { mode: 'keyword' })
      expect(results[0]?.path).toBe('memory/n7.md')
      expect(degraded).toEqual([])
      expect((await memory.doctor()).findings.filter(({ severity }) => severity === 'error')).toEqual([])
      const report = await memory.index()
      expect(report).toMatchObject({
        documents: { total: 400, added: 0 },
        memories: { total: 400 },
        pending: 0,
        problems: [],
      })
      expect(report.embedded).toBeLessThanOrEqual(400 - 3 * 20)
      expect((await memory.doctor()).findings).toEqual([])
      await memory.close()
      expect(readdirSync(here.storeFolder).filter((name) => !/^memories\.sqlite(-wal|-shm)?$/.test(name))).toEqual([])
    } finally {
      await server.close()
    }
  })
})
