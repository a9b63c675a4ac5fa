import type { Conflict } from './conflict.ts'
import { SAME_STATEMENT } from './correlation-options.ts'

/**
 * Whether two statements that cannot both hold are one statement of the same thing: the fewer words they have in common, the more alike
 * statements and texts must be. Among the memories of one workspace there are many that differ in a number or a "not" and speak of
 * different things, so that this asks for more than `findConflict`, which is told two texts and has to judge them.
 */
export function isSameStatement({ kind, statements }: Conflict, cosine: number | undefined): boolean {
  if (statements.some(({ isQuestion }) => isQuestion)) return false
  const [first, second] = statements.map(
    ({ words }) => new Set(words.filter(({ isDirection }) => !isDirection).map(({ term }) => term)),
  )
  if (!first || !second || first.size === 0 || second.size === 0) return false
  let shared = 0
  for (const term of first) if (second.has(term)) shared += 1
  const likeness = (2 * shared) / (first.size + second.size)
  const isNegation = kind === 'negation' || kind === 'opposite'
  const isLong = shared >= (isNegation ? SAME_STATEMENT.negatedTerms : SAME_STATEMENT.terms)
  if (!isLong && shared < SAME_STATEMENT.fewTerms) return false
  // Without vectors the statements alone have to show it.
  if (cosine === undefined) return likeness >= (isLong ? SAME_STATEMENT.likeness : SAME_STATEMENT.fewLikeness)
  if (cosine < SAME_STATEMENT.minCosine) return false
  return likeness + cosine >= (isLong ? SAME_STATEMENT.together : SAME_STATEMENT.fewTogether)
}
