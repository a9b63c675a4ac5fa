import type { Conflict } from './conflict.ts'
import { SAME_STATEMENT } from './correlation-options.ts'
import { termsOf } from './text-reading.ts'

/**
 * Whether two statements that cannot both hold are one statement of the same thing: the fewer words they have in common, the more alike
 * statements and texts must be. Among the memories of one workspace there are many that differ in a number or a "not" and speak of
 * different things, so that this asks for more than `findConflict`, which is told two texts and has to judge them.
 */
export function isSameStatement({ kind, statements }: Conflict, cosine: number | undefined): boolean {
  if (statements.some(({ isQuestion }) => isQuestion)) return false
  const [first, second] = [termsOf(statements[0].words), termsOf(statements[1].words)]
  let shared = 0
  for (const term of first) if (second.has(term)) shared += 1
  const isNegation = kind === 'negation' || kind === 'opposite'
  const longTerms = isNegation ? SAME_STATEMENT.negatedTerms : SAME_STATEMENT.terms
  return shareEnough({ shared, terms: first.size + second.size, longTerms }, cosine)
}

/** Whether two statements have so much in common that they may be the same: `shared` of `terms`, both counted together. */
export function shareEnough(
  { shared, terms, longTerms = SAME_STATEMENT.terms }: { shared: number; terms: number; longTerms?: number },
  cosine: number | undefined,
): boolean {
  const isLong = shared >= longTerms
  if (!isLong && shared < SAME_STATEMENT.fewTerms) return false
  const likeness = (2 * shared) / terms
  // Without vectors the statements alone have to show it.
  if (cosine === undefined) return likeness >= (isLong ? SAME_STATEMENT.likeness : SAME_STATEMENT.fewLikeness)
  if (cosine < SAME_STATEMENT.minCosine) return false
  return likeness + cosine >= (isLong ? SAME_STATEMENT.together : SAME_STATEMENT.fewTogether)
}
