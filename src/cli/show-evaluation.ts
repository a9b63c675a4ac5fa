import {
  type Estimate,
  EVALUATION,
  type Evaluation,
  type EvaluationProfile,
  isRecalledAsWanted,
  type MeasureEstimates,
  type QuestionReport,
} from '../index.ts'
import { OUTCOMES } from './outcomes.ts'
import type { Output } from './output.ts'
import { formatPlace } from './show-result.ts'
import { alignColumns, cleanLine, shortenText } from './terminal-text.ts'
import { formatCount } from './words.ts'

/** Questions that a list shows at most; --json has all. */
const SHOWN_QUESTIONS = 10
/** Rank above which a person finds it; below it the question is listed. */
const LISTED_BELOW = 5
const QUERY_WIDTH = 46
const PLACE_WIDTH = 46
const PATH_WIDTH = 24

const LABELS: ReadonlyArray<[keyof MeasureEstimates, string]> = [
  ['any1', 'any@1'],
  ['r5', 'recall@5'],
  ['r10', 'recall@10'],
  ['mrr', 'MRR'],
  ['ndcg10', 'nDCG@10'],
  ['all5', 'all@5'],
  ['newerFirst', 'newer above older'],
]

/** An evaluation as a person reads it: measures, kinds, what recall did, and the questions to look at, the largest change first. */
export function describeEvaluation(
  evaluation: Evaluation,
  { file, output }: { file: string; output: Output },
): string[] {
  const { colors } = output
  const { questions, unresolved } = evaluation
  const count = (verdict: QuestionReport['verdict']): number =>
    questions.filter((question) => question.verdict === verdict).length
  const unjudged = count('unjudged')
  const head = [
    `${count('answerable')} answerable`,
    `${count('silent')} to stay silent at`,
    ...(unjudged > 0 ? [`${unjudged} not asked: their gold names nothing in the store`] : []),
  ]
  return [
    `${colors.bold(formatCount(questions.length, 'question'))}: ${head.join(', ')}`,
    ...describeMeasures(evaluation, output),
    ...describeRecall(evaluation, output),
    ...describeKinds(evaluation, output),
    ...describeRanks(evaluation, output),
    ...describeMissed(questions, output),
    ...list(
      'Labels that name nothing in the store',
      unresolved.map(({ line, place, of, reason }) => [
        `  ${cleanLine(line === undefined ? file : `${file}:${line}`)}`,
        `${of} ${showPlace(place)}`,
        reason,
      ]),
      output,
    ),
  ]
}

function describeMeasures({ profiles, differences }: Evaluation, { colors }: Output): string[] {
  const [first] = profiles
  if (!first?.measures.mrr) return []
  const rows = LABELS.filter(([name]) => first.measures[name]).map(([name, label]) => [
    `  ${label}`,
    ...profiles.map(({ measures }) => formatEstimate(measures[name])),
    ...differences.map(({ measures }) => formatEstimate(measures[name], true)),
    `n ${first.measures[name]?.count}`,
  ])
  const head = [
    '  search',
    ...profiles.map(({ name }) => name),
    ...differences.map(({ profile, baseline }) => `${profile} − ${baseline}`),
  ]
  const [titles = '', ...lines] = alignColumns([head, ...rows])
  return ['', colors.bold(titles), ...lines]
}

function describeRecall({ recall: { silent, answered } }: Evaluation, { colors }: Output): string[] {
  const rows = [
    answered && [
      `  answered within the first ${EVALUATION.recallFirst}`,
      formatEstimate(answered),
      `n ${answered.count}`,
    ],
    silent && ['  silent where it should be', formatEstimate(silent), `n ${silent.count}`],
  ].filter((row) => row !== undefined)
  return rows.length === 0 ? [] : ['', colors.bold('  recall'), ...alignColumns(rows)]
}

function describeKinds({ profiles, recall: { kinds } }: Evaluation, { colors }: Output): string[] {
  if (kinds.length === 0) return []
  const rows = kinds.map(({ kind, asWanted }) => [
    `  ${shortenText(cleanLine(kind), PLACE_WIDTH)}`,
    String(asWanted.count),
    asWanted.mean.toFixed(2),
    ...profiles.map((profile) => {
      const { mrr } = profile.kinds.find((one) => one.kind === kind)?.measures ?? {}
      return mrr ? mrr.mean.toFixed(2) : ''
    }),
  ])
  const head = ['  kind', 'n', 'recall as wanted', ...profiles.map(({ name }) => `MRR ${name}`)]
  const [titles = '', ...lines] = alignColumns([head, ...rows], [1])
  return ['', colors.bold(titles), ...lines]
}

/** With two profiles what each made better or worse; with one what stands low. */
function describeRanks({ profiles, questions }: Evaluation, output: Output): string[] {
  const [first, ...others] = profiles.map(({ name }) => name)
  if (first === undefined) return []
  if (others.length === 0) {
    const low = questions
      .filter((question) => question.verdict === 'answerable' && gainOf(question, first) < 1 / LISTED_BELOW)
      .sort((a, b) => gainOf(a, first) - gainOf(b, first))
    const rows = low.map((question) => [`  ${formatRank(question, first)}`, ...showQuestion(question)])
    return list(`Gold below rank ${LISTED_BELOW}`, rows, output)
  }
  return others.flatMap((profile) => describeChanges(questions, { profile, baseline: first }, output))
}

function describeChanges(
  questions: readonly QuestionReport[],
  { profile, baseline }: { profile: EvaluationProfile; baseline: EvaluationProfile },
  output: Output,
): string[] {
  const changed = questions
    .map((question) => ({ question, change: gainOf(question, profile) - gainOf(question, baseline) }))
    .filter(({ change }) => change !== 0)
    .sort((a, b) => Math.abs(b.change) - Math.abs(a.change))
  const rowsOf = (sign: number): string[][] =>
    changed
      .filter(({ change }) => Math.sign(change) === sign)
      .map(({ question }) => [
        `  ${formatRank(question, baseline)} → ${formatRank(question, profile)}`,
        ...showQuestion(question),
      ])
  return [
    ...list(`Better with ${profile} than with ${baseline} (rank of the first gold)`, rowsOf(1), output),
    ...list(`Worse with ${profile} than with ${baseline} (rank of the first gold)`, rowsOf(-1), output),
  ]
}

/** What recall did wrong: spoke where it should be silent, or did not show the gold. */
function describeMissed(questions: readonly QuestionReport[], output: Output): string[] {
  const wrong = questions.filter((question) => isRecalledAsWanted(question) === false)
  const spoken = wrong
    .filter(({ verdict }) => verdict === 'silent')
    .map(({ query, recall }) => {
      const [item] = recall?.injected ?? []
      return [`  ${item?.score.toFixed(2) ?? ''}`, showQuery(query), item ? showPlace(formatPlace(item)) : '']
    })
  const scoreOf = ({ recall }: QuestionReport): number => recall?.gold?.score ?? 0
  const missed = wrong
    .filter(({ verdict }) => verdict === 'answerable')
    .sort((a, b) => scoreOf(b) - scoreOf(a))
    .map(({ query, recall }) => {
      const { gold, rank } = recall ?? {}
      const fate = rank ? `in, at place ${rank}` : gold ? OUTCOMES[gold.outcome] : 'not among the candidates'
      return [`  ${gold?.score.toFixed(2) ?? '–'}`, showQuery(query), fate]
    })
  return [
    ...list('Recall spoke where it should be silent (score of its first item)', spoken, output),
    ...list(
      `Recall did not show gold within the first ${EVALUATION.recallFirst} (score of the gold, nearest first)`,
      missed,
      output,
    ),
  ]
}

function list(title: string, rows: readonly (readonly string[])[], { colors }: Output): string[] {
  if (rows.length === 0) return []
  const rest = rows.length - SHOWN_QUESTIONS
  return [
    '',
    `${colors.bold(title)}: ${rows.length}`,
    ...alignColumns(rows.slice(0, SHOWN_QUESTIONS)),
    ...(rest > 0 ? [colors.dim(`  … and ${rest} more with --json`)] : []),
  ]
}

/** 1 / rank of the first gold; 0 where it was not found. */
function gainOf({ found }: QuestionReport, profile: EvaluationProfile): number {
  return found[profile]?.scores.mrr ?? 0
}

function formatRank({ found }: QuestionReport, profile: EvaluationProfile): string {
  return String(found[profile]?.rank ?? '–').padStart(2)
}

function showQuestion({ query, gold }: QuestionReport): string[] {
  return [showQuery(query), showPlace(gold[0]?.places[0] ?? '')]
}

/** A place with the end of its path, where that is long, so that the words after it are in sight. */
function showPlace(place: string): string {
  const [path = '', ...words] = cleanLine(place).split(' "')
  const name = path.slice(path.lastIndexOf('/') + 1)
  const short = path.length <= PATH_WIDTH ? path : `…/${shortenText(name, PATH_WIDTH)}`
  return shortenText([short, ...words].join(' "'), PLACE_WIDTH)
}

function showQuery(query: string): string {
  return shortenText(cleanLine(query), QUERY_WIDTH)
}

function formatEstimate(estimate: Estimate | undefined, isDifference = false): string {
  if (!estimate) return ''
  const { mean, standardError } = estimate
  const sign = mean < 0 ? '−' : isDifference ? '+' : ''
  const error = standardError === undefined ? '' : ` ± ${standardError.toFixed(3)}`
  return `${sign}${Math.abs(mean).toFixed(3)}${error}`
}
