import { FEEDBACK } from '../options.ts'
import { tokenize } from '../text/tokenize.ts'
import type { QueryWord } from './analyze-query.ts'
import type { FusedCandidate } from './fuse.ts'

/**
 * Pseudo-relevance feedback: words that several of the first results share and the query lacks, most shared first
 * (then alphabetical), at most FEEDBACK.terms. Empty when the results have nothing in common.
 */
export function findFeedbackWords(ranked: readonly FusedCandidate[], words: readonly QueryWord[]): QueryWord[] {
  const known = new Set(words.map(({ term }) => term))
  const counts = new Map<string, number>()
  for (const { candidate } of ranked.slice(0, FEEDBACK.results)) {
    const terms = new Set(
      tokenize(candidate.memory.text)
        .filter(({ kind, term }) => kind === 'word' && term.length > 3)
        .map(({ term }) => term),
    )
    for (const term of terms) if (!known.has(term)) counts.set(term, (counts.get(term) ?? 0) + 1)
  }
  return [...counts]
    .filter(([, count]) => count >= FEEDBACK.minResults)
    .sort(([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1))
    .slice(0, FEEDBACK.terms)
    .map(([term]) => ({ term, weight: FEEDBACK.weight, optional: true }))
}
