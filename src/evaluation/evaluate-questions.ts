import type { Madeleine } from '../model/engine.ts'
import type { RecallTraceEntry } from '../model/recall.ts'
import type { Degraded, SearchOptions } from '../model/search.ts'
import { EVALUATION } from '../options.ts'
import type { LabelledQuestion } from './labelled-question.ts'
import { judgeRanking } from './metrics.ts'
import type { EvaluationProfile, FoundGold, GoldFate, QuestionReport } from './question-report.ts'
import { createGoldResolver, type GoldUnit, type ResolvedQuestion, type UnresolvedPlace } from './resolve-gold.ts'
import { type ProfileDifference, type ProfileReport, type RecallReport, summarize } from './summarize.ts'

const SEARCH_OPTIONS: Record<EvaluationProfile, SearchOptions> = {
  default: {},
  seed: { profile: 'seed' },
  keyword: { mode: 'keyword' },
  vector: { mode: 'vector' },
}

export interface EvaluationOptions {
  /** The first is what the others are compared with. Default: the default profile alone. */
  profiles?: readonly EvaluationProfile[]
  /** Results of a search that are judged, 10 to 100; default EVALUATION.limit. */
  limit?: number
  /** Ask in this project, and count no label outside of it; default as search does. */
  project?: string
  onProgress?: (progress: { done: number; total: number }) => void
}

export interface Evaluation {
  profiles: ProfileReport[]
  /** Of each further profile from the first. */
  differences: ProfileDifference[]
  recall: RecallReport
  questions: QuestionReport[]
  /** Labels that name nothing in the store: no fault of the engine, and counted in no measure. */
  unresolved: UnresolvedPlace[]
  /** Parts that some questions went without, and how many did. */
  degraded: Array<Degraded & { questions: number }>
}

type MeasuredEngine = Pick<Madeleine, 'search' | 'recall' | 'listMemories' | 'warm'>

/**
 * Puts labelled questions to an engine, one by one and without a conversation: to search in each profile, and to recall. Leaves no trace in
 * the store. The engine's recall deadline should be EVALUATION.deadlineMs, or a busy machine counts as silence. Rejects as search does.
 */
export async function evaluateQuestions(
  engine: MeasuredEngine,
  questions: readonly LabelledQuestion[],
  options: EvaluationOptions = {},
): Promise<Evaluation> {
  const { profiles = ['default'], limit = EVALUATION.limit, project, onProgress } = options
  const scope = project === undefined ? {} : { project }
  const resolve = createGoldResolver(engine, scope)
  const lacks = countLacks()
  const reports: QuestionReport[] = []
  const unresolved: UnresolvedPlace[] = []
  await engine.warm()
  for (const question of questions) {
    onProgress?.({ done: reports.length, total: questions.length })
    const resolved = await resolve(question)
    unresolved.push(...resolved.unresolved)
    const { report, degraded } = await ask(engine, resolved, { profiles, limit, scope })
    lacks.add(degraded)
    reports.push(report)
  }
  return { ...summarize(reports, profiles), questions: reports, unresolved, degraded: lacks.list() }
}

async function ask(
  engine: MeasuredEngine,
  resolved: ResolvedQuestion,
  { profiles, limit, scope }: { profiles: readonly EvaluationProfile[]; limit: number; scope: { project?: string } },
): Promise<{ report: QuestionReport; degraded: Degraded[] }> {
  const { question, gold } = resolved
  const { query, line, kind, note } = question
  const verdict = question.gold.length === 0 ? 'silent' : gold.length === 0 ? 'unjudged' : 'answerable'
  const report: QuestionReport = {
    query,
    ...(line !== undefined && { line }),
    ...(kind !== undefined && { kind }),
    ...(note !== undefined && { note }),
    verdict,
    gold: gold.map(({ places, ids }) => ({ places, memories: [...ids] })),
    found: {},
  }
  const degraded: Degraded[] = []
  if (verdict === 'unjudged') return { report, degraded }
  for (const profile of verdict === 'answerable' ? profiles : []) {
    const answer = await engine.search(query, { ...scope, ...SEARCH_OPTIONS[profile], limit, noHistory: true })
    const ids = answer.results.map(({ id }) => id)
    report.found[profile] = judgeResults(ids, resolved)
    degraded.push(...answer.degraded)
  }
  const answer = await engine.recall({ ...scope, prompt: query, explain: true, noHistory: true })
  degraded.push(...answer.degraded)
  const isGold = ({ id }: { id: string }): boolean => gold.some(({ ids }) => ids.has(id))
  const rank = answer.items.findIndex(isGold) + 1
  const candidate = answer.trace?.find(isGold)
  report.recall = {
    silent: answer.items.length === 0,
    ...(answer.reason !== undefined && { reason: answer.reason }),
    rank: rank || null,
    injected: answer.items.map(({ id, path, startLine, endLine, score }) => ({ id, path, startLine, endLine, score })),
    ...(candidate && { gold: toFate(candidate) }),
  }
  return { report, degraded }
}

function toFate({ path, startLine, score, outcome }: RecallTraceEntry): GoldFate {
  return { path, startLine, score, outcome }
}

function judgeResults(ids: readonly string[], { gold, stale }: ResolvedQuestion): FoundGold {
  const ranks = gold.map((unit) => rankOf(ids, unit.ids))
  const newer = rankOf(
    ids,
    gold.flatMap((unit) => [...unit.ids]),
  )
  const older = rankOf(ids, stale)
  return {
    rank: newer,
    ranks,
    scores: judgeRanking(rankUnits(ids, gold), new Set(gold.map((_, index) => nameOf(index)))),
    ...(stale.size > 0 && { newerFirst: newer !== null && (older === null || newer < older) }),
  }
}

function rankOf(ids: readonly string[], wanted: Iterable<string>): number | null {
  const set = new Set(wanted)
  return ids.findIndex((id) => set.has(id)) + 1 || null
}

/** No memory has such an id. */
const nameOf = (index: number): string => `\u0000gold ${index}`

/** The ranking with the first memory of each gold unit in its place; further ones of the same unit stand as anything else does. */
function rankUnits(ids: readonly string[], gold: readonly GoldUnit[]): string[] {
  const seen = new Set<number>()
  return ids.map((id) => {
    const index = gold.findIndex((unit) => unit.ids.has(id))
    if (index === -1 || seen.has(index)) return id
    seen.add(index)
    return nameOf(index)
  })
}

/** Counts what questions went without: a question once for each part and reason. */
function countLacks(): { add(degraded: readonly Degraded[]): void; list(): Array<Degraded & { questions: number }> } {
  const found = new Map<string, Degraded & { questions: number }>()
  return {
    add(degraded) {
      const own = new Map(degraded.map((lack) => [`${lack.part}\u0000${lack.reason}`, lack]))
      for (const [key, lack] of own) found.set(key, { ...lack, questions: (found.get(key)?.questions ?? 0) + 1 })
    },
    list: () => [...found.values()].sort((a, b) => b.questions - a.questions),
  }
}
