import { isSameValue, type Quantity } from '../text/quantities.ts'
import { isChangeWord } from '../text/statements/changes.ts'
import { areOpposite, hasOpposite } from '../text/statements/opposites.ts'
import type { ContentWord, Statement } from '../text/statements/read-statements.ts'
import type { ConflictKind } from './conflict.ts'
import { type ContextMatch, contextOf, matchContexts } from './context-match.ts'
import type { Rarity } from './correlation-score.ts'

/** A difference between two statements. */
export interface Difference {
  kind: ConflictKind
  strength: number
  a: { start: number; end: number }
  b: { start: number; end: number }
}

/** Words that a negation reaches, at most. */
const NEGATION_REACH = 8
const NONE: ReadonlySet<string> = new Set()

/** All in which two statements differ so that they cannot both hold, each as strong as what surrounds it is the same. */
export function compareStatements(a: Statement, b: Statement, rarity: Rarity): Difference[] {
  return [...compareNegations(a, b, rarity), ...compareValues(a, b, rarity), ...compareWords(a, b, rarity)]
}

function termsOf({ words }: Statement): Set<string> {
  return new Set(words.filter(({ isDirection }) => !isDirection).map(({ term }) => term))
}

function scopeOf(statement: Statement, { position, isInRun }: Statement['negations'][number]): ContentWord[] {
  if (isInRun) return statement.words.filter(({ isDirection }) => !isDirection)
  const clauseEnd = statement.clauseEnds.find((end) => end >= position) ?? Number.POSITIVE_INFINITY
  const words = statement.words.filter(({ isDirection }) => !isDirection)
  const after = words.filter((word) => word.position >= position && word.position <= clauseEnd).slice(0, NEGATION_REACH)
  // German and others negate behind what they negate.
  return after.length > 0 ? after : words.filter((word) => word.position < position).slice(-NEGATION_REACH)
}

function compareNegations(a: Statement, b: Statement, rarity: Rarity): Difference[] {
  if (a.negations.length === 0 && b.negations.length === 0) return []
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

interface Denial {
  strength: number
  denied: { start: number; end: number }
  held: { start: number; end: number }
}

/** What one statement denies and the other one says. */
function denials(denying: Statement, other: Statement, otherNegated: ReadonlySet<string>, rarity: Rarity): Denial[] {
  const otherTerms = termsOf(other)
  return denying.negations.flatMap((negation): Denial[] => {
    const { start, end } = negation
    const scope = scopeOf(denying, negation)
    let [all, said, count] = [0, 0, 0]
    scope.forEach(({ term }, index) => {
      const weight = rarity(term) * (HALF / (HALF + index))
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
    const whole = matchContexts(
      contextOf(denying, { start, end }, rarity, NONE),
      contextOf(other, first, () => 1, NONE),
    )
    return [
      {
        strength: (all === 0 ? 0 : said / all) * (0.55 + 0.45 * sureness(whole)),
        denied: { start, end: Math.max(end, last.end) },
        held: { start: first.start, end: final.end },
      },
    ]
  })
}
const HALF = 6

function compareValues(a: Statement, b: Statement, rarity: Rarity): Difference[] {
  const found: Difference[] = []
  for (const first of a.quantities) {
    if (b.quantities.some((second) => second.kind === first.kind && isSameValue(first, second))) continue
    for (const second of b.quantities) {
      if (!areComparable(first, second)) continue
      if (a.quantities.some((other) => other.kind === second.kind && isSameValue(other, second))) continue
      const units = new Set([...first.units, ...second.units])
      const match = matchContexts(contextOf(a, first, rarity, units), contextOf(b, second, rarity, units))
      const nearness = isSaidOfTheSame(a, first, b, second, units) ? 1 : FAR_FACTOR
      const counted = first.isMeasure ? 0 : first.units.filter((unit) => second.units.includes(unit)).length
      if (match.shared + counted < 2) continue
      found.push({ kind: 'value', strength: nearness * sureness(match), a: first, b: second })
    }
  }
  return found
}

/** What a value loses when nothing beside it is beside the other one. */
const FAR_FACTOR = 0.7
/** Words on either side of a value among which what it is a value of is looked for. */
const BESIDE_WORDS = 4
const NEXT_WORDS = 2

/** Whether a word right beside one value is near the other one: what both are values of. */
function isSaidOfTheSame(
  a: Statement,
  first: Quantity,
  b: Statement,
  second: Quantity,
  units: ReadonlySet<string>,
): boolean {
  const near = besides(b, second, BESIDE_WORDS, units)
  const nearest = besides(a, first, NEXT_WORDS, units)
  if ([...nearest].some((term) => near.has(term))) return true
  const [nearFirst, nearestSecond] = [besides(a, first, BESIDE_WORDS, units), besides(b, second, NEXT_WORDS, units)]
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

function areComparable(a: Quantity, b: Quantity): boolean {
  if (a.kind !== b.kind || isSameValue(a, b)) return false
  if (a.kind === 'number' || a.kind === 'ordinal')
    return a.units.length === 0 ? b.units.length === 0 : a.units.some((unit) => b.units.includes(unit))
  return a.kind !== 'date' || a.units[0] === b.units[0]
}

/**
 * How sure a difference is, given what is around it: a short statement may be one of many things that a longer one says, which
 * proves the more, the more words it has.
 */
function sureness({ covered, likeness, shared }: ContextMatch): number {
  const share = shared / (shared + 2)
  return share * covered + (1 - share) * likeness
}

/** Words that only one of the statements has, and what the other has in their place. */
function compareWords(a: Statement, b: Statement, rarity: Rarity): Difference[] {
  const [termsA, termsB] = [new Set(a.words.map(({ term }) => term)), new Set(b.words.map(({ term }) => term))]
  const onlyA = a.words.filter(({ term }) => !termsB.has(term))
  const onlyB = b.words.filter(({ term }) => !termsA.has(term))
  if (onlyA.length === 0 || onlyB.length === 0) return []
  const found: Difference[] = []
  for (const first of onlyA) {
    for (const second of onlyB) {
      if (first.isDirection !== second.isDirection && !(hasOpposite(first.folded) && hasOpposite(second.folded)))
        continue
      if (!areOpposite(first.folded, second.folded)) continue
      const without = new Set([first.term, second.term])
      const match = matchContexts(contextOf(a, first, rarity, without), contextOf(b, second, rarity, without))
      if (match.shared === 0) continue
      found.push({ kind: 'opposite', strength: sureness(match), a: first, b: second })
    }
  }
  return [...found, ...compareSlots(a, b, onlyA, onlyB, rarity)]
}

/** Most words that take the place of others. */
const MAX_SLOT_WORDS = 3
/** How sure a name in the place of another is, and any other word. */
const SLOT_STRENGTH = { name: 1, word: 0.45 } as const

/** One run of words in the place of another, with the same words before it: the subject. */
function compareSlots(
  a: Statement,
  b: Statement,
  onlyA: readonly ContentWord[],
  onlyB: readonly ContentWord[],
  rarity: Rarity,
): Difference[] {
  const isOther = ({ folded, isDirection }: ContentWord): boolean => !isDirection && !isChangeWord(folded)
  onlyA = onlyA.filter(isOther)
  onlyB = onlyB.filter(isOther)
  if (onlyA.length > MAX_SLOT_WORDS || onlyB.length > MAX_SLOT_WORDS) return []
  const [firstA, lastA, firstB, lastB] = [onlyA[0], onlyA.at(-1), onlyB[0], onlyB.at(-1)]
  if (!firstA || !lastA || !firstB || !lastB) return []
  const [beforeA, beforeB] = [a, b].map((statement, index) =>
    statement.words.filter(
      ({ start, folded, isDirection }) =>
        !isDirection && !isChangeWord(folded) && start < (index === 0 ? firstA : firstB).start,
    ),
  ) as [ContentWord[], ContentWord[]]
  const isAfterSubject = beforeA.length > 0 && beforeA.at(-1)?.term === beforeB.at(-1)?.term
  // "Thanks, Ada": who is addressed is no part of a statement.
  const isAddressed = [a, b].some(({ clauseEnds }, index) => {
    const [before, slot] = [(index === 0 ? beforeA : beforeB).at(-1), index === 0 ? firstA : firstB]
    return clauseEnds.some((end) => before !== undefined && end >= before.position && end < slot.position)
  })
  if (!isAfterSubject || isAddressed) return []
  const without = new Set([...onlyA, ...onlyB].map(({ term }) => term))
  const match = matchContexts(contextOf(a, firstA, rarity, without), contextOf(b, firstB, rarity, without))
  const isName = onlyA.every((word) => word.isName) && onlyB.every((word) => word.isName)
  const strength = match.likeness * (isName ? SLOT_STRENGTH.name : SLOT_STRENGTH.word)
  return [
    { kind: 'name', strength, a: { start: firstA.start, end: lastA.end }, b: { start: firstB.start, end: lastB.end } },
  ]
}
