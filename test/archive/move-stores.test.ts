import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { checkArchiveFile, writeArchiveFile } from '../../src/store/archive/archive-file.ts'
import { type ArchivedStore, importArchive } from '../../src/store/archive/import-archive.ts'
import type { MemoryStore } from '../../src/store/memory-store.ts'
import { openSqliteStore } from '../../src/store/sqlite/open-sqlite-store.ts'
import { relate } from '../../src/testing/memory-store/relationships.ts'
import { makeContent, makeWrite, OWNER } from '../../src/testing/memory-store/samples.ts'
import { describeWithServer } from '../postgres/describe-with-server.ts'
import { useStorePool } from '../postgres/store-pool.ts'
import { filling, fillStore } from './fill-store.ts'

const NOW = new Date('2026-08-01T00:00:00Z')
const SEED = 20260801
const clock = (): Date => NOW

let folder = ''
const opened: MemoryStore[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'archive-'))
})
afterEach(async () => {
  await closeAll()
  rmSync(folder, { recursive: true })
})

async function closeAll(): Promise<void> {
  for (const store of opened.splice(0)) await store.close()
}

function keep(store: MemoryStore & { archive(): ArchivedStore['archive'] }): ArchivedStore {
  opened.push(store)
  return { store, archive: store.archive() }
}

let made = 0
async function openSqlite(): Promise<ArchivedStore> {
  return keep(await openSqliteStore({ file: join(folder, `${made++}.sqlite`), clock }))
}

async function exportTo(file: string, { archive }: ArchivedStore) {
  return writeArchiveFile(join(folder, file), archive, { tenants: ['local'], now: NOW, mayReplace: true })
}

/** What a reader sees of a store, beside what the digests say. */
async function look({ store }: ArchivedStore) {
  return {
    // What was forgotten leaves gaps between positions, which nobody sees.
    memories: (await store.listMemories(OWNER)).map(({ place: { position: _, ...place }, ...memory }) => ({
      ...memory,
      place,
    })),
    documents: await store.listDocuments(),
    // Pages come in an order of each store's own.
    relationships: new Set((await store.relationships.page({ filter: OWNER, limit: 100 })).relationships),
    dangling: await store.relationships.listDangling(OWNER.viewer),
    reviews: await store.relationships.listReviews({ filter: OWNER, withMissing: true }),
    totals: await store.relationships.totals(),
    cues: await store.listCues({ kinds: ['task'], filter: OWNER, limit: 100 }),
    tombstones: await store.listTombstones(),
    states: await store.listStates(''),
    findings: (await store.check()).filter(({ severity }) => severity !== 'info'),
  }
}

/** Moves a filled store along a way of stores; at its end everything is as it was. */
function movesWhole(way: ReadonlyArray<() => Promise<ArchivedStore>>, numRuns: number): () => Promise<void> {
  return async () => {
    const property = fc.asyncProperty(filling, async (given) => {
      const [open = openSqlite, ...others] = way
      const first = await open()
      await fillStore(first.store, given)
      const seen = await look(first)
      let { digests } = await exportTo('first.jsonl', first)
      for (const next of others) {
        const to = await next()
        const done = await importArchive(to, join(folder, 'first.jsonl'))
        expect(done).toMatchObject({ isVerified: true, digests })
        expect(await look(to)).toEqual(seen)
        digests = (await exportTo('first.jsonl', to)).digests
      }
      await closeAll()
    })
    await fc.assert(property, { numRuns, seed: SEED, endOnFailure: true })
  }
}

describe('an export of a store', () => {
  it('brings everything into another file', movesWhole([openSqlite, openSqlite], 10), 120_000)

  it('is the user’s own, and never in place of a file that is there', async () => {
    const from = await openSqlite()
    await from.store.putDocuments([makeWrite('a.md', ['heron'])])
    const file = join(folder, 'export.jsonl')
    const { digests } = await writeArchiveFile(file, from.archive, { tenants: ['local'], now: NOW })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(digests.place).toMatchObject({ records: 1, digest: expect.stringMatching(/^[0-9a-f]{64}$/) })
    const again = writeArchiveFile(file, from.archive, { tenants: ['local'], now: NOW })
    await expect(again).rejects.toMatchObject({ code: 'ALREADY_EXISTS' })
  })

  it('that was cut, changed or is something else is refused before anything is written', async () => {
    const from = await openSqlite()
    await from.store.putDocuments([makeWrite('a.md', ['heron', 'otter'])])
    await from.store.setState('tick', 'once')
    await exportTo('export.jsonl', from)
    const whole = readFileSync(join(folder, 'export.jsonl'), 'utf8')
    const lines = whole.trimEnd().split('\n')
    const wrong: Record<string, RegExp> = {
      [lines.slice(0, -1).join('\n')]: /its end is missing/,
      [whole.replace('heron', 'egret')]: /its part "place" is not what was exported/,
      [lines.filter((line) => !line.includes('otter')).join('\n')]: /its part "place"/,
      [`${whole}{"part":"state","key":"a","value":"b"}\n`]: /after its end/,
      [whole.replace('{"part":"state"', '{"part":"stale"')]: /of no kind that is known/,
      [whole.replace('{"part":"state"', '{"part:"state"')]: /is no JSON object/,
      '': /it is empty/,
    }
    const to = await openSqlite()
    for (const [text, message] of Object.entries(wrong)) {
      writeFileSync(join(folder, 'wrong.jsonl'), text)
      const done = importArchive(to, join(folder, 'wrong.jsonl'))
      await expect(done).rejects.toMatchObject({ code: 'SOURCE_UNREADABLE', message: expect.stringMatching(message) })
    }
    for (const other of ['{"name": "Ada"}\n', 'Dear diary']) {
      writeFileSync(join(folder, 'wrong.jsonl'), other)
      await expect(importArchive(to, join(folder, 'wrong.jsonl'))).rejects.toMatchObject({
        code: 'INVALID_OPTION',
        message: expect.stringContaining('is no export'),
      })
    }
    writeFileSync(join(folder, 'wrong.jsonl'), whole.replace('"madeleineStore":1', '"madeleineStore":2'))
    const newer = importArchive(to, join(folder, 'wrong.jsonl'))
    await expect(newer).rejects.toMatchObject({ code: 'INVALID_OPTION', message: expect.stringContaining('newer') })
    await expect(importArchive(to, join(folder, 'none.jsonl'))).rejects.toMatchObject({ code: 'SOURCE_UNREADABLE' })
    expect(await to.archive.isEmpty()).toBe(true)
  })

  it('is not mixed into a store that holds something unless it is to be added; then what is there stays', async () => {
    const [from, to] = [await openSqlite(), await openSqlite()]
    await from.store.addRemembered(makeContent({ id: 'a', text: 'heron' }), {})
    await from.store.putDocuments([makeWrite('a.md', ['otter', 'newt'])])
    await from.store.relationships.put([relate('otter', 'newt', 'supports', { score: 0.9 })], { now: NOW })
    await from.store.setState('tick', 'theirs')
    await exportTo('export.jsonl', from)
    await to.store.addRemembered(makeContent({ id: 'a', text: 'egret' }), {})
    await to.store.putDocuments([makeWrite('b.md', ['otter', 'newt'])])
    await to.store.relationships.put([relate('otter', 'newt', 'supports', { score: 0.2 })], { now: NOW })
    await to.store.setState('tick', 'ours')
    const file = join(folder, 'export.jsonl')
    await expect(importArchive(to, file)).rejects.toMatchObject({ code: 'ALREADY_EXISTS' })
    const done = await importArchive(to, file, { mayAdd: true })
    expect(done).toMatchObject({
      isVerified: false,
      counts: { remembered: { records: 1, added: 0 }, document: { added: 1 }, state: { records: 1, added: 0 } },
    })
    expect(await to.store.getMemories(['a'])).toMatchObject([{ text: 'egret' }])
    expect((await to.store.getMemories(['otter']))[0]?.placeCount).toBe(2)
    expect(await to.store.relationships.list(['otter'], { filter: OWNER })).toMatchObject([{ score: 0.2 }])
    expect(await to.store.getState('tick')).toBe('ours')
  })

  it('may leave vectors out, which are made again from the texts', async () => {
    const [from, to] = [await openSqlite(), await openSqlite()]
    await from.store.putDocuments([makeWrite('a.md', ['heron'])])
    await from.store.putVectors('m', [{ id: 'heron', embedText: 'heron', windows: [Float32Array.of(1, 2)] }])
    const file = join(folder, 'export.jsonl')
    const options = { tenants: ['local'], now: NOW, withoutVectors: true }
    expect((await writeArchiveFile(file, from.archive, options)).digests.vectors.records).toBe(0)
    expect(await importArchive(to, file)).toMatchObject({ isVerified: true })
    expect(await to.store.listPendingEmbeddings('m', 5)).toMatchObject([{ id: 'heron' }])
  })

  it('of a document that is too long for one write keeps its order, and where it is to be read on', async () => {
    const [from, to] = [await openSqlite(), await openSqlite()]
    const texts = Array.from({ length: 2500 }, (_, n) => `turn ${n}`)
    const part = { settled: 2400, cursor: 'byte 9', isLast: true }
    await from.store.putDocuments([{ ...makeWrite('long.jsonl', texts), part }, makeWrite('short.md', ['turn 7'])])
    await exportTo('export.jsonl', from)
    expect(await importArchive(to, join(folder, 'export.jsonl'))).toMatchObject({ isVerified: true })
    const key = { root: '/home/ada/notes', path: 'long.jsonl' }
    expect(await to.store.getCursor(key)).toBe('byte 9')
    expect((await to.store.listDocumentMemories(key, OWNER)).map(({ memory }) => memory.text)).toEqual(texts)
    expect(await checkArchiveFile(join(folder, 'export.jsonl'))).toMatchObject({ header: { tenants: ['local'] } })
  }, 120_000)
})

describeWithServer('a store that moves to PostgreSQL and back', () => {
  const openPostgres = async (): Promise<ArchivedStore> =>
    keep(await useStorePool().open({ tenants: ['local'], clock }))

  it('is the same at every step', movesWhole([openSqlite, openPostgres, openPostgres, openSqlite], 10), 300_000)

  it('that began there is the same in a file', movesWhole([openPostgres, openSqlite], 5), 300_000)
})
