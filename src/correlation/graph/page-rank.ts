import { PAGE_RANK } from '../correlation-options.ts'

/** An undirected edge between two nodes, by their numbers. Several between two add up. */
export interface WeightedEdge {
  a: number
  b: number
  /** ≥ 0 */
  weight: number
}

/**
 * Personalised PageRank: the share of visits that each of `count` nodes gets from a walk that starts at one of the `start` nodes, goes on along an edge with
 * chance `damping`, an edge as likely as its weight, and else starts anew. By power iteration of
 * r ← (1 − d)·s + d·(Wᵀ r + m·s), where m is what stands on nodes without edges, which start anew too.
 *
 * Page, Brin, Motwani, Winograd, "The PageRank Citation Ranking" (1999); Haveliwala, "Topic-Sensitive PageRank" (2002); nodes without
 * edges as in Langville and Meyer, "Deeper Inside PageRank" (2004), section 3. Edges are walked both ways: what bears on a memory is
 * as near to it as what it bears on. The ranks add up to 1; an empty graph has none.
 */
export function rankPages(count: number, edges: readonly WeightedEdge[], start: readonly number[]): Float64Array {
  const jump = startVector(count, start)
  const strength = new Float64Array(count)
  for (const { a, b, weight } of edges) {
    add(strength, a, weight)
    add(strength, b, weight)
  }
  let rank: Float64Array = jump.slice()
  for (let round = 0; round < PAGE_RANK.rounds; round++) {
    const next = step(rank, { edges, strength, jump })
    let moved = 0
    for (let node = 0; node < count; node++) moved += Math.abs(at(next, node) - at(rank, node))
    rank = next
    if (moved < PAGE_RANK.tolerance) break
  }
  const sum = rank.reduce((total, one) => total + one, 0)
  return sum === 0 ? rank : rank.map((one) => one / sum)
}

/** Equal shares for the nodes that it starts from; for all, where none are named. */
function startVector(count: number, start: readonly number[]): Float64Array {
  const from = new Set(start.length > 0 ? start : Array.from({ length: count }, (_, node) => node))
  return new Float64Array(count).map((_, node) => (from.has(node) ? 1 / from.size : 0))
}

function step(
  rank: Float64Array,
  { edges, strength, jump }: { edges: readonly WeightedEdge[]; strength: Float64Array; jump: Float64Array },
): Float64Array {
  const arrived = new Float64Array(rank.length)
  for (const { a, b, weight } of edges) {
    if (weight === 0) continue
    add(arrived, b, (at(rank, a) * weight) / at(strength, a))
    add(arrived, a, (at(rank, b) * weight) / at(strength, b))
  }
  let stuck = 0
  for (let node = 0; node < rank.length; node++) if (at(strength, node) === 0) stuck += at(rank, node)
  const { damping } = PAGE_RANK
  return arrived.map((mass, node) => (1 - damping) * at(jump, node) + damping * (mass + stuck * at(jump, node)))
}

function at(numbers: Float64Array, index: number): number {
  return numbers[index] ?? 0
}

function add(numbers: Float64Array, index: number, amount: number): void {
  numbers[index] = at(numbers, index) + amount
}
