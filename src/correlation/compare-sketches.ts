import {
  CO_OCCURRENCE_WEIGHTS,
  CORRELATION_WEIGHTS,
  RELATIONSHIP_EVIDENCE,
  SAME_STATEMENT,
  TEMPORAL_TAU_DAYS,
} from './correlation-options.ts'
import { LEAST_NAMED } from './find-named-part.ts'
import type { KeySketch } from './key-book.ts'
import { shareEnough } from './same-statement.ts'

/** What two memories leave room for, as far as their sketches tell: what is false, `relatePair` does not find. */
export interface PairOutlook {
  /** Whether one may refer to the other. */
  mayRefer: boolean
  /** Whether the score may be as high as asked. */
  mayReach: boolean
  /** Whether one may state what it has to do with the other. */
  mayState: boolean
  /** Whether they may contradict each other. */
  mayConflict: boolean
  /** How alike they are: the cosine; without one, Jaccard's coefficient of what they name and say. */
  alike: number
}

const DAY_MS = 86_400_000
/** The bound is summed up in another order than the score. */
const ROUNDING = 1e-9

/** Compares the sketches of two memories of one book. */
export function compareSketches(
  a: KeySketch,
  b: KeySketch,
  { cosine, minScore }: { cosine?: number; minScore: number },
): PairOutlook {
  const { likeness, shared } = countShared(a, b)
  const refers = mayRefer(a, b)
  const bound = boundScore(a, b, { likeness, refers, ...(cosine !== undefined && { cosine }) })
  const isAlike = shared >= RELATIONSHIP_EVIDENCE.minShared && (cosine ?? 1) >= SAME_STATEMENT.minCosine
  return {
    mayRefer: refers,
    mayReach: bound >= minScore - ROUNDING,
    mayState: refers || mayName(a, b),
    mayConflict: isAlike && mayStateTheSame(a, b, cosine),
    alike: cosine ?? likeness,
  }
}

/** How alike two sketches are: Jaccard's coefficient of their keys as `coOccurrence` weighs them, and how many they share. */
function countShared(a: KeySketch, b: KeySketch): { likeness: number; shared: number } {
  let [at, other, both, all, shared] = [a.keys, b.keys, 0, 0, 0]
  while (at < a.names || other < b.names) {
    const left = at < a.names ? (a.numbers[at] ?? 0) : Number.POSITIVE_INFINITY
    const right = other < b.names ? (b.numbers[other] ?? 0) : Number.POSITIVE_INFINITY
    const [first, second] = [Math.floor(left / 2), Math.floor(right / 2)]
    if (first === second) {
      shared += 1
      both += Math.min(weightOf(left), weightOf(right))
      all += Math.max(weightOf(left), weightOf(right))
    } else all += weightOf(first < second ? left : right)
    if (first <= second) at += 1
    if (second <= first) other += 1
  }
  return { likeness: all === 0 ? 0 : both / all, shared }
}

function weightOf(key: number): number {
  return key % 2 === 1 ? CO_OCCURRENCE_WEIGHTS.entity : CO_OCCURRENCE_WEIGHTS.term
}

/** Whether one may refer to the other: names it, quotes it, or has an address in common with it. Where not, `findReferences` finds nothing. */
function mayRefer(a: KeySketch, b: KeySketch): boolean {
  return (
    haveCommon(a, { from: a.mentions, to: a.grams }, b, { from: b.names, to: b.mentions }) ||
    haveCommon(b, { from: b.mentions, to: b.grams }, a, { from: a.names, to: a.mentions }) ||
    haveCommon(a, { from: a.grams, to: a.statements }, b, { from: b.grams, to: b.statements })
  )
}

/** Whether a statement of one may be a statement of the other about the same thing, which is what a contradiction is found in (`isSameStatement`). */
function mayStateTheSame(a: KeySketch, b: KeySketch, cosine: number | undefined): boolean {
  for (const here of listsIn(a, { from: a.statements, to: a.clauses })) {
    for (const there of listsIn(b, { from: b.statements, to: b.clauses })) {
      const terms = here.to - here.from + (there.to - there.from)
      const most = Math.min(here.to - here.from, there.to - there.from)
      if (!shareEnough({ shared: most, terms }, cosine)) continue
      if (shareEnough({ shared: countCommon(a, here, b, there), terms }, cosine)) return true
    }
  }
  return false
}

/** Whether a connective of one may plainly name what the other tells (`findNamed`). */
function mayName(a: KeySketch, b: KeySketch): boolean {
  return namesStatement(a, b) || namesStatement(b, a)
}

function namesStatement(a: KeySketch, b: KeySketch): boolean {
  for (const clause of listsIn(a, { from: a.clauses, to: a.end })) {
    const wanted = Math.max(LEAST_NAMED, (clause.to - clause.from) * RELATIONSHIP_EVIDENCE.clauseCoverage)
    for (const statement of listsIn(b, { from: b.statements, to: b.clauses }))
      if (countCommon(a, clause, b, statement) >= wanted) return true
  }
  return false
}

/** The ranges of lists that stand one after the other, each behind its length. */
function* listsIn({ numbers }: KeySketch, { from, to }: Range): Generator<Range> {
  for (let at = from; at < to; ) {
    const next = at + 1 + (numbers[at] ?? 0)
    yield { from: at + 1, to: next }
    at = next
  }
}

interface Range {
  from: number
  to: number
}

/** Whether two ascending lists of numbers have one in common. */
function haveCommon({ numbers: first }: KeySketch, here: Range, { numbers: second }: KeySketch, there: Range): boolean {
  let [at, other] = [here.from, there.from]
  while (at < here.to && other < there.to) {
    const [left, right] = [first[at] ?? 0, second[other] ?? 0]
    if (left === right) return true
    if (left < right) at += 1
    else other += 1
  }
  return false
}

/** How many numbers two ascending lists have in common. */
function countCommon({ numbers: first }: KeySketch, here: Range, { numbers: second }: KeySketch, there: Range): number {
  let [at, other, count] = [here.from, there.from, 0]
  while (at < here.to && other < there.to) {
    const [left, right] = [first[at] ?? 0, second[other] ?? 0]
    if (left === right) count += 1
    if (left <= right) at += 1
    if (right <= left) other += 1
  }
  return count
}

/** The most that the score of two memories can be. */
function boundScore(
  a: KeySketch,
  b: KeySketch,
  { likeness, cosine, refers }: { likeness: number; cosine?: number; refers: boolean },
): number {
  const { semanticSimilarity, coOccurrence, temporalProximity, crossReference } = CORRELATION_WEIGHTS
  let [sum, total] = [0, 0]
  const add = (value: number, weight: number): void => {
    sum += Math.min(1, Math.max(0, value)) * weight
    total += weight
  }
  if (cosine !== undefined) add(cosine, semanticSimilarity)
  if (a.names > a.keys || b.names > b.keys) add(likeness, coOccurrence)
  if (a.instant !== null && b.instant !== null) {
    add(Math.exp(-Math.abs(a.instant - b.instant) / (TEMPORAL_TAU_DAYS * DAY_MS)), temporalProximity)
  }
  if (refers) add(1, crossReference)
  return total === 0 ? 0 : sum / total
}
