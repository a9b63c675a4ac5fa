import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { askFor, findIds, makeContent, makeWrite, ROOT } from '../../../testing/memory-store/samples.ts'
import { collectClosed } from '../collect-closed.ts'
import { loadSqlite } from '../database.ts'
import { openSqliteStore } from '../open-sqlite-store.ts'
import type { SqliteStore } from '../sqlite-store.ts'
import { mendStore } from './mend-store.ts'

const NOW = new Date('2026-03-01T12:00:00Z')
const PAGE = 4096
const REMEMBERED = 40

let folder: string
let file: string
const opened: SqliteStore[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mend-'))
  file = join(folder, 'store.db')
})

afterEach(async () => {
  for (const store of opened.splice(0)) await store.close()
  rmSync(folder, { recursive: true })
})

async function open(): Promise<SqliteStore> {
  const store = await openSqliteStore({ file })
  opened.push(store)
  return store
}

const mend = () => mendStore({ file, clock: () => NOW })

/** A store with documents, remembered memories, a tombstone, accesses and state. */
async function makeStore(): Promise<void> {
  const store = await open()
  const texts = (n: number): string[] => Array.from({ length: 20 }, (_, at) => `heron ${n} ${at} ${'reed '.repeat(30)}`)
  const remember = async (from: number, to: number): Promise<void> => {
    const scope = { agent: 'ravi', visibility: 'team' as const }
    const place = { occurredAt: '2026-01-02T03:04:05.000Z', sessionId: 's' }
    for (let n = from; n < to; n++)
      await store.addRemembered(makeContent({ id: `m${n}`, text: `otter ${n}`, scope }), place)
  }
  await remember(0, REMEMBERED / 2)
  await store.putDocuments(Array.from({ length: 20 }, (_, n) => makeWrite(`d${n}.md`, texts(n))))
  await remember(REMEMBERED / 2, REMEMBERED)
  await store.addRemembered(makeContent({ id: 'gone', text: 'newt' }), {})
  await store.forget({ ids: ['gone'], documents: [{ root: ROOT, path: 'd3.md' }] }, NOW)
  await store.recordAccess(['m1', 'm2'], NOW)
  await store.setState('key', 'value')
  await store.close()
  await collectClosed(await loadSqlite())
}

/** Overwrites bytes of the file. */
function overwrite(at: number, bytes: Uint8Array): void {
  const all = readFileSync(file)
  all.set(bytes, at)
  writeFileSync(file, all)
}

const garbage = (length: number): Uint8Array => Uint8Array.from({ length }, (_, at) => (at * 37 + 11) & 0xff)

async function expectDamaged(): Promise<void> {
  await expect(openSqliteStore({ file })).rejects.toMatchObject({
    code: 'STORE_DAMAGED',
    remedy: expect.stringContaining('doctor --fix'),
  })
}

/** All that cannot be rebuilt is in the store again, and nothing else. */
async function expectAllKept(): Promise<void> {
  const store = await open()
  const memories = await store.getMemories(Array.from({ length: REMEMBERED }, (_, n) => `m${n}`))
  expect(memories).toHaveLength(REMEMBERED)
  expect(memories[1]).toMatchObject({
    text: 'otter 1',
    scope: { agent: 'ravi', visibility: 'team' },
    place: { occurredAt: '2026-01-02T03:04:05.000Z', sessionId: 's', path: 'remembered/m1' },
    accessCount: 1,
  })
  expect(await store.listTombstones()).toMatchObject([{ key: `${ROOT}\0d3.md` }, ...(await buriedIds(store))])
  expect((await store.listTombstones()).map(({ key }) => key)).toContain('gone')
  expect(await store.getState('key')).toBe('value')
  expect(await store.listDocuments()).toEqual([])
  expect(await store.check()).toEqual([])
  await store.putDocuments([makeWrite('d3.md', ['crane']), makeWrite('d4.md', ['crane'])])
  expect((await store.listDocuments()).map(({ path }) => path)).toEqual(['d4.md'])
  expect(await findIds(store, askFor('crane'))).toEqual(['crane'])
}

async function tamper(sql: string): Promise<void> {
  const database = (await loadSqlite()).open(file, { readOnly: false })
  database.exec(`PRAGMA foreign_keys = OFF; ${sql}`)
  database.close()
  await collectClosed(await loadSqlite())
}

/** Whether opening or the check says that the store is damaged. */
async function findsDamage(): Promise<boolean> {
  try {
    const store = await openSqliteStore({ file })
    try {
      return (await store.check()).some(({ id }) => id === 'store-damaged')
    } finally {
      await store.close()
    }
  } catch (error) {
    return (error as { code?: string }).code === 'STORE_DAMAGED'
  }
}

async function buriedIds(store: SqliteStore): Promise<object[]> {
  return (await store.listTombstones()).filter(({ kind }) => kind === 'memory')
}

describe('mendStore', () => {
  it.each(['DELETE FROM meta', 'DROP TABLE meta'])('mends a store that cannot even be opened: %s', async (sql) => {
    await makeStore()
    await tamper(sql)
    await expectDamaged()
    await mend()
    await expectAllKept()
  })

  it('tells of a table that is gone, and keeps what the others hold', async () => {
    await makeStore()
    const whole = readFileSync(file)
    for (const table of ['access', 'document', 'tombstone', 'state', 'posting_page']) {
      rmSync(folder, { recursive: true })
      mkdirSync(folder, { mode: 0o700 })
      writeFileSync(file, whole, { mode: 0o600 })
      await tamper(`DROP TABLE ${table}`)
      expect([table, await findsDamage()]).toEqual([table, true])
      await collectClosed(await loadSqlite())
      await mend()
      const store = await openSqliteStore({ file })
      const tombstones = (await store.listTombstones()).length
      expect([table, tombstones > 0]).toEqual([table, table !== 'tombstone'])
      expect([table, await store.getState('key')]).toEqual([table, table === 'state' ? null : 'value'])
      expect([table, await store.check()]).toEqual([table, []])
      await store.close()
    }
  })

  it.each([
    ['a garbled header', () => overwrite(0, garbage(100))],
    ['a garbled first page', () => overwrite(0, garbage(PAGE))],
    ['a header that names no program', () => overwrite(68, new Uint8Array(4))],
  ])('keeps all that cannot be rebuilt of a store with %s, and the file as it was found', async (_, damage) => {
    await makeStore()
    damage()
    const found = readFileSync(file)
    await expectDamaged()
    expect(readFileSync(file).equals(found)).toBe(true)
    const mended = await mend()
    expect(mended).toMatchObject({
      memories: REMEMBERED,
      memoriesOfUnknownOrigin: 0,
      accesses: 2,
      states: 1,
      unread: [],
    })
    expect(readFileSync(mended.setAside).equals(found)).toBe(true)
    const lines = readFileSync(mended.kept, 'utf8').trimEnd().split('\n')
    const kinds = lines.map((line) => JSON.parse(line).kind)
    expect(kinds.filter((kind) => kind === 'memory')).toHaveLength(REMEMBERED)
    expect(kinds[0]).toBe('kept')
    for (const name of [mended.setAside, mended.kept, file]) expect(statSync(name).mode & 0o077).toBe(0)
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([])
    await expectAllKept()
  })

  it('keeps what stands before the place where a file was cut off', async () => {
    await makeStore()
    truncateSync(file, Math.floor((statSync(file).size * 0.8) / PAGE) * PAGE + 100)
    const { memories, unread, forgotten } = await mend()
    // The tables that cannot be rebuilt begin early; what was remembered last stands at the end.
    expect(forgotten).toBeGreaterThan(0)
    expect(memories).toBeGreaterThan(0)
    expect(memories + unread.length).toBeGreaterThanOrEqual(REMEMBERED)
    const store = await open()
    expect((await store.counts()).memories).toBe(memories)
    expect(await store.check()).toEqual([])
  })

  it('makes a sound store of whatever pages are garbled, loses only what it names, and never fails', async () => {
    await makeStore()
    const intact = join(folder, 'intact.db')
    copyFileSync(file, intact)
    const pages = statSync(file).size / PAGE
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.integer({ min: 1, max: pages - 1 }), { maxLength: 6 }), async (broken) => {
        copyFileSync(intact, file)
        for (const page of broken) overwrite(page * PAGE, garbage(PAGE))
        const mended = await mend()
        const store = await openSqliteStore({ file })
        expect(await store.check()).toEqual([])
        const kept = (await store.counts()).memories
        expect(kept).toBe(mended.memories)
        if (kept < REMEMBERED) expect(mended.unread).not.toEqual([])
        await store.close()
        for (const name of readdirSync(folder)) if (/damaged|kept/.test(name)) rmSync(join(folder, name))
      }),
      { numRuns: 10 },
    )
  })

  it('reads the log too', async () => {
    await makeStore()
    const store = await open()
    await store.addRemembered(makeContent({ id: 'last', text: 'crane' }), {})
    // As a process that was killed leaves it.
    for (const suffix of ['', '-wal']) copyFileSync(file + suffix, join(folder, `copy.db${suffix}`))
    await store.close()
    file = join(folder, 'copy.db')
    overwrite(0, garbage(100))
    const { memories, setAside } = await mend()
    expect(memories).toBe(REMEMBERED + 1)
    expect(existsSync(`${setAside}-wal`)).toBe(true)
    expect(await (await open()).getMemories(['last'])).toHaveLength(1)
  })

  it('takes an empty file for a new store, but not one whose log is not empty', async () => {
    writeFileSync(file, '')
    await (await open()).close()
    writeFileSync(`${file}-wal`, 'what is left of a log')
    writeFileSync(file, '')
    await expectDamaged()
    expect(readFileSync(`${file}-wal`, 'utf8')).toBe('what is left of a log')
    rmSync(file)
    await expectDamaged()
  })

  it('touches nothing that is no store of ours, or of a newer version, or open elsewhere', async () => {
    const letter = 'My notes, which are no database at all.'.repeat(200)
    writeFileSync(file, letter)
    await expect(mend()).rejects.toMatchObject({ code: 'STORE_UNUSABLE' })
    expect(readFileSync(file, 'utf8')).toBe(letter)
    rmSync(file)

    const database = (await loadSqlite()).open(file, { readOnly: false })
    database.exec('CREATE TABLE notes (text)')
    database.close()
    const foreign = readFileSync(file)
    await expect(mend()).rejects.toMatchObject({ code: 'STORE_UNUSABLE' })
    expect(readFileSync(file).equals(foreign)).toBe(true)
    rmSync(file)

    await makeStore()
    const newer = readFileSync(file)
    newer.writeUInt32BE(999, 60)
    writeFileSync(file, newer)
    await expect(mend()).rejects.toMatchObject({ code: 'STORE_UNUSABLE', remedy: expect.stringContaining('Update') })
    rmSync(file)

    await makeStore()
    const store = await open()
    await store.setState('key', 'in use')
    await expect(mend()).rejects.toMatchObject({ code: 'STORE_BUSY' })
    expect(await store.getState('key')).toBe('in use')
    expect(readdirSync(folder).filter((name) => !/^store\.db(-wal|-shm)?$/.test(name))).toEqual([])
  })

  it('says of a folder that it is one', async () => {
    mkdirSync(file)
    await expect(openSqliteStore({ file })).rejects.toMatchObject({
      code: 'STORE_UNUSABLE',
      message: expect.stringContaining('folder'),
    })
    await expect(openSqliteStore({ file, readonly: true })).rejects.toMatchObject({ code: 'STORE_UNUSABLE' })
  })
})
