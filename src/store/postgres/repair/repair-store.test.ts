import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWithServer } from '../../../../test/postgres/describe-with-server.ts'
import { createTestDatabase, type TestDatabase } from '../../../../test/postgres/test-database.ts'
import { runCommand } from '../../../../test/run-command.ts'
import { discover, relate } from '../../../testing/memory-store/relationships.ts'
import { askFor, makeContent, makeWrite, OWNER, ROOT, vectorOf } from '../../../testing/memory-store/samples.ts'
import { openPostgresStore } from '../open-postgres-store.ts'
import type { PostgresStore } from '../postgres-store.ts'

const NOW = new Date('2026-03-01T12:00:00Z')
/** What is wrong, and a way to make it so. */
const DAMAGES: ReadonlyArray<[finding: string, sql: string]> = [
  ['keyword-index-differs', "UPDATE memory SET text = 'an egret' WHERE id = 'heron'"],
  ['keyword-index-differs', "UPDATE posting_page SET data = '\\xff00ff'"],
  ['keyword-index-differs', 'DELETE FROM posting_page; DELETE FROM posting_block'],
  ['segment-counts', 'UPDATE segment SET memories = 77'],
  ['keyword-index-strays', "DELETE FROM memory WHERE id = 'newt'"],
  ['memories-without-place', 'DELETE FROM place WHERE position = 1'],
  ['memories-without-place', "UPDATE memory SET position = 9 WHERE id = 'heron'"],
  ['places-without-memory', 'UPDATE place SET ordinal = 999 WHERE position = 2'],
  ['document-counts', 'UPDATE document SET memory_count = 9'],
  ['rosters-wrong', "UPDATE memory SET state = 'stale' WHERE id = 'heron'"],
  ['rosters-wrong', 'DELETE FROM roster'],
  ['cue-strays', 'UPDATE cue SET ordinal = 999'],
  ['vectors-torn', 'DELETE FROM vector_window'],
  ['vectors-torn', "UPDATE embedding SET codes = ''"],
  ['vectors-without-memory', 'UPDATE embedding SET ordinal = 999'],
  ['relationship-strays', "UPDATE relationship SET source = 'gone' WHERE found_by <> 0"],
  ['link-queue-strays', "UPDATE awaiting_link SET id = 'gone' WHERE id = 'otter'"],
  [
    'forgotten-but-there',
    "INSERT INTO tombstone VALUES ('local', 'memory', '', 'newt', 'hash', '2026-01-01T00:00:00.000Z')",
  ],
  [
    'forgotten-but-there',
    `INSERT INTO tombstone SELECT tenant, 'document', root, path, name_hash, '2026-01-01' FROM document WHERE path = 'a.md'`,
  ],
]

describeWithServer('a PostgreSQL store whose tables disagree', () => {
  let database: TestDatabase
  let store: PostgresStore
  let other: PostgresStore
  const open = () => openPostgresStore({ url: database.url, tenants: ['local'] })
  beforeAll(async () => {
    database = await createTestDatabase()
    ;[store, other] = [await open(), await open()]
  })
  afterAll(async () => {
    await store.close()
    await other.close()
    await database.drop()
  })

  /** As new: three notes, what was remembered, and what belongs to them. */
  async function fill(): Promise<void> {
    await database.query(`DO $$ DECLARE t text; BEGIN
      FOR t IN SELECT tablename FROM pg_tables WHERE schemaname = 'madeleine' AND tablename NOT IN ('schema_version', 'tenant')
      LOOP EXECUTE format('DELETE FROM madeleine.%I', t); END LOOP;
      UPDATE madeleine.tenant SET sequence = sequence + 1, structure = sequence + 1; END $$`)
    await store.putDocuments([
      makeWrite('a.md', ['heron', 'otter', 'newt', { id: 'gate', text: '- [ ] Oil the gate by Friday' }]),
    ])
    await store.addRemembered(makeContent({ id: 'pump', text: 'the pump is blue' }), {})
    await store.putVectors('m', [{ id: 'heron', embedText: 'heron', windows: [vectorOf(1, 2)] }])
    await store.relationships.put([relate('heron', 'pump', 'supports')], { now: NOW })
    await store.relationships.replaceDiscovered([{ id: 'heron' }], [discover('heron', 'otter', 0.9)], NOW)
  }
  /** Whose own text has a word, as a process finds that has the store open all the while. */
  async function findHolders(word: string): Promise<string[]> {
    const { candidates } = await other.findCandidates(askFor(word))
    return candidates.flatMap(({ memory, text }) => (text > 0 ? [memory.id] : [])).sort()
  }
  const tamper = (sql: string) => database.query(`SET search_path = madeleine; ${sql}`)

  it.each(DAMAGES)('is mended: %s after %s', async (finding, sql) => {
    await fill()
    expect(await store.check()).toEqual([])
    expect(await findHolders('heron')).toEqual(['heron'])
    await tamper(sql)
    const findings = await store.check()
    expect(findings.map(({ id }) => id)).toContain(finding)
    const done = await store.repair(findings, NOW)
    expect(Object.keys(done).sort()).toEqual([...new Set(findings.map(({ id }) => id))].sort())
    expect(await store.check()).toEqual([])
    expect((await store.getMemories(['pump']))[0]?.text).toBe('the pump is blue')
    // Processes that had the store open meanwhile see what it is now.
    const ids = (await store.listMemories(OWNER)).map(({ id }) => id).sort()
    expect((await other.listMemories(OWNER)).map(({ id }) => id).sort()).toEqual(ids)
    for (const word of ['heron', 'egret', 'otter', 'newt', 'gate', 'pump']) {
      const holders = (await store.getMemories(ids)).filter(({ text }) => text.includes(word)).map(({ id }) => id)
      expect([word, await findHolders(word)]).toEqual([word, holders])
    }
    expect(await store.repair([], NOW)).toEqual({})
  })

  it('loses nothing that was remembered or said: its place and what people related come back', async () => {
    await fill()
    await tamper('DELETE FROM place; UPDATE document SET memory_count = 0; DELETE FROM roster')
    await store.repair(await store.check(), NOW)
    expect(await store.check()).toEqual([])
    expect((await other.listMemories(OWNER)).map(({ id }) => id)).toEqual(['pump'])
    expect(await findHolders('pump')).toEqual(['pump'])
    // The notes come back with the next run, and what was said of them holds again.
    await store.putDocuments([makeWrite('a.md', ['heron', 'otter'])])
    expect(await store.relationships.list(['heron'], { filter: OWNER })).toMatchObject([
      { sourceId: 'heron', targetId: 'pump', origin: 'explicit' },
    ])
  })

  it('is mended by doctor --fix, which says what it did', async () => {
    await fill()
    await tamper('UPDATE document SET memory_count = 9; DELETE FROM posting_page')
    const run = async (...args: string[]) => {
      const { code, out } = await runCommand(['doctor', '--store', database.url, '--json', ...args])
      return { code, findings: JSON.parse(out).findings as Array<{ id: string; severity: string; fixed?: string }> }
    }
    const found = await run()
    expect(found.code).toBe(3)
    expect(found.findings.filter(({ severity }) => severity === 'error').length).toBeGreaterThan(1)
    const fixed = await run('--fix')
    expect(fixed.code).toBe(0)
    for (const { id, fixed: what } of fixed.findings.filter(({ severity }) => severity === 'error'))
      expect([id, what]).toEqual([id, expect.stringContaining('made anew')])
    expect((await run()).findings.filter(({ severity }) => severity === 'error')).toEqual([])
    expect(await store.listDocuments()).toMatchObject([{ root: ROOT, path: 'a.md', memoryCount: 4 }])
  })
})
