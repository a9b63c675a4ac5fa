import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { MAIN, useBuiltProgram } from './built-program.ts'

// Each test starts processes, and a busy machine takes seconds for each.
vi.setConfig({ testTimeout: 120_000 })

useBuiltProgram()

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

function environment(extra: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, HOME: home, MADELEINE_EMBEDDING: 'none', ...extra }
}

function start(args: readonly string[], { cwd, env }: Run = {}): ChildProcess {
  return spawn(process.execPath, [MAIN, ...args], { cwd: cwd ?? home, env: environment(env) })
}

function ended(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => child.on('close', resolve))
}

/** Runs a command line as a script would: streams are pipes, so no colours and no progress. */
async function run(
  args: readonly string[],
  options: Run = {},
): Promise<{ code: number | null; out: string; err: string }> {
  const child = start(args, options)
  let out = ''
  let err = ''
  child.stdout?.setEncoding('utf8').on('data', (part: string) => {
    out += part
  })
  child.stderr?.setEncoding('utf8').on('data', (part: string) => {
    err += part
  })
  child.stdin?.end(options.input ?? '')
  return { code: await ended(child), out, err }
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

describe('--json', () => {
  it.each<[string[], object]>([
    [['index'], { documents: { total: 0 }, problems: [] }],
    [['search', 'zzzqqq'], { results: [], total: 0, truncated: false }],
    [['recall', 'where did we leave the zzzqqq?'], { text: '', items: [], skipped: false }],
    [['status'], { documents: 0, memories: 0, skipped: [] }],
    [['doctor'], { findings: expect.any(Array) }],
    [['config'], { settings: { workspaces: { from: 'flag' } } }],
    [['init', '--dry-run'], { sources: [], written: false, wired: [] }],
  ])('makes %j print one document and nothing else, also when there is nothing', async (args, expected) => {
    const { code, err, document } = await runJson([...args, '--workspace', workspace])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(document).toMatchObject(expected)
  })

  it('prints one document and nothing else where there is something to say', async () => {
    await indexNotes()
    const search = await runJson(['search', 'heron', 'pump'])
    expect(search.document.results[0]).toMatchObject({
      path: 'memory/pumps.md',
      header: expect.stringContaining('Heron'),
    })
    const { id } = search.document.results[0]
    expect((await runJson(['get', id])).document).toMatchObject({ path: 'memory/pumps.md', truncated: false })
    const remembered = await runJson(['remember', 'The', 'otter', 'gate', 'code', 'is', 'MARROW', '--id', 'otter'])
    expect(remembered).toMatchObject({ code: 0, document: { id: 'otter' } })
    expect((await runJson(['forget', 'otter'])).document).toEqual({ forgotten: ['otter'] })
    expect((await runJson(['recall', 'which voltage does the heron pump need?'])).document).toHaveProperty('items')
    expect((await runJson(['index', '--workspace', workspace])).document.documents).toMatchObject({
      added: 0,
      changed: 0,
    })
  })
})

describe('exit codes', () => {
  it('pass through to the shell, with the error as JSON on stderr', async () => {
    const { code, out, err } = await run(['search', '--limt', '3', 'x', '--json'])
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(JSON.parse(err).error).toMatchObject({ code: 'INVALID_OPTION', remedy: 'Did you mean --limit?' })
  })

  it('0 and silence when the reader has seen enough', async () => {
    await indexNotes()
    for (const args of [['search', 'heron'], ['search', 'heron', '--json'], ['--help']]) {
      const child = start(args)
      let err = ''
      child.stderr?.setEncoding('utf8').on('data', (part: string) => {
        err += part
      })
      child.stdout?.destroy()
      expect(await ended(child)).toBe(0)
      expect(err).toBe('')
    }
  })

  it('130 for Ctrl-C while indexing, with a store that goes on from there', async () => {
    for (let number = 0; number < 3000; number++) note(`memory/n${number}.md`, `# N${number}\n\nkestrel ${number}\n`)
    const args = ['index', '--workspace', workspace, '--json']
    const child = start(args)
    const store = join(home, '.local/share/madeleine/store.sqlite')
    const waiting = setInterval(() => {
      if (!existsSync(store)) return
      clearInterval(waiting)
      child.kill('SIGINT')
    }, 20)
    let err = ''
    child.stderr?.setEncoding('utf8').on('data', (part: string) => {
      err += part
    })
    const code = await ended(child)
    expect(code).toBe(130)
    expect(JSON.parse(err).error.code).toBe('INTERRUPTED')
    expect((await runJson(['index', '--workspace', workspace])).document.documents.total).toBe(3000)
    expect((await run(['doctor', '--workspace', workspace])).code).toBe(0)
  })
})
