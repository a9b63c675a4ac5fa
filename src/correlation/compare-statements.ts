import { isSameValue, type Quantity } from '../text/quantities.ts'
import type { ContentWord, Statement } from '../text/statements/read-statements.ts'
import { compareWords } from './compare-words.ts'
import type { Difference } from './conflict.ts'
import { contextOf, matchContexts, sureness } from './context-match.ts'
import { CONFLICT } from './correlation-options.ts'
import type { Rarity } from './correlation-score.ts'
import { haveDifferentLabels } from './find-label.ts'
import { termsOf } from './text-reading.ts'

const NONE: ReadonlySet<string> = new Set()

/** All in which two statements differ so that they cannot both hold, each as strong as what surrounds it is the same. */
export function compareStatements(a: Statement, b: Statement, rarity: Rarity): Difference[] {
  if (haveDifferentLabels(a, b)) return []
  return [...compareNegations(a, b, rarity), ...compareValues(a, b, rarity), ...compareWords(a, b, rarity)]
}

function scopeOf(statement: Statement, { position, isInRun }: Statement['negations'][number]): ContentWord[] {
  if (isInRun) return statement.words.filter(({ isDirection }) => !isDirection)
  const clauseEnd = statement.clauseEnds.find((end) => end >= position) ?? Number.POSITIVE_INFINITY
  const words = statement.words.filter(({ isDirection }) => !isDirection)
  const after = words
    .filter((word) => word.position >= position && word.position <= clauseEnd)
    .slice(0, CONFLICT.negationReach)
  // German and others negate behind what they negate.
  return after.length > 0 ? after : words.filter((word) => word.position < position).slice(-CONFLICT.negationReach)
}

function compareNegations(a: Statement, b: Statement, rarity: Rarity): Difference[] {
  if (a.negations.length === 0 && b.negations.length === 0) return []
  // Nine harbours cannot, and twenty-three can: they are others.
  if (countDifferently(a, b)) return []
  const negatedA = new Set(a.negations.flatMap((negation) => scopeOf(a, negation).map(({ term }) => term)))
  const negatedB = new Set(b.negations.flatMap((negation) => scopeOf(b, negation).map(({ term }) => term)))
  return [
    ...denials(a, b, negatedB, rarity).map(({ strength, denied, held }) => ({
      kind: 'negation' as const,
      strength,
      a: denied,
      b: held,
    })),
    ...denials(b, a, negatedA, rarity).map(({ strength, denied, held }) => ({
      kind: 'negation' as const,
      strength,
      a: held,
      b: denied,
    })),
  ]
}

/** Whether two statements speak of different numbers of the same things. */
function countDifferently(a: Statement, b: Statement): boolean {
  return a.quantities.some((first) =>
    b.quantities.some((second) => first.kind === 'number' && first.units.length > 0 && areComparable(first, second)),
  )
}

interface Denial {
  strength: number
  denied: { start: number; end: number }
  held: { start: number; end: number }
}

/** What one statement denies and the other one says. */
function denials(denying: Statement, other: Statement, otherNegated: ReadonlySet<string>, rarity: Rarity): Denial[] {
  const otherTerms = termsOf(other.words)
  return denying.negations.flatMap((negation): Denial[] => {
    const { start, end } = negation
    const scope = scopeOf(denying, negation)
    let [all, said, count] = [0, 0, 0]
    scope.forEach(({ term }, index) => {
      const weight = rarity(term) * (CONFLICT.halfDistance / (CONFLICT.halfDistance + index))
      all += weight
      if (!otherTerms.has(term) || otherNegated.has(term)) return
      said += weight
      count += 1
    })
    if (count === 0 || (count === 1 && scope.length > 2)) return []
    const last = scope.at(-1)
    const found = other.words.filter(({ term }) => scope.some((word) => word.term === term))
    const [first, final] = [found[0], found.at(-1)]
    if (!last || !first || !final) return []
    const whole = matchContexts(contextOf(denying, { start, end }, rarity, NONE), contextOf(other, first, rarity, NONE))
    return [
      {
        strength: (all === 0 ? 0 : said / all) * (1 - CONFLICT.negationContext * (1 - sureness(whole))),
        denied: { start, end: Math.max(end, last.end) },
        held: { start: first.start, end: final.end },
      },
    ]
  })
}

function compareValues(a: Statement, b: Statement, rarity: Rarity): Difference[] {
  const found: Difference[] = []
  for (const first of a.quantities) {
    if (b.quantities.some((second) => second.kind === first.kind && isSameValue(first, second))) continue
    for (const second of b.quantities) {
      if (!(areComparable(first, second) || countTheSame(a, first, b, second))) continue
      if (a.quantities.some((other) => other.kind === second.kind && isSameValue(other, second))) continue
      const units = new Set([...first.units, ...second.units])
      const match = matchContexts(contextOf(a, first, rarity, units), contextOf(b, second, rarity, units))
      const nearness = isSaidOfTheSame(a, first, b, second, units) ? 1 : CONFLICT.farFactor
      const counted = first.isMeasure ? 0 : first.units.filter((unit) => second.units.includes(unit)).length
      if (match.shared + counted < 2) continue
      found.push({ kind: 'value', strength: nearness * sureness(match), a: first, b: second })
    }
  }
  return found
}

/** Whether a word right beside one value is near the other one: what both are values of. */
function isSaidOfTheSame(
  a: Statement,
  first: Quantity,
  b: Statement,
  second: Quantity,
  units: ReadonlySet<string>,
): boolean {
  const near = besides(b, second, CONFLICT.besideWords, units)
  const nearest = besides(a, first, CONFLICT.nextWords, units)
  if ([...nearest].some((term) => near.has(term))) return true
  const [nearFirst, nearestSecond] = [
    besides(a, first, CONFLICT.besideWords, units),
    besides(b, second, CONFLICT.nextWords, units),
  ]
  return [...nearestSecond].some((term) => nearFirst.has(term))
}

function besides(
  { words }: Statement,
  { start, end }: Quantity,
  count: number,
  units: ReadonlySet<string>,
): Set<string> {
  const meaning = words.filter(({ isDirection, term }) => !isDirection && !units.has(term))
  const before = meaning.filter((word) => word.end <= start).slice(-count)
  const after = meaning.filter((word) => word.start >= end).slice(0, count)
  return new Set([...before, ...after].map(({ term }) => term))
}

/** A bare number counts what the other number counts where its statement speaks of it: "150 commits", "the commits have reached 165". */
function countTheSame(a: Statement, first: Quantity, b: Statement, second: Quantity): boolean {
  if (first.kind !== 'number' || second.kind !== 'number' || isSameValue(first, second)) return false
  if (first.units.length > 0 && second.units.length > 0) return false
  const [counted, bare] = first.units.length > 0 ? [first, b] : [second, a]
  const last = counted.units.at(-1)
  return last !== undefined && !counted.isMeasure && bare.words.some(({ term }) => term === last)
}

function areComparable(a: Quantity, b: Quantity): boolean {
  if (a.kind !== b.kind || isSameValue(a, b)) return false
  if (a.kind === 'number' || a.kind === 'ordinal')
    return a.units.length === 0 ? b.units.length === 0 : a.units.some((unit) => b.units.includes(unit))
  return a.kind !== 'date' || a.units[0] === b.units[0]
}
