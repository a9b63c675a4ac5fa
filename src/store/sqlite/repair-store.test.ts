import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { askFor, makeContent, makeWrite, ROOT, vectorOf } from '../../testing/memory-store/samples.ts'
import { loadSqlite } from './database.ts'
import { openSqliteStore, type SqliteStoreOptions } from './open-sqlite-store.ts'
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

describe('check', () => {
  const damages: Array<[string, string]> = [
    ['keyword-index-differs', "UPDATE memory SET text = 'something else' WHERE id = 'heron'"],
    [
      'keyword-index-strays',
      "PRAGMA foreign_keys = OFF; DELETE FROM memory WHERE id = 'newt'; DELETE FROM place WHERE position = 2",
    ],
    ['places-differ', "UPDATE memory SET place_count = 5 WHERE id = 'heron'"],
    ['documents-miscounted', 'UPDATE document SET memory_count = 9'],
    ['places-differ', 'UPDATE roster SET document = 77'],
    ['places-differ', "UPDATE roster SET members = x'ff'"],
    ['keyword-index-differs', "UPDATE posting_page SET data = x'ff00ff'"],
    ['vectors-differ', "UPDATE vector_page SET data = x'ff'"],
    ['vectors-differ', 'PRAGMA foreign_keys = OFF; DELETE FROM vector_exact'],
    [
      'places-differ',
      "PRAGMA foreign_keys = OFF; DELETE FROM place WHERE ordinal = (SELECT ordinal FROM memory WHERE id = 'newt')",
    ],
    [
      'roster-strays',
      "PRAGMA foreign_keys = OFF; DELETE FROM memory WHERE id = 'newt'; DELETE FROM place WHERE position = 2",
    ],
    ['vectors-differ', 'UPDATE embedding SET text_hash = 1'],
    ['vectors-differ', "UPDATE vector_page SET data = x'00000000'"],
    ['vector-strays', 'PRAGMA foreign_keys = OFF; DELETE FROM embedding'],
    ['state-unreadable', "INSERT INTO state VALUES ('key', '{')"],
    ['forgotten-but-there', "INSERT INTO tombstone VALUES ('memory', 'local', '', 'newt', '2026-01-01T00:00:00.000Z')"],
    [
      'forgotten-but-there',
      `INSERT INTO tombstone VALUES ('document', 'local', '${ROOT}', 'a.md', '2026-01-01T00:00:00.000Z')`,
    ],
  ]
  it.each(damages)('finds %s', async (id, sql) => {
    const store = await open()
    await store.putDocuments([makeWrite('a.md', ['heron', 'otter', 'newt'])])
    await store.putVectors('test', [{ id: 'heron', embedText: 'heron', windows: [vectorOf(1)] }])
    expect(await store.check()).toEqual([])
    await tamper(sql)
    const findings = await store.check()
    expect(findings.map((finding) => finding.id)).toContain(id)
    for (const finding of findings) expect(finding.remedy).not.toBe('')
    const done = await store.repair(findings, NOW)
    expect(Object.keys(done).sort()).toEqual([...new Set(findings.map((finding) => finding.id))].sort())
    expect(await store.check()).toEqual([])
    expect(await store.repair([], NOW)).toEqual({})
  })

  it.each(['PRAGMA foreign_keys = OFF; DELETE FROM document', "UPDATE memory SET detail = '{'"])(
    'takes for damage what cannot be taken apart: %s',
    async (sql) => {
      const store = await open()
      await store.putDocuments([makeWrite('a.md', ['heron', 'otter', 'newt'])])
      await store.putVectors('test', [{ id: 'heron', embedText: 'heron', windows: [vectorOf(1)] }])
      await tamper(sql)
      expect(await store.check()).toMatchObject([
        { id: 'store-damaged', remedy: expect.stringContaining('doctor --fix') },
      ])
    },
  )

  it('repairs without losing what was remembered, or what is found', async () => {
    const store = await open()
    await store.putDocuments([makeWrite('a.md', ['heron newt', 'otter'])])
    await store.addRemembered(makeContent('crane'), { sessionId: 'one' })
    await store.putVectors('test', [{ id: 'crane', embedText: 'crane', windows: [vectorOf(1)] }])
    await store.putVectors('test', [{ id: 'otter', embedText: 'otter', windows: [vectorOf(0, 1)] }])
    const query = askFor('heron crane', { vectors: [vectorOf(1)], identity: 'test' })
    const before = await store.findCandidates(query)
    await tamper(
      `PRAGMA foreign_keys = OFF; DELETE FROM posting_page; DELETE FROM roster; DELETE FROM vector_page;
       UPDATE memory SET place_count = 9; UPDATE document SET memory_count = 0`,
    )
    const again = await open()
    await again.repair(await again.check(), NOW)
    expect(await again.check()).toEqual([])
    expect(await again.findCandidates(query)).toEqual(before)
    await tamper('PRAGMA foreign_keys = OFF; DELETE FROM place')
    await again.repair(await again.check(), NOW)
    expect((await again.getMemories(['crane', 'otter'])).map(({ id }) => id)).toEqual(['crane'])
    expect(await again.check()).toEqual([])
  })
})

describe('what lies about beside the store', () => {
  it('is reported: open files and folders, halves of files; repair closes and clears them', async () => {
    file = join(folder, 'own', 'store.db')
    const store = await open()
    const ended = spawnSync(process.execPath, ['--eval', '']).pid
    writeFileSync(`${file}.v1.${ended}.part`, 'half a copy')
    writeFileSync(`${file}.v1.${process.pid}.part`, 'a copy that is being written')
    chmodSync(file, 0o644)
    chmodSync(join(folder, 'own'), 0o755)
    const findings = await store.check()
    expect(findings.map(({ id }) => id)).toEqual([
      ...Array.from({ length: 3 }, () => 'store-readable-by-others'),
      'folder-readable-by-others',
      'leftover-files',
    ])
    await store.repair(findings, NOW)
    expect(await store.check()).toEqual([])
    expect([modeOf(file), modeOf(join(folder, 'own'))]).toEqual([0o600, 0o700])
    expect(readdirSync(join(folder, 'own')).filter((name) => name.endsWith('.part'))).toEqual([
      `store.db.v1.${process.pid}.part`,
    ])
  })

  it('does not judge a folder that holds other things', async () => {
    const store = await open()
    writeFileSync(join(folder, 'letter.txt'), 'not ours', { mode: 0o644 })
    chmodSync(folder, 0o755)
    expect(await store.check()).toEqual([])
  })

  it('may hold what was forgotten since: then the user is told which copies', async () => {
    const store = await open()
    await store.addRemembered(makeContent('heron'), {})
    writeFileSync(`${file}.v1.bak`, 'an old copy', { mode: 0o600 })
    utimesSync(`${file}.v1.bak`, new Date(NOW.getTime() - 1000), new Date(NOW.getTime() - 1000))
    expect(await store.check()).toEqual([])
    await store.forget({ ids: ['heron'] }, NOW)
    const findings = await store.check()
    expect(findings).toMatchObject([{ id: 'forgotten-in-copies', remedy: expect.stringContaining('store.db.v1.bak') }])
    expect(await store.repair(findings, NOW)).toEqual({})
    expect(existsSync(`${file}.v1.bak`)).toBe(true)
  })
})

describe('a file that is moved away while the store is open', () => {
  it('takes no more: what is written there would be lost', async () => {
    const store = await open()
    await store.addRemembered(makeContent('heron'), {})
    renameSync(file, `${file}.moved`)
    await expect(store.addRemembered(makeContent('otter'), {})).rejects.toMatchObject({
      code: 'STORE_UNUSABLE',
      message: expect.stringContaining('moved'),
    })
    await expect(store.getMemories(['heron'])).rejects.toMatchObject({ code: 'STORE_UNUSABLE' })
    renameSync(`${file}.moved`, file)
    await store.addRemembered(makeContent('otter'), {})
    expect(await store.getMemories(['heron', 'otter'])).toHaveLength(2)
  })
})
