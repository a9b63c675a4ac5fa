import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createBundledProvider } from '../src/embedding/index.ts'
import { type EmbeddingProvider, type Madeleine, openMadeleine, type RecallResponse } from '../src/index.ts'
import { loadSqlite } from '../src/store/sqlite/database.ts'
import { openSqliteStore } from '../src/store/sqlite/open-sqlite-store.ts'
import { STOP_WORDS } from '../src/text/stop-words.ts'
import { embedDocumentsCheaply } from './cheap-documents.ts'
import { type MadeMemories, type MadeTurn, makeConversations, writeMemories } from './made-memories.ts'
import { quantile, type Spent, Stopwatch } from './stopwatch.ts'

const HELP = `npx tsx bench/recall.ts [OPTIONS]

Measures recall before a turn in a warm process: conversations of three turns over a store of made notes and transcripts, the
same in every run. Queries are embedded by the bundled model. Documents are not: their vectors are hashed words, so that
preparing takes seconds; time is the same, what is found by meaning is not. Wall time grows with the load of the machine, CPU
time hardly: compare that, or the ratio to the two yardsticks of the same run.

  --memories N       size of the store (default 10000)
  --conversations N  conversations of three turns (default 200)
  --embedding KIND   bundled, none or both (default both)
  --help`

const WARM_UP = 10
const DEADLINE_MS = 60_000
/** Results of the plain full-text query: as many as recall looks at. */
const PLAIN_LIMIT = 24

type Sample = Map<string, Spent>

interface Prepared {
  made: MadeMemories
  conversations: MadeTurn[][]
  directory: string
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      memories: { type: 'string', default: '10000' },
      conversations: { type: 'string', default: '200' },
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
  const directory = mkdtempSync(join(tmpdir(), 'madeleine-recall-'))
  try {
    const made = await writeMemories(directory, Number(values.memories))
    const conversations = await makeConversations(made, Number(values.conversations) + WARM_UP)
    for (const kind of kinds) await measure(kind, { made, conversations, directory })
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** The time of the model's queries, with and without the vectors of their words. */
function watchQueries(stopwatch: Stopwatch, provider: EmbeddingProvider): EmbeddingProvider {
  const name = (method: string): string | null => (method === 'embedQueries' ? 'embed' : null)
  const watched = stopwatch.watch(provider, name)
  return provider.tokens ? { ...watched, tokens: stopwatch.watch(provider.tokens, name) } : watched
}

async function measure(kind: 'bundled' | 'none', { made, conversations, directory }: Prepared): Promise<void> {
  const stopwatch = new Stopwatch()
  const cacheDir = fileURLToPath(new URL('./.cache/model', import.meta.url))
  const model = kind === 'bundled' ? createBundledProvider({ cacheDir }) : null
  const store = await openSqliteStore({ file: join(directory, `${kind}.db`) })
  const embedding = model ? watchQueries(stopwatch, embedDocumentsCheaply(model)) : 'none'
  const engine = await openMadeleine({
    workspaces: [made.workspace],
    transcripts: [made.transcripts],
    store: stopwatch.watch(store, (method) =>
      method === 'findCandidates' ? 'candidates' : method === 'compareWords' ? 'words' : 'other store calls',
    ),
    embedding,
    now: () => made.now,
    timeZone: 'UTC',
    // However busy the machine is, every recall does its whole work.
    recall: { deadlineMs: DEADLINE_MS },
  })
  try {
    const report = await engine.index()
    const { samples, answers } = await recallAll(engine, stopwatch, conversations)
    console.log(`## Recall, embedding ${kind}: ${report.memories.total} memories, ${samples.length} recalls`)
    console.log(`${describeMachine()}; ${describeAnswers(answers)}\n`)
    const prompts = conversations.slice(WARM_UP).flatMap((turns) => turns.map(({ prompt }) => prompt))
    const yardsticks = new Map<string, Spent[]>()
    if (model) yardsticks.set('prompt alone through the model', await inferBare(model, prompts))
    yardsticks.set(
      'plain FTS5 query, OR of the words',
      await queryPlainly(join(directory, `${kind}-fts5.db`), made, prompts),
    )
    console.log(formatTable(samples, yardsticks))
  } finally {
    await engine.close()
  }
}

/** Recalls for every turn of every conversation; the first conversations warm the process up and are not counted. */
async function recallAll(
  engine: Madeleine,
  stopwatch: Stopwatch,
  conversations: readonly MadeTurn[][],
): Promise<{ samples: Sample[]; answers: RecallResponse[] }> {
  const samples: Sample[] = []
  const answers: RecallResponse[] = []
  for (const [number, turns] of conversations.entries()) {
    for (const turn of turns) {
      stopwatch.take()
      const answer = await stopwatch.time('recall', () => engine.recall({ ...turn, sessionId: `talk-${number}` }))
      if (answer.degraded.length > 0) throw new Error(`Recall was degraded: ${JSON.stringify(answer.degraded)}`)
      if (number < WARM_UP) continue
      samples.push(stopwatch.take())
      answers.push(answer)
    }
  }
  return { samples, answers }
}

/** The prompts through the model and nothing else: what no recall with this model can go below. */
async function inferBare(model: EmbeddingProvider, prompts: readonly string[]): Promise<Spent[]> {
  return timeEach(prompts, (prompt) => model.embedQueries([prompt]))
}

/** The same texts in SQLite's own full-text index, asked for any of the prompt's words, best 24 with their texts. */
async function queryPlainly(file: string, { texts }: MadeMemories, prompts: readonly string[]): Promise<Spent[]> {
  const database = (await loadSqlite()).open(file, { readOnly: false })
  try {
    database.exec("CREATE VIRTUAL TABLE plain USING fts5(text, tokenize = 'porter unicode61'); BEGIN")
    const insert = database.prepare('INSERT INTO plain (text) VALUES (?)')
    for (const text of texts) insert.run(text)
    database.exec('COMMIT')
    const find = database.prepare('SELECT text FROM plain WHERE plain MATCH ? ORDER BY rank LIMIT ?')
    return await timeEach(prompts, (prompt) => {
      const all = prompt.match(/[a-z]+/g) ?? []
      const words = all.filter((word) => !STOP_WORDS.has(word))
      find.all((words.length > 0 ? words : all).map((word) => `"${word}"`).join(' OR '), PLAIN_LIMIT)
    })
  } finally {
    database.close()
  }
}

async function timeEach(prompts: readonly string[], work: (prompt: string) => unknown): Promise<Spent[]> {
  const stopwatch = new Stopwatch()
  const spent: Spent[] = []
  for (const prompt of prompts) {
    await stopwatch.time('it', () => work(prompt))
    spent.push(...stopwatch.take().values())
  }
  return spent
}

function describeMachine(): string {
  const [load = 0] = loadavg()
  return `Node ${process.version}, ${availableParallelism()} cores, load ${load.toFixed(1)}`
}

function describeAnswers(answers: readonly RecallResponse[]): string {
  const spoken = answers.filter(({ items }) => items.length > 0)
  const items = spoken.reduce((sum, answer) => sum + answer.items.length, 0)
  return `${spoken.length} of ${answers.length} recalls said something, ${(items / (spoken.length || 1)).toFixed(1)} items each`
}

function formatTable(samples: readonly Sample[], yardsticks: ReadonlyMap<string, readonly Spent[]>): string {
  const none = { wallMs: 0, cpuMs: 0 }
  const of = (name: string): Spent[] => samples.map((sample) => sample.get(name) ?? none)
  const parts = [...new Set(samples.flatMap((sample) => [...sample.keys()]))].filter((name) => name !== 'recall').sort()
  const rest = samples.map((sample): Spent => {
    const sum = (pick: (spent: Spent) => number): number =>
      parts.reduce((total, name) => total - pick(sample.get(name) ?? none), pick(sample.get('recall') ?? none))
    return { wallMs: sum(({ wallMs }) => wallMs), cpuMs: sum(({ cpuMs }) => cpuMs) }
  })
  const calls = samples.reduce((sum, sample) => sum + countCalls(sample), 0) / samples.length
  const rows: Array<[string, readonly Spent[]]> = [
    ['whole recall', of('recall')],
    ...parts.map((name): [string, Spent[]] => [name, of(name)]),
    ['the rest', rest],
    ...yardsticks,
  ]
  const meanCpu = (spent: readonly Spent[]): number => spent.reduce((sum, { cpuMs }) => sum + cpuMs, 0) / spent.length
  const whole = meanCpu(of('recall'))
  const lines = rows.map(([name, spent]) => {
    const wall = spent.map(({ wallMs }) => wallMs)
    const cpu = spent.map(({ cpuMs }) => cpuMs)
    const ratio = yardsticks.has(name) ? (whole / meanCpu(spent)).toFixed(2) : ''
    const numbers = [quantile(wall, 0.5), quantile(wall, 0.95), quantile(cpu, 0.5), quantile(cpu, 0.95), meanCpu(spent)]
    return `| ${name} | ${numbers.map((value) => value.toFixed(2)).join(' | ')} | ${ratio} |`
  })
  const head = ['', 'wall p50', 'wall p95', 'CPU p50', 'CPU p95', 'CPU mean', 'recall is × this, CPU']
  return [
    `| ${head.join(' | ')} |`,
    `|${' --- |'.repeat(head.length)}`,
    ...lines,
    `\nTimes in ms; ${calls.toFixed(2)} searches for candidates a recall.\n`,
  ].join('\n')
}

function countCalls(sample: Sample): number {
  const found: (Spent & { calls?: number }) | undefined = sample.get('candidates')
  return found?.calls ?? 0
}

try {
  await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
