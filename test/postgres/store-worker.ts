import { setTimeout as sleep } from 'node:timers/promises'
import { MadeleineError } from '../../src/errors.ts'
import type { MemoryStore } from '../../src/store/memory-store.ts'
import { openPostgresStore } from '../../src/store/postgres/open-postgres-store.ts'
import { askFor, makeWrite } from '../../src/testing/memory-store/samples.ts'

/*
 * One of several processes that use one store, for tests: `store-worker.ts URL writer|reader|heart NAME ROUNDS`. What a restarted server
 * leaves in doubt it looks up, as a program has to. It prints one line of JSON at its end.
 */

const WAIT_MS = 200
const PATIENCE = 100

/** Tries again what fails because the server is away, a bounded number of times. */
async function insist<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await attempt()
    } catch (error) {
      const isAway = error instanceof MadeleineError && error.code.startsWith('STORE_')
      if (!isAway || tries >= PATIENCE) throw error
      await sleep(WAIT_MS)
    }
  }
}

/** Appends to a list that all writers share: what is lost would be missing at its end. */
async function append(store: MemoryStore, entry: string): Promise<void> {
  await insist(async () => {
    for (;;) {
      const before = await store.getState('list')
      const entries = JSON.parse(before ?? '[]') as string[]
      if (entries.includes(entry)) return
      if (await store.claimState('list', before, JSON.stringify([...entries, entry]))) return
    }
  })
}

async function write(store: MemoryStore, name: string, rounds: number): Promise<object> {
  for (let round = 0; round < rounds; round++) {
    const texts = [`heron ${name} ${round}`, 'shared otter']
    await insist(() => store.putDocuments([makeWrite(`${name}/${round}.md`, texts)]))
    await append(store, `${name}-${round}`)
  }
  return {}
}

/** What was there is never gone for a reader. */
async function read(store: MemoryStore, rounds: number): Promise<object> {
  let seen = 0
  let steps = 0
  for (let round = 0; round < rounds; round++) {
    const { matchedCount } = await insist(() => store.findCandidates(askFor('heron')))
    if (matchedCount < seen) throw new Error(`${seen} memories became ${matchedCount}`)
    if (matchedCount > seen) steps += 1
    seen = matchedCount
    await sleep(WAIT_MS / 4)
  }
  return { seen, steps }
}

async function beat(store: MemoryStore, name: string, rounds: number): Promise<object> {
  const ticks: number[] = []
  for (let tick = 0; tick < rounds; tick++) {
    const isMine = await insist(async () => {
      if ((await store.getState(`tick/${tick}`)) === name) return true
      return store.claimState(`tick/${tick}`, null, name)
    })
    if (isMine) ticks.push(tick)
  }
  return { ticks }
}

const [url = '', role, name = '', rounds = '0'] = process.argv.slice(2)
const store = await insist(() => openPostgresStore({ url, tenants: ['local'] }))
const done =
  role === 'writer'
    ? await write(store, name, Number(rounds))
    : role === 'reader'
      ? await read(store, Number(rounds))
      : await beat(store, name, Number(rounds))
await store.close()
process.stdout.write(`${JSON.stringify({ role, name, ...done })}\n`)
