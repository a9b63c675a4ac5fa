import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { createBundledProvider } from '../src/embedding/index.ts'
import { openMadeleine } from '../src/index.ts'
import { loadSqlite, type SqliteDatabase } from '../src/store/sqlite/database.ts'
import { openSqliteStore } from '../src/store/sqlite/open-sqlite-store.ts'
import { STOP_WORDS } from '../src/text/stop-words.ts'
import { embedDocumentsCheaply } from './cheap-documents.ts'
import type { LatencyResult, LatencyTask } from './latency-run.ts'
import { type MadeMemories, type MadeTurn, makeConversations, writeMemories } from './made-memories.ts'
import { quantile, type Spent, Stopwatch } from './stopwatch.ts'

const HELP = `npx tsx bench/latency.ts [OPTIONS]

How long a recall before a turn takes in stores of several sizes: short prompts (up to some 30 tokens, with the conversation before them)
and prompts of the size of a whole turn. A store is built once a size, with vectors of hashed words; each row is a process of its own that
opens it. Two yardsticks of the same run: SQLite's full-text index asked for any of the prompt's words, and a search through all texts.

  --memories LIST    sizes, separated by commas (default 10000,100000; a million takes long to build)
  --conversations N  conversations of three turns for each kind of prompt (default 60)
  --embedding KIND   bundled, none or both (default both)
  --help`

/** Conversations that warm a process up, as the measuring process counts them. */
const WARM_UP = 10
const PLAIN_LIMIT = 24
const TURN_CHARS = 1500
/** Prompts that the search through all texts is timed with. */
const SCANNED = 10
const BYTES_PER_MB = 1024 * 1024
const MAX_RESULT_BYTES = 256 * BYTES_PER_MB

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      memories: { type: 'string', default: '10000,100000' },
      conversations: { type: 'string', default: '60' },
      embedding: { type: 'string', default: 'both' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    console.log(HELP)
    return
  }
  const kinds = (['bundled', 'none'] as const).filter((kind) => [kind, 'both'].includes(values.embedding))
  if (kinds.length === 0) throw new Error(`--embedding is bundled, none or both, not ${values.embedding}`)
  for (const size of values.memories.split(',')) {
    const directory = mkdtempSync(join(tmpdir(), 'madeleine-latency-'))
    try {
      await measureSize(directory, Number(size), { kinds, conversations: Number(values.conversations) })
    } finally {
      rmSync(directory, { recursive: true, force: true })
    }
  }
}

async function measureSize(
  directory: string,
  size: number,
  { kinds, conversations }: { kinds: ReadonlyArray<LatencyTask['embedding']>; conversations: number },
): Promise<void> {
  const made = await writeMemories(directory, size)
  const file = join(directory, 'store.db')
  const startedAt = performance.now()
  const held = await build(made, file)
  const buildS = (performance.now() - startedAt) / 1000
  const short = await makeConversations(made, conversations + WARM_UP)
  const asked = { 'short prompt': short, 'turn-sized prompt': short.map((turns) => turns.map(enlarge(made))) }
  const [load = 0] = loadavg()
  console.log(`## ${held} memories`)
  console.log(
    `Node ${process.version}, ${availableParallelism()} cores, load ${load.toFixed(1)}; built in ${buildS.toFixed(0)} s,`,
  )
  console.log(`file of ${(statSync(file).size / BYTES_PER_MB).toFixed(0)} MB\n`)
  const yardsticks = await measureYardsticks(join(directory, 'fts5.db'), made, asked)
  const results = new Map<string, LatencyResult>()
  for (const embedding of kinds) {
    const task: LatencyTask = { file, embedding, nowMs: made.now.getTime(), conversations: asked }
    results.set(embedding, await runTask(directory, task))
  }
  console.log(formatTimes(results, yardsticks))
  console.log(formatOpening(results))
}

async function build(made: MadeMemories, file: string): Promise<number> {
  const cacheDir = fileURLToPath(new URL('./.cache/model', import.meta.url))
  const engine = await openMadeleine({
    workspaces: [made.workspace],
    transcripts: [made.transcripts],
    store: await openSqliteStore({ file }),
    embedding: embedDocumentsCheaply(createBundledProvider({ cacheDir })),
    now: () => made.now,
    timeZone: 'UTC',
  })
  const report = await engine.index()
  await engine.close()
  return report.memories.total
}

/** The same turn with much pasted text before its question. */
function enlarge({ texts }: MadeMemories): (turn: MadeTurn, index: number) => MadeTurn {
  return (turn, index) => {
    let pasted = ''
    for (let at = turn.prompt.length * 7 + index; pasted.length < TURN_CHARS; at += 101)
      pasted += `${texts[at % texts.length]}\n\n`
    return { ...turn, prompt: `${pasted.slice(0, TURN_CHARS)}\n\n${turn.prompt}` }
  }
}

/** In a process of its own: what this one holds of building must not count. */
async function runTask(directory: string, task: LatencyTask): Promise<LatencyResult> {
  const file = join(directory, 'task.json')
  writeFileSync(file, JSON.stringify(task))
  const script = fileURLToPath(new URL('./latency-run.ts', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [...process.execArgv, script, file], {
    maxBuffer: MAX_RESULT_BYTES,
  })
  return JSON.parse(stdout) as LatencyResult
}

type Yardsticks = Record<string, { fts5: Spent[]; scan: Spent[] }>

async function measureYardsticks(
  file: string,
  made: MadeMemories,
  asked: Record<string, MadeTurn[][]>,
): Promise<Yardsticks> {
  const database = (await loadSqlite()).open(file, { readOnly: false })
  try {
    fillIndex(database, made)
    const find = database.prepare('SELECT text FROM plain WHERE plain MATCH ? ORDER BY rank LIMIT ?')
    const measured: Yardsticks = {}
    for (const [kind, conversations] of Object.entries(asked)) {
      const prompts = conversations.slice(WARM_UP).flatMap((turns) => turns.map(({ prompt }) => wordsOf(prompt)))
      measured[kind] = {
        fts5: await timeEach(prompts, (words) => find.all(words.map((word) => `"${word}"`).join(' OR '), PLAIN_LIMIT)),
        scan: await timeEach(prompts.slice(0, SCANNED), (words) => scanTexts(made.texts, words)),
      }
    }
    return measured
  } finally {
    database.close()
  }
}

function fillIndex(database: SqliteDatabase, { texts }: MadeMemories): void {
  database.exec("CREATE VIRTUAL TABLE plain USING fts5(text, tokenize = 'porter unicode61'); BEGIN")
  const insert = database.prepare('INSERT INTO plain (text) VALUES (?)')
  for (const text of texts) insert.run(text)
  database.exec('COMMIT')
}

function wordsOf(prompt: string): string[] {
  const all = [...new Set(prompt.toLowerCase().match(/[a-z]+/g) ?? [])]
  const words = all.filter((word) => !STOP_WORDS.has(word))
  return words.length > 0 ? words : all
}

/** The texts that hold most of the words, by looking for each word in each of them. */
function scanTexts(texts: readonly string[], words: readonly string[]): string[] {
  const counts = texts.map((text) => words.reduce((count, word) => (text.includes(word) ? count + 1 : count), 0))
  const best = [...counts.keys()].sort((a, b) => (counts[b] ?? 0) - (counts[a] ?? 0)).slice(0, PLAIN_LIMIT)
  return best.map((at) => texts[at] ?? '')
}

async function timeEach<T>(items: readonly T[], work: (item: T) => unknown): Promise<Spent[]> {
  const stopwatch = new Stopwatch()
  const spent: Spent[] = []
  for (const item of items) {
    await stopwatch.time('it', () => work(item))
    spent.push(...stopwatch.take().values())
  }
  return spent
}

function formatTimes(results: ReadonlyMap<string, LatencyResult>, yardsticks: Yardsticks): string {
  const head = ['', 'wall p50', 'wall p95', 'wall p99', 'CPU p50', 'CPU p95', 'CPU p99', 'CPU mean', 'x FTS5', 'x scan']
  const rows: string[] = []
  for (const [kind, { fts5, scan }] of Object.entries(yardsticks)) {
    const row = (name: string, spent: readonly Spent[]): string => {
      const wall = spent.map(({ wallMs }) => wallMs)
      const cpu = spent.map(({ cpuMs }) => cpuMs)
      const shares = [0.5, 0.95, 0.99]
      const numbers = [...shares.map((share) => quantile(wall, share)), ...shares.map((share) => quantile(cpu, share))]
      const ratios = [fts5, scan].map((base) => meanCpu(spent) / meanCpu(base))
      return `| ${[`${name}, ${kind}`, ...[...numbers, meanCpu(spent)].map((ms) => ms.toFixed(1)), ...ratios.map((ratio) => ratio.toFixed(2))].join(' | ')} |`
    }
    for (const [embedding, { spent }] of results) rows.push(row(`recall, ${embedding}`, spent[kind] ?? []))
    rows.push(row('FTS5, OR of the words', fts5), row('search through all texts', scan))
  }
  return [
    `| ${head.join(' | ')} |`,
    `|${' --- |'.repeat(head.length)}`,
    ...rows,
    '\nTimes in ms; ratios of CPU means.\n',
  ].join('\n')
}

function formatOpening(results: ReadonlyMap<string, LatencyResult>): string {
  return [...results]
    .map(
      ([embedding, { openMs, firstMs, residentMb }]) =>
        `${embedding}: opened in ${openMs.toFixed(0)} ms, first recall after ${firstMs.toFixed(0)} ms more, ${residentMb.toFixed(0)} MB resident at the end`,
    )
    .join('\n')
}

function meanCpu(spent: readonly Spent[]): number {
  return spent.reduce((sum, { cpuMs }) => sum + cpuMs, 0) / spent.length
}

try {
  await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
