import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Madeleine } from '../../src/index.ts'
import { loadSqlite } from '../../src/sqlite/driver.ts'
import { useWorkspace } from './workspace.ts'

const here = useWorkspace()

const write = (path: string, content: string): string => {
  const file = join(here.home, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
  return file
}
const pathsOf = async (engine: Madeleine, query: string): Promise<string[]> =>
  (await engine.search(query, { mode: 'keyword' })).results.map(({ path }) => path)

describe('sessions that a host keeps in its store', () => {
  const sessions = (): string => join(here.home, 'agents/main/sessions')
  const file = (): string => join(here.home, 'agents/main/agent/openclaw-agent.sqlite')
  /** Writes as the host does, without prepared statements, which would keep the file open on some drivers. */
  const asHost = async (...statements: string[]): Promise<void> => {
    mkdirSync(sessions(), { recursive: true })
    mkdirSync(dirname(file()), { recursive: true })
    const database = (await loadSqlite()).open(file(), { readOnly: false })
    for (const sql of ['PRAGMA journal_mode = WAL', ...statements]) database.exec(sql)
    database.close()
  }
  const event = (session: string, seq: number, text: string): string => {
    const said = {
      type: 'message',
      id: `${session}-${seq}`,
      timestamp: '2026-06-01T10:00:00.000Z',
      message: { role: 'user', content: text },
    }
    return `INSERT INTO transcript_events VALUES ('${session}', ${seq}, '${JSON.stringify(said)}', 1780000000000)`
  }
  const TABLE = 'CREATE TABLE transcript_events (session_id TEXT, seq INTEGER, event_json TEXT, created_at INTEGER)'
  const PATH = 'sessions/openclaw-agent.sqlite/one.jsonl'
  const open = (): Promise<Madeleine> => here.open({ workspaces: [], transcripts: [sessions()] })

  it('are found, opened by their path, followed as they grow, and removed with the host', async () => {
    await asHost(TABLE, event('one', 0, 'The larch fence stands.'), event('two', 0, 'The heron pump leaks.'))
    const engine = await open()
    expect((await engine.index()).documents).toMatchObject({ added: 2, skipped: 0 })
    expect(await pathsOf(engine, 'larch')).toEqual([PATH])
    expect((await engine.get(PATH)).text).toBe('The larch fence stands.')
    await asHost(event('one', 1, 'The larch gate hangs.'))
    expect((await engine.index()).documents).toMatchObject({ added: 0, changed: 1, removed: 0 })
    expect((await engine.get(PATH, { from: 2 })).text).toBe('The larch gate hangs.')
    await asHost("DELETE FROM transcript_events WHERE session_id = 'two'")
    expect((await engine.index()).documents).toMatchObject({ changed: 0, removed: 1 })
    expect(await pathsOf(engine, 'heron')).toEqual([])
  })

  it('are not read again while nothing in them changes', async () => {
    await asHost(TABLE, event('one', 0, 'The larch fence stands.'), event('two', 0, 'The heron pump leaks.'))
    const engine = await open()
    await engine.index()
    await asHost(event('two', 1, 'The heron pump is tight again.'))
    const read: string[] = []
    await engine.index({ onProgress: ({ phase, path }) => phase === 'index' && path && read.push(path) })
    expect(read).toEqual(['sessions/openclaw-agent.sqlite/two.jsonl'])
  })

  it('of a form that is not known are an error in doctor before anything was indexed, until they can be read', async () => {
    await asHost('CREATE TABLE session_log (body TEXT)')
    const engine = await open()
    const isReported = async (): Promise<boolean> =>
      (await engine.doctor()).findings.some(({ id }) => id === 'sessions-store-unsupported')
    expect(await isReported()).toBe(true)
    await engine.index()
    await asHost(TABLE)
    expect(await isReported()).toBe(false)
  })

  it('stay known when the host goes over to a form that is not known, and doctor says so', async () => {
    await asHost(TABLE, event('one', 0, 'The larch fence stands.'))
    const engine = await open()
    await engine.index()
    await asHost('ALTER TABLE transcript_events RENAME TO session_log')
    const report = await engine.index()
    expect(report.documents).toMatchObject({ total: 1, removed: 0, skipped: 1 })
    expect(report.problems).toEqual([expect.objectContaining({ failed: true })])
    expect(await pathsOf(engine, 'larch')).toEqual([PATH])
    expect((await engine.doctor()).findings).toContainEqual(
      expect.objectContaining({ id: 'sessions-store-unsupported', severity: 'error' }),
    )
  })
})

describe('notes beside the workspaces', () => {
  it('are folders, files and patterns, seen in every project and by every agent', async () => {
    write('vault/a.md', 'The kiln is warm.')
    write('vault/b.txt', 'The kiln is not a note.')
    write('log/2026/june.md', 'The kiln was lit in june.')
    write('log/2026/june.draft.md', 'The kiln was a draft.')
    write('log/deep/er/july.md', 'The kiln was lit in july.')
    write('todo/list.md', 'The kiln needs wood.')
    write('todo/other.md', 'The kiln is elsewhere.')
    const engine = await here.openIndexed({
      workspaces: [],
      transcripts: [],
      extraPaths: [join(here.home, 'vault'), join(here.home, 'log/**/ju[a-z]*y.md'), join(here.home, 'todo/list.md')],
    })
    expect((await pathsOf(engine, 'kiln')).sort()).toEqual(['a.md', 'deep/er/july.md', 'list.md'])
    const elsewhere = await engine.search('kiln', { project: here.notes, agentId: 'other', mode: 'keyword' })
    expect(elsewhere.total).toBe(3)
    expect((await engine.status()).roots.map(({ pattern }) => pattern)).toEqual([
      undefined,
      '**/ju[a-z]*y.md',
      'list.md',
    ])
  })

  it('are read though others are missing, which status, doctor and the report name', async () => {
    write('vault/a.md', 'The kiln is warm.')
    const missing = [join(here.home, 'no/such'), join(here.home, 'vault/no.md'), join(here.home, 'nowhere/*.md')]
    const engine = await here.open({ workspaces: [], extraPaths: [...missing, join(here.home, 'vault')] })
    const report = await engine.index()
    expect(report.problems.filter(({ failed }) => failed)).toHaveLength(3)
    expect(await pathsOf(engine, 'kiln')).toEqual(['a.md'])
    const { roots } = await engine.status()
    expect(roots.filter(({ kind }) => kind === 'markdown').map(({ problem }) => problem !== undefined)).toEqual([
      true,
      true,
      true,
      false,
    ])
    const { findings } = await engine.doctor()
    expect(findings.filter(({ severity }) => severity === 'error')).toHaveLength(3)
  })

  it('may have a name that looks like a pattern', async () => {
    write('notes [old]/a.md', 'The kiln is warm.')
    write('notes [old]/b.md', 'The kiln is cold.')
    const folder = join(here.home, 'notes [old]')
    const engine = await here.openIndexed({ workspaces: [folder], transcripts: [] })
    expect(await pathsOf(engine, 'kiln')).toHaveLength(2)
  })

  it('are procedures where they are skills', async () => {
    write('skills/glaze/SKILL.md', '---\nname: glaze\n---\n\nDip the kiln ware twice.\n')
    write('skills/glaze/references/long.md', 'The kiln ware, at length.')
    const engine = await here.openIndexed({
      workspaces: [],
      transcripts: [],
      extraPaths: [join(here.home, 'skills/**/SKILL.md')],
    })
    const { results } = await engine.search('kiln', { mode: 'keyword' })
    expect(results.map(({ path, tier }) => [path, tier])).toEqual([['glaze/SKILL.md', 'procedural']])
  })
})

describe('names on disk', () => {
  it('are one document each, and found by either spelling of their letters', async () => {
    const decomposed = 'memory/cafe\u0301.md'
    here.note(decomposed, 'Zu\u0308rich depot opens at eight.')
    const engine = await here.openIndexed()
    expect(await pathsOf(engine, 'Z\u00fcrich')).toEqual([decomposed])
    for (const spelling of [decomposed, decomposed.normalize('NFC')]) {
      expect(await engine.get(spelling)).toMatchObject({ path: decomposed, text: expect.stringContaining('depot') })
    }
    await expect(engine.get('memory/CAFE\u0301.md')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('that are links make no loop, and lead nowhere out of the root', async () => {
    here.note('memory/a.md', 'The kiln is warm.')
    write('outside/secret.md', 'The kiln is a secret.')
    symlinkSync(here.notes, join(here.notes, 'memory/loop'))
    symlinkSync(join(here.home, 'outside'), join(here.notes, 'out'))
    const engine = await here.open()
    const { problems, documents } = await engine.index()
    expect(documents).toMatchObject({ total: 1, skipped: 1 })
    expect(problems).toEqual([{ path: 'out', reason: expect.stringContaining('leads out of the root') }])
    expect(await pathsOf(engine, 'kiln')).toEqual(['memory/a.md'])
  })
})
