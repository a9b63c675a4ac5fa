import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { runCli } from '../../src/cli/run-cli.ts'
import { collectClosed } from '../../src/store/sqlite/collect-closed.ts'
import { loadSqlite } from '../../src/store/sqlite/database.ts'
import { NOW, useWorkspace } from './workspace.ts'

const here = useWorkspace()

/** Runs a command line over the workspace as a script would, within this process. */
async function run(...args: string[]) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const common = ['--workspace', here.notes, '--store', here.storeFile, '--now', NOW, '--tz', 'UTC', '--json']
  const code = await runCli([...common, ...args], {
    env: { MADELEINE_EMBEDDING: 'none' },
    home: here.home,
    cwd: here.home,
    platform: 'linux',
    stdin: Readable.from([]),
    stdout,
    stderr,
  })
  const textOf = (stream: PassThrough): string => (stream.read() as Buffer | null)?.toString('utf8') ?? ''
  const [out, err] = [textOf(stdout), textOf(stderr)]
  return { code, err, document: out === '' ? null : JSON.parse(out) }
}

async function makeStore(): Promise<void> {
  here.note('memory/boat.md', '# Boat\n\nThe rowing boat has spar varnish.\n')
  here.note('memory/secret.md', '# Door\n\nThe back door sticks.\n')
  expect((await run('index')).code).toBe(0)
  expect((await run('remember', 'The ferry leaves at noon.', '--id', 'ferry')).code).toBe(0)
  expect((await run('forget', 'memory/secret.md')).code).toBe(0)
}

async function tamper(sql: string): Promise<void> {
  const database = (await loadSqlite()).open(here.storeFile, { readOnly: false })
  database.exec(sql)
  database.close()
}

/** Each kind of finding once: SQLite gives the files that it puts beside the store the store's own mode. */
const idsOf = (document: { findings: Array<{ id: string }> }): string[] => [
  ...new Set(document.findings.map(({ id }) => id)),
]

describe('a damaged store', () => {
  it('fails every command with 5 and names the remedy; doctor --fix saves, sets aside and begins anew; index completes it', async () => {
    await makeStore()
    await collectClosed(await loadSqlite())
    const bytes = readFileSync(here.storeFile)
    bytes.fill(0x7e, 0, 100)
    writeFileSync(here.storeFile, bytes)
    for (const args of [['search', 'ferry'], ['index'], ['status'], ['remember', 'x']]) {
      const { code, err } = await run(...args)
      expect(code).toBe(5)
      expect(JSON.parse(err).error).toMatchObject({ code: 'STORE_DAMAGED', remedy: expect.stringContaining('--fix') })
    }
    const looked = await run('doctor')
    expect(looked).toMatchObject({ code: 5, document: { findings: [{ id: 'store-damaged', severity: 'error' }] } })
    expect(looked.document.findings[0]).not.toHaveProperty('fixed')
    expect(readFileSync(here.storeFile).equals(bytes)).toBe(true)

    const fixed = await run('doctor', '--fix')
    expect(fixed.code).toBe(0)
    expect(fixed.document.findings[0]).toMatchObject({
      id: 'store-damaged',
      fixed: expect.stringMatching(/1 remembered memory.*madeleine index/),
    })
    const names = readdirSync(here.storeFolder)
    const setAside = names.find((name) => name.includes('.damaged-') && !name.endsWith('-wal'))
    expect(readFileSync(join(here.storeFolder, setAside ?? '')).equals(bytes)).toBe(true)
    expect(names.filter((name) => name.includes('.kept-'))).toHaveLength(1)

    expect((await run('doctor')).document).toEqual({ findings: [] })
    expect((await run('get', 'ferry')).document.text).toContain('noon')
    expect((await run('index')).document.documents).toMatchObject({ total: 1, added: 1 })
    expect((await run('search', 'varnish')).document.results).toHaveLength(1)
    expect((await run('search', 'sticks')).document.results).toEqual([])
  })

  it('is told from what is none of ours: a folder, a letter, another program’s database stay as they are', async () => {
    mkdirSync(here.storeFolder)
    mkdirSync(here.storeFile)
    const folder = await run('doctor', '--fix')
    expect(folder).toMatchObject({ code: 5, document: { findings: [{ id: 'store-unusable' }] } })
    expect(folder.document.findings[0].message).toContain('folder')
    expect(statSync(here.storeFile).isDirectory()).toBe(true)
  })

  it.each([
    ['a letter', 'Dear friend, this is no database. '.repeat(300)],
    ['a file that is too short', 'SQLite'],
  ])('leaves %s alone', async (_, text) => {
    mkdirSync(here.storeFolder)
    writeFileSync(here.storeFile, text)
    expect((await run('doctor', '--fix')).code).toBe(5)
    expect(readFileSync(here.storeFile, 'utf8')).toBe(text)
    expect(readdirSync(here.storeFolder)).toEqual(['memories.sqlite'])
  })
})

describe('doctor --fix', () => {
  it('applies each remedy that it can, says so, and finds nothing the next time', async () => {
    await makeStore()
    await tamper(
      `PRAGMA foreign_keys = OFF; DELETE FROM posting_page; UPDATE memory SET place_count = 9;
       INSERT INTO state VALUES ('broken', '{');
       INSERT INTO tombstone VALUES ('memory', 'local', '', 'ferry', '2026-01-01T00:00:00.000Z')`,
    )
    chmodSync(here.storeFile, 0o644)
    chmodSync(here.storeFolder, 0o755)
    const looked = await run('doctor')
    expect(looked.code).toBe(3)
    expect(idsOf(looked.document)).toEqual(
      expect.arrayContaining([
        'store-readable-by-others',
        'folder-readable-by-others',
        'keyword-index-differs',
        'places-differ',
        'state-unreadable',
        'forgotten-but-there',
      ]),
    )
    for (const finding of looked.document.findings) expect(finding).not.toHaveProperty('fixed')
    expect(idsOf((await run('doctor')).document)).toEqual(idsOf(looked.document))

    const fixed = await run('doctor', '--fix')
    expect(fixed.code).toBe(0)
    expect(idsOf(fixed.document)).toEqual(idsOf(looked.document))
    for (const finding of fixed.document.findings) expect(finding.fixed).toEqual(expect.any(String))
    expect((await run('doctor')).document).toEqual({ findings: [] })
    expect(await run('doctor', '--fix')).toMatchObject({ code: 0, document: { findings: [] } })
    expect((await run('search', 'varnish')).document.results).toHaveLength(1)
  })

  it('leaves to the user what is the user’s to decide', async () => {
    await makeStore()
    const fixed = await run('doctor', '--fix', '--workspace', join(here.home, 'missing'))
    expect(fixed.code).toBe(3)
    const missing = fixed.document.findings.find(({ id }: { id: string }) => id === 'root-missing')
    expect(missing.remedy).not.toBe('')
    expect(missing).not.toHaveProperty('fixed')
    expect((await run('status')).document.documents).toBe(1)
  })
})

describe('an older store', () => {
  it('is upgraded by itself, after a copy that only its owner may read', async () => {
    await makeStore()
    const { MIGRATIONS } = await import('../../src/store/sqlite/migrations.ts')
    if (MIGRATIONS.length < 2) return
    const old = join(here.storeFolder, 'old.sqlite')
    const database = (await loadSqlite()).open(old, { readOnly: false })
    database.exec(`${MIGRATIONS[0]}; PRAGMA application_id = ${0x4d41444c}; PRAGMA user_version = 1`)
    database.close()
    const { code } = await run('status', '--store', old)
    expect(code).toBe(0)
    expect(statSync(`${old}.v1.bak`).mode & 0o077).toBe(0)
  })
})
