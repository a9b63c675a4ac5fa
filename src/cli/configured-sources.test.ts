import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runCli } from './run-cli.ts'

let home: string
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'madeleine-configured-')))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

function write(path: string, text: string): void {
  mkdirSync(dirname(join(home, path)), { recursive: true })
  writeFileSync(join(home, path), text)
}

const said = (id: string, text: string): string =>
  `${JSON.stringify({ type: 'message', id, timestamp: '2026-03-01T10:00:00Z', message: { role: 'user', content: text } })}\n`

/** Runs a command with the configuration in `conf/config.yaml`; gives its exit code, and what it printed as JSON or as text. */
async function run(...args: string[]) {
  const stdout = new PassThrough()
  const code = await runCli(['--config', join(home, 'conf/config.yaml'), ...args], {
    env: { MADELEINE_EMBEDDING: 'none' },
    home,
    cwd: home,
    platform: 'linux',
    stdin: Readable.from([]),
    stdout,
    stderr: new PassThrough(),
  })
  const text = (stdout.read() as Buffer | null)?.toString('utf8') ?? ''
  return { code, text, document: args.includes('--json') ? JSON.parse(text) : undefined }
}

describe('extra paths in the configuration', () => {
  it('start at home or at the configuration, and one that is missing is an error that stops no other', async () => {
    write('vault-x/a.md', 'The kiln is warm.\n')
    write('conf/rel/deep/b.md', 'The kiln is cold.\n')
    write('conf/config.yaml', 'extraPaths: ["~/vault-x", "./rel/**/*.md", "/no/such"]\nstore: store.sqlite\n')
    expect((await run('index', '--json')).code).toBe(3)
    const { code, document } = await run('status', '--json')
    expect(code).toBe(3)
    expect(document.roots).toEqual([
      { path: join(home, 'vault-x'), kind: 'markdown', documents: 1 },
      { path: join(home, 'conf/rel'), kind: 'markdown', documents: 1, pattern: '**/*.md' },
      { path: '/no/such', kind: 'markdown', documents: 0, problem: expect.stringContaining('no such file') },
    ])
    expect((await run('doctor', '--json')).code).toBe(3)
    expect((await run('search', 'kiln', '--json')).document.total).toBe(2)
  })
})

describe('remains of transcripts', () => {
  beforeEach(() => {
    write('sessions/a.jsonl', said('a', 'The oak fence stands.'))
    write('sessions/b.jsonl.reset.2026-03-01T04-00-00Z', said('b', 'The larch fence stands.'))
    write('sessions/c.jsonl.deleted.2026-03-02T00-00-00Z', said('c', 'The aspen fence stands.'))
    write('sessions/d.jsonl.bak.1', said('d', 'The birch fence stands.'))
  })
  const snippets = async (): Promise<string[]> =>
    (await run('search', 'fence', '--source', 'sessions', '--json')).document.results
      .map(({ snippet }: { snippet: string }) => snippet)
      .sort()

  it('count where they hold what stands nowhere else; status names the others and why', async () => {
    write('conf/config.yaml', 'transcripts: ../sessions\nstore: store.sqlite\n')
    await run('index')
    expect(await snippets()).toEqual(['The larch fence stands.', 'The oak fence stands.'])
    const { document } = await run('status', '--json')
    expect(document.skipped).toEqual([
      { path: 'sessions/c.jsonl.deleted.2026-03-02T00-00-00Z', reason: expect.stringMatching(/^deleted by its user/) },
      { path: 'sessions/d.jsonl.bak.1', reason: expect.stringMatching(/^backup/) },
    ])
    const { text } = await run('status')
    expect(text).toMatch(/skipped {2}2/)
    expect(text).toContain('d.jsonl.bak.1')
  })

  it('count as the configuration says, and no longer when it says so', async () => {
    write('conf/config.yaml', 'transcripts: ../sessions\nstore: store.sqlite\narchives: [reset, deleted, backup]\n')
    await run('index')
    expect(await snippets()).toHaveLength(4)
    write('conf/config.yaml', 'transcripts: ../sessions\nstore: store.sqlite\narchives: []\n')
    await run('index')
    expect(await snippets()).toEqual(['The oak fence stands.'])
  })
})
