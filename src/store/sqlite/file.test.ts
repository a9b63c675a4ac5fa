import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { askFor, findIds, makeContent, makeWrite, OWNER, ROOT, vectorOf } from '../../testing/memory-store/samples.ts'
import { Connection } from './connection.ts'
import { loadSqlite } from './database.ts'
import { APPLICATION_ID, MIGRATIONS } from './migrations.ts'
import { openSqliteStore, type SqliteStoreOptions } from './open-sqlite-store.ts'
import { prepareSchema } from './prepare-schema.ts'
import type { SqliteStore } from './sqlite-store.ts'

const NOW = new Date('2026-03-01T12:00:00Z')

let folder: string
let file: string
const opened: SqliteStore[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'store-'))
  file = join(folder, 'store.db')
})

afterEach(async () => {
  for (const store of opened.splice(0)) await store.close()
  rmSync(folder, { recursive: true })
})

async function open(options: Partial<SqliteStoreOptions> = {}): Promise<SqliteStore> {
  const store = await openSqliteStore({ file, ...options })
  opened.push(store)
  return store
}

/** Runs SQL on the file, past the store. */
async function tamper(sql: string): Promise<void> {
  const database = (await loadSqlite()).open(file, { readOnly: false })
  database.exec(sql)
  database.close()
}

const modeOf = (name: string): number => statSync(name).mode & 0o777

describe('openSqliteStore', () => {
  it('makes folder and files the user’s alone, from the first byte', async () => {
    file = join(folder, 'new', 'deep', 'store.db')
    const store = await open()
    await store.putDocuments([makeWrite('a.md', ['heron'])])
    expect(modeOf(join(folder, 'new'))).toBe(0o700)
    expect(modeOf(join(folder, 'new', 'deep'))).toBe(0o700)
    for (const suffix of ['', '-wal', '-shm']) expect(modeOf(file + suffix)).toBe(0o600)
  })

  it('reports a file that others may read and leaves it as it is', async () => {
    const store = await open()
    chmodSync(file, 0o644)
    expect(await store.check()).toMatchObject([{ id: 'store-readable-by-others', severity: 'warning' }])
    expect(modeOf(file)).toBe(0o644)
  })

  it('sees everything again after a restart', async () => {
    const store = await open({ clock: () => NOW })
    await store.putDocuments([makeWrite('a.md', ['heron', 'otter'])])
    await store.putVectors('test', [{ id: 'heron', embedText: 'heron', windows: [vectorOf(1)] }])
    await store.addRemembered(makeContent('newt'), {})
    await store.forget({ ids: ['otter'] }, NOW)
    await store.recordAccess(['heron'], NOW)
    await store.setState('key', 'value')
    const query = askFor('heron newt', { vectors: [vectorOf(1, 1)], identity: 'test' })
    const observe = async (from: SqliteStore) => [
      await from.listDocuments(),
      await from.findCandidates(query),
      await from.listTombstones(),
      await from.counts('test'),
      await from.getState('key'),
    ]
    const before = await observe(store)
    await store.close()
    expect(await observe(await open())).toEqual(before)
    expect(before[0]).toMatchObject([{ indexedAtMs: NOW.getTime() }])
  })

  it('refuses a database of another program and a file that is none, and leaves them as they are', async () => {
    await tamper('CREATE TABLE notes (text)')
    const before = readFileSync(file)
    await expect(open()).rejects.toMatchObject({ code: 'STORE_UNUSABLE', remedy: expect.stringContaining('--store') })
    expect(readFileSync(file)).toEqual(before)
    file = join(folder, 'notes.txt')
    writeFileSync(file, 'My notes, which are no database at all.'.repeat(100))
    await expect(open()).rejects.toMatchObject({ code: 'STORE_UNUSABLE' })
    expect(readFileSync(file, 'utf8')).toContain('My notes')
    expect(readdirSync(folder).sort()).toEqual(['notes.txt', 'store.db'])
  })

  it('refuses a store of a newer version', async () => {
    await (await open()).close()
    await tamper(`PRAGMA user_version = ${MIGRATIONS.length + 1}`)
    await expect(open()).rejects.toMatchObject({ code: 'STORE_UNUSABLE', remedy: expect.stringContaining('Update') })
  })

  it('says where it cannot create a file', async () => {
    file = join(folder, 'a file', 'store.db')
    writeFileSync(join(folder, 'a file'), '')
    await expect(open()).rejects.toMatchObject({ code: 'STORE_UNUSABLE', message: expect.stringContaining(file) })
  })

  it('only reads when it is told to', async () => {
    await expect(open({ readonly: true })).rejects.toMatchObject({ code: 'STORE_UNUSABLE' })
    expect(existsSync(file)).toBe(false)
    const writer = await open()
    await writer.putDocuments([makeWrite('a.md', ['heron'])])
    const reader = await open({ readonly: true })
    expect(await findIds(reader, askFor('heron'))).toEqual(['heron'])
    await expect(reader.putDocuments([makeWrite('b.md', ['otter'])])).rejects.toMatchObject({ code: 'STORE_UNUSABLE' })
  })

  it('tells what compares vectors', async () => {
    expect((await open({ noNative: true })).vectorBackend).toBe('js')
  })
})

describe('an upgrade of the schema', () => {
  it('backs up first, runs what is missing, and keeps the data', async () => {
    const store = await open()
    await store.addRemembered(makeContent('heron'), {})
    await store.close()
    const database = (await loadSqlite()).open(file, { readOnly: false })
    const connection = new Connection(database, file)
    const migrations = [...MIGRATIONS, 'CREATE TABLE novelty (value); INSERT INTO novelty VALUES (1)']
    await prepareSchema(connection, { file, readonly: false, migrations })
    expect(connection.sql('SELECT value FROM novelty').all()).toHaveLength(1)
    expect(connection.sql('PRAGMA user_version').get()).toMatchObject({ user_version: migrations.length })
    connection.close()
    const backup = `${file}.v${MIGRATIONS.length}.bak`
    expect(modeOf(backup)).toBe(0o600)
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([])
    file = backup
    expect(await findIds(await open(), askFor('heron'))).toEqual(['heron'])
  })

  it('changes nothing when a migration fails', async () => {
    await (await open()).close()
    const connection = new Connection((await loadSqlite()).open(file, { readOnly: false }), file)
    const migrations = [...MIGRATIONS, 'CREATE TABLE novelty (value); SELECT nonsense']
    await expect(prepareSchema(connection, { file, readonly: false, migrations })).rejects.toThrow('nonsense')
    expect(connection.sql('PRAGMA user_version').get()).toMatchObject({ user_version: MIGRATIONS.length })
    expect(connection.sql('PRAGMA application_id').get()).toMatchObject({ application_id: APPLICATION_ID })
    connection.close()
    expect(readdirSync(folder).filter((name) => name.endsWith('.bak'))).toEqual([])
    expect(await (await open()).check()).toEqual([])
  })

  it('keeps the copies of earlier upgrades', async () => {
    await (await open()).close()
    const backup = `${file}.v${MIGRATIONS.length}.bak`
    writeFileSync(backup, 'the copy of another store that stood here')
    const connection = new Connection((await loadSqlite()).open(file, { readOnly: false }), file)
    await prepareSchema(connection, { file, readonly: false, migrations: [...MIGRATIONS, 'CREATE TABLE novelty (v)'] })
    connection.close()
    expect(readFileSync(backup, 'utf8')).toContain('another store')
    expect(statSync(`${file}.v${MIGRATIONS.length}-2.bak`).size).toBeGreaterThan(4096)
  })
})

describe('forgetting in the file', () => {
  it('leaves no word of the memory in it or beside it', async () => {
    const store = await open()
    const secret = makeContent({
      id: 'the-id',
      text: `xylophone quagmire ${'filler '.repeat(50)}`,
      headerPath: ['Zeppelins'],
      embedText: 'Zeppelins: xylophone quagmire',
      speaker: 'Bartholomew',
    })
    const write = makeWrite('a.md', ['heron', { id: 'other-id', text: 'otter xylophones' }, 'zebra'])
    await store.putDocuments([
      { ...write, memories: [...write.memories, { content: secret, place: { startLine: 9, endLine: 9 } }] },
    ])
    await store.putVectors('test', [{ id: 'the-id', embedText: secret.embedText, windows: [vectorOf(1)] }])
    await store.forget({ ids: ['the-id', 'other-id'] }, NOW)
    const namesWith = (word: string): string[] =>
      readdirSync(folder).filter((name) => readFileSync(join(folder, name), 'latin1').includes(word))
    for (const word of ['quagmire', 'xylophon', 'zeppelin', 'Zeppelin', 'artholomew', 'filler']) {
      expect([word, namesWith(word)]).toEqual([word, []])
    }
    expect(namesWith('heron')).toEqual(['store.db'])
    expect(await store.check()).toEqual([])
  })

  it('reaches words that another tokenizer has put into the index', async () => {
    const store = await open()
    await store.putDocuments([makeWrite('a.md', [{ id: 'the-id', text: 'heron' }, 'otter'])])
    await tamper("PRAGMA secure_delete = ON; UPDATE memory SET text = '.' WHERE id = 'the-id'")
    await store.forget({ ids: ['the-id'] }, NOW)
    expect(readFileSync(file, 'latin1').includes('heron')).toBe(false)
    expect(await findIds(store, askFor('heron'))).toEqual([])
    expect(await findIds(store, askFor('otter'))).toEqual(['otter'])
  })
})

describe('the keyword index', () => {
  it('is made anew when it was made with other terms', async () => {
    const store = await open()
    await store.putDocuments([makeWrite('a.md', ['heron newt', 'otter']), makeWrite('b.md', ['crane'])])
    const before = await store.findCandidates(askFor('heron crane'))
    await store.close()
    await tamper(
      "DELETE FROM posting_page; UPDATE memory SET length = 7; UPDATE meta SET value = 'old' WHERE key = 'index_version'",
    )
    await expect(open({ readonly: true })).rejects.toMatchObject({ code: 'STORE_UNUSABLE' })
    const again = await open()
    expect(await again.findCandidates(askFor('heron crane'))).toEqual(before)
    expect(await again.check()).toEqual([])
  })

  it('takes no terms from a process that makes them in another way', async () => {
    const store = await open()
    await tamper("UPDATE meta SET value = 'newer' WHERE key = 'index_version'")
    await expect(store.putDocuments([makeWrite('a.md', ['heron'])])).rejects.toMatchObject({ code: 'STORE_UNUSABLE' })
  })
})

describe('removal', () => {
  it('leaves rows for nothing that is gone', async () => {
    const store = await open()
    await store.putDocuments([makeWrite('a.md', ['heron', 'otter'])])
    await store.putVectors('test', [{ id: 'heron', embedText: 'heron', windows: [vectorOf(1)] }])
    await store.removeDocuments([{ root: ROOT, path: 'a.md' }])
    expect(await store.listMemories(OWNER)).toEqual([])
    await store.close()
    const database = (await loadSqlite()).open(file, { readOnly: true })
    const tables = [
      'document',
      'memory',
      'place',
      'segment',
      'posting_page',
      'posting_block',
      'embedding',
      'vector_page',
      'vector_exact',
    ]
    for (const table of tables)
      expect(database.prepare(`SELECT count(*) AS n FROM ${table}`).get()).toMatchObject({ n: 0 })
    database.close()
  })
})
