import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, it, vi } from 'vitest'
import { MadeleineError } from '../../src/errors.ts'
import type { MemoryStore } from '../../src/store/memory-store.ts'
import { openPostgresStore } from '../../src/store/postgres/open-postgres-store.ts'
import { askFor, findIds, makeWrite, vectorOf } from '../../src/testing/memory-store/samples.ts'
import { describeWithServer } from './describe-with-server.ts'
import { startServer, type TestServer } from './server.ts'
import { SwitchedPort } from './switched-port.ts'
import { createTestDatabase } from './test-database.ts'

// Three servers start, one is killed, and a busy machine takes its time over each.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })

const WRITERS = 4
/** Writes that are acknowledged before the primary is killed, and after. */
const ACKNOWLEDGED = 40
const WAIT_MS = 100

/** What the writers were told, together. */
interface Record {
  acknowledged: string[]
  /** When each was, ms since the process began. */
  times: number[]
  /** Writes that failed although they were tried again. */
  failures: string[]
  isOver: boolean
}

/** Writes one memory after the other, with its vector; what fails is written again until it is acknowledged. */
async function keepWriting(store: MemoryStore, writer: number, record: Record): Promise<void> {
  for (let number = 0; !record.isOver; number++) {
    const id = `heron ${writer}-${number}`
    while (!record.isOver) {
      try {
        await store.putDocuments([makeWrite(`${writer}/${number}.md`, [id])])
        await store.putVectors('test', [{ id, embedText: id, windows: [vectorOf(1, number)] }])
        record.acknowledged.push(id)
        record.times.push(performance.now())
        break
      } catch (error) {
        if (!(error instanceof MadeleineError) || !error.code.startsWith('STORE_')) throw error
        record.failures.push(error.message)
        await sleep(WAIT_MS)
      }
    }
  }
}

async function waitForAcknowledged(record: Record, count: number): Promise<void> {
  while (record.acknowledged.length < count) await sleep(WAIT_MS)
}

/** From here on a commit counts once the replica has it on its disk too. */
async function waitForReplica(query: (sql: string) => Promise<unknown[]>): Promise<void> {
  while ((await query("SELECT 1 FROM pg_stat_replication WHERE state = 'streaming'")).length === 0) await sleep(WAIT_MS)
  await query("ALTER SYSTEM SET synchronous_standby_names = '*'")
  await query('SELECT pg_reload_conf()')
  while ((await query("SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'")).length === 0) await sleep(WAIT_MS)
}

describeWithServer('a primary that is killed under load', () => {
  const servers: TestServer[] = []
  const stores: MemoryStore[] = []
  afterAll(async () => {
    for (const store of stores) await store.close()
    for (const server of servers) server.remove()
  })

  it('loses nothing that was acknowledged: its replica takes over, and clients go on by themselves', async () => {
    const primary = await startServer({ isDurable: true })
    servers.push(primary)
    const database = await createTestDatabase(Promise.resolve(primary.adminUrl))
    const address = await SwitchedPort.open(primary.port)
    const url = new URL(database.url)
    url.port = String(address.port)
    const openStore = async (): Promise<MemoryStore> => {
      const store = await openPostgresStore({ url: url.href, tenants: ['local'] })
      stores.push(store)
      return store
    }
    const writers: MemoryStore[] = []
    for (let writer = 0; writer < WRITERS; writer++) writers.push(await openStore())
    const replica = await primary.startReplica()
    servers.push(replica)
    await waitForReplica(database.query)

    const record: Record = { acknowledged: [], times: [], failures: [], isOver: false }
    const writing = Promise.all(writers.map((store, writer) => keepWriting(store, writer, record)))
    await waitForAcknowledged(record, ACKNOWLEDGED)
    primary.kill()
    const killedAt = performance.now()
    const before = record.acknowledged.length
    replica.promote()
    address.leadTo(replica.port)
    const promotedAt = performance.now()
    await waitForAcknowledged(record, before + ACKNOWLEDGED)
    record.isOver = true
    await writing

    const back = record.times.find((time) => time > promotedAt) ?? Number.POSITIVE_INFINITY
    console.log(
      `killed after ${before} acknowledged writes; promoted after ${Math.round(promotedAt - killedAt)} ms; ` +
        `${Math.round(back - killedAt)} ms without service; ${record.failures.length} calls failed`,
    )
    const reader = await openStore()
    const kept = (await reader.getMemories(record.acknowledged)).map(({ id }) => id)
    expect(kept).toEqual(record.acknowledged)
    expect([...(await reader.getVectors('test', record.acknowledged)).keys()].sort()).toEqual(
      [...record.acknowledged].sort(),
    )
    const found = await findIds(reader, askFor('heron', { limit: 10_000 }))
    expect(record.acknowledged.filter((id) => !found.includes(id))).toEqual([])
    expect(await findIds(writers[0] ?? reader, askFor('heron', { limit: 10_000 }))).toEqual(found)
    expect(await reader.check()).toEqual([])
    await address.close()
  })
})
