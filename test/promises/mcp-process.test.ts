import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadSqlite } from '../../src/store/sqlite/database.ts'
import { MAIN } from '../built-program.ts'
import { mcpEnvironment, useMcp } from './mcp-client.ts'
import { describeOverStores, useWorkspace } from './workspace.ts'

const here = useWorkspace()
const mcp = useMcp()

const flags = (): string[] => ['--workspace', here.notes, '--store', here.store]
const connect = () => mcp.run({ home: here.home, args: flags() })
const spawnAnother = () => mcp.spawn({ home: here.home, args: flags() })

const HELLO = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
}
const READY = { jsonrpc: '2.0', method: 'notifications/initialized' }
const ask = (id: number, name: string, args: object): object => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
})
const linesOf = (messages: readonly unknown[]): string => messages.map((one) => `${JSON.stringify(one)}\n`).join('')

/** A server as a shell would start it: bytes in, bytes out. */
interface RawServer {
  child: ChildProcess
  /** Resolves with the exit code when it has ended. */
  ended: Promise<number | null>
  out(): string
  err(): string
}

function startRaw(args: readonly string[] = flags(), env: Record<string, string> = {}): RawServer {
  const child = spawn(process.execPath, [MAIN, 'mcp', ...args], {
    cwd: here.home,
    env: mcpEnvironment(here.home, env),
  })
  const parts = { out: '', err: '' }
  child.stdout?.setEncoding('utf8').on('data', (part: string) => {
    parts.out += part
  })
  child.stderr?.setEncoding('utf8').on('data', (part: string) => {
    parts.err += part
  })
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  return { child, ended, out: () => parts.out, err: () => parts.err }
}

/** Waits until the server has answered so many requests. */
async function answered(server: RawServer, count: number): Promise<void> {
  while (messagesOf(server).filter(({ id }) => id !== undefined).length < count) {
    await Promise.race([new Promise((resolve) => server.child.stdout?.once('data', resolve)), server.ended])
    if (server.child.exitCode !== null) throw new Error(`the server has ended: ${server.err()}`)
  }
}

/** Waits until the server has said something on stderr. */
async function told(server: RawServer, words: string): Promise<void> {
  while (!server.err().includes(words)) {
    await Promise.race([new Promise((resolve) => server.child.stderr?.once('data', resolve)), server.ended])
    if (server.child.exitCode !== null) throw new Error(`the server has ended: ${server.err()}`)
  }
}

function messagesOf(server: RawServer): Array<{ jsonrpc: string; id?: number; result?: Record<string, unknown> }> {
  const whole = server.out().slice(0, server.out().lastIndexOf('\n') + 1)
  return whole
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}

describe('stdout of the server', () => {
  it('carries the protocol alone, whatever else in the process wants to say something', async () => {
    here.note('memory/broken.md', new Uint8Array([0xff, 0xfe, 0x00, 0xd8, 0x0a]))
    here.note('memory/harbour.md', '# Harbour\n\nThe harbour master answers on radio channel 14.\n')
    await here.openIndexed()
    const noisy = join(here.home, 'noisy.mjs')
    writeFileSync(
      noisy,
      `process.on('SIGUSR2', () => {
        console.log('a library says hello')
        process.stdout.write('and does not ask\\n')
        process.emitWarning('a warning')
      })`,
    )
    const server = startRaw(flags(), { MADELEINE_DEBUG: '1', NODE_OPTIONS: `--import ${noisy}` })
    server.child.stdin?.write(linesOf([HELLO, READY, { jsonrpc: '2.0', id: 2, method: 'tools/list' }]))
    await answered(server, 2)
    server.child.kill('SIGUSR2')
    await told(server, 'and does not ask')
    server.child.stdin?.write('this is no JSON\n')
    server.child.stdin?.write(linesOf([ask(3, 'memory_search', { query: 'harbour' })]))
    await answered(server, 3)
    server.child.stdin?.end()
    expect(await server.ended).toBe(0)
    expect(messagesOf(server).map(({ jsonrpc, id }) => [jsonrpc, id])).toEqual([
      ['2.0', 1],
      ['2.0', 2],
      ['2.0', 3],
    ])
    expect(server.err()).toContain('received tools/call 3')
    expect(server.err()).toContain('a library says hello')
    expect(server.err()).toContain('a warning')
    expect(server.err()).toContain('protocol: ')
  })

  it('is kept clean for every command: what a library says to the console goes to stderr', async () => {
    const noisy = join(here.home, 'noisy.mjs')
    writeFileSync(noisy, "process.once('beforeExit', () => console.log('a library says hello'))")
    const child = spawn(process.execPath, [MAIN, 'status', '--json', ...flags()], {
      env: mcpEnvironment(here.home, { NODE_OPTIONS: `--import ${noisy}` }),
    })
    let [out, err] = ['', '']
    child.stdout.on('data', (part) => {
      out += part
    })
    child.stderr.on('data', (part) => {
      err += part
    })
    await new Promise((resolve) => child.on('close', resolve))
    expect(JSON.parse(out)).toMatchObject({ memories: 0 })
    expect(err).toContain('a library says hello')
  })

  it('stays empty where the configuration is wrong, and the process says so', async () => {
    const config = join(here.home, 'config.yaml')
    writeFileSync(config, 'workspacs: [notes]\n')
    const server = startRaw(['--config', config])
    server.child.stdin?.end(linesOf([HELLO]))
    expect(await server.ended).toBe(2)
    expect(server.out()).toBe('')
    expect(server.err()).toContain('workspacs')
  })
})

describeOverStores(here, 'the server ends', () => {
  it('when there was nobody to begin with', async () => {
    const server = startRaw()
    server.child.stdin?.end()
    expect(await server.ended).toBe(0)
  })

  it('after the last answer when its input ends, with the store closed', async () => {
    const server = startRaw()
    const calls = Array.from({ length: 5 }, (_, n) => ask(n + 2, 'memory_remember', { text: `Buoy ${n} is green` }))
    server.child.stdin?.write(linesOf([HELLO, READY, calls[0]]))
    // The server does not wait for ever: what takes a slow machine long, opening the store, is done before.
    await answered(server, 2)
    server.child.stdin?.end(linesOf(calls.slice(1)))
    expect(await server.ended).toBe(0)
    expect(messagesOf(server)).toHaveLength(6)
    expect(existsSync(`${here.storeFile}-wal`) && statSync(`${here.storeFile}-wal`).size > 0).toBe(false)
    expect((await (await here.open()).status()).memories).toBe(5)
  })

  it.each(['SIGTERM', 'SIGHUP'] as const)('on %s, though its input stays open', async (signal) => {
    const server = startRaw()
    server.child.stdin?.write(linesOf([HELLO, READY, ask(2, 'memory_remember', { text: 'The buoy is green' })]))
    await answered(server, 2)
    server.child.kill(signal)
    expect(await server.ended).toBe(0)
    expect((await (await here.open()).status()).memories).toBe(1)
  })

  it('when nobody reads its answers any more', async () => {
    const server = startRaw()
    server.child.stdin?.write(linesOf([HELLO, READY]))
    await answered(server, 1)
    server.child.stdout?.destroy()
    server.child.stdin?.write(linesOf([ask(2, 'memory_status', {}), ask(3, 'memory_status', {})]))
    expect(await server.ended).toBe(0)
  })
})

describe('a store that cannot be used now', () => {
  it('empty or not yet there, answers with nothing and says what to do', async () => {
    const { client, call } = await connect()
    const { content, structuredContent } = await client.callTool({
      name: 'memory_search',
      arguments: { query: 'buoy' },
    })
    expect(structuredContent).toMatchObject({ results: [], total: 0 })
    expect(JSON.stringify(content)).toContain('madeleine index')
    expect(await call('memory_recall', { prompt: 'Which colour has the buoy?' })).toMatchObject({ text: '' })
  })

  it('of a newer version or no store at all, is refused call by call until it is one', async () => {
    await (await here.open()).close()
    const database = (await loadSqlite()).open(here.storeFile, { readOnly: false })
    database.exec('PRAGMA user_version = 999')
    database.close()
    const { refusal, call } = await connect()
    for (const [name, args] of [
      ['memory_search', { query: 'buoy' }],
      ['memory_get', { id: 'buoy' }],
      ['memory_recall', { prompt: 'Which colour has the buoy?' }],
      ['memory_remember', { text: 'The buoy is green' }],
      ['memory_forget', { id: 'buoy' }],
      ['memory_status', {}],
    ] as const) {
      expect(await refusal(name, args)).toMatchObject({
        code: 'STORE_UNUSABLE',
        message: expect.stringContaining('newer version'),
        remedy: expect.stringContaining('Update madeleine'),
      })
    }
    writeFileSync(here.storeFile, 'Dear diary')
    expect(await refusal('memory_status')).toMatchObject({ message: expect.stringContaining('not a store') })
    rmSync(here.storeFile)
    expect(await call('memory_status')).toMatchObject({ memories: 0 })
  })

  it('written by another process for long, is refused as busy and serves again afterwards', async () => {
    const { call, refusal } = await connect()
    await call('memory_remember', { text: 'The buoy is green' })
    const lock = (await loadSqlite()).open(here.storeFile, { readOnly: false })
    lock.exec('BEGIN IMMEDIATE')
    const [refused, found] = await Promise.all([
      refusal('memory_remember', { text: 'The beacon is red' }),
      call('memory_search', { query: 'buoy' }),
    ])
    expect(refused).toMatchObject({ code: 'STORE_BUSY', remedy: expect.stringMatching(/\w/) })
    expect(found).toMatchObject({ total: 1 })
    lock.exec('ROLLBACK')
    lock.close()
    await call('memory_remember', { text: 'The beacon is red' })
    expect(await call('memory_status')).toMatchObject({ memories: 2 })
  })

  it('replaced while the server has it open, is opened anew', async () => {
    const { call } = await connect()
    await call('memory_remember', { text: 'The buoy is green' })
    mkdirSync(join(here.home, 'old'))
    for (const end of ['', '-wal', '-shm']) {
      if (existsSync(here.storeFile + end)) renameSync(here.storeFile + end, join(here.home, 'old', `store${end}`))
    }
    await call('memory_remember', { text: 'The beacon is red' })
    expect(await call('memory_search', { query: 'beacon' })).toMatchObject({ total: 1 })
    expect(await call('memory_search', { query: 'buoy' })).toMatchObject({ total: 0 })
  })
})

describeOverStores(here, 'many at once', () => {
  it('calls of one client each get their own answer', async () => {
    for (let n = 0; n < 25; n++)
      here.note(`memory/buoy-${n}.md`, `# Buoy ${n}\n\nBuoy number${n} lies at ${n} fathoms.\n`)
    await here.openIndexed()
    const { call } = await connect()
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        n % 2 === 0
          ? call('memory_search', { query: `number${n / 2}`, limit: 1 })
          : call('memory_remember', { text: `Beacon ${n} is lit`, id: `beacon-${n}` }),
      ),
    )
    answers.forEach((answer, n) => {
      if (n % 2 === 1) expect(answer).toEqual({ id: `beacon-${n}` })
      else expect(answer.results).toMatchObject([{ path: `memory/buoy-${n / 2}.md` }])
    })
    expect(await call('memory_status')).toMatchObject({ memories: 50 })
  })

  it('servers on one store lose nothing of each other, also while it is indexed', async () => {
    for (let n = 0; n < 30; n++)
      here.note(`memory/buoy-${n}.md`, `# Buoy ${n}\n\nBuoy number${n} lies at ${n} fathoms.\n`)
    const servers = await Promise.all([spawnAnother(), spawnAnother()])
    const writes = servers.flatMap(({ call }, server) =>
      Array.from({ length: 25 }, (_, n) => call('memory_remember', { text: `Server ${server} saw beacon ${n}` })),
    )
    await Promise.all([...writes, here.openIndexed({ transcripts: [] })])
    for (const { call } of servers) expect(await call('memory_status')).toMatchObject({ memories: 80 })
  })

  it('a cancelled call disturbs no other', async () => {
    const { client, call } = await connect()
    const cancel = new AbortController()
    const cancelled = client.callTool({ name: 'memory_status', arguments: {} }, undefined, { signal: cancel.signal })
    const other = call('memory_remember', { text: 'The buoy is green' })
    cancel.abort('not wanted any more')
    await expect(cancelled).rejects.toThrow('not wanted any more')
    await other
    expect(await call('memory_status')).toMatchObject({ memories: 1 })
  })
})
