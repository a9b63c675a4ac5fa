import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { loadSqlite } from '../../src/sqlite/driver.ts'
import { MAIN, useBuiltProgram } from '../built-program.ts'
import { runCommand } from '../run-command.ts'
import { describePlaces } from '../stores.ts'

// Starting processes takes its time on a busy machine.
vi.setConfig({ testTimeout: 300_000 })
useBuiltProgram()
/** Generous: it only bounds how long a failing test takes. */
const PATIENCE_MS = 60_000

interface PassLine {
  pass: number
  kind: string
  paths: string[]
  documents: { total: number; added: number; changed: number; removed: number }
  memories: { total: number }
  embedded: number
  pending: number
  problems: Array<{ path: string; failed?: boolean }>
}

let home: string
let store: string
let running: ChildProcessWithoutNullStreams | undefined
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'madeleine-watch-')))
  store = join(home, 'store/s.sqlite')
  mkdirSync(join(home, 'notes'))
  mkdirSync(join(home, 'sessions'))
})
afterEach(() => {
  running?.kill('SIGKILL')
  running = undefined
  rmSync(home, { recursive: true, force: true })
})

const write = (path: string, content: string): string => {
  const file = join(home, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
  return file
}

/** The real program, watching; what it prints is gathered as it comes. */
function startWatching(...flags: string[]) {
  const args = [MAIN, 'index', '--watch', '--store', store, ...flags]
  const child = spawn(process.execPath, args, {
    cwd: home,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: home,
      MADELEINE_WORKSPACES: join(home, 'notes'),
      MADELEINE_TRANSCRIPTS: join(home, 'sessions'),
    },
  })
  running = child
  let out = ''
  let err = ''
  child.stdout.on('data', (data: Buffer) => {
    out += data.toString()
  })
  child.stderr.on('data', (data: Buffer) => {
    err += data.toString()
  })
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  const lines = (): PassLine[] =>
    out
      .split('\n')
      .filter((line) => line.endsWith('}'))
      .map((line) => JSON.parse(line) as PassLine)
  return {
    child,
    ended,
    lines,
    text: () => out,
    /** The first pass from number `from` on that fits. */
    async until(fits: (pass: PassLine) => boolean, from = 1): Promise<PassLine> {
      for (let waited = 0; waited < PATIENCE_MS && child.exitCode === null; waited += 50) {
        const found = lines().find((line) => line.pass >= from && fits(line))
        if (found) return found
        await sleep(50)
      }
      throw new Error(`No such pass. Printed:\n${out}\n${err}`)
    },
    async untilText(fits: RegExp): Promise<void> {
      for (let waited = 0; waited < PATIENCE_MS && child.exitCode === null; waited += 50) {
        if (fits.test(out)) return
        await sleep(50)
      }
      throw new Error(`No such text. Printed:\n${out}\n${err}`)
    },
  }
}

const turn = (id: string, text: string): string =>
  `${JSON.stringify({ type: 'message', id, timestamp: '2026-06-01T10:00:00.000Z', message: { role: 'user', content: text } })}\n`

/** Open files of a process, and what it watches in the file system. */
function countHandles(pid = 0): number {
  const open = readdirSync(`/proc/${pid}/fdinfo`)
  const watched = open.flatMap((fd) => readFileSync(`/proc/${pid}/fdinfo/${fd}`, 'utf8').match(/^inotify wd:/gm) ?? [])
  return open.length + watched.length
}

describePlaces('a watching index', (locationOf) => {
  beforeEach(() => {
    store = locationOf()
  })

  it('follows notes and transcripts as they are written, renamed over, added to and deleted, and ends with Ctrl-C', async () => {
    const note = write('notes/a.md', 'The kiln is warm.\n')
    const watch = startWatching('--embedding', 'none', '--json')
    expect(await watch.until(() => true)).toMatchObject({ pass: 1, kind: 'text', documents: { total: 1, added: 1 } })

    write('notes/deep/er/b.md', 'The larch fence stands.\n')
    const added = await watch.until(({ documents }) => documents.added === 1, 2)
    expect(added.paths).toContain('deep/er/b.md')

    renameSync(write('notes/.a.md.swp', 'The kiln is cold.\n'), note)
    const renamed = await watch.until(({ documents }) => documents.changed === 1, added.pass + 1)
    expect(renamed).toMatchObject({ documents: { total: 2, removed: 0 } })

    const session = write('sessions/s.jsonl', turn('1', 'Is the gate shut?'))
    const said = await watch.until(({ documents }) => documents.total === 3, renamed.pass + 1)
    appendFileSync(session, turn('2', 'The gate is shut.'))
    const more = await watch.until(({ memories }) => memories.total === said.memories.total + 1, said.pass + 1)

    rmSync(join(home, 'notes/deep'), { recursive: true })
    const removed = await watch.until(({ documents }) => documents.removed === 1, more.pass + 1)
    expect(removed.documents.total).toBe(2)

    watch.child.kill('SIGINT')
    expect(await watch.ended).toBe(130)
    expect(watch.lines().map(({ pass }) => pass)).toEqual(watch.lines().map((_, index) => index + 1))
    const { out } = await runCommand(['status', '--json', '--store', store])
    expect(JSON.parse(out)).toMatchObject({ documents: 2 })
  })
})

describe('a watching index', () => {
  it('takes a burst for a few passes', async () => {
    const watch = startWatching('--embedding', 'none', '--json')
    const first = await watch.until(() => true)
    for (let number = 0; number < 200; number++) write(`notes/n${number}.md`, `Heron number ${number} was counted.\n`)
    const last = await watch.until(({ documents }) => documents.total === 200, first.pass + 1)
    expect(last.pass).toBeLessThan(50)
    watch.child.kill('SIGTERM')
    expect(await watch.ended).toBe(130)
  })

  it.runIf(process.platform === 'linux')(
    'spends nothing on folders that tools fill, however many they hold',
    async () => {
      write('notes/a.md', 'The kiln is warm.\n')
      for (let number = 0; number < 200; number++) {
        write(`notes/.venv/lib${number}/README.md`, '')
        write(`notes/node_modules/heron${number}/README.md`, 'A heron.\n')
      }
      const watch = startWatching('--embedding', 'none', '--json')
      expect(await watch.until(() => true)).toMatchObject({ documents: { total: 1 } })
      // The first pass may come before the folders are watched; a change that was seen cannot.
      write('notes/b.md', 'The larch fence stands.\n')
      await watch.until(({ documents }) => documents.total === 2)
      expect(countHandles(watch.child.pid)).toBeLessThan(100)
      watch.child.kill('SIGINT')
      expect(await watch.ended).toBe(130)
    },
  )

  it('keeps what it knows of a root that disappears, and follows the one that takes its place', async () => {
    write('notes/a.md', 'The kiln is warm.\n')
    const watch = startWatching('--embedding', 'none', '--json')
    await watch.until(({ documents }) => documents.total === 1)
    renameSync(join(home, 'notes'), join(home, 'away'))
    const gone = await watch.until(({ problems }) => problems.some(({ failed }) => failed), 2)
    expect(gone.documents).toMatchObject({ total: 1, removed: 0 })
    renameSync(join(home, 'away'), join(home, 'notes'))
    const back = await watch.until(({ problems }) => problems.length === 0, gone.pass + 1)
    write('notes/b.md', 'The larch fence stands.\n')
    await watch.until(({ documents }) => documents.total === 2, back.pass + 1)
    watch.child.kill('SIGINT')
    expect(await watch.ended).toBe(130)
  })

  it('sees what a host writes to its database, which need not be there at first', async () => {
    rmSync(join(home, 'sessions'), { recursive: true })
    mkdirSync(join(home, 'agents/main/sessions'), { recursive: true })
    const watch = startWatching('--embedding', 'none', '--json', '--transcripts', join(home, 'agents/main/sessions'))
    await watch.until(() => true)
    mkdirSync(join(home, 'agents/main/agent'))
    const file = join(home, 'agents/main/agent/openclaw-agent.sqlite')
    const host = (await loadSqlite()).open(file, { readOnly: false })
    host.exec('PRAGMA journal_mode = WAL; CREATE TABLE transcript_events (session_id, seq, event_json, created_at)')
    const say = (seq: number, text: string): void =>
      host.exec(`INSERT INTO transcript_events VALUES ('s', ${seq}, '${turn(`e${seq}`, text).trim()}', 1780000000000)`)
    say(0, 'Is the gate shut?')
    const first = await watch.until(({ documents }) => documents.added === 1, 2)
    say(1, 'The gate is shut.')
    await watch.until(({ memories }) => memories.total === first.memories.total + 1, first.pass + 1)
    host.close()
    watch.child.kill('SIGINT')
    expect(await watch.ended).toBe(130)
  })

  it('says in a line what changed, and nothing of what did not', async () => {
    write('notes/a.md', 'The kiln is warm.\n')
    const watch = startWatching('--embedding', 'none')
    await watch.untilText(/Indexed 1 document/)
    write('notes/node_modules/x.md', 'Not a note.\n')
    write('notes/b.md', 'The larch fence stands.\n')
    await watch.untilText(/1 added: 2 memories.*b\.md/)
    watch.child.kill('SIGINT')
    expect(await watch.ended).toBe(130)
    expect(watch.text()).not.toContain('x.md')
  })

  it('makes vectors in between', async () => {
    write('notes/a.md', 'The kiln is warm.\n')
    const watch = startWatching('--json')
    await watch.until(({ kind, embedded }) => kind === 'vectors' && embedded === 1)
    write('notes/b.md', 'The larch fence stands.\n')
    await watch.until(({ kind, pending }) => kind === 'vectors' && pending === 0, 3)
    watch.child.kill('SIGINT')
    expect(await watch.ended).toBe(130)
  })
})
