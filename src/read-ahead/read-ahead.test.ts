import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createEngine } from '../engine.ts'
import type { DocumentReader, ReadingTask } from '../indexing/document-reader.ts'
import type { IndexOptions, IndexReport } from '../model/engine.ts'
import { createMarkdownSource } from '../source/markdown-source.ts'
import type { Source } from '../source/source.ts'
import { createTranscriptSource } from '../source/transcript-source.ts'
import { loadSqlite } from '../store/sqlite/database.ts'
import { openSqliteStore } from '../store/sqlite/open-sqlite-store.ts'
import { createReadAhead } from './read-ahead.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'read-ahead-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

type OpenReader = (task: ReadingTask) => DocumentReader

const inThread: OpenReader = (task) => createReadAhead(task, { minBytes: 0 })
const dyingThread: OpenReader = (task) =>
  createReadAhead(task, { minBytes: 0, entry: new URL('./fixtures/dying-worker.mjs', import.meta.url) })

function listSources(): Source[] {
  return [
    createMarkdownSource({ root: join(folder, 'notes'), tenant: 'local', agent: 'main' }),
    createTranscriptSource({ root: join(folder, 'sessions'), tenant: 'local' }),
  ]
}

/** Indexes into a store of this name, with the reader that is given or in this thread. */
async function indexInto(
  name: string,
  openReader?: OpenReader,
  { sources = listSources(), ...options }: IndexOptions & { sources?: Source[] } = {},
): Promise<IndexReport> {
  const clock = (): Date => new Date('2026-03-01T12:00:00Z')
  const engine = createEngine({
    store: await openSqliteStore({ file: join(folder, `${name}.db`), clock }),
    sources,
    embedding: null,
    clock,
    timeZone: 'Europe/Zurich',
    viewer: { tenant: 'local', findProject: () => '' },
    ...(openReader && { openReader }),
  })
  try {
    const { links: _, ...report } = await engine.index(options)
    return { ...report, elapsedMs: 0 }
  } finally {
    await engine.close()
  }
}

/** All rows of all tables of a store. */
async function dump(name: string): Promise<Record<string, unknown[]>> {
  const database = (await loadSqlite()).open(join(folder, `${name}.db`), { readOnly: true })
  const tables = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all()
  const rows = tables.map(({ name: table }) => [table, database.prepare(`SELECT * FROM ${table}`).all()] as const)
  database.close()
  return Object.fromEntries(rows)
}

function turn(id: string, role: string, text: string): string {
  const message = { role, content: [{ type: 'text', text }] }
  return JSON.stringify({ type: 'message', id, timestamp: '2026-02-08T10:00:00.000Z', message })
}

function writeTranscript(name: string, lines: readonly string[]): void {
  const head = JSON.stringify({ type: 'session', version: 3, id: name, timestamp: '2026-02-08T10:00:00.000Z' })
  writeFileSync(join(folder, 'sessions', `${name}.jsonl`), `${[head, ...lines].join('\n')}\n`)
}

/** Notes, a transcript of several parts, one with bad lines, and what is no transcript. */
function writeCorpus(texts: readonly string[] = ['The heron is back at the weir.']): void {
  mkdirSync(join(folder, 'notes', 'memory'), { recursive: true })
  mkdirSync(join(folder, 'sessions'), { recursive: true })
  texts.forEach((text, n) => {
    writeFileSync(
      join(folder, 'notes', 'memory', `note-${n}.md`),
      `# Note ${n}\n\n${text}\n\n## Then\n\n${text} Again ${n}.\n`,
    )
    writeTranscript(`talk-${n}`, [turn(`a${n}`, 'user', text), turn(`b${n}`, 'assistant', `You said: ${text} ${n}`)])
  })
  const many = Array.from({ length: 2300 }, (_, n) =>
    turn(`m${n}`, n % 2 ? 'assistant' : 'user', `Turn ${n} of the long talk`),
  )
  writeTranscript('long', many)
  writeTranscript('mended', [
    turn('x', 'user', 'Before the bad line'),
    '{"type":',
    '[1]',
    turn('y', 'user', 'And after it'),
  ])
  writeFileSync(join(folder, 'sessions', 'other.jsonl'), '{"a":1}\n')
}

describe('createReadAhead', () => {
  it('leaves the store as reading in this thread does, whatever the corpus', async () => {
    let run = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: 'grapheme', maxLength: 200 }), { minLength: 1, maxLength: 30 }),
        async (texts) => {
          run += 1
          writeCorpus([...texts, 'one password: "hunter2hunter2"', '\ud83e half a pair', 'A line\0with nothing'])
          const here = await indexInto(`here-${run}`)
          const there = await indexInto(`there-${run}`, inThread)
          expect(there).toEqual(here)
          expect(here.problems.length).toBeGreaterThan(2)
          expect(await dump(`there-${run}`)).toEqual(await dump(`here-${run}`))
        },
      ),
      { numRuns: 3 },
    )
  })

  it('reads on where a transcript was left, and leaves alone what is as it was', async () => {
    writeCorpus()
    await indexInto('here')
    await indexInto('there', inThread)
    writeTranscript('talk-0', [
      turn('a0', 'user', 'The heron is back at the weir.'),
      turn('new', 'user', 'It has two young.'),
    ])
    writeFileSync(join(folder, 'notes', 'memory', 'note-0.md'), '# Note 0\n\nAnother text.\n')
    const here = await indexInto('here')
    expect(await indexInto('there', inThread)).toEqual(here)
    expect(await dump('there')).toEqual(await dump('here'))
    expect(here.memories.added).toBe(2)
  })

  it('reads sources of a caller in this thread, in their turn', async () => {
    writeCorpus(['One.', 'Two.'])
    const [notes, sessions] = listSources()
    const sources = [notes, sessions].flatMap((source) => source ?? [])
    const asGiven = sources.map(({ recipe, ...source }, at) =>
      at === 0 ? { ...source } : { ...source, ...(recipe && { recipe }) },
    )
    const here = await indexInto('here')
    expect(await indexInto('there', inThread, { sources: asGiven })).toEqual(here)
    expect(await dump('there')).toEqual(await dump('here'))
  })

  it('reports a file that cannot be read, and goes on', async () => {
    writeCorpus()
    const note = join(folder, 'notes', 'memory', 'note-0.md')
    rmSync(note)
    const [notes, sessions] = listSources()
    const withGone = [notes, sessions].flatMap((source) => {
      if (source?.kind !== 'markdown') return source ?? []
      const entry = { path: 'memory/gone.md', absolutePath: note, bytes: 10, modifiedMs: 0, fingerprint: 'x' }
      return {
        ...source,
        async *list() {
          yield entry
        },
      }
    })
    const here = await indexInto('here', undefined, { sources: withGone })
    const there = await indexInto('there', inThread, { sources: withGone })
    expect(there).toEqual(here)
    expect(there.problems).toContainEqual(expect.objectContaining({ path: 'memory/gone.md', failed: true }))
    expect(there.memories.total).toBeGreaterThan(2000)
  })

  it('reads in this thread what a thread that ends has not read', async () => {
    writeCorpus(['One.', 'Two.'])
    const here = await indexInto('here')
    expect(await indexInto('there', dyingThread)).toEqual(here)
    expect(await dump('there')).toEqual(await dump('here'))
  })

  it('says of the document in which the thread ended that it was not read to its end, and reads the next one in this thread', async () => {
    writeCorpus()
    const failures: unknown[] = []
    const report = await indexInto('there', (task) => {
      const entry = new URL('./fixtures/half-dead-worker.mjs', import.meta.url)
      const reader = createReadAhead(task, { minBytes: 0, entry })
      return {
        close: () => reader.close(),
        async *next() {
          try {
            // A step of the first document is taken, so that no other reader may begin it anew.
            for await (const step of reader.next()) if (step.kind !== 'skipped') yield step
          } catch (error) {
            failures.push(error)
            throw error
          }
        },
      }
    })
    const here = await indexInto('here')
    expect(failures).toEqual([expect.objectContaining({ code: 'SOURCE_UNREADABLE' })])
    expect(report.problems).toContainEqual(
      expect.objectContaining({ reason: expect.stringContaining('to its end'), failed: true }),
    )
    expect(report.documents.added).toBe(here.documents.added - 1)
  })

  it('stops when the caller wants no more, and goes on with the next run', async () => {
    writeCorpus(['One.', 'Two.'])
    const stop = new AbortController()
    const onProgress: IndexOptions['onProgress'] = ({ phase, bytes }) => {
      if (phase === 'index' && bytes) stop.abort()
    }
    const stopped = indexInto('there', inThread, { signal: stop.signal, onProgress })
    await expect(stopped).rejects.toThrow(expect.objectContaining({ code: 'INTERRUPTED' }))
    await indexInto('there', inThread)
    const here = await indexInto('here')
    const texts = async (name: string): Promise<unknown[]> =>
      ((await dump(name)).memory ?? []).map((row) => (row as { id: unknown }).id).sort()
    expect(await texts('there')).toEqual(await texts('here'))
    expect(here.memories.total).toBeGreaterThan(2300)
  })

  it('starts no thread for little', async () => {
    writeCorpus()
    let bytes = 0
    const reader = (task: ReadingTask): DocumentReader => {
      bytes = task.bytes
      return createReadAhead(task, { minBytes: task.bytes + 1, entry: new URL('./fixtures/none.mjs', import.meta.url) })
    }
    const here = await indexInto('here')
    expect(await indexInto('there', reader)).toEqual(here)
    expect(bytes).toBeGreaterThan(100_000)
  })
})
