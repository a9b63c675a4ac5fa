import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { hostNames } from '../host/wire/hosts.ts'
import { runCli } from './run-cli.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'madeleine-wire-cli-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

async function run(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const surroundings = { env, home, cwd: home, platform: 'linux', stdin: Readable.from([]), stdout, stderr } as const
  const code = await runCli(args, surroundings)
  const textOf = (stream: PassThrough): string => (stream.read() as Buffer | null)?.toString('utf8') ?? ''
  return { code, out: textOf(stdout), err: textOf(stderr) }
}

async function runJson(...args: string[]) {
  const { code, out, err } = await run([...args, '--json'])
  return { code, err, document: JSON.parse(out) }
}

function put(path: string, text: string): string {
  const file = join(home, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  return file
}

const cursorFile = (): string => join(home, '.cursor', 'mcp.json')
const readServer = () => JSON.parse(readFileSync(cursorFile(), 'utf8')).mcpServers.madeleine

describe('madeleine init --wire', () => {
  it('wires the hosts that are there, tells of those that are not, and writes the configuration as ever', async () => {
    const settings = put('.cursor/mcp.json', '{}\n')
    put('.codex/config.toml', '')
    put('notes/MEMORY.md', '# Pumps\n')
    const { code, document } = await runJson('init', '--wire', '--workspace', join(home, 'notes'))
    expect(code).toBe(0)
    expect(document).toMatchObject({ config: join(home, '.config', 'madeleine', 'config.yaml'), written: true })
    const wired: { host: string; action: string }[] = document.wired
    const actions = Object.fromEntries(wired.map(({ host, action }) => [host, action]))
    expect(actions).toEqual({
      'claude-code': 'absent',
      openclaw: 'absent',
      codex: 'wired',
      cursor: 'wired',
      gemini: 'absent',
      opencode: 'absent',
      vscode: 'absent',
      windsurf: 'absent',
    })
    expect(document.wired).toContainEqual({
      host: 'cursor',
      file: settings,
      action: 'wired',
      backup: `${settings}.before-madeleine`,
    })
    expect((await runJson('init', '--wire', 'cursor')).document.wired).toEqual([
      { host: 'cursor', file: settings, action: 'unchanged', backup: `${settings}.before-madeleine` },
    ])
  })

  it('takes names in one word or several, and leads the host to a configuration that is not where it would look', async () => {
    await run(['init', '--wire', 'cursor,gemini', 'codex', '--config', join(home, 'my own.yaml')])
    const script = expect.stringMatching(/[\\/]dist[\\/]cli[\\/]main\.js$/)
    expect(readServer()).toEqual({
      command: expect.stringMatching(/node/),
      args: [script, 'mcp', '--config', join(home, 'my own.yaml')],
    })
    expect(existsSync(join(home, '.gemini', 'settings.json'))).toBe(true)
    expect(readFileSync(join(home, '.codex', 'config.toml'), 'utf8')).toContain('my own.yaml')
  })

  it('tells the host what only this command line was told by variables', async () => {
    await run(['init', '--wire', 'cursor'], { MADELEINE_STORE: join(home, 's.sqlite'), MADELEINE_EMBEDDING: 'none' })
    expect(readServer().args.slice(2)).toEqual(['--store', join(home, 's.sqlite'), '--embedding', 'none'])
    const config = put('.config/madeleine/config.yaml', `store: ${join(home, 't.sqlite')}\nembedding: none\n`)
    await run(['init', '--unwire', 'cursor'])
    await run(['init', '--wire', 'cursor'])
    expect(readServer().args.slice(2)).toEqual([])
    expect(existsSync(config)).toBe(true)
  })

  it('is not held up by a configuration that is there, and leaves it alone', async () => {
    const config = put('.config/madeleine/config.yaml', 'timeZone: UTC\n')
    const { code, document } = await runJson('init', '--wire', 'cursor', '--workspace', home)
    expect([code, document.written, document.wired.length]).toEqual([0, false, 1])
    expect(readFileSync(config, 'utf8')).toBe('timeZone: UTC\n')
    const { code: refused, err } = await run(['init', '--workspace', home])
    expect([refused, err]).toEqual([2, expect.stringContaining('--force')])
  })

  it('shows the change before it is made', async () => {
    put('.cursor/mcp.json', '{\n  "mcpServers": {\n    "x": { "command": "secret" }\n  }\n}\n')
    const { code, out } = await run(['init', '--wire', 'cursor', '--dry-run'])
    expect(code).toBe(0)
    expect(out).toContain('would be wired')
    expect(out).toContain('@@ 4 @@\n+     "madeleine": {\n')
    expect(out).not.toContain('secret')
    expect(readFileSync(cursorFile(), 'utf8')).not.toContain('madeleine')
    expect(existsSync(`${cursorFile()}.before-madeleine`)).toBe(false)
  })

  it.each([
    [['--wire', 'curser'], hostNames()],
    [['--wire', 'cursor', '--unwire', 'cursor'], ['one of the two']],
  ])('refuses %j with what is known', async (flags, words) => {
    const { code, err } = await run(['init', ...flags])
    expect(code).toBe(2)
    for (const word of words) expect(err).toContain(word)
    expect(existsSync(join(home, '.cursor'))).toBe(false)
  })

  it('writes nothing at all where one file cannot be read, not even its own configuration', async () => {
    put('.codex/config.toml', 'a = 1\nb = \n')
    const { code, err } = await run(['init', '--wire', 'cursor', 'codex', '--workspace', home])
    expect(code).toBe(2)
    expect(err).toContain('config.toml:2: a value is missing')
    expect(err).toContain('Correct the file')
    expect(existsSync(cursorFile())).toBe(false)
    expect(existsSync(join(home, '.config'))).toBe(false)
  })

  it('lists in its help every host that it knows', async () => {
    const { out } = await run(['init', '--help'])
    for (const name of hostNames()) expect(out).toContain(name)
  })
})

describe('madeleine init --unwire', () => {
  it('gives every file back, and touches nothing else', async () => {
    const text = '{ "mcpServers": { } } // mine'
    put('.cursor/mcp.json', text)
    await run(['init', '--wire', 'cursor'])
    const { document } = await runJson('init', '--unwire')
    const wired: { host: string; action: string }[] = document.wired
    expect(wired.filter(({ action }) => action !== 'absent')).toEqual([
      { host: 'cursor', file: cursorFile(), action: 'unwired' },
    ])
    expect(readFileSync(cursorFile(), 'utf8')).toBe(text)
    expect(existsSync(join(home, '.config', 'madeleine'))).toBe(false)
    const again: { action: string }[] = (await runJson('init', '--unwire', 'cursor')).document.wired
    expect(again.map(({ action }) => action)).toEqual(['unchanged'])
  })
})

describe('madeleine doctor', () => {
  it('tells when a host starts a program that is gone, and what to do', async () => {
    const server = { command: '/gone/node', args: ['/gone/dist/cli/main.js', 'mcp'] }
    put('.cursor/mcp.json', JSON.stringify({ mcpServers: { madeleine: server } }))
    const { code, document } = await runJson('doctor', '--workspace', home, '--embedding', 'none')
    expect(code).toBe(3)
    const ids: string[] = document.findings.map(({ id }: { id: string }) => id)
    expect(ids.filter((id) => id === 'cursor-gone')).toHaveLength(2)
    expect(JSON.stringify(document)).toContain('madeleine init --wire cursor')
  })
})
