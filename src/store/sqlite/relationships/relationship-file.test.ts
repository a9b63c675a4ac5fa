import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { edgesOf, relate } from '../../../testing/memory-store/relationships.ts'
import { makeContent, makeWrite, OWNER, ROOT } from '../../../testing/memory-store/samples.ts'
import { collectClosed } from '../collect-closed.ts'
import { loadSqlite } from '../database.ts'
import { mendStore } from '../mend/mend-store.ts'
import { APPLICATION_ID, MIGRATIONS } from '../migrations.ts'
import { openSqliteStore } from '../open-sqlite-store.ts'
import type { SqliteStore } from '../sqlite-store.ts'

const NOW = new Date('2026-03-01T12:00:00Z')
const PAGE = 4096

let folder: string
let file: string
const opened: SqliteStore[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'relationships-'))
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

/** Runs SQL on the file, past the store. */
async function tamper(sql: string): Promise<void> {
  const database = (await loadSqlite()).open(file, { readOnly: false })
  database.exec(sql)
  database.close()
}

/** A store with explicit and discovered relationships and a decided review. */
async function makeStore(): Promise<SqliteStore> {
  const store = await open()
  await store.putDocuments([makeWrite('a.md', ['heron', 'otter', 'newt'])])
  await store.addRemembered(makeContent('crane'), {})
  await store.relationships.put([relate('heron', 'crane', 'supports', { reason: 'Ada says so' })], { now: NOW })
  const found = [relate('otter', 'heron', 'references', { origin: 'discovered', score: 0.5 })]
  await store.relationships.replaceDiscovered(await store.relationships.listAwaiting(9), found, NOW)
  await store.relationships.openReviews([{ firstId: 'heron', secondId: 'newt', reason: 'differ' }], NOW)
  const [review] = await store.relationships.listReviews({ filter: OWNER })
  const decision = { decision: 'confirmed' as const, by: 'Ada' }
  await store.relationships.decide(review?.id ?? '', decision, { now: NOW, filter: OWNER })
  return store
}

describe('check and repair of relationships', () => {
  const damages: Array<[string, string]> = [
    ['relationship-strays', 'INSERT INTO relationship VALUES (77, 1, 0, 0.5, 3, 0, 0, \'["",0,[],0]\')'],
    [
      'relationship-strays',
      `INSERT INTO node VALUES (77, 'nobody'); INSERT INTO relationship VALUES (1, 77, 0, 0.5, 3, 0, 0, '["",0,[],0]')`,
    ],
    ['relationships-unreadable', "UPDATE relationship SET detail = '{'"],
    ['relationships-unreadable', 'UPDATE relationship SET score = 9'],
    ['relationships-unreadable', "UPDATE review SET detail = '{'"],
    ['link-queue-strays', "INSERT INTO awaiting_link VALUES ('nobody', 1)"],
    [
      'forgotten-in-relationships',
      `INSERT INTO tombstone VALUES ('memory', 'local', '', 'nobody', '2026-01-01T00:00:00.000Z');
       INSERT INTO anchor SELECT 'nobody', scope, root, path, 9, turn, sketch, successor, likeness FROM anchor LIMIT 1`,
    ],
  ]
  it.each(damages)('find %s, mend it, and lose nothing that people said', async (id, sql) => {
    const store = await makeStore()
    expect(await store.check()).toEqual([])
    await tamper(sql)
    const findings = await store.check()
    expect(findings.map((finding) => finding.id)).toEqual([id])
    expect(Object.keys(await store.repair(findings, NOW))).toEqual([id])
    expect(await store.check()).toEqual([])
    expect(await edgesOf(store, ['heron'], { origin: 'explicit' })).toEqual(['heron supports crane 1'])
    const reviews = await store.relationships.listReviews({ filter: OWNER })
    expect(reviews).toMatchObject([{ status: 'confirmed', history: [{ by: 'Ada' }] }])
  })

  it('let what was lost of discovered ones be found again', async () => {
    const store = await makeStore()
    await tamper("UPDATE relationship SET detail = '{'")
    await store.repair(await store.check(), NOW)
    expect((await store.relationships.listAwaiting(9)).map(({ id }) => id)).toEqual(['heron', 'otter'])
  })
})

describe('a relationship in the file', () => {
  it('leaves no word of a forgotten memory behind, whatever was said of it', async () => {
    const store = await open()
    await store.putDocuments([makeWrite('secretpath.md', [{ id: 'quagmire-id', text: 'quagmire at night' }, 'heron'])])
    await store.addRemembered(makeContent('crane'), {})
    const { relationships } = store
    const said = { reason: 'because of xylophones', metadata: { zeppelin: 'marmalade' } }
    await relationships.put([relate('quagmire-id', 'crane', 'supports', said)], { now: NOW })
    await relationships.openReviews([{ firstId: 'heron', secondId: 'quagmire-id', reason: 'pomegranate' }], NOW)
    const [review] = await relationships.listReviews({ filter: OWNER })
    const decision = { decision: 'dismissed' as const, by: 'Bartholomew', note: 'rhubarb' }
    await relationships.decide(review?.id ?? '', decision, { now: NOW, filter: OWNER })
    const found = [relate('heron', 'quagmire-id', 'references', { origin: 'discovered', reason: 'gooseberry' })]
    await relationships.replaceDiscovered([{ id: 'heron' }], found, NOW)
    await store.forget({ ids: ['quagmire-id'] }, NOW)
    const namesWith = (word: string): string[] =>
      readdirSync(folder).filter((name) => readFileSync(join(folder, name), 'latin1').includes(word))
    for (const word of ['xylophone', 'zeppelin', 'marmalade', 'pomegranate', 'artholomew', 'rhubarb', 'gooseberry']) {
      expect([word, namesWith(word)]).toEqual([word, []])
    }
    await store.close()
    const database = (await loadSqlite()).open(file, { readOnly: true })
    const ids = (sql: string): unknown[] =>
      database
        .prepare(sql)
        .all()
        .map(({ id }) => id)
    expect(ids('SELECT id FROM node ORDER BY id')).not.toContain('quagmire-id')
    expect(ids('SELECT id FROM anchor')).not.toContain('quagmire-id')
    expect(ids('SELECT id FROM awaiting_link')).not.toContain('quagmire-id')
    database.close()
  })

  it('is read from the index of an end alone, strongest first, without sorting', async () => {
    await (await makeStore()).close()
    const database = (await loadSqlite()).open(file, { readOnly: true })
    for (const side of ['source', 'target']) {
      const plan = database
        .prepare(
          `EXPLAIN QUERY PLAN SELECT source, target, type, score, found_by FROM relationship
           INDEXED BY relationship_by_${side} WHERE ${side} = 1 AND score >= 0.5 ORDER BY score DESC`,
        )
        .all()
        .map(({ detail }) => String(detail))
      expect(plan).toHaveLength(1)
      expect(plan[0]).toContain(`COVERING INDEX relationship_by_${side} (${side}=? AND score>?)`)
    }
    database.close()
  })
})

describe('a store from before relationships', () => {
  it('is upgraded after a copy, and all its memories wait to be linked', async () => {
    writeFileSync(file, '', { mode: 0o600 })
    const database = (await loadSqlite()).open(file, { readOnly: false })
    for (const migration of MIGRATIONS.slice(0, 2)) database.exec(migration)
    database.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = 2`)
    database.exec(`INSERT INTO scope VALUES (1, 'local', 'main', '', 'private');
      INSERT INTO document VALUES (1, '', 'remembered/heron', 'local', 1, '', '', 0, 0, 1);
      INSERT INTO memory VALUES (1, 'heron', 1, 0.5, 'active', 'heron',
        '{"category":"memory","tier":"semantic","type":"fact","trust":"owner","headerPath":[]}', NULL, 1, 2, 1, 0, 1);
      INSERT INTO place VALUES (1, 0, 1, NULL, '{"startLine":1,"endLine":1}', NULL);
      UPDATE meta SET value = 2 WHERE key = 'next_ordinal'`)
    database.close()
    const store = await open()
    expect(existsSync(`${file}.v2.bak`)).toBe(true)
    expect(await store.relationships.listAwaiting(9)).toMatchObject([{ id: 'heron' }])
    expect(await store.check()).toEqual([])
    await store.addRemembered(makeContent('crane'), {})
    await store.relationships.put([relate('heron', 'crane')], { now: NOW })
    expect(await edgesOf(store, ['crane'])).toEqual(['heron references crane 1'])
  })
})

describe('mending a damaged store', () => {
  const garbage = (length: number): Uint8Array => Uint8Array.from({ length }, (_, at) => (at * 37 + 11) & 0xff)

  it('keeps what people said of relationships, for when the documents are back, edited or not', async () => {
    const store = await makeStore()
    await store.addRemembered(makeContent('gone'), {})
    await store.relationships.put([relate('gone', 'heron')], { now: NOW })
    await store.forget({ ids: ['gone'] }, NOW)
    await store.close()
    await collectClosed(await loadSqlite())
    writeFileSync(file, Buffer.concat([garbage(100), readFileSync(file).subarray(100)]))
    const mended = await mendStore({ file, clock: () => NOW })
    expect(mended).toMatchObject({ relationships: 1, reviews: 1, unread: [] })
    const kept = readFileSync(mended.kept, 'utf8')
    for (const said of ['Ada says so', '"kind":"relationship"', '"kind":"review"', '"by":"Ada"']) {
      expect(kept).toContain(said)
    }
    const again = await open()
    expect(await again.relationships.totals()).toMatchObject({ explicit: 1, discovered: 0, dangling: 1 })
    expect(await again.relationships.listDangling(OWNER.viewer)).toMatchObject([
      { missing: [{ id: 'heron', root: ROOT, path: 'a.md' }] },
    ])
    await again.putDocuments([makeWrite('a.md', [{ id: 'heron2', text: 'the heron' }, 'otter', 'newt'])])
    expect(await edgesOf(again, ['crane'])).toEqual(['heron2 supports crane 1'])
    const reviews = await again.relationships.listReviews({ filter: OWNER })
    expect(reviews).toMatchObject([{ firstId: 'heron2', secondId: 'newt', status: 'confirmed', confirmations: 1 }])
    expect(await again.check()).toEqual([])
  })

  it('loses only what it names, whatever pages are garbled', async () => {
    const many = 60
    const store = await open()
    const names = Array.from({ length: many }, (_, n) => `heron ${n}`)
    await store.putDocuments([makeWrite('a.md', names)])
    const said = names.slice(1).map((id) => relate('heron 0', id, 'supports', { reason: 'reed '.repeat(40) }))
    await store.relationships.put(said, { now: NOW })
    const found = names.slice(2).map((id) => relate('heron 1', id, 'references', { origin: 'discovered', score: 0.5 }))
    await store.relationships.replaceDiscovered([{ id: 'heron 1' }], found, NOW)
    await store.close()
    await collectClosed(await loadSqlite())
    const intact = join(folder, 'intact.db')
    copyFileSync(file, intact)
    const bytes = readFileSync(intact)
    const pages = bytes.length / PAGE
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.integer({ min: 1, max: pages - 1 }), { maxLength: 4 }), async (broken) => {
        const damaged = Buffer.from(bytes)
        for (const page of broken) damaged.set(garbage(PAGE), page * PAGE)
        writeFileSync(file, damaged)
        const mended = await mendStore({ file, clock: () => NOW })
        const again = await openSqliteStore({ file })
        const { explicit } = await again.relationships.totals()
        expect(explicit).toBe(mended.relationships)
        if (explicit < many - 1) expect(mended.unread).not.toEqual([])
        expect(await again.check()).toEqual([])
        await again.close()
        for (const name of readdirSync(folder)) if (/damaged|kept/.test(name)) rmSync(join(folder, name))
      }),
      { numRuns: 8 },
    )
  })
})
