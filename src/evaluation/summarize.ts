import { EVALUATION } from '../options.ts'
import { type Estimate, estimateMean, estimatePairedDifference, MEASURES, type Measure } from './metrics.ts'
import type { EvaluationProfile, FoundGold, QuestionReport } from './question-report.ts'

/** Means over questions, by measure; empty where no question was judged. `newerFirst` is over those with an older statement. */
export type MeasureEstimates = { [Name in Measure | 'newerFirst']?: Estimate }

export interface ProfileReport {
  name: EvaluationProfile
  measures: MeasureEstimates
  /** The same for each kind of question that occurs, in the order of the list. */
  kinds: Array<{ kind: string; measures: MeasureEstimates }>
}

/** Mean of `profile − baseline` over the same questions. */
export interface ProfileDifference {
  profile: EvaluationProfile
  baseline: EvaluationProfile
  measures: MeasureEstimates
}

/** Shares of questions; absent where there is none of the sort. */
export interface RecallReport {
  /** Of the silent ones, those at which nothing was injected. */
  silent?: Estimate
  /** Of the answerable ones, those with gold among the first EVALUATION.recallFirst items. */
  answered?: Estimate
  /** By kind, those at which recall did what was wanted. */
  kinds: Array<{ kind: string; asWanted: Estimate }>
}

export interface Summary {
  profiles: ProfileReport[]
  differences: ProfileDifference[]
  recall: RecallReport
}

/** Whether recall did what the question wants: nothing, or gold among the first items. Undefined where it was not asked. */
export function isRecalledAsWanted({ verdict, recall }: QuestionReport): boolean | undefined {
  if (!recall) return undefined
  return verdict === 'silent' ? recall.silent : recall.rank !== null && recall.rank <= EVALUATION.recallFirst
}

/** Means, differences and shares of what was asked. */
export function summarize(questions: readonly QuestionReport[], profiles: readonly EvaluationProfile[]): Summary {
  const byKind = groupByKind(questions)
  const [baseline, ...others] = profiles
  const ofVerdict = (verdict: QuestionReport['verdict']) => questions.filter((question) => question.verdict === verdict)
  const silent = estimateShare(ofVerdict('silent'))
  const answered = estimateShare(ofVerdict('answerable'))
  return {
    profiles: profiles.map((name) => ({
      name,
      measures: estimate(questions, name),
      kinds: byKind
        .map(([kind, group]) => ({ kind, measures: estimate(group, name) }))
        .filter(({ measures }) => measures.mrr),
    })),
    differences: others.map((profile) => ({
      profile,
      baseline: baseline ?? profile,
      measures: estimate(questions, profile, baseline),
    })),
    recall: {
      ...(silent && { silent }),
      ...(answered && { answered }),
      kinds: byKind.flatMap(([kind, group]) => {
        const asWanted = estimateShare(group)
        return asWanted ? [{ kind, asWanted }] : []
      }),
    },
  }
}

function groupByKind(questions: readonly QuestionReport[]): Array<[string, QuestionReport[]]> {
  const groups = new Map<string, QuestionReport[]>()
  for (const question of questions) {
    if (question.kind === undefined) continue
    const group = groups.get(question.kind) ?? []
    groups.set(question.kind, group)
    group.push(question)
  }
  return [...groups]
}

function estimateShare(questions: readonly QuestionReport[]): Estimate | undefined {
  const values = questions.flatMap((question) => isRecalledAsWanted(question) ?? []).map(Number)
  return values.length === 0 ? undefined : estimateMean(values)
}

/** Each measure over the questions that have it; with a baseline, its paired difference. */
function estimate(
  questions: readonly QuestionReport[],
  profile: EvaluationProfile,
  baseline?: EvaluationProfile,
): MeasureEstimates {
  const estimates: MeasureEstimates = {}
  for (const measure of [...MEASURES, 'newerFirst'] as const) {
    const pairs = questions.flatMap(({ found }) => {
      const value = readMeasure(found[profile], measure)
      const other = baseline === undefined ? 0 : readMeasure(found[baseline], measure)
      return value === undefined || other === undefined ? [] : [{ value, other }]
    })
    if (pairs.length === 0) continue
    const values = pairs.map(({ value }) => value)
    estimates[measure] = estimatePairedDifference(
      values,
      pairs.map(({ other }) => other),
    )
  }
  return estimates
}

function readMeasure(found: FoundGold | undefined, measure: Measure | 'newerFirst'): number | undefined {
  if (!found) return undefined
  if (measure !== 'newerFirst') return found.scores[measure]
  return found.newerFirst === undefined ? undefined : Number(found.newerFirst)
}
