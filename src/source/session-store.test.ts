import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import zlib from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Problem, TranscriptDocument } from '../model/document.ts'
import { loadSqlite, type SqliteDatabase } from '../sqlite/driver.ts'
import { type SourceEntry, UNREAD_SESSION_STORE } from './source.ts'
import { createTranscriptSource } from './transcript-source.ts'
import { loadZstd } from './zstd.ts'

let agent: string
let sessions: string
let store: string
beforeEach(() => {
  agent = path.join(realpathSync(mkdtempSync(path.join(tmpdir(), 'madeleine-agents-'))), 'agents', 'ada')
  sessions = path.join(agent, 'sessions')
  store = path.join(agent, 'agent', 'openclaw-agent.sqlite')
  mkdirSync(sessions, { recursive: true })
  mkdirSync(path.dirname(store))
})
afterEach(() => rmSync(path.join(agent, '..', '..'), { recursive: true, force: true }))

/** The tables in which the host keeps transcripts, with the columns that matter. */
const TABLES = `
  CREATE TABLE transcript_events (
    session_id TEXT NOT NULL, seq INTEGER NOT NULL, event_json TEXT, created_at INTEGER NOT NULL,
    event_zstd BLOB, event_utf8_bytes INTEGER, navigation_json TEXT, PRIMARY KEY (session_id, seq)) STRICT;
  CREATE TABLE transcript_rewrite_watermarks (
    session_id TEXT NOT NULL PRIMARY KEY, generation TEXT NOT NULL, updated_at INTEGER NOT NULL) STRICT;
  CREATE TABLE session_transcript_cold_archives (
    session_id TEXT NOT NULL PRIMARY KEY, generation TEXT NOT NULL, archive_name TEXT NOT NULL, archive_sha256 TEXT NOT NULL,
    event_count INTEGER NOT NULL, archive_bytes INTEGER NOT NULL, last_seq INTEGER NOT NULL, archived_at INTEGER NOT NULL,
    storage TEXT NOT NULL, archive_blob BLOB) STRICT;`

const header = (id: string): object => ({ type: 'session', version: 4, id, cwd: '/not/here' })
const said = (id: string, text: string): object => ({
  type: 'message',
  id,
  parentId: null,
  timestamp: '2026-11-01T10:00:00.000Z',
  message: { role: 'user', content: text },
})
const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`
const insert = (session: string, seq: number, event: unknown, createdAt = 1_790_000_000_000 + seq): string =>
  `INSERT INTO transcript_events (session_id, seq, event_json, created_at)
   VALUES (${quote(session)}, ${seq}, ${quote(typeof event === 'string' ? event : JSON.stringify(event))}, ${createdAt});`

/** Writes without prepared statements, which would keep the file open after `close` on some drivers. */
async function writeStore(...statements: string[]): Promise<void> {
  const database = await openAsHost()
  for (const sql of statements) database.exec(sql)
  database.close()
}

async function openAsHost(): Promise<SqliteDatabase> {
  const database = (await loadSqlite()).open(store, { readOnly: false })
  database.exec('PRAGMA journal_mode = WAL')
  return database
}

const zstdCompress = (text: string): Buffer | undefined =>
  (zlib as { zstdCompressSync?: (text: string) => Buffer }).zstdCompressSync?.(text)

interface Reading {
  documents: Map<string, TranscriptDocument>
  fingerprints: Map<string, string>
  skipped: Array<Problem & { failed?: boolean }>
  hidden: string[]
  problems: Problem[]
}

async function readAll(root = sessions): Promise<Reading> {
  const source = createTranscriptSource({ root, tenant: 'local' })
  const reading: Reading = { documents: new Map(), fingerprints: new Map(), skipped: [], hidden: [], problems: [] }
  const entries = source.list((problem, hides) => {
    reading.skipped.push(problem)
    if (hides !== undefined) reading.hidden.push(hides)
  })
  for await (const entry of entries) {
    reading.fingerprints.set(entry.path, entry.fingerprint)
    const result = await source.read(entry)
    if ('skipped' in result) reading.skipped.push({ path: entry.path, reason: result.skipped })
    else if (result.document.form === 'transcript') {
      reading.documents.set(entry.path, result.document)
      reading.problems.push(...result.problems)
    }
  }
  return reading
}

const textsOf = (document: TranscriptDocument | undefined): string[] => document?.turns.map(({ text }) => text) ?? []
const hashOf = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex')

describe('sessions that the host keeps in its store', () => {
  it('are one document each, read in their order, of the agent whose store it is', async () => {
    await writeStore(
      TABLES,
      insert('s-1', 2, said('b', 'the larch fence is done')),
      insert('s-1', 1, said('a', 'is the larch fence done?')),
      insert('s-1', 0, header('s-1')),
      insert('odd/../id', 0, said('c', 'the kiln is cold')),
    )
    const { documents, skipped } = await readAll()
    expect(skipped).toEqual([])
    expect([...documents.keys()].sort()).toEqual([
      'sessions/openclaw-agent.sqlite/odd%2F..%2Fid.jsonl',
      'sessions/openclaw-agent.sqlite/s-1.jsonl',
    ])
    const document = documents.get('sessions/openclaw-agent.sqlite/s-1.jsonl')
    expect(textsOf(document)).toEqual(['is the larch fence done?', 'the larch fence is done'])
    expect(document?.turns.map(({ startLine }) => startLine)).toEqual([2, 3])
    expect(document?.sessionId).toBe('s-1')
    expect(document?.scope.agent).toBe('ada')
  })

  it('are found beside the folder of sessions, below it, and where there is no such folder', async () => {
    await writeStore(TABLES, insert('s-1', 0, said('a', 'the kiln is cold')))
    expect([...(await readAll(agent)).documents.keys()]).toEqual(['sessions/agent/openclaw-agent.sqlite/s-1.jsonl'])
    expect([...(await readAll(path.dirname(store))).documents.keys()]).toEqual([
      'sessions/openclaw-agent.sqlite/s-1.jsonl',
    ])
  })

  it('leave the store and its folder as they were, whether its host is at rest or at work', async () => {
    await writeStore(TABLES, insert('s-1', 0, said('a', 'the kiln is cold')))
    const atRest = { names: readdirSync(path.dirname(store)), hash: hashOf(store) }
    expect(atRest.names).toEqual(['openclaw-agent.sqlite'])
    expect((await readAll()).documents.size).toBe(1)
    expect({ names: readdirSync(path.dirname(store)), hash: hashOf(store) }).toEqual(atRest)

    const host = await openAsHost()
    host.exec(insert('s-1', 1, said('b', 'it is warm again')))
    const atWork = { names: readdirSync(path.dirname(store)), hash: hashOf(store) }
    expect(textsOf((await readAll()).documents.get('sessions/openclaw-agent.sqlite/s-1.jsonl'))).toEqual([
      'the kiln is cold',
      'it is warm again',
    ])
    expect({ names: readdirSync(path.dirname(store)), hash: hashOf(store) }).toEqual(atWork)
    host.close()
  })

  it('are read as of one moment while the host writes, which is never held up', async () => {
    const host = await openAsHost()
    host.exec(TABLES)
    host.exec('BEGIN')
    for (let seq = 0; seq < 500; seq++) host.exec(insert('s-1', seq, said(`e${seq}`, `word number ${seq} of the log`)))
    host.exec('COMMIT')
    const source = createTranscriptSource({ root: sessions, tenant: 'local' })
    const entries: SourceEntry[] = []
    for await (const entry of source.list(() => undefined)) entries.push(entry)
    const [entry] = entries
    if (!entry) throw new Error('no session')
    const reading = source.read(entry)
    // Both rows come and go together: a reader that saw one of them would have seen two moments.
    host.exec(`BEGIN; ${insert('s-1', 500, said('x', 'left'))} ${insert('s-1', 501, said('y', 'right'))} COMMIT`)
    host.exec('PRAGMA wal_checkpoint(PASSIVE)')
    const result = await reading
    const texts = 'document' in result && result.document.form === 'transcript' ? textsOf(result.document) : []
    expect(texts.slice(0, 500)).toEqual(Array.from({ length: 500 }, (_, seq) => `word number ${seq} of the log`))
    expect([0, 2]).toContain(texts.length - 500)
    host.close()
  })

  it('keep their fingerprint until something in them changes', async () => {
    await writeStore(TABLES, insert('s-1', 0, said('a', 'one')), insert('s-2', 0, said('b', 'two')))
    const first = (await readAll()).fingerprints
    expect((await readAll()).fingerprints).toEqual(first)
    await writeStore(insert('s-2', 1, said('c', 'three')))
    const second = (await readAll()).fingerprints
    expect(second.get('sessions/openclaw-agent.sqlite/s-1.jsonl')).toBe(
      first.get('sessions/openclaw-agent.sqlite/s-1.jsonl'),
    )
    expect(second.get('sessions/openclaw-agent.sqlite/s-2.jsonl')).not.toBe(
      first.get('sessions/openclaw-agent.sqlite/s-2.jsonl'),
    )
    await writeStore("INSERT INTO transcript_rewrite_watermarks VALUES ('s-1', 'g2', 1)")
    expect((await readAll()).fingerprints.get('sessions/openclaw-agent.sqlite/s-1.jsonl')).not.toBe(
      first.get('sessions/openclaw-agent.sqlite/s-1.jsonl'),
    )
  })

  it('keep what stands around an event that is damaged, which is reported by its line', async () => {
    await writeStore(
      TABLES,
      insert('s-1', 0, said('a', 'before')),
      insert('s-1', 1, '{"type":"message","id":'),
      insert('s-1', 2, JSON.stringify(said('b', 'after'), null, 2)),
    )
    const { documents, problems } = await readAll()
    expect(textsOf(documents.get('sessions/openclaw-agent.sqlite/s-1.jsonl'))).toEqual(['before', 'after'])
    expect(problems).toEqual([expect.objectContaining({ line: 2, reason: expect.stringContaining('not valid JSON') })])
  })

  it('of another form are reported loudly and hide nothing that is known of them', async () => {
    await writeStore('CREATE TABLE transcript_lines (session TEXT, body BLOB) STRICT')
    const { documents, skipped, hidden } = await readAll()
    expect(documents.size).toBe(0)
    expect(skipped).toEqual([expect.objectContaining({ failed: true })])
    expect(skipped[0]?.reason).toMatch(new RegExp(`^${UNREAD_SESSION_STORE}.*transcript_lines`))
    expect(hidden).toEqual(['sessions/openclaw-agent.sqlite/'])
    rmSync(store)
    await writeStore('CREATE TABLE transcript_events (session_id TEXT, seq INTEGER, payload BLOB)')
    expect((await readAll()).skipped[0]?.reason).toMatch(/columns of its events .*payload/)
  })

  it('are not missed in a store from before hosts kept sessions there', async () => {
    await writeStore('CREATE TABLE memory_index_chunks (id TEXT)', 'CREATE TABLE schema_meta (meta_key TEXT)')
    expect(await readAll()).toMatchObject({ skipped: [], hidden: [] })
  })

  it.each(['x', 'SQLite format 3\u0000', 'not a database, however long one looks at it'.repeat(50)])(
    'are reported where the store is no database or is cut off: %.20j',
    async (content) => {
      writeFileSync(store, content)
      const { skipped, hidden } = await readAll()
      expect(skipped).toEqual([expect.objectContaining({ failed: true })])
      expect(skipped[0]?.reason).toMatch(UNREAD_SESSION_STORE)
      expect(hidden).toEqual(['sessions/openclaw-agent.sqlite/'])
    },
  )

  it('are none in a store that was just made', async () => {
    writeFileSync(store, '')
    expect(await readAll()).toMatchObject({ skipped: [], hidden: [] })
  })

  it('are left alone where the last writes stand in a log that only their host can order', async () => {
    await writeStore(TABLES, insert('s-1', 0, said('a', 'one')))
    writeFileSync(`${store}-wal`, 'something')
    const { skipped } = await readAll()
    expect(skipped[0]?.reason).toMatch(/log without an index/)
    expect(readdirSync(path.dirname(store)).sort()).toEqual(['openclaw-agent.sqlite', 'openclaw-agent.sqlite-wal'])
  })
})

describe('packed events', () => {
  const packed = zstdCompress(JSON.stringify(said('b', 'the packed larch')))
  const pack = (session: string, seq: number, blob: Buffer): string =>
    `INSERT INTO transcript_events (session_id, seq, event_zstd, event_utf8_bytes, created_at, navigation_json)
     VALUES ('${session}', ${seq}, X'${blob.toString('hex')}', 99, 1, '{}');`

  it.skipIf(packed === undefined)('are read where the runtime can unpack them', async () => {
    if (!packed) return
    const cold = ['{"kind":"header","version":1,"sessionId":"s-2"}', said('c', 'put away')].map((one, seq) =>
      typeof one === 'string' ? one : JSON.stringify({ kind: 'event', row: { seq, event_json: JSON.stringify(one) } }),
    )
    const blob = zstdCompress(cold.join('\n'))?.toString('hex')
    await writeStore(
      TABLES,
      insert('s-1', 0, said('a', 'the plain larch')),
      pack('s-1', 1, packed),
      `INSERT INTO session_transcript_cold_archives VALUES ('s-2', 'g', 'n', 'h', 1, 9, 1, 5, 'sqlite', X'${blob}')`,
    )
    const { documents, problems } = await readAll()
    expect(problems).toEqual([])
    expect(textsOf(documents.get('sessions/openclaw-agent.sqlite/s-1.jsonl'))).toEqual([
      'the plain larch',
      'the packed larch',
    ])
    expect(textsOf(documents.get('sessions/openclaw-agent.sqlite/s-2.jsonl'))).toEqual(['put away'])
  })

  it('that cannot be unpacked are counted, and the others of their session read', async () => {
    const damaged = Buffer.from('28b52ffd00000000', 'hex')
    await writeStore(
      TABLES,
      insert('s-1', 0, said('a', 'before')),
      pack('s-1', 1, damaged),
      pack('s-1', 2, damaged),
      insert('s-1', 3, said('b', 'after')),
    )
    const { documents, problems } = await readAll()
    const document = documents.get('sessions/openclaw-agent.sqlite/s-1.jsonl')
    expect(textsOf(document)).toEqual(['before', 'after'])
    expect(document?.turns.map(({ startLine }) => startLine)).toEqual([1, 4])
    expect(problems).toEqual([
      {
        path: 'sessions/openclaw-agent.sqlite/s-1.jsonl',
        count: 2,
        reason: expect.stringMatching(loadZstd() ? /cannot be unpacked/ : /this version of Node/),
      },
    ])
  })

  it('of which a session consists leave what is known of it, where they cannot be unpacked', async () => {
    await writeStore(TABLES, pack('s-1', 0, Buffer.from('28b52ffd00000000', 'hex')))
    await expect(readAll()).rejects.toMatchObject({
      code: 'SOURCE_UNREADABLE',
      message: expect.stringContaining('1 events'),
    })
    expect(existsSync(store)).toBe(true)
  })
})
