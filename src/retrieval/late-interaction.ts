import { LATE_INTERACTION } from '../options.ts'
import type { MemoryStore, WordsMet } from '../store/memory-store.ts'
import { applyBoosts, type FusedCandidate, rankFused } from './fuse.ts'
import type { QueryTokens } from './query-vectors.ts'

/** How memories meet the words of a query, by id. */
export type MetWords = Map<string, readonly WordsMet[]>

/**
 * Looks at the first candidates again, word by word: each word of the query is compared with each of the memory, and counts
 * with the best cosine that it finds (MaxSim; Khattab & Zaharia 2020, ColBERT), the rare ones more. In talk a word may also be met by a
 * turn beside it, at a loss. What this adds to the sum of the signals is relative to the best and the least of them.
 */
export async function rerankByTokens(
  store: MemoryStore,
  ranked: readonly FusedCandidate[],
  { identity, tokens, met = new Map() }: { identity: string; tokens: QueryTokens; met?: MetWords },
): Promise<FusedCandidate[]> {
  const first = ranked.slice(0, LATE_INTERACTION.depth)
  const found = await meetFirst(store, first, { identity, tokens, met })
  if (found.filter((words) => words.length > 0).length < 2) return [...ranked]
  const scores = first.map((one, index) => {
    const words = found[index] ?? []
    const used = isTalk(one) ? words : words.filter(({ offset }) => offset === 0)
    return used.some(({ offset }) => offset === 0) ? meetWords(used, tokens.weights) : undefined
  })
  const known = scores.filter((score) => score !== undefined)
  const [least, most] = [Math.min(...known), Math.max(...known)]
  const spread = Math.max(LATE_INTERACTION.minSpread, most - least)
  const again = first.map((one, index) => {
    const score = scores[index]
    if (score === undefined) return one
    const sum = one.boosts.reduce((fused, { factor }) => (factor > 0 ? fused / factor : fused), one.fused)
    const share = (score - least) / spread
    if (sum <= 0) return one
    const factor = 1 + (LATE_INTERACTION.weight * share) / sum
    const boost = { name: 'words', factor, reason: `words met with a cosine of ${score.toFixed(2)}` }
    return { ...applyBoosts(one, [boost]), words: score }
  })
  return [...rankFused(again), ...ranked.slice(first.length)]
}

/** How each candidate meets the words: those that `met` knows are not compared again, the others are added to it. */
async function meetFirst(
  store: MemoryStore,
  first: readonly FusedCandidate[],
  { identity, tokens, met }: { identity: string; tokens: QueryTokens; met: MetWords },
): Promise<Array<readonly WordsMet[]>> {
  const unknown = first.filter(({ candidate }) => !met.has(candidate.memory.id))
  if (unknown.length > 0) {
    const { dimensions, vectors } = tokens
    const nearby = { before: LATE_INTERACTION.before.length, after: LATE_INTERACTION.after.length }
    const ids = unknown.map(({ candidate }) => candidate.memory.id)
    const query = { identity, dimensions, vectors }
    const found = await store.compareWords(query, ids, unknown.some(isTalk) ? nearby : undefined)
    for (const id of ids) met.set(id, found.get(id) ?? [])
  }
  return first.map(({ candidate }) => met.get(candidate.memory.id) ?? [])
}

function isTalk({ candidate }: FusedCandidate): boolean {
  return candidate.memory.category === 'sessions'
}

/** What a word counts that is met so many places after the memory (negative: before). */
function factorAt(offset: number): number {
  if (offset === 0) return 1
  const { before, after } = LATE_INTERACTION
  return (offset < 0 ? before[-offset - 1] : after[offset - 1]) ?? 0
}

/** The weighted mean of what each word of the query finds, [-1,1]. */
function meetWords(met: readonly WordsMet[], weights: Float32Array): number {
  const places = met.map(({ offset, best }) => ({ factor: factorAt(offset), best }))
  let [sum, total] = [0, 0]
  for (let word = 0; word < weights.length; word++) {
    const weight = weights[word] ?? 0
    let most = Number.NEGATIVE_INFINITY
    for (const { factor, best } of places) most = Math.max(most, factor * (best[word] ?? 0))
    sum += weight * most
    total += weight
  }
  return total > 0 ? sum / total : 0
}
