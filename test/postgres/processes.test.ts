import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'
import { openPostgresStore } from '../../src/store/postgres/open-postgres-store.ts'
import { OWNER } from '../../src/testing/memory-store/samples.ts'
import { describeWithServer } from './describe-with-server.ts'
import { startServer } from './server.ts'
import { createTestDatabase } from './test-database.ts'

// Seven processes start, and a server in their midst.
vi.setConfig({ testTimeout: 300_000 })

const WRITERS = ['a', 'b', 'c']
const ROUNDS = 12
const TICKS = 60
const POLL_MS = 100

interface Report {
  role: string
  name: string
  ticks?: number[]
  seen?: number
}

/** Runs a process to its end; rejects with what it said when it fails. */
async function run(url: string, role: string, name: string, rounds: number): Promise<Report> {
  const script = join(import.meta.dirname, 'store-worker.ts')
  const child = spawn(process.execPath, ['--import', 'tsx', script, url, role, name, String(rounds)])
  let [out, err] = ['', '']
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  child.stderr.on('data', (chunk) => {
    err += chunk
  })
  const code = await new Promise((resolve) => child.on('close', resolve))
  if (code !== 0) throw new Error(`${role} ${name} ended with ${code}: ${err}`)
  return JSON.parse(out) as Report
}

describeWithServer('several processes on one PostgreSQL store', () => {
  it('lose no update and act once a tick, although the server is restarted in their midst', async () => {
    const server = await startServer({ isDurable: true })
    const place = await createTestDatabase(Promise.resolve(server.adminUrl))
    const store = await openPostgresStore({ url: place.url, tenants: ['local'] })
    const working = Promise.all([
      ...WRITERS.map((name) => run(place.url, 'writer', name, ROUNDS)),
      ...['a', 'b'].map((name) => run(place.url, 'reader', name, ROUNDS * 2)),
      ...['a', 'b'].map((name) => run(place.url, 'heart', name, TICKS)),
    ])
    const countWritten = () => store.listDocuments().then((documents) => documents.length)
    while ((await countWritten()) < WRITERS.length * 2) await sleep(POLL_MS)
    server.stop('immediate')
    server.start()
    const reports = await working

    expect(await countWritten()).toBe(WRITERS.length * ROUNDS)
    expect(await store.countMemories(OWNER)).toBe(WRITERS.length * ROUNDS + 1)
    const entries = JSON.parse((await store.getState('list')) ?? '[]') as string[]
    const all = WRITERS.flatMap((name) => Array.from({ length: ROUNDS }, (_, round) => `${name}-${round}`))
    expect(entries.sort()).toEqual(all.sort())
    const ticks = reports.flatMap((report) => report.ticks ?? [])
    expect(ticks.sort((a, b) => a - b)).toEqual(Array.from({ length: TICKS }, (_, tick) => tick))
    expect(await store.check()).toEqual([])
    await store.close()
    server.remove()
  })
})
