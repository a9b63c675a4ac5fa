import { afterEach, describe, expect, it } from 'vitest'
import { WorkerPool } from './worker-pool.ts'

interface Reply {
  request: string
  threadId: number
  hadShared: boolean
}
type TestPool = WorkerPool<SharedArrayBuffer, string, Reply>

const entry = new URL('./fixtures/obedient-worker.mjs', import.meta.url)
const pools: TestPool[] = []

function openPool(size: number, data: object = {}): TestPool {
  const pool: TestPool = new WorkerPool({ entry, size, data })
  pools.push(pool)
  return pool
}

afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()))
})

/** Resolves when the worker that was told to hold does so. */
async function untilHeld(flags: Int32Array): Promise<void> {
  const { value } = Atomics.waitAsync(flags, 1, 0)
  await value
}

function release(flags: Int32Array): void {
  Atomics.store(flags, 0, 1)
  Atomics.notify(flags, 0)
}

describe('WorkerPool', () => {
  it('answers every request', async () => {
    const pool = openPool(2)
    const replies = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((request) => pool.run(request)))
    expect(replies.map((reply) => reply.request)).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  it('lets one worker do what one request at a time needs', async () => {
    const pool = openPool(4)
    const threads = new Set<number>()
    for (const request of ['a', 'b', 'c']) threads.add((await pool.run(request)).threadId)
    expect(threads.size).toBe(1)
  })

  it('starts another worker when one is busy, and gives it what the first made', async () => {
    const flags = new Int32Array(new SharedArrayBuffer(8))
    const pool = openPool(2, { flags: flags.buffer })
    const held = pool.run('hold')
    await untilHeld(flags)
    const other = await pool.run('a')
    release(flags)
    expect(other.threadId).not.toBe((await held).threadId)
    expect([(await held).hadShared, other.hadShared]).toEqual([false, true])
  })

  it('takes an urgent request before all that wait', async () => {
    const flags = new Int32Array(new SharedArrayBuffer(8))
    const pool = openPool(1, { flags: flags.buffer })
    const order: string[] = []
    const run = async (request: string, isUrgent = false): Promise<void> => {
      await pool.run(request, { isUrgent })
      order.push(request)
    }
    const held = run('hold')
    await untilHeld(flags)
    const rest = [run('first'), run('second'), run('urgent', true)]
    release(flags)
    await Promise.all([held, ...rest])
    expect(order).toEqual(['hold', 'urgent', 'first', 'second'])
  })

  it.each(['throw', 'exit'])(
    'rejects the request on which a worker dies (%s), and replaces the worker',
    async (end) => {
      const pool = openPool(1)
      const outcomes = await Promise.allSettled([pool.run('a'), pool.run(end), pool.run('b')])
      expect(outcomes.map((outcome) => outcome.status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
      expect(outcomes[1]).toMatchObject({ reason: { name: 'MadeleineError', code: 'EMBEDDING_UNAVAILABLE' } })
      expect((await pool.run('c')).request).toBe('c')
    },
  )

  it('passes on the error that a worker reports, and goes on', async () => {
    const pool = openPool(1)
    await expect(pool.run('fail')).rejects.toMatchObject({ code: 'INVALID_OPTION', message: 'no', remedy: 'other' })
    expect((await pool.run('a')).request).toBe('a')
  })

  it('rejects all that wait with the reason when no worker can start', async () => {
    const startFailure = { code: 'EMBEDDING_UNAVAILABLE', message: 'no weights', remedy: 'install them' }
    const pool = openPool(2, { startFailure })
    const outcomes = await Promise.allSettled([pool.run('a'), pool.run('b', { isUrgent: true })])
    for (const outcome of outcomes) expect(outcome).toMatchObject({ status: 'rejected', reason: startFailure })
  })

  it('rejects what an abort finds waiting, and serves the rest', async () => {
    const pool = openPool(1)
    const stop = new AbortController()
    const outcomes = [pool.run('a'), pool.run('b', { signal: stop.signal }), pool.run('c')]
    stop.abort()
    await expect(outcomes[1]).rejects.toMatchObject({ code: 'INTERRUPTED' })
    expect((await outcomes[2])?.request).toBe('c')
    await expect(pool.run('d', { signal: stop.signal })).rejects.toMatchObject({ code: 'INTERRUPTED' })
  })

  it('rejects what is under way or waiting when it is closed, and everything later', async () => {
    const flags = new Int32Array(new SharedArrayBuffer(8))
    const pool = openPool(1, { flags: flags.buffer })
    const outcomes = Promise.allSettled([pool.run('hold'), pool.run('a')])
    await untilHeld(flags)
    await pool.close()
    await pool.close()
    for (const outcome of await outcomes) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'EMBEDDING_UNAVAILABLE' } })
    }
    await expect(pool.run('b')).rejects.toMatchObject({ code: 'EMBEDDING_UNAVAILABLE' })
  })
})
