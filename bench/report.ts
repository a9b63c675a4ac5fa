import {
  type Estimate,
  estimateMean,
  estimatePairedDifference,
  MEASURES,
  type Measure,
  median,
  type RankingScores,
} from '../src/evaluation/metrics.ts'
import type { QuestionResult, RunResult } from './run.ts'

type Level = 'messages' | 'sessions'

const HEADINGS: Record<Measure, string> = {
  r5: 'r5',
  r10: 'r10',
  any1: 'any@1',
  any5: 'any@5',
  all5: 'all@5',
  mrr: 'MRR',
  ndcg10: 'nDCG@10',
}
const LEVELS: ReadonlyArray<{ level: Level; name: string }> = [
  { level: 'messages', name: 'turn' },
  { level: 'sessions', name: 'session' },
]

/** A note is its own session. */
const NOTE_LEVEL: typeof LEVELS = [{ level: 'messages', name: 'note' }]

/** The table of one set: a row for each contender and level, then the paired gains of `subject` over each yardstick. */
export function formatTable(
  run: RunResult,
  options: { systems: readonly string[]; subject: string; yardsticks: readonly string[]; isOfNotes?: boolean },
): string {
  const rows = [
    ['', 'level', ...MEASURES.map((measure) => HEADINGS[measure]), 'ms/query', 'memories/s'],
    ['---', '---', ...MEASURES.map(() => '---'), '---:', '---:'],
  ]
  for (const { level, name } of options.isOfNotes ? NOTE_LEVEL : LEVELS) {
    for (const system of options.systems) {
      const scores = scoresOf(run, system, level)
      if (scores.length === 0) continue
      const cells = MEASURES.map((measure) => formatEstimate(estimateMean(scores.map((score) => score[measure]))))
      rows.push([system, name, ...cells, ...speedCells(run, system)])
    }
    for (const yardstick of options.yardsticks) {
      const ours = scoresOf(run, options.subject, level)
      const theirs = scoresOf(run, yardstick, level)
      if (ours.length === 0 || theirs.length === 0) continue
      const cells = MEASURES.map((measure) =>
        formatGain(estimatePairedDifference(valuesOf(ours, measure), valuesOf(theirs, measure))),
      )
      rows.push([`**${options.subject} − ${yardstick}**`, name, ...cells, '', ''])
    }
  }
  return rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** r10 and MRR at turn level for each kind of question. */
export function formatTypes(run: RunResult, systems: readonly string[]): string {
  const types = [...new Set(run.questions.map(({ type }) => type))].sort()
  const shown = systems.filter((system) => scoresOf(run, system, 'messages').length > 0)
  const rows = [
    ['question', 'n', ...shown.flatMap((system) => [`${system} r10`, 'MRR'])],
    ['---', '---:', ...shown.flatMap(() => ['---', '---'])],
  ]
  for (const type of types) {
    const questions = run.questions.filter((question) => question.type === type)
    const cells = shown.flatMap((system) => {
      const scores = scoresOf({ ...run, questions }, system, 'messages')
      return (['r10', 'mrr'] as const).map((measure) => formatEstimate(estimateMean(valuesOf(scores, measure))))
    })
    const count = questions.filter(({ system }) => system === shown[0]).length
    rows.push([type, String(count), ...cells])
  }
  return rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** How often each contender ranks a changed fact as it is now above the fact as it was; undefined when nothing changed. */
export function formatUpdates(run: RunResult, systems: readonly string[]): string | undefined {
  const counts = systems.flatMap((system) => {
    const asked = run.questions.filter((question) => question.system === system && question.newerFirst !== undefined)
    if (asked.length === 0) return []
    return [`${system} ${asked.filter(({ newerFirst }) => newerFirst).length} of ${asked.length}`]
  })
  return counts.length === 0 ? undefined : `Newer statement above the older: ${counts.join(' · ')}`
}

function scoresOf(run: RunResult, system: string, level: Level): RankingScores[] {
  return run.questions
    .filter((result) => result.system === system)
    .map((result: QuestionResult) => result[level])
    .filter((scores) => scores !== undefined)
}

function valuesOf(scores: readonly RankingScores[], measure: Measure): number[] {
  return scores.map((score) => score[measure])
}

function speedCells(run: RunResult, system: string): string[] {
  const times = run.questions.filter((result) => result.system === system).map(({ ms }) => ms)
  const builds = run.builds.filter((build) => build.system === system)
  const memories = builds.reduce((sum, build) => sum + build.memories, 0)
  const seconds = builds.reduce((sum, build) => sum + build.ms, 0) / 1000
  return [median(times).toFixed(1), seconds > 0 ? String(Math.round(memories / seconds)) : '–']
}

function formatEstimate({ mean, standardError }: Estimate): string {
  return `${decimals(mean)}${standardError === undefined ? '' : ` ± ${decimals(standardError)}`}`
}

function formatGain(estimate: Estimate): string {
  return `${estimate.mean < 0 ? '−' : '+'}${formatEstimate({ ...estimate, mean: Math.abs(estimate.mean) })}`
}

function decimals(value: number): string {
  return value.toFixed(3).replace(/^0\./, '.')
}
