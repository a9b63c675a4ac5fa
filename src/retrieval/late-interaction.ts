import { LATE_INTERACTION } from '../options.ts'
import type { MemoryStore, TokensNearby } from '../store/memory-store.ts'
import { applyBoosts, type FusedCandidate, rankFused } from './fuse.ts'
import type { QueryTokens } from './query-vectors.ts'

/**
 * Looks at the first candidates again, word by word: each word of the query is compared with each of the memory, and counts
 * with the best cosine that it finds (MaxSim; Khattab & Zaharia 2020, ColBERT), the rare ones more. In talk a word may also be met by a
 * turn beside it, at a loss. What this adds to the sum of the signals is relative to the best and the least of them.
 */
export async function rerankByTokens(
  store: MemoryStore,
  ranked: readonly FusedCandidate[],
  { identity, tokens }: { identity: string; tokens: QueryTokens },
): Promise<FusedCandidate[]> {
  const first = ranked.slice(0, LATE_INTERACTION.depth)
  const nearby = { before: BESIDE.before.length, after: BESIDE.after.length }
  const found = await store.readTokens(
    identity,
    first.map(({ candidate }) => candidate.memory.id),
    nearby,
  )
  if (found.size < 2) return [...ranked]
  const similarities = createSimilarities(tokens)
  const scores = first.map(({ candidate: { memory } }) => {
    const list = found.get(memory.id)
    return list?.some(({ offset }) => offset === 0)
      ? meetWords(list, { tokens, similarities, isTalk: memory.category === 'sessions' })
      : undefined
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

/** What a word counts that a turn beside the memory meets: by distance, before and after. */
const BESIDE = { before: [0.9, 0.8], after: [0.85] } as const

function besideFactor(offset: number): number {
  if (offset === 0) return 1
  return (offset < 0 ? BESIDE.before[-offset - 1] : BESIDE.after[offset - 1]) ?? 0
}

/** The weighted mean of what each word of the query finds, [-1,1]. */
function meetWords(
  list: readonly TokensNearby[],
  context: { tokens: QueryTokens; similarities: (memory: Int8Array) => Float32Array; isTalk: boolean },
): number {
  const { tokens, similarities, isTalk } = context
  const used = isTalk ? list : list.filter(({ offset }) => offset === 0)
  const met = used.map(({ offset, tokens: memory }) => ({ factor: besideFactor(offset), best: similarities(memory) }))
  let [sum, weights] = [0, 0]
  tokens.weights.forEach((weight, word) => {
    sum += weight * Math.max(...met.map(({ factor, best }) => factor * (best[word] ?? 0)))
    weights += weight
  })
  return weights > 0 ? sum / weights : 0
}

/** Best cosine of each word of the query with a memory's words, worked out once for each memory. */
function createSimilarities({ dimensions, vectors }: QueryTokens): (memory: Int8Array) => Float32Array {
  const words = vectors.length / dimensions
  const known = new Map<Int8Array, Float32Array>()
  return (memory) => {
    const before = known.get(memory)
    if (before) return before
    const best = new Float32Array(words).fill(-1)
    for (let word = 0; word < words; word++) {
      let most = -UNIT_SQUARED
      for (let start = 0; start < memory.length; start += dimensions) {
        let sum = 0
        for (let at = 0; at < dimensions; at++)
          sum += (vectors[word * dimensions + at] ?? 0) * (memory[start + at] ?? 0)
        if (sum > most) most = sum
      }
      best[word] = most / UNIT_SQUARED
    }
    known.set(memory, best)
    return best
  }
}

/** Vectors of 8 bits have this length, squared. */
const UNIT_SQUARED = 127 * 127
