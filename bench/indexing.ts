import { spawn, spawnSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createEngine } from '../src/engine.ts'
import type { Madeleine } from '../src/index.ts'
import { WRITE_BATCH_MEMORIES } from '../src/options.ts'
import { createReadAhead } from '../src/read-ahead/read-ahead.ts'
import { createMarkdownSource } from '../src/source/markdown-source.ts'
import { createTranscriptSource } from '../src/source/transcript-source.ts'
import { loadSqlite } from '../src/store/sqlite/database.ts'
import { openSqliteStore } from '../src/store/sqlite/open-sqlite-store.ts'
import { createFakeProvider } from '../src/testing/index.ts'
import { writeCorpus } from './made-corpus.ts'
import { mainThreadMs, type Spent, Stopwatch } from './stopwatch.ts'

const HELP = `npx tsx bench/indexing.ts [OPTIONS]

Measures the write pass on a generated corpus: 20,000 notes and 200 MB of transcripts. Each step runs in a process of its own, which
also tells the peak of its memory. The model is a fake of 64 dimensions that takes hardly any time: what is measured is the engine.
CPU time is of the whole process; on a busy machine look at it and at the ratio to FTS5, measured on the same texts through the
same driver.

  --scale N    share of the corpus, 0.01 for a quick look (default 1)
  --steps LIST of first,built,fts5,embed,again,line (default all, in this order); built is the built command without the
               TypeScript loader, whose peak memory is read from /proc
  --one-thread read in the thread that writes
  --folder DIR keep corpus and store there, and use what is there (default: a temporary folder)
  --help`

const NOTES = 20_000
const SESSION_BYTES = 200_000_000
const STEPS = ['first', 'built', 'fts5', 'embed', 'again', 'line'] as const
type Step = (typeof STEPS)[number]

const round = (value: number, digits = 1): string => value.toFixed(digits)
const seconds = ({ wallMs, cpuMs }: Spent): string => `${round(wallMs / 1000)} s (cpu ${round(cpuMs / 1000)} s)`
const perSecond = (count: number, ms: number): string => `${Math.round((count / ms) * 1000)}/s`

/** An engine over the corpus whose store's writes are timed. */
async function openEngine(folder: string, watch: Stopwatch): Promise<{ engine: Madeleine; texts: () => number }> {
  const embedding = createFakeProvider({ batchSize: 64 })
  const store = await openSqliteStore({ file: storeOf(folder), clock: () => new Date() })
  const engine = createEngine({
    store: watch.watch(store, (method) => (method === 'putDocuments' ? 'store' : null)),
    sources: [
      createMarkdownSource({ root: join(folder, 'notes'), tenant: 'local', agent: 'main' }),
      createTranscriptSource({ root: join(folder, 'sessions'), tenant: 'local' }),
    ],
    embedding,
    ...(!values['one-thread'] && { openReader: createReadAhead }),
    clock: () => new Date(),
    timeZone: 'UTC',
    viewer: { tenant: 'local', findProject: () => '' },
  })
  return { engine, texts: () => embedding.texts.length }
}

function storeOf(folder: string): string {
  return join(folder, 'store.db')
}

/** Everything is new: text and keyword index. */
async function measureFirst(folder: string): Promise<void> {
  const watch = new Stopwatch()
  const { engine } = await openEngine(folder, watch)
  const before = mainThreadMs()
  const { documents, memories } = await watch.time('all', () => engine.index({ skipEmbedding: true }))
  const own = (mainThreadMs() ?? 0) - (before ?? 0)
  const spent = watch.take()
  const [all, store] = [spent.get('all'), spent.get('store')]
  if (!all || !store) throw new Error('Nothing was measured')
  const { characters } = await readTexts(folder, () => undefined)
  console.log(`  documents        ${documents.total}, ${round(characters / 1e6)} million characters in memories`)
  console.log(`  memories         ${memories.total}, ${memories.duplicates} duplicates folded`)
  console.log(
    `  keywords only    ${seconds(all)}: ${perSecond(memories.total, all.wallMs)} (cpu ${perSecond(memories.total, all.cpuMs)}), aim 5000/s`,
  )
  if (before !== undefined) {
    console.log(
      `    main thread    cpu ${round(own / 1000)} s: ${perSecond(memories.total, own)}, while others read and collect`,
    )
  }
  console.log(`    of which store ${seconds(store)}`)
  writeFileSync(join(folder, 'first.json'), JSON.stringify({ all, store }))
  await engine.close()
  console.log(`  store file       ${round(statSync(storeOf(folder)).size / 1e6, 0)} MB`)
}

/** The command that people run, from `dist/`, into a store of its own. */
async function measureBuilt(folder: string): Promise<void> {
  const command = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url))
  const store = join(folder, 'built.db')
  const sources = ['--workspace', join(folder, 'notes'), '--transcripts', join(folder, 'sessions')]
  const startedAt = performance.now()
  const options = ['index', ...sources, '--store', store, '--embedding', 'none', '--json']
  const child = spawn(process.execPath, [command, ...options], { stdio: ['ignore', 'pipe', 'inherit'] })
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text
  })
  let peakKilobytes = 0
  const poll = setInterval(() => {
    try {
      const [, peak] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? []
      peakKilobytes = Math.max(peakKilobytes, Number(peak ?? 0))
    } catch {
      // It has ended, or the system has no /proc: then there is nothing to tell.
    }
  }, 100)
  const code = await new Promise((resolve) => child.once('close', resolve))
  clearInterval(poll)
  for (const ending of ['', '-wal', '-shm']) rmSync(store + ending, { force: true })
  if (code !== 0) throw new Error(`The built command ended with ${code}: run "npm run build" first`)
  const wall = round((performance.now() - startedAt) / 1000)
  // Safe because it is what --json prints.
  const { memories, links, elapsedMs } = JSON.parse(printed) as {
    memories: { total: number }
    links?: { elapsedMs: number }
    elapsedMs: number
  }
  const linkingMs = links?.elapsedMs ?? 0
  console.log(
    `  madeleine index  ${wall} s, peak memory ${peakKilobytes === 0 ? 'unknown' : round(peakKilobytes / 1024, 0)} MB, aim 500`,
  )
  console.log(
    `    without links  ${round((elapsedMs - linkingMs) / 1000)} s: ${perSecond(memories.total, elapsedMs - linkingMs)}, aim 5000/s`,
  )
}

/** The yardstick: the texts of all memories into SQLite's own full-text index, nothing else. */
async function measureFts5(folder: string): Promise<void> {
  const { all, store } = JSON.parse(readFileSync(join(folder, 'first.json'), 'utf8')) as Record<'all' | 'store', Spent>
  const file = join(folder, 'fts5.db')
  const database = (await loadSqlite()).open(file, { readOnly: false })
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
  database.exec("CREATE VIRTUAL TABLE plain USING fts5(text, tokenize = 'porter unicode61')")
  const insert = database.prepare('INSERT INTO plain (text) VALUES (?)')
  const watch = new Stopwatch()
  let batch: string[] = []
  const flush = (): Promise<void> =>
    watch.time('fts5', () => {
      database.exec('BEGIN')
      for (const text of batch) insert.run(text)
      database.exec('COMMIT')
      batch = []
    })
  await readTexts(folder, async (text) => {
    batch.push(text)
    if (batch.length >= WRITE_BATCH_MEMORIES) await flush()
  })
  await flush()
  database.close()
  const fts5 = watch.take().get('fts5') ?? { wallMs: 0, cpuMs: 0 }
  console.log(`  FTS5 alone       ${seconds(fts5)}`)
  const ratio = (spent: Spent): string => round(spent.cpuMs / fts5.cpuMs, 2)
  console.log(`  ratio to it      ${ratio(all)} with reading, cleaning and cutting; ${ratio(store)} the store alone`)
  for (const ending of ['', '-wal', '-shm']) rmSync(file + ending, { force: true })
}

/** Calls `visit` with the text of every memory in the store. */
async function readTexts(folder: string, visit: (text: string) => unknown): Promise<{ characters: number }> {
  const database = (await loadSqlite()).open(storeOf(folder), { readOnly: true })
  let characters = 0
  for (const { text } of database.prepare('SELECT text FROM memory').iterate()) {
    characters += String(text).length
    await visit(String(text))
  }
  database.close()
  return { characters }
}

async function measureEmbedding(folder: string): Promise<void> {
  const watch = new Stopwatch()
  const { engine } = await openEngine(folder, watch)
  const { embedded } = await watch.time('all', () => engine.index())
  const spent = watch.take().get('all') ?? { wallMs: 0, cpuMs: 0 }
  console.log(`  embedded         ${embedded} texts in ${seconds(spent)}: ${perSecond(embedded, spent.wallMs)}`)
  await engine.close()
}

async function measureAgain(folder: string): Promise<void> {
  const watch = new Stopwatch()
  const { engine } = await openEngine(folder, watch)
  const { documents } = await watch.time('all', () => engine.index({ skipEmbedding: true }))
  const spent = watch.take().get('all') ?? { wallMs: 0, cpuMs: 0 }
  console.log(`  nothing changed  ${seconds(spent)} for ${documents.total} documents, aim 2 s`)
  await engine.close()
}

/** One line is added to a transcript, one is changed in a note. */
async function measureLine(folder: string): Promise<void> {
  const [session] = readdirSync(join(folder, 'sessions'))
  const note = join(folder, 'notes', 'memory', '0', 'note-0.md')
  const said = { role: 'user', content: 'The lighthouse lamp is from Oslo.' }
  const turn = { type: 'message', id: `turn-${Date.now()}`, timestamp: new Date().toISOString(), message: said }
  const changes: Array<[name: string, change: () => void]> = [
    ['a line added', () => appendFileSync(join(folder, 'sessions', String(session)), `${JSON.stringify(turn)}\n`)],
    ['a line changed', () => writeFileSync(note, readFileSync(note, 'utf8').replace(/\.\n/, ', as of today.\n'))],
  ]
  for (const [name, change] of changes) {
    change()
    const watch = new Stopwatch()
    const { engine, texts } = await openEngine(folder, watch)
    const { memories, embedded, pending } = await watch.time('all', () => engine.index())
    const spent = watch.take().get('all') ?? { wallMs: 0, cpuMs: 0 }
    const changed = `${memories.added} memories added, ${memories.removed} removed, ${embedded} texts embedded`
    console.log(
      `  ${name.padEnd(16)} ${changed} (${texts()} given to the model, ${pending} pending), aim 2; ${seconds(spent)}`,
    )
    await engine.close()
  }
}

const MEASURES: Record<Step, (folder: string) => Promise<void>> = {
  first: measureFirst,
  built: measureBuilt,
  fts5: measureFts5,
  embed: measureEmbedding,
  again: measureAgain,
  line: measureLine,
}

/** Runs one step in a process of its own. */
function runStep(step: Step, folder: string): void {
  const script = fileURLToPath(import.meta.url)
  const options = ['--only', step, '--folder', folder, ...(values['one-thread'] ? ['--one-thread'] : [])]
  const { status } = spawnSync(process.execPath, [...process.execArgv, script, ...options], { stdio: 'inherit' })
  if (status !== 0) throw new Error(`Step ${step} ended with ${status}`)
}

async function run(scale: number, steps: readonly Step[], kept: string | undefined): Promise<void> {
  const folder = kept ?? mkdtempSync(join(tmpdir(), 'indexing-bench-'))
  try {
    if (steps.includes('first')) {
      rmSync(storeOf(folder), { force: true })
      const corpus = await writeCorpus(folder, { notes: NOTES * scale, sessionBytes: SESSION_BYTES * scale })
      const { noteFiles, sessionFiles, turns, bytes } = corpus
      console.log(`${noteFiles} notes, ${sessionFiles} transcripts of ${turns} turns, ${round(bytes / 1e6, 0)} MB`)
    }
    for (const step of steps) runStep(step, folder)
  } finally {
    if (kept === undefined) rmSync(folder, { recursive: true, force: true })
  }
}

const { values } = parseArgs({
  options: {
    scale: { type: 'string', default: '1' },
    steps: { type: 'string', default: STEPS.join() },
    folder: { type: 'string' },
    only: { type: 'string' },
    'one-thread': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
const isStep = (name: string): name is Step => STEPS.some((step) => step === name)
if (values.help) console.log(HELP)
else if (values.only !== undefined && isStep(values.only) && values.folder !== undefined) {
  await MEASURES[values.only](values.folder)
  if (values.only !== 'built')
    console.log(`    peak memory    ${round(process.resourceUsage().maxRSS / 1024, 0)} MB, aim 500`)
} else await run(Number(values.scale), values.steps.split(',').filter(isStep), values.folder)
