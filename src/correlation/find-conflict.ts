import type { EvidenceSpan } from '../model/relationship.ts'
import { isChangeWord } from '../text/statements/changes.ts'
import type { Statement } from '../text/statements/read-statements.ts'
import { compareStatements } from './compare-statements.ts'
import type { Conflict, ConflictKind, Difference } from './conflict.ts'
import { contextOf, matchContexts } from './context-match.ts'
import { CONFLICT } from './correlation-options.ts'
import type { Rarity } from './correlation-score.ts'
import type { TextReading } from './text-reading.ts'

/** What differs when something has changed. */
const CHANGING: readonly ConflictKind[] = ['value', 'name', 'wording']

/**
 * The strongest conflict between two texts: a statement of one and a statement of the other that cannot both hold, in a value, a name,
 * a negation or an opposite, with the same said around it. Null where nothing differs so.
 */
export function findConflict(a: TextReading, b: TextReading, rarity: Rarity = () => 1): Conflict | null {
  let best: Conflict | null = null
  for (const [first, second] of pairStatements(a.statements, b.statements, rarity)) {
    for (const difference of compareStatements(first, second, rarity)) {
      if (difference.kind === 'value' && bothHoldBoth(a, b, difference)) continue
      const conflict = toConflict(a, b, first, second, difference)
      if (best === null || conflict.strength > best.strength) best = conflict
    }
  }
  for (const conflict of [...replacedBy(a, b, rarity), ...replacedBy(b, a, rarity).map(exchangeSides)]) {
    if (best === null || conflict.strength > best.strength) best = conflict
  }
  return best
}

/** What the one states and the other says to have been replaced, of the same subject. */
function replacedBy(old: TextReading, telling: TextReading, rarity: Rarity): Conflict[] {
  return telling.replacements.flatMap(({ before, after }): Conflict[] => {
    const where = telling.statements.find(({ start, end }) => start <= before.start && before.end <= end)
    if (!where) return []
    const termsIn = ({ words }: Statement, place: { start: number; end: number }): string[] =>
      words
        .filter(({ start, end, isDirection }) => !isDirection && start >= place.start && end <= place.end)
        .map(({ term }) => term)
    const gone = termsIn(where, before)
    const come = after ? termsIn(where, after) : []
    if (gone.length === 0) return []
    return old.statements.flatMap((statement): Conflict[] => {
      const terms = new Set(statement.words.map(({ term }) => term))
      if (!gone.every((term) => terms.has(term)) || (come.length > 0 && come.every((term) => terms.has(term))))
        return []
      const place = statement.words.find(({ term }) => term === gone[0])
      if (!place) return []
      const without = new Set([...gone, ...come])
      const isChange = ({ folded }: { folded: string }): boolean => isChangeWord(folded)
      for (const word of [...where.words, ...statement.words].filter(isChange)) without.add(word.term)
      const match = matchContexts(
        contextOf(statement, place, rarity, without),
        contextOf(where, before, rarity, without),
      )
      if (match.shared === 0) return []
      const evidence: EvidenceSpan[] = [
        { side: 'source', start: place.start, end: place.end },
        { side: 'target', start: before.start, end: Math.max(before.end, after?.end ?? 0) },
      ]
      const words: [string, string] = [
        old.text.slice(place.start, place.end),
        telling.text.slice(before.start, Math.max(before.end, after?.end ?? 0)),
      ]
      return [
        {
          kind: 'replacement',
          strength: 0.5 + match.covered / 2,
          isUpdate: true,
          evidence,
          words,
          statements: [statement, where],
        },
      ]
    })
  })
}

function exchangeSides(conflict: Conflict): Conflict {
  const evidence = conflict.evidence.map(
    ({ side, start, end }): EvidenceSpan => ({ side: side === 'source' ? 'target' : 'source', start, end }),
  )
  return {
    ...conflict,
    evidence: evidence.reverse(),
    words: [conflict.words[1], conflict.words[0]],
    statements: [conflict.statements[1], conflict.statements[0]],
  }
}

function toConflict(
  a: TextReading,
  b: TextReading,
  first: Statement,
  second: Statement,
  difference: Difference,
): Conflict {
  const isChange = CHANGING.includes(difference.kind) && (speaksOfChange(a, first) || speaksOfChange(b, second))
  const evidence: EvidenceSpan[] = [
    { side: 'source', start: difference.a.start, end: difference.a.end },
    { side: 'target', start: difference.b.start, end: difference.b.end },
  ]
  return {
    kind: difference.kind,
    strength: isChange ? difference.strength + (1 - difference.strength) * CONFLICT.changeGain : difference.strength,
    isUpdate: isChange,
    evidence,
    words: [a.text.slice(difference.a.start, difference.a.end), b.text.slice(difference.b.start, difference.b.end)],
    statements: [first, second],
  }
}

/** Two values that either text states are told apart by both: an old and a new price, two things of one kind. */
function bothHoldBoth(a: TextReading, b: TextReading, difference: Difference): boolean {
  const valueAt = ({ quantities }: TextReading, { start }: { start: number }): string | undefined =>
    quantities.find((quantity) => quantity.start === start)?.value
  const holds = ({ quantities }: TextReading, value: string | undefined): boolean =>
    quantities.some((quantity) => quantity.value === value)
  return holds(a, valueAt(b, difference.b)) && holds(b, valueAt(a, difference.a))
}

function speaksOfChange({ changes }: TextReading, { start, end }: Statement): boolean {
  return changes.some((change) => change.start >= start && change.end <= end)
}

/** Pairs of statements that share most of what they say: for each statement of either text its nearest ones of the other. */
function pairStatements(a: readonly Statement[], b: readonly Statement[], rarity: Rarity): [Statement, Statement][] {
  const pairs = new Map<string, [number, number]>()
  for (const [first, second] of nearestOf(a, b, rarity)) pairs.set(`${first} ${second}`, [first, second])
  for (const [second, first] of nearestOf(b, a, rarity)) pairs.set(`${first} ${second}`, [first, second])
  return [...pairs.values()].flatMap(([first, second]): [Statement, Statement][] => {
    const [left, right] = [a[first], b[second]]
    return left && right ? [[left, right]] : []
  })
}

function* nearestOf(from: readonly Statement[], to: readonly Statement[], rarity: Rarity): Generator<[number, number]> {
  const holders = new Map<string, number[]>()
  to.forEach(({ words }, index) => {
    for (const term of new Set(words.map(({ term }) => term))) {
      const list = holders.get(term)
      if (list) list.push(index)
      else holders.set(term, [index])
    }
  })
  for (const [at, { words }] of from.entries()) {
    const shared = new Map<number, number>()
    for (const term of new Set(words.map(({ term }) => term))) {
      for (const index of holders.get(term) ?? []) shared.set(index, (shared.get(index) ?? 0) + rarity(term))
    }
    const nearest = [...shared].sort((x, y) => y[1] - x[1] || x[0] - y[0]).slice(0, CONFLICT.comparedStatements)
    for (const [index] of nearest) yield [at, index]
  }
}
