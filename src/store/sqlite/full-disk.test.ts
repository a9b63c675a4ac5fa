import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { askFor, findIds, makeContent, makeWrite, OWNER, vectorOf } from '../../testing/memory-store/samples.ts'
import { openSqliteStore, type SqliteStoreOptions } from './open-sqlite-store.ts'
import type { SqliteStore } from './sqlite-store.ts'

let folder: string
let file: string
const opened: SqliteStore[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'full-'))
  file = join(folder, 'store.db')
})

afterEach(async () => {
  await closeAll()
  rmSync(folder, { recursive: true, force: true })
})

async function closeAll(): Promise<void> {
  for (const store of opened.splice(0)) await store.close()
}

async function open(options: Partial<SqliteStoreOptions> = {}): Promise<SqliteStore> {
  const store = await openSqliteStore({ file, ...options })
  opened.push(store)
  return store
}

const LONG = 'reed '.repeat(400)
const FULL = {
  code: 'STORE_UNUSABLE',
  message: expect.stringMatching(/^Cannot use store .*store\.db: the disk (?:is full|failed or is full)$/),
  remedy: expect.stringMatching(/space/),
}

/** Remembers until the disk is full; returns the ids that were acknowledged. */
async function fillUp(store: SqliteStore): Promise<string[]> {
  const acknowledged: string[] = []
  for (let n = 0; n < 5000; n++) {
    const outcome = await store.addRemembered(makeContent({ id: `m${n}`, text: `otter ${n} ${LONG}` }), {}).then(
      () => null,
      (error: unknown) => error,
    )
    if (outcome !== null) {
      expect(outcome).toMatchObject(FULL)
      return acknowledged
    }
    acknowledged.push(`m${n}`)
  }
  throw new Error('The disk never was full')
}

/** What must hold on a full disk, and once there is room again. */
async function expectNothingLost(store: SqliteStore, acknowledged: readonly string[]): Promise<void> {
  expect((await store.listMemories(OWNER)).map(({ id }) => id).sort()).toEqual([...acknowledged].sort())
  expect(await findIds(store, askFor('otter', { limit: 1 }))).toHaveLength(1)
  expect(await store.check()).toEqual([])
}

describe('a full disk', () => {
  it('refuses what does not fit, says so, and keeps what was acknowledged; with room again all goes on', async () => {
    const store = await open({ maxPages: 400 })
    const acknowledged = await fillUp(store)
    expect(acknowledged.length).toBeGreaterThan(10)
    await expectNothingLost(store, acknowledged)
    const texts = Array.from({ length: 200 }, (_, n) => `heron ${n} ${LONG}`)
    await expect(store.putDocuments([makeWrite('a.md', texts)])).rejects.toMatchObject(FULL)
    const windows = Array.from({ length: 4000 }, () => vectorOf(1))
    const vectors = [{ id: 'm0', embedText: `otter 0 ${LONG}`, windows }]
    await expect(store.putVectors('test', vectors)).rejects.toMatchObject(FULL)
    await expectNothingLost(store, acknowledged)
    await closeAll()
    const roomy = await open()
    await expectNothingLost(roomy, acknowledged)
    await roomy.putDocuments([makeWrite('a.md', texts)])
    await roomy.putVectors('test', vectors)
    expect(await roomy.counts()).toMatchObject({ memories: acknowledged.length + 200 })
    expect(await roomy.check()).toEqual([])
  })

  it('lets go: forgetting makes room', async () => {
    const store = await open({ maxPages: 400 })
    const acknowledged = await fillUp(store)
    await store.forget({ ids: acknowledged.slice(0, 5) }, new Date(0))
    await store.addRemembered(makeContent({ id: 'new', text: `newt ${LONG}` }), {})
    expect(await store.check()).toEqual([])
  })

  const disk = join(tmpdir(), `full-disk-${process.pid}`)
  const canMount = ((): boolean => {
    if (process.platform !== 'linux' || process.getuid?.() !== 0) return false
    mkdirSync(disk, { recursive: true })
    const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m,mode=700', 'tmpfs', disk]).status === 0
    if (isMounted) spawnSync('umount', [disk])
    else rmSync(disk, { recursive: true })
    return isMounted
  })()

  it.skipIf(!canMount)('of one megabyte, a real one, does the same', async () => {
    const remount = (size: string): void => {
      expect(spawnSync('mount', ['-o', `remount,size=${size}`, disk]).status).toBe(0)
    }
    expect(spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m,mode=700', 'tmpfs', disk]).status).toBe(0)
    try {
      file = join(disk, 'store.db')
      const store = await open()
      const acknowledged = await fillUp(store)
      expect(acknowledged.length).toBeGreaterThan(10)
      await expectNothingLost(store, acknowledged)
      remount('20m')
      await store.addRemembered(makeContent({ id: 'after', text: 'newt' }), {})
      await expectNothingLost(store, [...acknowledged, 'after'])
      await closeAll()
      await expectNothingLost(await open(), [...acknowledged, 'after'])
      await closeAll()
    } finally {
      await closeAll()
      spawnSync('umount', ['-l', disk])
      rmSync(disk, { recursive: true, force: true })
    }
  })
})

const isRoot = process.getuid?.() === 0

describe('a place that may not be written', () => {
  it.skipIf(isRoot)('is named with what to do, whether it is the folder or the file', async () => {
    const locked = join(folder, 'locked')
    mkdirSync(locked, { mode: 0o500 })
    file = join(locked, 'store.db')
    await expect(open()).rejects.toMatchObject({ code: 'STORE_UNUSABLE', remedy: expect.stringMatching(/permissions/) })
    chmodSync(locked, 0o700)
    const store = await open()
    await store.addRemembered(makeContent('heron'), {})
    await closeAll()
    chmodSync(file, 0o400)
    const readable = await open()
    expect(await findIds(readable, askFor('heron'))).toEqual(['heron'])
    await expect(readable.addRemembered(makeContent('otter'), {})).rejects.toMatchObject({
      code: 'STORE_UNUSABLE',
      remedy: expect.stringMatching(/permissions/),
    })
    await closeAll()
    chmodSync(file, 0o000)
    await expect(open()).rejects.toMatchObject({ code: 'STORE_UNUSABLE', remedy: expect.stringMatching(/read/) })
    chmodSync(file, 0o600)
  })

  it('is named when a file stands where the folder should be', async () => {
    writeFileSync(join(folder, 'taken'), 'a letter')
    file = join(folder, 'taken', 'store.db')
    await expect(open()).rejects.toMatchObject({ code: 'STORE_UNUSABLE', message: expect.stringContaining(file) })
    expect(readFileSync(join(folder, 'taken'), 'utf8')).toBe('a letter')
  })
})
