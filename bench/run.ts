import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EmbeddingProvider } from '../src/embedding/embedding-provider.ts'
import { judgeRanking, type RankingScores } from '../src/evaluation/metrics.ts'
import type { Contender, OpenContender, Workbench } from './contender.ts'
import { type BenchQuestion, type BenchSet, type Haystack, scoredQuestions } from './haystack.ts'
import { writeHaystack } from './haystack-files.ts'

/** What one contender made of one question. */
export interface QuestionResult {
  system: string
  question: string
  type: string
  ms: number
  /** Absent for a contender that ranks sessions only. */
  messages?: RankingScores
  sessions: RankingScores
  /** First ten ids of the ranking, messages where it has them. */
  top: string[]
  gold: string[]
  /** Of a fact that changed: whether the message that states it as it is now stands above those that state it as it was. */
  newerFirst?: boolean
}

/** How long a contender took to take in what it searched. */
export interface BuildResult {
  system: string
  memories: number
  ms: number
}

export interface RunResult {
  questions: QuestionResult[]
  builds: BuildResult[]
}

/** `limit` questions spread evenly over the set, or all of them; haystacks without one are left out. */
export function pickQuestions(set: BenchSet, limit: number | undefined): BenchSet {
  const all = set.haystacks.flatMap(scoredQuestions)
  const count = Math.min(limit ?? all.length, all.length)
  const picked = new Set(Array.from({ length: count }, (_, i) => all[Math.floor((i * all.length) / count)]?.id))
  const haystacks = set.haystacks
    .map(
      (haystack): Haystack => ({ ...haystack, questions: scoredQuestions(haystack).filter((q) => picked.has(q.id)) }),
    )
    .filter(({ questions }) => questions.length > 0)
  return { ...set, haystacks }
}

/** Puts every question of the set to every contender. Each haystack gets a temporary directory, removed afterwards. */
export async function runSet(
  set: BenchSet,
  contenders: readonly Contender[],
  provider: EmbeddingProvider | undefined,
  onProgress: (done: number, total: number) => void,
): Promise<RunResult> {
  const result: RunResult = { questions: [], builds: [] }
  for (const [index, haystack] of set.haystacks.entries()) {
    const root = mkdtempSync(join(tmpdir(), 'madeleine-bench-'))
    try {
      await runHaystack(toWorkbench(set, haystack, root, provider), contenders, result)
    } finally {
      rmSync(root, { recursive: true, force: true })
    }
    onProgress(index + 1, set.haystacks.length)
  }
  return result
}

function toWorkbench(
  set: BenchSet,
  haystack: Haystack,
  root: string,
  provider: EmbeddingProvider | undefined,
): Workbench {
  const directory = join(root, 'store')
  mkdirSync(directory)
  return {
    set: set.name,
    haystack,
    files: writeHaystack(haystack, root),
    directory,
    ...(provider && { provider }),
  }
}

/** Asked of every contender first and not counted: the first search of a store pays for opening it. */
const WARM_UP = 'What did we talk about last time?'

async function runHaystack(workbench: Workbench, contenders: readonly Contender[], result: RunResult): Promise<void> {
  const opened: Array<{ name: string; contender: OpenContender }> = []
  try {
    for (const { name, open } of contenders) {
      const contender = await open(workbench)
      opened.push({ name, contender })
      result.builds.push({ system: name, memories: contender.memories, ms: contender.buildMs })
    }
    const [first] = workbench.haystack.questions
    for (const { contender } of opened) if (first) await contender.rank({ ...first, text: WARM_UP })
    for (const question of workbench.haystack.questions) {
      for (const { name, contender } of opened) result.questions.push(await ask(name, contender, question))
    }
  } finally {
    for (const { contender } of opened) await contender.close()
  }
}

async function ask(system: string, contender: OpenContender, question: BenchQuestion): Promise<QuestionResult> {
  const started = performance.now()
  const ranking = await contender.rank(question)
  const ms = performance.now() - started
  return {
    system,
    question: question.id,
    type: question.type,
    ms,
    ...(ranking.messages && { messages: judgeRanking(ranking.messages, question.goldMessages) }),
    sessions: judgeRanking(ranking.sessions, question.goldSessions),
    top: (ranking.messages ?? ranking.sessions).slice(0, 10),
    gold: [...(ranking.messages ? question.goldMessages : question.goldSessions)],
    ...(question.update && ranking.messages && { newerFirst: isNewerFirst(ranking.messages, question.update) }),
  }
}

/** The newer statement counts as found only when it is ranked at all. */
function isNewerFirst(ranked: readonly string[], { older, newer }: NonNullable<BenchQuestion['update']>): boolean {
  const isOld = (id: string): boolean => older.includes(id) && !newer.includes(id)
  const found = ranked.findIndex((id) => newer.includes(id))
  const stale = ranked.findIndex(isOld)
  return found !== -1 && (stale === -1 || found < stale)
}
