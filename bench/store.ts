import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { MemoryContent } from '../src/model/memory.ts'
import { CANDIDATE_LIMIT, WRITE_BATCH_MEMORIES } from '../src/options.ts'
import type { CandidateQuery, DocumentWrite, MemoryStore } from '../src/store/memory-store.ts'
import { loadSqlite } from '../src/store/sqlite/database.ts'
import { openSqliteStore } from '../src/store/sqlite/open-sqlite-store.ts'
import { createRandom } from './made-text.ts'

const HELP = `npx tsx bench/store.ts [OPTIONS]

Measures the SQLite store on generated memories: words drawn by Zipf's law from 30,000, about 60 a memory, 20 memories a
document, 384 dimensions. Times are of this process's thread; on a busy machine look at the ratio to FTS5, measured in the
same run through the same driver.

  --sizes LIST   numbers of memories (default 10000,100000)
  --queries N    queries of 8 words for each size (default 200)
  --help`

const DIMENSIONS = 384
const WORDS = 30_000
const MEMORY_WORDS = 60
const DOCUMENT_MEMORIES = 20
const QUERY_WORDS = 8
/** The most frequent words are those that queries leave out. */
const STOP_RANKS = 100
const SCOPE = { tenant: 'local', agent: 'main', project: '', visibility: 'private' } as const
const FILTER = { viewer: { tenant: 'local', agent: 'main' } }

/** Draws words by Zipf's law: the n-th word comes with a probability in proportion to 1 / n. */
function createVocabulary(random: () => number): { drawWord: () => string; drawQueryWord: () => string } {
  const letters = 'bcdfghklmnprstvz'
  const vowels = 'aeiou'
  const words = Array.from({ length: WORDS }, (_, index) => {
    let word = ''
    for (let n = index + 40; n > 0; n = Math.floor(n / 80)) {
      word += `${letters[n % 16]}${vowels[Math.floor(n / 16) % 5]}`
    }
    return `${word}x`
  })
  const scale = Math.log(WORDS)
  const draw = (from: number): string => {
    const low = Math.log(from)
    return words[Math.floor(Math.exp(low + random() * (scale - low))) - 1] ?? 'word'
  }
  return { drawWord: () => draw(1), drawQueryWord: () => draw(STOP_RANKS) }
}

function makeDocuments(count: number, random: () => number, drawWord: () => string): DocumentWrite[] {
  const documents: DocumentWrite[] = []
  for (let start = 0; start < count; start += DOCUMENT_MEMORIES) {
    const path = `sessions/${String(start).padStart(8, '0')}.jsonl`
    const memories = Array.from({ length: Math.min(DOCUMENT_MEMORIES, count - start) }, (_, index) => {
      const length = 20 + Math.floor(random() * 2 * (MEMORY_WORDS - 20))
      const text = Array.from({ length }, drawWord).join(' ')
      const content: MemoryContent = {
        id: (start + index).toString(16).padStart(20, '0'),
        scope: SCOPE,
        category: 'sessions',
        tier: 'episodic',
        type: 'event',
        trust: 'owner',
        importance: 0.5,
        text,
        headerPath: [],
        embedText: text,
        role: 'user',
      }
      const occurredAt = new Date(1.7e12 + (start + index) * 60_000).toISOString()
      return { content, place: { startLine: index + 1, endLine: index + 1, occurredAt, sessionId: path } }
    })
    const head = { root: '/root', path, category: 'sessions' as const, scope: SCOPE, contentHash: path }
    documents.push({ head, fingerprint: path, chunkerVersion: 1, memories })
  }
  return documents
}

/** Milliseconds that `work` keeps this process busy: waiting for a busy machine does not count. */
async function measure(work: () => unknown): Promise<{ wallMs: number; cpuMs: number }> {
  const cpu = process.cpuUsage()
  const start = performance.now()
  await work()
  const used = process.cpuUsage(cpu)
  return { wallMs: performance.now() - start, cpuMs: (used.user + used.system) / 1000 }
}

function quantile(values: number[], share: number): string {
  const sorted = values.toSorted((a, b) => a - b)
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(2)
}

function batches(documents: readonly DocumentWrite[]): DocumentWrite[][] {
  const size = Math.ceil(WRITE_BATCH_MEMORIES / DOCUMENT_MEMORIES)
  return Array.from({ length: Math.ceil(documents.length / size) }, (_, index) =>
    documents.slice(index * size, (index + 1) * size),
  )
}

/** The yardstick: the same texts into SQLite's own full-text index, nothing else. */
async function insertIntoFts5(
  file: string,
  documents: readonly DocumentWrite[],
): Promise<{ wallMs: number; cpuMs: number }> {
  const driver = await loadSqlite()
  const database = driver.open(file, { readOnly: false })
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
  database.exec("CREATE VIRTUAL TABLE plain USING fts5(text, tokenize = 'porter unicode61')")
  const insert = database.prepare('INSERT INTO plain (text) VALUES (?)')
  const spent = await measure(() => {
    for (const batch of batches(documents)) {
      database.exec('BEGIN')
      for (const { memories } of batch) for (const { content } of memories) insert.run(content.text)
      database.exec('COMMIT')
    }
  })
  database.close()
  return spent
}

function makeVector(random: () => number): Float32Array {
  return Float32Array.from({ length: DIMENSIONS }, () => random() + random() + random() - 1.5)
}

async function putAllVectors(store: MemoryStore, random: () => number): Promise<number> {
  const spent = await measure(async () => {
    for (;;) {
      const pending = await store.listPendingEmbeddings('bench', 1000)
      if (pending.length === 0) return
      await store.putVectors(
        'bench',
        pending.map(({ id, embedText }) => ({ id, embedText, windows: [makeVector(random)] })),
      )
    }
  })
  return spent.wallMs
}

async function measureQueries(store: MemoryStore, queries: number, next: () => CandidateQuery): Promise<string> {
  const first = await measure(() => store.findCandidates(next()))
  const times: number[] = []
  const all = await measure(async () => {
    for (let index = 0; index < queries; index++) {
      const query = next()
      const { wallMs } = await measure(() => store.findCandidates(query))
      times.push(wallMs)
    }
  })
  const mean = (all.cpuMs / queries).toFixed(2)
  return `first ${first.wallMs.toFixed(1)} ms, p50 ${quantile(times, 0.5)} ms, p95 ${quantile(times, 0.95)} ms, mean cpu ${mean} ms`
}

async function run(size: number, queries: number, print: (line: string) => void): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'store-bench-'))
  try {
    const random = createRandom(size)
    const { drawWord, drawQueryWord } = createVocabulary(random)
    const documents = makeDocuments(size, random, drawWord)
    const file = join(folder, 'store.db')
    const fts5 = await insertIntoFts5(join(folder, 'fts5.db'), documents)
    let store = await openSqliteStore({ file })
    const insert = await measure(async () => {
      for (const batch of batches(documents)) await store.putDocuments(batch)
    })
    print(`${size} memories, vectors by ${store.vectorBackend}`)
    const rate = (ms: number): string => `${Math.round((size / ms) * 1000)}/s`
    print(`  insert, keywords only   ${rate(insert.wallMs)} (cpu ${rate(insert.cpuMs)})`)
    print(
      `  FTS5 alone              ${rate(fts5.wallMs)} (cpu ${rate(fts5.cpuMs)}), ratio ${(insert.cpuMs / fts5.cpuMs).toFixed(2)}`,
    )
    const one = await measure(() =>
      store.putDocuments(documents.slice(0, 1).map((write) => ({ ...write, memories: write.memories.slice(1) }))),
    )
    print(`  drop a memory of one    ${one.wallMs.toFixed(1)} ms`)
    await store.close()
    store = await openSqliteStore({ file })
    const words = () =>
      Array.from({ length: QUERY_WORDS }, () => ({ term: drawQueryWord(), field: 'text' as const, weight: 1 }))
    const base = { filter: FILTER, limit: CANDIDATE_LIMIT }
    const keyword = await measureQueries(store, queries, () => ({ ...base, terms: words(), vectors: [] }))
    print(`  find by keyword         ${keyword}`)
    print(`  store vectors           ${rate(await putAllVectors(store, random))}`)
    await store.close()
    store = await openSqliteStore({ file })
    const vector = await measureQueries(store, queries, () => ({
      ...base,
      terms: [],
      vectors: [makeVector(random)],
      identity: 'bench',
    }))
    print(`  find by vector          ${vector}`)
    const hybrid = await measureQueries(store, queries, () => ({
      ...base,
      terms: words(),
      vectors: [makeVector(random)],
      identity: 'bench',
    }))
    print(`  find by both            ${hybrid}`)
    print(`  file                    ${(statSync(file).size / 2 ** 20).toFixed(0)} MB`)
    await store.close()
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '10000,100000' },
    queries: { type: 'string', default: '200' },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) console.log(HELP)
else for (const size of values.sizes.split(',')) await run(Number(size), Number(values.queries), console.log)
