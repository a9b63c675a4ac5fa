import { appendFileSync, chmodSync, existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { isAlive, says, until, useClaudeHome } from './claude-code.ts'

// Each test starts processes, and a busy machine takes seconds for each.
vi.setConfig({ testTimeout: 180_000 })
const here = useClaudeHome()

const PROMPT = 'which relay drives the sluice pump at the weir?'
const WARM = { MADELEINE_WARM: '1' }
const ask = (session_id = 's-now') => ({ hook_event_name: 'UserPromptSubmit', prompt: PROMPT, session_id })

async function indexProject(yaml = ''): Promise<void> {
  here.note('memory/pump.md', '# Pump\n\nThe sluice pump at the weir is driven by relay K7.\n')
  here.config(`workspaces: [${JSON.stringify(here.project)}]\n${yaml}`)
  await here.index()
}

/** Starts it as hooks do, and waits until it can be asked; its process id. */
async function startWarm(env: NodeJS.ProcessEnv = WARM): Promise<number> {
  await here.hook({ hook_event_name: 'SessionStart', source: 'startup', session_id: 's-start' }, env)
  await until(() => here.card() !== null)
  return here.card()?.pid ?? 0
}

const warmFiles = (): string[] => readdirSync(join(here.data, 'warm')).sort()
const statusOf = async (env = WARM) => JSON.parse((await here.run(['status', '--json'], { env })).out).warm
const pidNow = (): number => here.card()?.pid ?? 0

describe('the warm process', () => {
  it('is started by the first hook, answers the next ones, and status shows it', async () => {
    await indexProject()
    expect(await statusOf()).toMatchObject({ running: false, allowed: true })
    const light = await here.inject(ask('s-1'), WARM)
    expect(light).toContain('relay K7')
    await until(() => here.card() !== null)
    const { pid } = await statusOf()
    expect(pid).toBe(pidNow())
    // What the one gives is what the other gives, and what is noted of a session is noted for both.
    expect(await here.inject(ask('s-2'), WARM)).toBe(light)
    expect(await here.inject(ask('s-1'), WARM)).toBe('')
    expect(await here.inject(ask('s-2'))).toBe('')
    expect(pidNow()).toBe(pid)
  })

  it('lets nobody else in: folder, socket and card are its user’s alone, and a request without the token is not answered', async () => {
    await indexProject()
    await startWarm()
    const folder = join(here.data, 'warm')
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    for (const name of warmFiles()) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
    const socket = warmFiles().find((name) => name.endsWith('.sock')) ?? ''
    for (const request of ['{"method":"ping"}', '{"token":"x","method":"ping"}', 'GET / HTTP/1.1', 'null']) {
      expect(await tell(join(folder, socket), request)).toBe('')
    }
    expect(await statusOf()).toMatchObject({ running: true })
  })

  it('is not started where the configuration does not want it', async () => {
    await indexProject('warm: false\n')
    const off = { MADELEINE_WARM: '' }
    expect(await here.inject(ask(), off)).toContain('relay K7')
    const transcript_path = here.transcript('s-now', [says('user', 'The otter gate opens with code MARROW.')])
    await here.hook({ hook_event_name: 'Stop', transcript_path }, off)
    await until(async () => (await here.search('otter gate code')).length === 1)
    expect(existsSync(join(here.data, 'warm'))).toBe(false)
    expect(await statusOf(off)).toMatchObject({ running: false, allowed: false })
  })

  it('does not stay off because one hook ran without it', async () => {
    await indexProject()
    await here.inject(ask(), { MADELEINE_WARM: '0' })
    await startWarm({ MADELEINE_WARM: '' })
  })

  it('indexes what a turn added, and the next prompt finds it', async () => {
    await indexProject()
    const pid = await startWarm()
    const transcript_path = here.transcript('s-old', [
      says('user', 'We moved the kiln to berth nine.', { cwd: here.project }),
    ])
    await here.hook({ hook_event_name: 'Stop', transcript_path }, WARM)
    const about = (session_id: string) => ({ ...ask(session_id), prompt: 'to which berth did we move the kiln?' })
    let n = 0
    await until(async () => (await here.inject(about(`s-${n++}`), WARM)).includes('berth nine'))
    appendFileSync(transcript_path, `${JSON.stringify(says('assistant', 'The kiln stands on oak sleepers there.'))}\n`)
    await here.hook({ hook_event_name: 'SessionEnd', transcript_path }, WARM)
    await until(async () => (await here.search('oak sleepers')).some(({ snippet }) => snippet.includes('oak')))
    expect(pidNow()).toBe(pid)
    expect(here.log()).toBe('')
  })

  it('is one for a store, however many are started at once', async () => {
    await indexProject()
    await Promise.all(Array.from({ length: 4 }, (_, n) => here.inject(ask(`s-${n}`), WARM)))
    await until(() => here.card() !== null)
    const pid = pidNow()
    const again = await here.run(['warm'], { env: WARM })
    expect(again).toMatchObject({ code: 0, out: expect.stringContaining('warm already') })
    expect(pidNow()).toBe(pid)
    expect(warmFiles()).toHaveLength(2)
  })

  it('that was killed is replaced, and the hook that finds its remains answers all the same', async () => {
    await indexProject()
    const pid = await startWarm()
    process.kill(pid, 'SIGKILL')
    await until(() => !isAlive(pid))
    expect(warmFiles()).toHaveLength(2)
    expect(await here.inject(ask(), WARM)).toContain('relay K7')
    await until(() => pidNow() !== pid && isAlive(pidNow()))
    expect(await statusOf()).toMatchObject({ running: true, pid: pidNow() })
    expect(await here.inject(ask('s-2'), WARM)).toContain('relay K7')
    expect(here.log()).toBe('')
  })

  it('that was killed in the middle of its work has lost nothing that the next turn does not bring', async () => {
    await indexProject()
    const pid = await startWarm()
    const talk = Array.from({ length: 3000 }, (_, n) => says('user', `Crate K${n} went to berth ${n} at dawn.`))
    const transcript_path = here.transcript('s-old', talk)
    await here.hook({ hook_event_name: 'Stop', transcript_path }, WARM)
    process.kill(pid, 'SIGKILL')
    await until(() => !isAlive(pid))
    await here.hook({ hook_event_name: 'Stop', transcript_path }, WARM)
    await until(async () => (await here.search('crate K2999')).some(({ snippet }) => snippet.includes('K2999')))
    const { findings } = JSON.parse((await here.run(['doctor', '--json'])).out)
    expect(findings.filter(({ severity }: { severity: string }) => severity === 'error')).toEqual([])
  })

  it('of other settings is not used, and ends', async () => {
    await indexProject()
    const pid = await startWarm()
    here.note('memory/crane.md', '# Crane\n\nThe harbour crane is greased with molybdenum.\n')
    here.config(`workspaces: [${JSON.stringify(here.project)}]\nagent: otter\n`)
    // The notes are another agent's now: whoever still answered with the old settings would show them.
    expect(await here.inject(ask(), WARM)).toBe('')
    await until(() => !isAlive(pid))
    await until(() => here.card() !== null)
    expect(pidNow()).not.toBe(pid)
  })

  it('ends when it is told to, and leaves nothing behind', async () => {
    await indexProject()
    const pid = await startWarm()
    expect(await here.run(['warm', '--stop'], { env: WARM })).toMatchObject({ code: 0, out: `Process ${pid} ends.\n` })
    await until(() => !isAlive(pid))
    expect(warmFiles()).toEqual([])
    expect((await here.run(['warm', '--stop'], { env: WARM })).out).toBe('No warm process is running.\n')
  })

  it('ends when its store is not the one that is there any more', async () => {
    await indexProject()
    const pid = await startWarm()
    for (const end of ['', '-wal', '-shm']) rmSync(join(here.data, `store.sqlite${end}`), { force: true })
    expect((await here.run(['index', '--no-embed'])).code).toBe(0)
    expect(await here.inject(ask('s-2'), WARM)).toContain('relay K7')
    await until(() => !isAlive(pid))
  })

  it('is not believed where others could have put its card', async () => {
    await indexProject()
    await startWarm()
    chmodSync(join(here.data, 'warm'), 0o777)
    expect(await statusOf()).toMatchObject({ running: false })
    expect(await here.inject(ask('s-2'), WARM)).toContain('relay K7')
    chmodSync(join(here.data, 'warm'), 0o700)
  })

  it('that does not answer leaves its caller the rest of the deadline', async () => {
    await indexProject()
    const pid = await startWarm()
    process.kill(pid, 'SIGSTOP')
    try {
      expect(await here.inject(ask('s-2'), WARM)).toContain('relay K7')
    } finally {
      process.kill(pid, 'SIGCONT')
    }
  })

  it('answers with keywords when the embedding service hangs', async () => {
    const server = createServer((request) => request.resume())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const env = {
      ...WARM,
      MADELEINE_EMBEDDING: 'ollama:nomic-embed-text',
      MADELEINE_EMBEDDING_BASE_URL: `http://127.0.0.1:${port}`,
    }
    try {
      await indexProject()
      await startWarm(env)
      expect(await here.inject(ask('s-2'), env)).toContain('relay K7')
    } finally {
      server.closeAllConnections()
      server.close()
    }
  })

  it('refuses a store of a newer program, and the log says so', async () => {
    await indexProject()
    writeFileSync(join(here.data, 'store.sqlite'), 'no store at all, and long enough to be looked at'.repeat(100))
    const { code } = await here.run(['warm'], { env: WARM })
    expect(code).toBe(5)
    expect(here.log()).toContain('store')
    expect(here.card()).toBeNull()
  })
})

/** Sends a line to a socket; what comes back before the other side closes. */
function tell(socket: string, line: string): Promise<string> {
  return new Promise((resolve) => {
    let answer = ''
    const client = connect(socket, () => client.write(`${line}\n`))
    client.setEncoding('utf8').on('data', (part) => {
      answer += part
    })
    client.on('error', () => resolve(answer))
    client.on('close', () => resolve(answer))
  })
}
