import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createBundledProvider } from '../src/embedding/index.ts'
import { type Madeleine, openMadeleine } from '../src/index.ts'
import { openSqliteStore } from '../src/store/sqlite/open-sqlite-store.ts'
import { embedDocumentsCheaply } from './cheap-documents.ts'
import type { MadeTurn } from './made-memories.ts'
import { type Spent, Stopwatch } from './stopwatch.ts'

/** What one process is to measure: the store that another has built, and what is asked of it. */
export interface LatencyTask {
  file: string
  embedding: 'bundled' | 'none'
  nowMs: number
  /** Conversations by the kind of their prompts; the first of each kind warm up. */
  conversations: Record<string, MadeTurn[][]>
}

export interface LatencyResult {
  /** Opening of store and engine, and the first recall, which reads what is kept in memory. */
  openMs: number
  firstMs: number
  residentMb: number
  spent: Record<string, Spent[]>
}

const WARM_UP = 10
const DEADLINE_MS = 600_000
const BYTES_PER_MB = 1024 * 1024

async function run(task: LatencyTask): Promise<LatencyResult> {
  const cacheDir = fileURLToPath(new URL('./.cache/model', import.meta.url))
  const model = task.embedding === 'bundled' ? embedDocumentsCheaply(createBundledProvider({ cacheDir })) : 'none'
  const startedAt = performance.now()
  const engine = await openMadeleine({
    workspaces: [],
    transcripts: [],
    store: await openSqliteStore({ file: task.file }),
    embedding: model,
    now: () => new Date(task.nowMs),
    timeZone: 'UTC',
    recall: { deadlineMs: DEADLINE_MS },
  })
  const openedAt = performance.now()
  await engine.recall({ prompt: 'what did we say about the harbour office?' })
  const firstMs = performance.now() - openedAt
  const spent: LatencyResult['spent'] = {}
  for (const [kind, conversations] of Object.entries(task.conversations))
    spent[kind] = await recallAll(engine, kind, conversations)
  const residentMb = process.memoryUsage.rss() / BYTES_PER_MB
  await engine.close()
  return { openMs: openedAt - startedAt, firstMs, residentMb, spent }
}

async function recallAll(engine: Madeleine, kind: string, conversations: readonly MadeTurn[][]): Promise<Spent[]> {
  const stopwatch = new Stopwatch()
  const spent: Spent[] = []
  for (const [number, turns] of conversations.entries()) {
    for (const turn of turns) {
      const sessionId = `${kind}-${number}`
      const answer = await stopwatch.time('recall', () => engine.recall({ ...turn, sessionId }))
      if (answer.degraded.length > 0) throw new Error(`Recall was degraded: ${JSON.stringify(answer.degraded)}`)
      const taken = stopwatch.take()
      if (number >= WARM_UP) spent.push(...taken.values())
    }
  }
  return spent
}

const [taskFile = ''] = process.argv.slice(2)
process.stdout.write(JSON.stringify(await run(JSON.parse(readFileSync(taskFile, 'utf8')) as LatencyTask)))
