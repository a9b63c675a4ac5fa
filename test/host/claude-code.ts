import { type ChildProcess, spawn } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect } from 'vitest'
import type { WarmCard } from '../../src/host/warm/warm-place.ts'
import { MAIN, ROOT, useBuiltProgram } from '../built-program.ts'

const WAIT_MS = 60_000

type Built = typeof import('../../src/index.ts')

/** What came out of a process. */
export interface Run {
  code: number | null
  out: string
  err: string
}

/** A user's machine: a home with Claude Code's folders, a project, and real processes of the built program in it. */
export interface ClaudeHome {
  readonly home: string
  readonly project: string
  /** Where the program keeps its data. */
  readonly data: string
  env(extra?: NodeJS.ProcessEnv): NodeJS.ProcessEnv
  /** Runs the command line to its end. */
  run(args: readonly string[], options?: { input?: string; env?: NodeJS.ProcessEnv; cwd?: string }): Promise<Run>
  /** Brings the store up to date with the notes of the project: the built program, in this process. */
  index(): Promise<void>
  /** Gives the hook an event, with what all events hold; its answer, and that it kept silence and peace otherwise. */
  hook(event: Record<string, unknown>, env?: NodeJS.ProcessEnv): Promise<Run>
  /** What a hook injects; '' for nothing. */
  inject(event: Record<string, unknown>, env?: NodeJS.ProcessEnv): Promise<string>
  config(yaml: string): void
  note(path: string, text: string): void
  /** Writes a transcript of the project; returns its path. */
  transcript(sessionId: string, records: readonly object[]): string
  search(query: string): Promise<Array<{ path: string; snippet: string }>>
  log(): string
  /** The warm process that says it is there; null when none does. */
  card(): WarmCard | null
}

/** Gives each test of a file its own home, and clears it away with all that runs in it. */
export function useClaudeHome(): ClaudeHome {
  let home = ''
  useBuiltProgram()
  beforeEach(() => {
    home = realpathSync(mkdtempSync(join(tmpdir(), 'madeleine hook-')))
    mkdirSync(join(home, 'project', '.git'), { recursive: true })
  })
  afterEach(async () => {
    await endWarm()
    rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  })

  async function endWarm(): Promise<void> {
    const card = readCardIn(machine.data)
    if (card === null || !isAlive(card.pid)) return
    process.kill(card.pid, 'SIGTERM')
    await until(() => !isAlive(card.pid))
  }

  const machine: ClaudeHome = {
    get home() {
      return home
    },
    get project() {
      return join(home, 'project')
    },
    get data() {
      return join(home, '.local', 'share', 'madeleine')
    },
    // A busy machine must not make a recall silent: what is tested is what comes, not when.
    env: (extra = {}) => ({
      PATH: process.env.PATH,
      HOME: home,
      TZ: 'UTC',
      MADELEINE_EMBEDDING: 'none',
      MADELEINE_WARM: '0',
      MADELEINE_RECALL_DEADLINE_MS: '30000',
      ...extra,
    }),
    run: (args, { input = '', env = {}, cwd = machine.project } = {}) =>
      finished(spawn(process.execPath, [MAIN, ...args], { cwd, env: machine.env(env) }), input),
    async index() {
      const { openMadeleine } = (await import(pathToFileURL(join(ROOT, 'dist', 'index.js')).href)) as Built
      const engine = await openMadeleine({
        ...{ store: join(machine.data, 'store.sqlite'), workspaces: [machine.project], timeZone: 'UTC' },
        embedding: 'none',
      })
      try {
        expect((await engine.index()).problems).toEqual([])
      } finally {
        await engine.close()
      }
    },
    async hook(event, env) {
      const input = JSON.stringify({ session_id: 's-now', cwd: machine.project, permission_mode: 'default', ...event })
      const answer = await machine.run(['hook', 'claude-code'], { input, ...(env && { env }) })
      expect({ code: answer.code, err: answer.err }).toEqual({ code: 0, err: '' })
      return answer
    },
    async inject(event, env) {
      const { out } = await machine.hook(event, env)
      if (out === '') return ''
      const { hookSpecificOutput } = JSON.parse(out)
      expect(hookSpecificOutput.hookEventName).toBe(event.hook_event_name)
      return String(hookSpecificOutput.additionalContext)
    },
    config: (yaml) => write(join(home, '.config', 'madeleine', 'config.yaml'), yaml),
    note: (path, text) => write(join(machine.project, path), text),
    transcript(sessionId, records) {
      const file = join(home, '.claude', 'projects', '-home-project', `${sessionId}.jsonl`)
      write(file, records.map((record) => `${JSON.stringify(record)}\n`).join(''))
      return file
    },
    async search(query) {
      const { out } = await machine.run(['search', query, '--json'])
      return JSON.parse(out).results
    },
    log: () => (existsSync(join(machine.data, 'hook.log')) ? readFileSync(join(machine.data, 'hook.log'), 'utf8') : ''),
    card: () => readCardIn(machine.data),
  }
  return machine
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

export function finished(child: ChildProcess, input: string): Promise<Run> {
  let out = ''
  let err = ''
  child.stdout?.setEncoding('utf8').on('data', (part: string) => {
    out += part
  })
  child.stderr?.setEncoding('utf8').on('data', (part: string) => {
    err += part
  })
  // A hook that needs no event need not read it.
  child.stdin?.on('error', () => undefined)
  child.stdin?.end(input)
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, out, err })))
}

function readCardIn(data: string): WarmCard | null {
  const folder = join(data, 'warm')
  const name = existsSync(folder) ? readdirSync(folder).find((one) => one.endsWith('.json')) : undefined
  return name === undefined ? null : (JSON.parse(readFileSync(join(folder, name), 'utf8')) as WarmCard)
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Waits for something that another process does. Throws when it does not come. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = Date.now() + WAIT_MS; Date.now() < end; ) {
    if (await isSo()) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('What was waited for did not come')
}

let made = 0

/** A record of a transcript, in which somebody says something. */
export function says(type: 'user' | 'assistant', text: string, fields: Record<string, unknown> = {}): object {
  made += 1
  const timestamp = new Date(Date.now() - 3_600_000 + made * 1000).toISOString()
  const content = type === 'user' ? text : [{ type: 'text', text }]
  return {
    ...{
      type,
      uuid: `u-${made}`,
      parentUuid: null,
      sessionId: 's-old',
      timestamp,
      version: '2.0.0',
      isSidechain: false,
    },
    message: { role: type, ...(type === 'assistant' && { id: `m-${made}` }), content },
    ...fields,
  }
}
