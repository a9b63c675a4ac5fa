import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { judgeRanking, type RankingScores } from '../src/evaluation/metrics.ts'
import {
  type Madeleine,
  openMadeleine,
  type RecallItem,
  type RecallTraceEntry,
  type SearchResult,
} from '../src/index.ts'
import { RECALL_THRESHOLD } from '../src/options.ts'
import { openSqliteStore } from '../src/store/sqlite/open-sqlite-store.ts'
import { openCachedProvider } from './bundled-cache.ts'
import { drawCurves } from './curves.ts'
import {
  createPassageFinder,
  type Passage,
  readSampleQuestions,
  SAMPLE_NOW,
  SAMPLE_TRANSCRIPTS,
  SAMPLE_WORKSPACE,
  type SampleQuestion,
} from './sample-questions.ts'

const HELP = `npx tsx bench/silence.ts [OPTIONS]

Puts the questions of examples/questions.jsonl to the sample workspace, one by one, without a conversation around them. Recall
should inject a passage that answers, and nothing at all where the notes know nothing (kind "silent"). One recall at the
lowest threshold tells what each higher one would inject. Then the same questions to search. Draws bench/results/silence.svg.

  --embedding KIND   bundled, none or both (default both)
  --list             what went wrong at the threshold in force, with the evidence
  --help`

const THRESHOLDS = [0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8]
const SEARCH_LIMIT = 20
type Embedding = 'bundled' | 'none'

/** What came of one question. */
interface Outcome {
  question: SampleQuestion
  /** What recall injects at the lowest threshold, best first, and whether it answers. */
  injected: Array<{ item: RecallItem; isGold: boolean; showsGold: boolean }>
  trace: RecallTraceEntry[]
  reason: string | undefined
  results: Array<{ result: SearchResult; gold: Passage[]; stale: Passage[] }>
  /** Absent where there is no gold. */
  scores?: RankingScores
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      embedding: { type: 'string', default: 'both' },
      list: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    console.log(HELP)
    return
  }
  const kinds = (['bundled', 'none'] as const).filter((kind) => [kind, 'both'].includes(values.embedding))
  if (kinds.length === 0) throw new Error(`--embedding is bundled, none or both, not ${values.embedding}`)
  const all = new Map<Embedding, Outcome[]>()
  for (const kind of kinds) all.set(kind, await askAll(kind))
  for (const [kind, outcomes] of all) {
    console.log(`## Embedding ${kind}: ${outcomes.length} questions\n`)
    console.log(`${formatThresholds(outcomes)}\n\n${formatKinds(outcomes)}\n`)
    if (values.list) console.log(`${listFailures(outcomes)}\n`)
  }
  console.log(`Curves: ${writeCurves(all)}`)
}

async function askAll(kind: Embedding): Promise<Outcome[]> {
  const directory = mkdtempSync(join(tmpdir(), 'madeleine-silence-'))
  const store = await openSqliteStore({ file: join(directory, 'store.db') })
  const engine = await openMadeleine({
    workspaces: [SAMPLE_WORKSPACE],
    transcripts: [SAMPLE_TRANSCRIPTS],
    store,
    embedding: kind === 'bundled' ? openCachedProvider() : 'none',
    now: () => new Date(SAMPLE_NOW.instant),
    timeZone: SAMPLE_NOW.timeZone,
    // However busy the machine is, every recall does its whole work.
    recall: { threshold: Math.min(...THRESHOLDS), deadlineMs: 60_000 },
  })
  try {
    const report = await engine.index()
    if (report.pending > 0) throw new Error(`${report.pending} memories have no vector`)
    const findPassages = createPassageFinder(store)
    const outcomes: Outcome[] = []
    for (const question of readSampleQuestions()) outcomes.push(await ask(engine, question, findPassages))
    return outcomes
  } finally {
    await engine.close()
    rmSync(directory, { recursive: true, force: true })
  }
}

async function ask(
  engine: Madeleine,
  question: SampleQuestion,
  findPassages: (id: string, passages: readonly Passage[]) => Promise<Passage[]>,
): Promise<Outcome> {
  const { query, gold, stale } = question
  const { items, reason, trace = [] } = await engine.recall({ prompt: query, explain: true })
  const injected: Outcome['injected'] = []
  for (const item of items) {
    const held = await findPassages(item.id, gold)
    injected.push({
      item,
      isGold: held.length > 0,
      showsGold: held.some(({ contains }) => item.text.includes(contains)),
    })
  }
  const answer = await engine.search(query, { limit: SEARCH_LIMIT, explain: true })
  const results: Outcome['results'] = []
  for (const result of answer.results) {
    results.push({ result, gold: await findPassages(result.id, gold), stale: await findPassages(result.id, stale) })
  }
  const ranked = results.flatMap((one) => (one.gold.length > 0 ? one.gold.map(nameOf) : [one.result.id]))
  const scores = gold.length > 0 ? judgeRanking([...new Set(ranked)], new Set(gold.map(nameOf))) : undefined
  return { question, injected, trace, reason, results, ...(scores && { scores }) }
}

function nameOf({ path, contains }: Passage): string {
  return `${path}: ${contains}`
}

/** What recall injects at a threshold: items are taken in the order of their scores, so a higher one only cuts the list. */
function injectedAt({ injected }: Outcome, threshold: number): Outcome['injected'] {
  return injected.filter(({ item }) => item.score >= threshold)
}

const isSilent = ({ question }: Outcome): boolean => question.kind === 'silent'

function share(outcomes: readonly Outcome[], test: (outcome: Outcome) => boolean): number {
  return outcomes.length === 0 ? 0 : outcomes.filter(test).length / outcomes.length
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length
}

const percent = (value: number): string => `${Math.round(value * 100)} %`

function formatThresholds(outcomes: readonly Outcome[]): string {
  const silent = outcomes.filter(isSilent)
  const answerable = outcomes.filter((outcome) => !isSilent(outcome))
  const head = [
    'threshold',
    'silent: nothing injected',
    'answerable: gold injected',
    'gold in sight',
    'anything',
    'items a block',
  ]
  const rows = THRESHOLDS.map((threshold) => {
    const at = (outcome: Outcome): Outcome['injected'] => injectedAt(outcome, threshold)
    const blocks = outcomes.map(at).filter(({ length }) => length > 0)
    return [
      threshold === RECALL_THRESHOLD ? `**${threshold}**` : String(threshold),
      percent(share(silent, (outcome) => at(outcome).length === 0)),
      percent(share(answerable, (outcome) => at(outcome).some(({ isGold }) => isGold))),
      percent(share(answerable, (outcome) => at(outcome).some(({ showsGold }) => showsGold))),
      percent(share(answerable, (outcome) => at(outcome).length > 0)),
      mean(blocks.map(({ length }) => length)).toFixed(1),
    ]
  })
  return formatRows([head, ...rows])
}

function formatKinds(outcomes: readonly Outcome[]): string {
  const kinds = [...new Set(outcomes.map(({ question }) => question.kind))]
  const head = ['kind', 'questions', 'recall: as wanted', 'any@1', 'any@5', 'all@5', 'MRR', 'newer above older']
  const rows = kinds.map((kind) => {
    const group = outcomes.filter(({ question }) => question.kind === kind)
    const scores = group.flatMap((outcome) => outcome.scores ?? [])
    const number = (pick: (score: RankingScores) => number): string =>
      scores.length === 0 ? '' : mean(scores.map(pick)).toFixed(2)
    const updates = group.filter(({ question }) => question.stale.length > 0)
    return [
      kind,
      String(group.length),
      percent(share(group, isAsWanted)),
      number(({ any1 }) => any1),
      number(({ any5 }) => any5),
      number(({ all5 }) => all5),
      number(({ mrr }) => mrr),
      updates.length === 0 ? '' : percent(share(updates, isNewerAbove)),
    ]
  })
  return formatRows([head, ...rows])
}

/** At the threshold in force: nothing for a silent prompt, gold for any other. */
function isAsWanted(outcome: Outcome): boolean {
  const items = injectedAt(outcome, RECALL_THRESHOLD)
  return isSilent(outcome) ? items.length === 0 : items.some(({ isGold }) => isGold)
}

function isNewerAbove({ results }: Outcome): boolean {
  const newer = results.findIndex(({ gold }) => gold.length > 0)
  const older = results.findIndex(({ gold, stale }) => stale.length > 0 && gold.length === 0)
  return newer >= 0 && (older < 0 || newer < older)
}

function formatRows([head = [], ...rows]: string[][]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

function listFailures(outcomes: readonly Outcome[]): string {
  return outcomes
    .filter((outcome) => !isAsWanted(outcome))
    .map((outcome) => {
      const { question, trace, results, reason } = outcome
      const rank = results.findIndex(({ gold }) => gold.length > 0) + 1
      const found = isSilent(outcome)
        ? 'should be silent'
        : rank === 0
          ? 'gold not found'
          : `gold at rank ${rank} of search`
      const why =
        injectedAt(outcome, RECALL_THRESHOLD).length === 0
          ? (reason ?? 'below the threshold')
          : 'other items stand in the block'
      const top = trace.slice(0, 3).map(formatEvidence)
      const gold = rank > 3 ? [`gold ${formatResult(results[rank - 1]?.result)}`] : []
      return [`- [${question.kind}] ${question.query}`, `${found}; ${why} (${question.note})`, ...top, ...gold].join(
        '\n    ',
      )
    })
    .join('\n')
}

function formatEvidence({ path, startLine, score, outcome, explanation }: RecallTraceEntry): string {
  const { signals, boosts, matchedTerms } = explanation
  return `${score.toFixed(2)} ${outcome} ${shortPath(path)}:${startLine} ${formatSignals(signals)} ${boosts.map(({ name }) => name).join(',')} [${matchedTerms.join(' ')}]`
}

function formatResult(result: SearchResult | undefined): string {
  if (!result?.signals) return ''
  return `${result.score.toFixed(2)} ${shortPath(result.path)}:${result.startLine} ${formatSignals(result.signals)} [${result.matchedTerms?.join(' ')}]`
}

function formatSignals({ vector, keyword, header, filepath }: RecallTraceEntry['explanation']['signals']): string {
  return `vector ${vector.toFixed(2)} keyword ${keyword.toFixed(2)} header ${header.toFixed(2)} path ${filepath.toFixed(2)}`
}

function shortPath(path: string): string {
  return path.length > 40 ? `…${path.slice(-39)}` : path
}

function writeCurves(all: ReadonlyMap<Embedding, readonly Outcome[]>): string {
  const curves = [...all].flatMap(([kind, outcomes]) => {
    const silent = outcomes.filter(isSilent)
    const answerable = outcomes.filter((outcome) => !isSilent(outcome))
    return [
      {
        name: `${kind}: silent prompts left alone`,
        isDashed: true,
        values: THRESHOLDS.map((at) => share(silent, (outcome) => injectedAt(outcome, at).length === 0)),
      },
      {
        name: `${kind}: questions answered`,
        isDashed: false,
        values: THRESHOLDS.map((at) =>
          share(answerable, (outcome) => injectedAt(outcome, at).some(({ isGold }) => isGold)),
        ),
      },
    ]
  })
  const file = new URL('./results/silence.svg', import.meta.url)
  mkdirSync(new URL('.', file), { recursive: true })
  writeFileSync(file, drawCurves({ title: 'Injection by threshold', at: THRESHOLDS, marked: RECALL_THRESHOLD, curves }))
  return file.pathname
}

try {
  await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
