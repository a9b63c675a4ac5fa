import { allAt, anyAt, estimateMean, ndcgAt, recallAt, reciprocalRank } from '../src/evaluation/metrics.ts'
import { Bm25, type Bm25Options } from './bm25.ts'
import {
  type BenchMessage,
  type BenchQuestion,
  type BenchSet,
  groupSessions,
  plainText,
  type SetName,
  scoredQuestions,
} from './haystack.ts'

/** Plain BM25 over turns: early saturation and weak length normalisation where they are short. */
export function turnBm25(set: SetName): Bm25Options {
  return set === 'locomo' || set === 'beam' || set === 'sample' ? { k1: 0.9, b: 0.4 } : SESSION_BM25
}
/** Plain BM25 over whole sessions. */
export const SESSION_BM25: Bm25Options = { k1: 1.2, b: 0.75 }

/** How far a figure may be from the reference. */
const TOLERANCE = 0.01

export interface HarnessCheck {
  figure: string
  expected: number
  actual: number
  agrees: boolean
}

type Measure = (ranked: readonly string[], question: BenchQuestion) => number

/**
 * Computes figures of plain BM25 that are known for these sets. When one is off, text, gold or measure is wrong, and
 * no other figure of the run means anything.
 */
export function verifyHarness(set: BenchSet): HarnessCheck[] {
  const check = (figure: string, expected: number, actual: number): HarnessCheck => ({
    figure,
    expected,
    actual,
    agrees: Math.abs(actual - expected) <= TOLERANCE,
  })
  if (set.name === 'locomo') {
    const turns = meansOverTurns(set, {
      r5: (ranked, { goldMessages }) => recallAt(5, ranked, goldMessages),
      r10: (ranked, { goldMessages }) => recallAt(10, ranked, goldMessages),
      mrr: (ranked, { goldMessages }) => reciprocalRank(ranked, goldMessages),
    })
    return [check('turn r5', 0.578, turns.r5), check('turn r10', 0.657, turns.r10), check('turn MRR', 0.491, turns.mrr)]
  }
  if (set.name === 'longmemeval') {
    const turns = meansOverTurns(set, { all5: (ranked, { goldMessages }) => allAt(5, ranked, goldMessages) })
    return [
      check(
        'session any@1, user turns',
        0.87,
        sessionAny1(set, (message) => message.role === 'user'),
      ),
      check(
        'session any@1, all turns',
        0.913,
        sessionAny1(set, () => true),
      ),
      check('turn all@5', 0.587, turns.all5),
    ]
  }
  if (set.name === 'longmemeval500') {
    return [
      check(
        'session any@1, all turns',
        0.696,
        sessionAny1(set, () => true),
      ),
    ]
  }
  if (set.name === 'beam') {
    const { r10 } = meansOverTurns(set, { r10: (ranked, { goldMessages }) => recallAt(10, ranked, goldMessages) })
    return [check('turn r10', 0.385, r10)]
  }
  if (set.name === 'scifact') {
    const { ndcg } = meansOverTurns(set, { ndcg: (ranked, { goldMessages }) => ndcgAt(10, ranked, goldMessages) })
    return [check('nDCG@10', 0.68, ndcg)]
  }
  return []
}

function meansOverTurns<Name extends string>(set: BenchSet, measures: Record<Name, Measure>): Record<Name, number> {
  const names = Object.keys(measures) as Name[]
  const values = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>
  for (const haystack of set.haystacks) {
    const index = new Bm25(haystack.messages.map(plainText), turnBm25(set.name))
    for (const question of scoredQuestions(haystack)) {
      const ranked = index.rank(question.text).map(({ document }) => haystack.messages[document]?.id ?? '')
      for (const name of names) values[name].push(measures[name](ranked, question))
    }
  }
  return Object.fromEntries(names.map((name) => [name, estimateMean(values[name]).mean])) as Record<Name, number>
}

function sessionAny1(set: BenchSet, keeps: (message: BenchMessage) => boolean): number {
  const values: number[] = []
  for (const haystack of set.haystacks) {
    const sessions = groupSessions(haystack.messages)
    const ids = [...sessions.keys()]
    const texts = ids.map((id) => (sessions.get(id) ?? []).filter(keeps).map(plainText).join('\n'))
    const index = new Bm25(texts, SESSION_BM25)
    for (const question of scoredQuestions(haystack)) {
      const ranked = index.rank(question.text).map(({ document }) => ids[document] ?? '')
      values.push(anyAt(1, ranked, question.goldSessions))
    }
  }
  return estimateMean(values).mean
}
