import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { askFor, findIds, makeWrite, OWNER, vectorOf } from '../../testing/memory-store/samples.ts'
import { loadSqlite, type SqliteDatabase } from './database.ts'
import { openSqliteStore } from './open-sqlite-store.ts'
import type { SqliteStore } from './sqlite-store.ts'

// Starting processes takes its time on a busy machine.
vi.setConfig({ testTimeout: 180_000 })

let folder: string
let file: string
const children: ChildProcessWithoutNullStreams[] = []
const opened: Array<{ close(): unknown }> = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'processes-'))
  file = join(folder, 'store.db')
})

afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  for (const one of opened.splice(0)) await one.close()
  rmSync(folder, { recursive: true })
})

async function open(busyMs?: number): Promise<SqliteStore> {
  const store = await openSqliteStore({ file, ...(busyMs !== undefined && { busyMs }) })
  opened.push(store)
  return store
}

/** Takes the write lock of the file until it is closed or rolled back. */
async function holdLock(): Promise<SqliteDatabase> {
  const database = (await loadSqlite()).open(file, { readOnly: false })
  opened.push({ close: () => database.close() })
  database.exec('BEGIN IMMEDIATE')
  return database
}

/** Another process that runs `body` with the store open; `print` sends a line. */
function startProcess(body: string): ChildProcessWithoutNullStreams {
  const url = (path: string): string => JSON.stringify(new URL(path, import.meta.url).href)
  const script = `
    import { openSqliteStore } from ${url('./open-sqlite-store.ts')}
    import { askFor, findIds, makeContent, makeWrite, OWNER, vectorOf } from ${url('../../testing/memory-store/samples.ts')}
    const store = await openSqliteStore({ file: ${JSON.stringify(file)} })
    const print = (line) => process.stdout.write(line + '\\n')
    ${body}
    await store.close()`
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', script])
  children.push(child)
  child.stderr.pipe(process.stderr)
  return child
}

async function linesOf(child: ChildProcessWithoutNullStreams): Promise<string[]> {
  const lines: string[] = []
  for await (const line of createInterface(child.stdout)) lines.push(line)
  return lines
}

describe('several processes', () => {
  it('write at once and lose nothing', async () => {
    const write = (name: string): string => `
      for (let i = 0; i < 15; i++) {
        await store.putDocuments([makeWrite('${name}' + i + '.md', ['shared', '${name} ' + i, 'heron ${name} ' + i])])
        await store.putVectors('test', [{ id: '${name} ' + i, embedText: '${name} ' + i, windows: [vectorOf(i + 1, 1)] }])
        await store.recordAccess(['shared'], new Date(0))
      }`
    const writers = ['one', 'two'].map((name) => startProcess(write(name)))
    const codes = await Promise.all(writers.map((child) => once(child, 'exit')))
    expect(codes.map(([code]) => code)).toEqual([0, 0])
    const store = await open()
    expect(await store.counts('test')).toEqual({
      documents: 30,
      memories: 61,
      places: 90,
      embedded: { test: 30 },
      pending: 31,
    })
    expect(await store.getMemories(['shared'])).toMatchObject([{ placeCount: 30, accessCount: 30 }])
    const found = await store.findCandidates(askFor('heron', { limit: 200 }))
    expect(found).toMatchObject({ documentFrequencies: [30], memoryCount: 61, matchedCount: 30 })
    expect(await store.check()).toEqual([])
  })

  it('read whole documents while others rewrite them, remember and merge; nobody fails', async () => {
    const GENERATIONS = 12
    const DOCUMENTS = 20
    const rewriter = startProcess(`
      for (let g = 0; g < ${GENERATIONS}; g++) {
        const texts = (d) => Array.from({ length: 10 }, (_, n) => 'heron generation' + g + ' ' + d + ' ' + n)
        await store.putDocuments(Array.from({ length: ${DOCUMENTS} }, (_, d) => makeWrite('d' + d + '.md', texts(d))))
        print('written')
      }`)
    const rememberer = startProcess(`
      for (let n = 0; n < 150; n++) await store.addRemembered(makeContent('otter ' + n), {})`)
    const ends = Promise.all([once(rewriter, 'exit'), once(rememberer, 'exit')])
    let isOver = false
    const over = ends.then(() => {
      isOver = true
    })
    await once(rewriter.stdout, 'data')
    const store = await open()
    let looks = 0
    for (; !isOver; looks++) {
      const { candidates } = await store.findCandidates(askFor('heron', { limit: 1000 }))
      const generations = candidates.map(({ memory }) => /generation\d+/.exec(memory.text)?.[0])
      expect(generations).toHaveLength(DOCUMENTS * 10)
      // One write, one state: never some of the old and some of the new.
      expect(new Set(generations).size).toBe(1)
      await new Promise((resolve) => setImmediate(resolve))
    }
    await over
    expect((await ends).map(([code]) => code)).toEqual([0, 0])
    expect(looks).toBeGreaterThan(0)
    expect((await store.counts()).memories).toBe(DOCUMENTS * 10 + 150)
    expect(await store.check()).toEqual([])
  })

  it('are given a named value once, however many ask for it at the same time', async () => {
    const ROUNDS = 40
    const claimants = ['one', 'two'].map((name) =>
      startProcess(`
        let won = 0
        for (let round = 0; round < ${ROUNDS}; round++) {
          if (await store.claimState('round/' + round, null, '${name}')) won += 1
        }
        print(String(won))`),
    )
    const won = await Promise.all(claimants.map(linesOf))
    expect(won.flat().reduce((sum, count) => sum + Number(count), 0)).toBe(ROUNDS)
    const store = await open()
    expect(await store.listStates('round/')).toHaveLength(ROUNDS)
  })

  it('see at once what another has written, searched before or not', async () => {
    const store = await open()
    const other = await open()
    const query = () => askFor('heron', { vectors: [vectorOf(1)], identity: 'test' })
    expect(await findIds(store, query())).toEqual([])
    await other.putDocuments([makeWrite('a.md', ['heron one'])])
    expect(await findIds(store, query())).toEqual(['heron one'])
    await other.putVectors('test', [{ id: 'heron one', embedText: 'heron one', windows: [vectorOf(1)] }])
    expect((await store.findCandidates(query())).candidates).toMatchObject([{ vector: expect.closeTo(1, 2) }])
    await store.putDocuments([makeWrite('b.md', ['heron two'])])
    await other.putDocuments([makeWrite('a.md', ['otter'])])
    expect(await findIds(store, query())).toEqual(['heron two'])
    expect(await findIds(other, query())).toEqual(['heron two'])
    await other.forget({ ids: ['heron two'] }, new Date(0))
    expect(await findIds(store, query())).toEqual([])
    expect((await store.listMemories(OWNER)).map(({ id }) => id)).toEqual(['otter'])
  })

  it('learn that another has taken vectors away', async () => {
    const [store, other] = [await open(), await open()]
    const query = askFor('', { vectors: [vectorOf(1)], identity: 'test' })
    await other.putDocuments(['heron', 'otter'].map((id) => makeWrite(`${id}.md`, [id])))
    const given = ['heron', 'otter'].map((id) => ({ id, embedText: id, windows: [vectorOf(1)] }))
    await other.putVectors('test', given)
    expect(await findIds(store, query)).toEqual(['heron', 'otter'])
    expect(await store.listPendingEmbeddings('test', 9)).toEqual([])
    expect(await other.removeVectors('test')).toBe(2)
    expect(await findIds(store, query)).toEqual([])
    expect((await store.findCandidates(query)).pendingCount).toBe(2)
    expect((await store.listPendingEmbeddings('test', 9)).map(({ id }) => id)).toEqual(['heron', 'otter'])
    await other.putVectors('test', given.slice(1))
    expect(await findIds(store, query)).toEqual(['otter'])
  })

  it('wait for a writer a bounded time, then say that the store is busy', async () => {
    const store = await open(50)
    await store.putDocuments([makeWrite('a.md', ['heron'])])
    const lock = await holdLock()
    await expect(store.putDocuments([makeWrite('b.md', ['otter'])])).rejects.toMatchObject({ code: 'STORE_BUSY' })
    expect(await findIds(store, askFor('heron otter'))).toEqual(['heron'])
    lock.exec('ROLLBACK')
    await store.putDocuments([makeWrite('b.md', ['otter'])])
    expect(await findIds(store, askFor('heron otter'))).toEqual(['heron', 'otter'])
  })

  it('go on as soon as the writer is done, and let the event loop run meanwhile', async () => {
    const store = await open()
    const lock = await holdLock()
    const write = store.putDocuments([makeWrite('a.md', ['heron'])])
    let ticks = 0
    const timer = setInterval(() => {
      ticks += 1
      if (ticks === 3) lock.exec('ROLLBACK')
    }, 1)
    await write
    clearInterval(timer)
    expect(ticks).toBeGreaterThanOrEqual(3)
    expect(await findIds(store, askFor('heron'))).toEqual(['heron'])
  })

  it('keep the log until a reader lets it go, and say so', async () => {
    const store = await open(50)
    await store.putDocuments([makeWrite('a.md', [{ id: 'the-id', text: 'xylophone' }])])
    const reader = (await loadSqlite()).open(file, { readOnly: true })
    opened.push({ close: () => reader.close() })
    reader.exec('BEGIN')
    reader.prepare('SELECT * FROM memory').all()
    expect(await store.forget({ ids: ['the-id'] }, new Date(0))).toEqual(['the-id'])
    expect(await store.check()).toMatchObject([{ id: 'forgotten-in-log' }])
    reader.exec('COMMIT')
    const again = await open()
    expect(await again.check()).toEqual([])
    const bytes = ['', '-wal'].map((suffix) => readFileSync(file + suffix, 'latin1'))
    expect(bytes.some((text) => text.includes('xylophon'))).toBe(false)
  })
})

describe('a process that is killed', () => {
  const BODY = `
    for (let i = 0; ; i++) {
      await store.putDocuments([makeWrite('d' + i + '.md', Array.from({ length: 20 }, (_, n) => 'heron ' + i + ' ' + n))])
      print('put ' + i)
      await store.putVectors('test', [{ id: 'heron ' + i + ' 0', embedText: 'heron ' + i + ' 0', windows: [vectorOf(i + 1)] }])
      await store.addRemembered(makeContent('otter ' + i), {})
      print('remembered ' + i)
      if (i % 3 === 2) {
        await store.forget({ ids: ['otter ' + (i - 1)], documents: [{ root: '/home/ada/notes', path: 'd' + (i - 1) + '.md' }] }, new Date(0))
        print('forgot ' + (i - 1))
      }
    }`

  it.each([10, 23, 37])('loses nothing that was acknowledged, %i lines into its work', async (count) => {
    const child = startProcess(BODY)
    const lines: string[] = []
    for await (const line of createInterface(child.stdout)) {
      lines.push(line)
      if (lines.length === count) child.kill('SIGKILL')
    }
    expect(lines.length).toBeGreaterThanOrEqual(count)
    const store = await open()
    expect(await store.check()).toEqual([])
    const documents = new Map((await store.listDocuments()).map(({ path, memoryCount }) => [path, memoryCount]))
    for (const memories of documents.values()) expect(memories).toBe(20)
    const has = async (id: string): Promise<boolean> => (await store.getMemories([id])).length === 1
    const numbersAfter = (word: string): number[] =>
      lines.filter((line) => line.startsWith(`${word} `)).map((line) => Number(line.split(' ')[1]))
    const forgotten = new Set(numbersAfter('forgot'))
    // What it did last may have been done without being acknowledged.
    const last = Math.max(...numbersAfter('put'))
    for (const number of numbersAfter('put')) {
      if (number < last - 1 || forgotten.has(number))
        expect(documents.has(`d${number}.md`)).toBe(!forgotten.has(number))
    }
    for (const number of numbersAfter('remembered')) {
      if (number < last - 1 || forgotten.has(number)) expect(await has(`otter ${number}`)).toBe(!forgotten.has(number))
    }
    expect(documents.has(`d${last}.md`)).toBe(true)
    await store.putDocuments([makeWrite('after.md', ['newt'])])
    expect(await findIds(store, askFor('newt'))).toEqual(['newt'])
  })

  it('leaves the lock to others', async () => {
    const child = startProcess(`print('open'); for (let i = 0; ; i++) await store.setState('key', String(i))`)
    await once(child.stdout, 'data')
    child.kill('SIGKILL')
    await once(child, 'exit')
    const store = await open(1000)
    await store.setState('key', 'mine')
    expect(await store.getState('key')).toBe('mine')
  })
})

describe('a process of its own', () => {
  it('finds what this one has written', async () => {
    const store = await open()
    await store.putDocuments([makeWrite('a.md', ['heron'])])
    const lines = await linesOf(startProcess(`print(String(await findIds(store, askFor('heron'))))`))
    expect(lines).toEqual(['heron'])
  })
})
