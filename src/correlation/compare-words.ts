import { isChangeWord } from '../text/statements/changes.ts'
import { areOpposite, hasOpposite } from '../text/statements/opposites.ts'
import type { ContentWord, Statement } from '../text/statements/read-statements.ts'
import type { Difference } from './conflict.ts'
import { contextOf, matchContexts, sureness } from './context-match.ts'
import { CONFLICT } from './correlation-options.ts'
import type { Rarity } from './correlation-score.ts'

/** Words that only one of the statements has, and what the other has in their place. */
export function compareWords(a: Statement, b: Statement, rarity: Rarity): Difference[] {
  const [termsA, termsB] = [new Set(a.words.map(({ term }) => term)), new Set(b.words.map(({ term }) => term))]
  const onlyA = a.words.filter(({ term }) => !termsB.has(term))
  const onlyB = b.words.filter(({ term }) => !termsA.has(term))
  return [...compareOpposites(a, b, { termsA, termsB }, rarity), ...compareSlots(a, b, onlyA, onlyB, rarity)]
}

/**
 * Words that exclude each other, said of the same: what is around the one is around the other, and more so than around the same word
 * where the other statement has it too ("rose while costs fell").
 */
function compareOpposites(
  a: Statement,
  b: Statement,
  { termsA, termsB }: { termsA: ReadonlySet<string>; termsB: ReadonlySet<string> },
  rarity: Rarity,
): Difference[] {
  const opposites = findOpposites(a.words.filter(isEnglish), b.words.filter(isEnglish))
  return a.words.filter(isEnglish).flatMap((first) =>
    (opposites.get(first.folded) ?? []).flatMap((second): Difference[] => {
      const isInBoth = termsB.has(first.term) || termsA.has(second.term)
      if (isInBoth && !(hasOpposite(first.folded) && hasOpposite(second.folded))) return []
      if (first.isDirection !== second.isDirection && !(hasOpposite(first.folded) && hasOpposite(second.folded)))
        return []
      const without = new Set([first.term, second.term])
      const sure = (x: ContentWord, y: ContentWord): number => {
        const match = matchContexts(contextOf(a, x, rarity, without), contextOf(b, y, rarity, without))
        return match.shared === 0 ? 0 : sureness(match)
      }
      const same = isInBoth
        ? Math.max(
            0,
            ...b.words.filter(({ term }) => term === first.term).map((word) => sure(first, word)),
            ...a.words.filter(({ term }) => term === second.term).map((word) => sure(word, second)),
          )
        : 0
      const strength = sure(first, second) - CONFLICT.sameWordShare * same
      return strength > 0 ? [{ kind: 'opposite', strength, a: first, b: second }] : []
    }),
  )
}

/** For each form that words have, the others that exclude it, in order. Each two forms are compared once: a text may repeat a few for pages. */
function findOpposites(words: readonly ContentWord[], others: readonly ContentWord[]): Map<string, ContentWord[]> {
  const forms = new Set(others.map(({ folded }) => folded))
  return new Map(
    [...new Set(words.map(({ folded }) => folded))].map((form) => {
      const excluded = new Set([...forms].filter((other) => areOpposite(form, other)))
      return [form, excluded.size === 0 ? [] : others.filter(({ folded }) => excluded.has(folded))]
    }),
  )
}

/** Opposites are known of English words only; runs of other scripts have too many terms to try them. */
function isEnglish({ folded }: ContentWord): boolean {
  return /^[a-z]/.test(folded)
}

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
  if (onlyA.length > CONFLICT.slotWords || onlyB.length > CONFLICT.slotWords) return []
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
  const isEvent = [beforeA, beforeB].some((words) => /^[a-z]{3,}ed$/.test(words.at(-1)?.folded ?? ''))
  const [kind, sure] = isName && !isEvent ? (['name', 1] as const) : (['wording', CONFLICT.slotStrength] as const)
  return [
    {
      kind,
      strength: match.likeness * sure,
      a: { start: firstA.start, end: lastA.end },
      b: { start: firstB.start, end: lastB.end },
    },
  ]
}
