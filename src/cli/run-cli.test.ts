import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runCli } from './run-cli.ts'

let home: string
let workspace: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'madeleine-cli-'))
  workspace = join(home, 'notes')
  mkdirSync(join(workspace, 'memory'), { recursive: true })
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

interface Run {
  input?: string
  cwd?: string
  env?: NodeJS.ProcessEnv
}

/** Runs a command line as a script would: streams are no terminals, so no colours and no progress. */
async function run(args: readonly string[], { input = '', cwd = home, env = {} }: Run = {}) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const code = await runCli(args, {
    env: { MADELEINE_EMBEDDING: 'none', ...env },
    home,
    cwd,
    platform: 'linux',
    stdin: Readable.from([Buffer.from(input)]),
    stdout,
    stderr,
  })
  const textOf = (stream: PassThrough): string => (stream.read() as Buffer | null)?.toString('utf8') ?? ''
  return { code, out: textOf(stdout), err: textOf(stderr) }
}

/** The one document on stdout; throws when there is anything else. */
async function runJson(args: readonly string[], options: Run = {}) {
  const { code, out, err } = await run([...args, '--json'], options)
  return { code, err, document: JSON.parse(out) }
}

function note(path: string, text: string): void {
  mkdirSync(dirname(join(workspace, path)), { recursive: true })
  writeFileSync(join(workspace, path), text)
}

/** Two notes, indexed. */
async function indexNotes(): Promise<void> {
  note('memory/pumps.md', '# Pumps\n\n## Heron\n\nREQ-0417: the heron pump runs on 24 V.\n')
  note('memory/2026-07-18.md', '# Saturday\n\nThe kite winch was painted green.\n')
  expect((await run(['index', '--workspace', workspace])).code).toBe(0)
}

describe('wrong usage', () => {
  it.each([
    [['serach', 'x'], 'search'],
    [['search', '--limt', '3', 'x'], '--limit'],
    [['--jsno', 'search', 'x'], '--json'],
    [['search', 'x', '--mode', 'keywrd'], 'keyword'],
    [['search', 'x', '--limit', '0'], '1 to 100'],
    [['search', 'x', '--min-score', '7'], '0 to 1'],
    [['search', 'x', '--tz', 'Mars/Olympus'], 'Europe/Zurich'],
    [['search', 'x', '--now', 'yesterday'], '2026-07-20'],
    [['search', 'x', '--config', '/no/such.yaml'], 'madeleine init'],
    [['search'], 'madeleine search --help'],
    [['get', 'a', 'b'], 'madeleine get --help'],
    [['status', '--workspace', ''], 'list of folders'],
    [['index'], 'madeleine init'],
    [['recall', '--event', '-'], '"prompt"'],
  ])('%j ends with 2, says what is meant, and is the same with --json', async (args, remedy) => {
    const plain = await run(args)
    expect(plain).toMatchObject({ code: 2, out: '' })
    expect(plain.err).toContain(remedy)
    expect(plain.err).not.toMatch(/\n\s+at /)
    const json = await run([...args, '--json'])
    expect(json).toMatchObject({ code: 2, out: '' })
    const { error } = JSON.parse(json.err)
    expect(error).toEqual({
      code: 'INVALID_OPTION',
      message: expect.any(String),
      remedy: expect.stringContaining(remedy),
    })
  })

  it('of the configuration ends with 2 in every command, naming key and value', async () => {
    const config = join(home, 'config.yaml')
    writeFileSync(config, 'newestTranscripts: many\n')
    for (const command of [['status'], ['doctor'], ['config'], ['recall', 'x'], ['index']]) {
      const { code, err } = await run([...command, '--config', config])
      expect(code).toBe(2)
      expect(err).toMatch(/"many" for newestTranscripts in ~\/config.yaml/)
    }
    expect((await run(['config'], { env: { MADELEINE_NO_NATIVE: 'perhaps' } })).err).toMatch(
      /"perhaps" for MADELEINE_NO_NATIVE/,
    )
  })

  it('is not what help, version and an empty line are', async () => {
    for (const args of [[], ['--help'], ['help'], ['search', '--help'], ['--version']]) {
      const { code, out, err } = await run(args)
      expect({ code, err }).toEqual({ code: 0, err: '' })
      expect(out).not.toBe('')
    }
  })
})

describe('help', () => {
  it.each(['init', 'index', 'search', 'get', 'recall', 'remember', 'forget', 'status', 'doctor', 'eval', 'config'])(
    'of %s ends with examples that use it',
    async (command) => {
      const { out } = await run([command, '--help'])
      const examples = out.slice(out.indexOf('Examples:')).trim().split('\n').slice(1)
      expect(examples.length).toBeGreaterThanOrEqual(2)
      for (const example of examples) expect(example).toMatch(new RegExp(`^ {2}\\$ .*madeleine ${command}\\b`))
    },
  )
})

describe('global options', () => {
  it('are understood before and after the command', async () => {
    await indexNotes()
    for (const args of [
      ['--json', 'search', 'heron'],
      ['search', '--json', 'heron'],
      ['search', 'heron', '--json'],
    ]) {
      expect(JSON.parse((await run(args)).out).results).toHaveLength(1)
    }
    const elsewhere = join(home, 'other.sqlite')
    for (const args of [
      ['--store', elsewhere, 'search', 'heron'],
      ['search', 'heron', '--store', elsewhere],
    ]) {
      expect((await runJson(args)).document.results).toEqual([])
    }
  })
})

describe('exit codes', () => {
  it('2 for an id or path that is not there, and for one that is taken', async () => {
    await indexNotes()
    for (const name of ['nope', '../outside.md', '/etc/hosts', 'memory/../../x.md']) {
      writeFileSync(join(home, 'outside.md'), 'sentinel words')
      for (const command of ['get', 'forget']) {
        const { code, out, err } = await run([command, name])
        expect({ code, out }).toEqual({ code: 2, out: '' })
        expect(err).not.toContain('sentinel')
      }
    }
    await run(['remember', 'one', '--id', 'mine'])
    expect((await run(['remember', 'two', '--id', 'mine'])).code).toBe(2)
    expect(readFileSync(join(home, 'outside.md'), 'utf8')).toBe('sentinel words')
  })

  it('3 for a missing root, while the others are indexed; status and doctor say so too', async () => {
    note('memory/a.md', '# A\n\nThe east valve leaks.\n')
    const sources = ['--workspace', workspace, '--workspace', '/no/such']
    const index = await runJson(['index', ...sources])
    expect(index).toMatchObject({ code: 3, document: { documents: { added: 1 } } })
    expect(JSON.stringify(index.document.problems)).toContain('/no/such')
    expect((await run(['index', ...sources])).out).toContain('/no/such')
    const status = await runJson(['status', ...sources])
    expect(status.code).toBe(3)
    expect(status.document.roots[1]).toMatchObject({ path: '/no/such', problem: expect.any(String) })
    const doctor = await runJson(['doctor', ...sources])
    expect(doctor.code).toBe(3)
    expect(doctor.document.findings).toContainEqual(expect.objectContaining({ severity: 'error' }))
  })

  it('5 for a file that is no store of ours, which stays as it is', async () => {
    const store = join(home, 'precious.txt')
    writeFileSync(store, 'a letter to a friend, and no database at all\n'.repeat(100))
    const before = readFileSync(store)
    const { code, out, err } = await run(['search', 'x', '--store', store, '--json'])
    expect({ code, out }).toEqual({ code: 5, out: '' })
    expect(JSON.parse(err).error.code).toBe('STORE_UNUSABLE')
    expect(readFileSync(store).equals(before)).toBe(true)
  })
})

describe('text for a person', () => {
  it('shows where a hit stands and what matched, and explains a score in words and numbers', async () => {
    await indexNotes()
    const { out } = await run(['search', 'heron pump', '--explain'])
    expect(out).toMatch(/score (0\.\d\d) = chance of an answer 0\.\d\d × share of it 1\.00/)
    expect(out).toMatch(/evidence: words \d\.\d\d, with its neighbours \d\.\d\d, meaning 0\.\d\d/)
    expect(out).toMatch(/^ 1 {2}\d\.\d\d {2}memory\/pumps\.md:\d+(-\d+)?/)
    expect(out).toContain('Pumps > Heron')
    expect(out).toContain('REQ-0417: the heron pump runs on 24 V.')
    expect(out).toMatch(/keyword +\d\.\d\d {2}× \d\.\d\d {2}= \d\.\d\d/)
    expect(out).toMatch(/matched: .*heron/)
    expect((await run(['search', 'heron pump'])).out).not.toContain('×')
  })

  it('says that nothing was found, and why an empty store has nothing', async () => {
    const { code, out, err } = await run(['search', 'zzzqqq'])
    expect({ code, out }).toEqual({ code: 0, out: 'Nothing found for "zzzqqq".\n' })
    expect(err).toContain('madeleine index')
  })

  it('carries no control character from notes or names to the terminal', async () => {
    note('memory/e\u001b[31mvil.md', '# Evil \u001b]0;owned\u0007\n\nkestrel \u001b[2J\u009b31m\u202e gone\n')
    await run(['index', '--workspace', workspace])
    for (const args of [
      ['search', 'kestrel', '--explain'],
      ['recall', 'where is the kestrel?', '--explain'],
      ['status'],
    ]) {
      const { out, err } = await run(args)
      expect(out + err).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/)
    }
  })

  it('gives the lines that search names', async () => {
    await indexNotes()
    const { out } = await run(['get', 'memory/pumps.md:5'])
    expect(out).toBe('REQ-0417: the heron pump runs on 24 V.\n')
    expect((await run(['get', 'memory/pumps.md', '--from', '5', '--lines', '1'])).out).toBe(out)
  })

  it('summarises an index run with what was left out, by reason', async () => {
    note('memory/a.md', '# A\n\nThe east valve leaks.\n')
    writeFileSync(join(workspace, 'memory', 'broken.md'), Buffer.from([0x23, 0x00, 0x01, 0x02, 0x00, 0xff, 0x00]))
    const { out } = await run(['index', '--workspace', workspace])
    expect(out).toMatch(/^Indexed \d documents? in .*: \d added, 0 changed, 0 removed, 0 unchanged\n/)
    expect(out).toMatch(/1 × .*\n.*memory\/broken\.md/)
  })
})

describe('doctor', () => {
  it('says that hooks stay silent where a store in PostgreSQL has no warm process to be asked by', async () => {
    const store = ['--store', 'postgres://ada@127.0.0.1:1/none?connect_timeout=1']
    const ids = async (env: NodeJS.ProcessEnv, more: string[] = store): Promise<string[]> =>
      (await runJson(['doctor', ...more], { env })).document.findings.map(({ id }: { id: string }) => id)
    expect(await ids({ MADELEINE_WARM: '0' })).toContain('hook-without-warm')
    expect(await ids({})).not.toContain('hook-without-warm')
    expect(await ids({ MADELEINE_WARM: '0' }, [])).not.toContain('hook-without-warm')
  })
})

describe('recall', () => {
  it('is silent on stdout when there is nothing to say', async () => {
    await indexNotes()
    const { code, out, err } = await run(['recall', 'thanks!'])
    expect({ code, out }).toEqual({ code: 0, out: '' })
    expect(err).toMatch(/silent/)
  })

  it('reads the prompt from stdin, as text or as an event', async () => {
    await indexNotes()
    const prompt = 'does the heron pump run on 24 V?'
    const expected = (await runJson(['recall', prompt])).document.items
    expect(expected).toHaveLength(1)
    const inputs: Array<[string[], string]> = [
      [['recall'], `${prompt}\n`],
      [['recall'], JSON.stringify({ prompt })],
      [['recall', '--event', '-'], JSON.stringify({ prompt, session_id: 's', messages: [] })],
    ]
    for (const [args, input] of inputs) expect((await runJson(args, { input })).document.items).toEqual(expected)
  })

  it('sets what bears on an item beside it when asked to, by a flag or by the event', async () => {
    await indexNotes()
    const prompt = 'does the heron pump run on 24 V?'
    await run(['link', 'memory/2026-07-18.md', 'memory/pumps.md', '--relationship', 'supports'])
    // On a busy machine too it is the answer that is judged.
    const env = { MADELEINE_RECALL_DEADLINE_MS: '60000' }
    const pathsOf = ({ items }: { items: Array<{ path: string }> }) => items.map(({ path }) => path)
    expect(pathsOf((await runJson(['recall', prompt], { env })).document)).toEqual(['memory/pumps.md'])
    const { document } = await runJson(['recall', prompt, '--expand', '--session', 's1'], { env })
    expect(pathsOf(document)).toEqual(['memory/pumps.md', 'memory/2026-07-18.md'])
    expect(document.text).toContain('supports memory/pumps.md')
    const input = JSON.stringify({ prompt, session_id: 's2', expand: true })
    expect((await runJson(['recall', '--event', '-'], { input, env })).document.text).toBe(document.text)
    expect((await run(['recall', '--last', '--expand'])).code).toBe(2)
  })

  it('does nothing in a process that memory itself has started', async () => {
    await indexNotes()
    const env = { MADELEINE_CHILD: '1' }
    const { code, document } = await runJson(['recall', 'which voltage does the heron pump need?'], { env })
    expect({ code, text: document.text, skipped: document.skipped }).toEqual({ code: 0, text: '', skipped: true })
  })
})

describe('configuration', () => {
  it('reads ~ from home and relative paths from the file, and reports a root that is missing', async () => {
    const folder = join(home, '.config', 'madeleine')
    mkdirSync(join(folder, 'rel'), { recursive: true })
    mkdirSync(join(home, 'vault'))
    writeFileSync(join(home, 'vault', 'a.md'), '# A\n\nThe east valve leaks.\n')
    writeFileSync(join(folder, 'config.yaml'), 'workspaces: ["~/vault", ./rel, /no/such]\n')
    const { code, document } = await runJson(['status'])
    expect(code).toBe(3)
    expect(document.roots.map(({ path }: { path: string }) => path)).toEqual([
      join(home, 'vault'),
      join(folder, 'rel'),
      '/no/such',
    ])
    expect(document.roots.map(({ problem }: { problem?: string }) => problem !== undefined)).toEqual([
      false,
      false,
      true,
    ])
    expect((await runJson(['index'])).document.documents.added).toBe(1)
  })

  it('shows where each value comes from, and no key', async () => {
    const config = join(home, 'c.yaml')
    writeFileSync(config, 'tenant: vera\nagent: file\n')
    const env = { MADELEINE_AGENT: 'env', OPENAI_API_KEY: 'sk-secret-value' }
    const args = ['config', '--config', config, '--tz', 'UTC']
    const { document } = await runJson(args, { env })
    expect(document.settings).toMatchObject({
      tenant: { value: 'vera', from: 'file', origin: config },
      agent: { value: 'env', from: 'environment', origin: 'MADELEINE_AGENT' },
      timeZone: { value: 'UTC', from: 'flag', origin: '--tz' },
      newestTranscripts: { value: null, from: 'default' },
    })
    expect(document.keys).toMatchObject({ OPENAI_API_KEY: true, VOYAGE_API_KEY: false })
    const { out } = await run(args, { env })
    expect(out).toMatch(/agent +env +MADELEINE_AGENT/)
    expect(JSON.stringify(document) + out).not.toContain('sk-secret')
  })

  it('keeps the store for its owner alone', async () => {
    await indexNotes()
    const folder = join(home, '.local/share/madeleine')
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o077, name).toBe(0)
  })
})

describe('init', () => {
  const config = () => join(home, '.config/madeleine/config.yaml')

  it('writes what it finds once, and says so the second time', async () => {
    note('MEMORY.md', '# Memory\n')
    const first = await runJson(['init'], { cwd: workspace })
    expect(first).toMatchObject({ code: 0, document: { config: config(), written: true, wired: [] } })
    expect(first.document.sources).toEqual([expect.objectContaining({ kind: 'markdown', files: 1 })])
    const text = readFileSync(config(), 'utf8')
    const second = await runJson(['init'], { cwd: workspace })
    expect(second).toMatchObject({ code: 0, document: { written: false } })
    expect(readFileSync(config(), 'utf8')).toBe(text)
    expect((await runJson(['status'])).document.roots).toHaveLength(1)
  })

  it('does not overwrite a configuration unless it is told to, and then keeps it', async () => {
    mkdirSync(dirname(config()), { recursive: true })
    const mine = '# mine\ntenant: vera\n'
    writeFileSync(config(), mine)
    const refused = await run(['init', '--workspace', workspace])
    expect(refused.code).toBe(2)
    expect(refused.err).toContain('--force')
    expect(readFileSync(config(), 'utf8')).toBe(mine)
    const { document } = await runJson(['init', '--workspace', workspace, '--force'])
    expect(readFileSync(document.backup, 'utf8')).toBe(mine)
    expect(readFileSync(config(), 'utf8')).toBe('# mine\ntenant: vera\nworkspaces:\n  - ~/notes\n')
  })

  it('writes nothing on a dry run', async () => {
    const { code, out } = await run(['init', '--workspace', workspace, '--dry-run'])
    expect(code).toBe(0)
    expect(out).toContain('- ~/notes')
    expect(existsSync(config())).toBe(false)
  })
})
