import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { type Madeleine, type OpenOptions, openMadeleine } from '../../src/index.ts'
import { openNamedStore } from '../../src/open.ts'
import { runCommand } from '../run-command.ts'
import { describeWithServer } from './describe-with-server.ts'
import { runAs } from './run-as.ts'
import { useRunServer } from './run-server.ts'
import { startServer, type TestServer } from './server.ts'
import { createTestDatabase, type TestDatabase } from './test-database.ts'

// Two servers start, and a busy machine takes its time over each.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })

const NOW = new Date('2026-03-01T12:00:00Z')
const POLL_MS = 100

/** The same database on another server. */
function onServer(url: string, { port }: TestServer): string {
  const other = new URL(url)
  other.port = String(port)
  return other.href
}

/** Asks again until the answer is as wanted: how long a server takes is its own affair. */
async function until<T>(ask: () => Promise<T>, isWanted: (answer: T) => boolean): Promise<T> {
  for (;;) {
    const answer = await ask()
    if (isWanted(answer)) return answer
    await sleep(POLL_MS)
  }
}

const isEmpty = (list: readonly unknown[]): boolean => list.length === 0

describeWithServer('a replica that searches ask', () => {
  let primary: TestServer
  let replica: TestServer
  let database: TestDatabase
  const engines: Madeleine[] = []
  const servers: TestServer[] = []

  const open = async (options: OpenOptions = {}): Promise<Madeleine> => {
    const engine = await openMadeleine({
      store: database.url,
      embedding: 'none',
      now: () => NOW,
      timeZone: 'UTC',
      recall: { deadlineMs: 60_000 },
      ...options,
    })
    engines.push(engine)
    return engine
  }
  const onReplica = (sql: string) => runAs(onServer(database.adminUrl, replica), [sql])
  /** From here on the replica has all that was written so far, and nothing that is written after. */
  const holdBack = async (): Promise<void> => {
    const [row] = await database.query('SELECT pg_current_wal_lsn()::text AS written')
    await until(
      () => onReplica(`SELECT pg_last_wal_replay_lsn() >= '${row?.written}' AS reached`),
      ([answer]) => answer?.reached === true,
    )
    // A failure does not leave it held back for the tests that follow.
    onTestFinished(async () => void (await onReplica('SELECT pg_wal_replay_resume()')))
    await onReplica('SELECT pg_wal_replay_pause()')
    await until(
      () => onReplica('SELECT pg_get_wal_replay_pause_state() AS state'),
      ([answer]) => answer?.state === 'paused',
    )
  }
  const pathsOf = async (engine: Madeleine, query: string) => {
    const { results, degraded } = await engine.search(query)
    return { texts: results.map(({ snippet }) => snippet), degraded }
  }
  /** What is found once the replica serves and keeps up, which a busy machine may take its time over. */
  const serving = async (engine: Madeleine, query: string): Promise<string[]> =>
    (
      await until(
        () => pathsOf(engine, query),
        ({ degraded }) => degraded.length === 0,
      )
    ).texts
  const findingsOf = async (engine: Madeleine) =>
    (await engine.doctor()).findings.filter(({ id }) => id.startsWith('read-store'))

  beforeAll(async () => {
    primary = await startServer()
    servers.push(primary)
    database = await createTestDatabase(Promise.resolve(primary.adminUrl))
    const first = await open()
    await first.remember('The heron stands by the pump.', { id: 'heron' })
    replica = await primary.startReplica()
    servers.unshift(replica)
  })
  afterAll(async () => {
    for (const engine of engines.splice(0)) await engine.close()
    for (const server of servers) server.remove()
  })

  it('answers them, and says as of when where it is behind; what is kept goes to the store itself', async () => {
    const engine = await open({ readStore: onServer(database.url, replica) })
    expect(await serving(engine, 'heron')).toEqual(['The heron stands by the pump.'])
    await until(() => findingsOf(engine), isEmpty)
    // A replica knows of when it shows the store once it has followed a write.
    await engine.remember('The gate is green.', { id: 'gate' })
    await until(
      () => onReplica('SELECT pg_last_xact_replay_timestamp() IS NOT NULL AS followed'),
      ([answer]) => answer?.followed === true,
    )
    await holdBack()
    await engine.remember('A second heron stands by the gate.', { id: 'second' })
    // A machine that stands still for a moment is told as "does not answer" first.
    const behind = await until(
      () => pathsOf(engine, 'heron'),
      ({ degraded }) => degraded.some(({ reason }) => reason.includes('is behind')),
    )
    expect(behind.texts).toEqual(['The heron stands by the pump.'])
    expect(behind.degraded).toMatchObject([
      { part: 'read-store', reason: expect.stringMatching(/is behind and shows the store as of \d{4}-\d\d-\d\dT/) },
    ])
    expect(JSON.stringify(behind.degraded)).not.toContain(new URL(database.url).password)
    const asked = { prompt: 'where does the heron stand?', sessionId: 'talk' }
    const recalled = await engine.recall(asked)
    expect(recalled.items.map(({ id }) => id)).toEqual(['heron'])
    expect(recalled.degraded).toMatchObject([{ part: 'read-store' }])
    expect((await engine.recall(asked)).items).toEqual([])
    expect(await findingsOf(engine)).toMatchObject([{ id: 'read-store-behind', severity: 'warning' }])
    // What is not asked of the replica is as it is, and what was read is known there.
    expect((await engine.get('second')).text).toContain('gate')
    const own = await openNamedStore(database.url, { timeZone: 'UTC', tenants: ['local'] })
    const vitals = await own.listVitals({ at: NOW, limit: 10, filter: { viewer: { tenant: 'local' } } })
    await own.close()
    expect(vitals.find(({ id }) => id === 'heron')?.accessCount).toBeGreaterThan(0)

    await onReplica('SELECT pg_wal_replay_resume()')
    const whole = await until(
      () => pathsOf(engine, 'heron'),
      ({ texts, degraded }) => texts.length === 2 && degraded.length === 0,
    )
    expect(whole.texts.toSorted()).toEqual(['A second heron stands by the gate.', 'The heron stands by the pump.'])
  })

  it('is done without while it is away, which is told, and asked again once it is back', async () => {
    const engine = await open({ readStore: onServer(database.url, replica) })
    await serving(engine, 'pump')
    replica.kill()
    const alone = await pathsOf(engine, 'pump')
    expect(alone.texts).toEqual(['The heron stands by the pump.'])
    expect(alone.degraded).toMatchObject([
      { part: 'read-store', reason: expect.stringContaining('the primary answered instead of the replica') },
    ])
    expect((await engine.recall({ prompt: 'what stands by the pump?' })).items).toHaveLength(1)
    expect(await findingsOf(engine)).toMatchObject([{ id: 'read-store-away', severity: 'warning' }])
    const late = await open({ readStore: onServer(database.url, replica) })
    expect((await pathsOf(late, 'pump')).texts).toEqual(['The heron stands by the pump.'])

    replica.start()
    for (const one of [engine, late]) {
      expect(await serving(one, 'pump')).toEqual(['The heron stands by the pump.'])
      await until(() => findingsOf(one), isEmpty)
    }
  })

  it('is not waited for where it takes connections and says nothing', async () => {
    const silent = createServer(() => undefined)
    silent.listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const url = new URL(database.url)
    url.port = String((silent.address() as AddressInfo).port)
    const engine = await open({ readStore: url.href })
    const { texts, degraded } = await pathsOf(engine, 'pump')
    expect(texts).toEqual(['The heron stands by the pump.'])
    expect(degraded).toMatchObject([{ reason: expect.stringContaining('it does not answer') }])
    silent.close()
  })

  it('is named with the command line, and never with its password', async () => {
    const common = ['--store', database.url, '--now', NOW.toISOString(), '--json']
    const run = (...args: string[]) => runCommand([...args, ...common])
    const url = onServer(database.url, replica)
    const found = await until(
      () => run('search', 'pump', '--read-store', url),
      ({ code, out }) => code === 0 && JSON.parse(out).degraded.length === 0,
    )
    const status = await run('status', '--read-store', url)
    expect(JSON.parse(status.out).readStore).toContain(`:${replica.port}/`)
    const shown = await run('config', '--read-store', url)
    expect(JSON.stringify([found, status, shown])).not.toContain(new URL(url).password)
  })

  it('has to follow the store: a server that takes writes is not asked', async () => {
    const engine = await open({ readStore: database.url })
    const { texts, degraded } = await pathsOf(engine, 'pump')
    expect(texts).toEqual(['The heron stands by the pump.'])
    expect(degraded).toMatchObject([{ reason: expect.stringContaining('the server follows no other one') }])
    const reading = await open({ readStore: onServer(database.url, replica) })
    await serving(reading, 'pump')
    // A store of the same name on a server that the replica does not follow.
    const name = new URL(database.url).pathname.slice(1)
    const stranger = await useRunServer()
    await runAs(stranger, [`CREATE DATABASE ${name}`])
    const place = new URL(stranger)
    place.pathname = name
    const misled = await open({ store: place.href, readStore: onServer(database.adminUrl, replica) })
    await misled.remember('The pump is somebody else’s.')
    expect((await pathsOf(misled, 'pump')).texts).toEqual(['The pump is somebody else’s.'])
    expect(await findingsOf(misled)).toMatchObject([{ message: expect.stringContaining('follows another one') }])
    await misled.close()
    await runAs(stranger, [`DROP DATABASE ${name} WITH (FORCE)`])

    replica.promote()
    await runAs(onServer(database.adminUrl, replica), ['DELETE FROM madeleine.memory'])
    await until(
      () => findingsOf(reading),
      (findings) => findings[0]?.id === 'read-store-away',
    )
    expect((await pathsOf(reading, 'pump')).texts).toEqual(['The heron stands by the pump.'])
    const file = join(tmpdir(), 'no-such-store.sqlite')
    await expect(open({ store: file, readStore: database.url })).rejects.toMatchObject({
      code: 'INVALID_OPTION',
      message: expect.not.stringContaining(new URL(database.url).password),
    })
  })
})
