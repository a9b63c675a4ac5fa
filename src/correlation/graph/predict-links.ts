import type { GraphEdge, GraphNode, PredictedLink } from '../../model/correlation.ts'
import type { MemoryFilter } from '../../model/search.ts'
import type { MemoryStore } from '../../store/memory-store.ts'
import { PREDICTED_LINKS } from '../correlation-options.ts'
import { pairKey } from '../reviews.ts'

interface Prediction {
  sourceId: string
  targetId: string
  strength: number
  /** Memories that both are related to, most telling first. */
  shared: Array<{ id: string; strength: number }>
}

/**
 * Pairs of memories of a graph that nothing relates and that are related to the same memories, most likely first. The strength is that of
 * Adamic and Adar, "Friends and neighbors on the Web" (2003), with the relationships' scores as weights: Σ over the common
 * neighbours z of w(x,z)·w(z,y) / ln(degree of z); the score is strength / (1 + strength). Pairs of one document are left out, and
 * pairs that some relationship joins outside of the graph. Nothing is stored.
 */
export async function predictLinks(
  store: MemoryStore,
  { nodes, edges }: { nodes: readonly GraphNode[]; edges: readonly GraphEdge[] },
  filter: MemoryFilter,
): Promise<PredictedLink[]> {
  const neighbours = toNeighbours(edges)
  const pathOf = new Map(nodes.map(({ id, path }) => [id, path]))
  const likely = collect(neighbours, await readDegrees(store, nodes, filter))
    .filter(({ shared }) => shared.length >= PREDICTED_LINKS.minShared)
    .filter(({ sourceId, targetId }) => pathOf.get(sourceId) !== pathOf.get(targetId))
    .sort((a, b) => b.strength - a.strength || compareIds(a, b))
  // More than are shown, since some of them may be related already.
  const looked = likely.slice(0, PREDICTED_LINKS.limit * 3)
  const joined = await findJoined(store, looked, filter)
  return looked
    .filter(({ sourceId, targetId }) => !joined.has(pairKey(sourceId, targetId)))
    .slice(0, PREDICTED_LINKS.limit)
    .map(({ sourceId, targetId, strength, shared }) => ({
      sourceId,
      targetId,
      score: strength / (1 + strength),
      reason: `both are related to ${shared.length} memories, first ${pathOf.get(shared[0]?.id ?? '') ?? shared[0]?.id}`,
    }))
}

/** The strongest relationship of each memory with each of its neighbours. */
function toNeighbours(edges: readonly GraphEdge[]): Map<string, Map<string, number>> {
  const neighbours = new Map<string, Map<string, number>>()
  const note = (from: string, to: string, score: number): void => {
    const of = neighbours.get(from) ?? new Map<string, number>()
    of.set(to, Math.max(score, of.get(to) ?? 0))
    neighbours.set(from, of)
  }
  for (const { sourceId, targetId, score } of edges) {
    note(sourceId, targetId, score)
    note(targetId, sourceId, score)
  }
  return neighbours
}

/** Of all relationships that the asker may see, not only those of the graph. */
async function readDegrees(
  store: MemoryStore,
  nodes: readonly GraphNode[],
  filter: MemoryFilter,
): Promise<Map<string, number>> {
  const degrees = await store.relationships.count(
    nodes.map(({ id }) => id),
    { filter },
  )
  return new Map(degrees.map(({ id, outgoing, incoming, mutual }) => [id, outgoing + incoming + mutual]))
}

function collect(neighbours: Map<string, Map<string, number>>, degrees: Map<string, number>): Prediction[] {
  const predictions = new Map<string, Prediction>()
  for (const id of [...neighbours.keys()].sort()) {
    const of = [...(neighbours.get(id) ?? [])].sort(([a], [b]) => (a < b ? -1 : 1))
    const degree = Math.max(degrees.get(id) ?? 0, of.length)
    if (degree < 2 || degree > PREDICTED_LINKS.maxDegree) continue
    for (const [index, [sourceId, left]] of of.entries()) {
      for (const [targetId, right] of of.slice(index + 1)) {
        if (neighbours.get(sourceId)?.has(targetId)) continue
        const strength = (left * right) / Math.log(degree)
        const key = pairKey(sourceId, targetId)
        const prediction = predictions.get(key) ?? { sourceId, targetId, strength: 0, shared: [] }
        prediction.strength += strength
        prediction.shared.push({ id, strength })
        predictions.set(key, prediction)
      }
    }
  }
  for (const { shared } of predictions.values())
    shared.sort((a, b) => b.strength - a.strength || (a.id < b.id ? -1 : 1))
  return [...predictions.values()]
}

/** Which of the pairs are related, whatever the graph shows of it. */
async function findJoined(
  store: MemoryStore,
  pairs: readonly Prediction[],
  filter: MemoryFilter,
): Promise<ReadonlySet<string>> {
  const ids = [...new Set(pairs.map(({ sourceId }) => sourceId))]
  const listed = ids.length === 0 ? [] : await store.relationships.list(ids, { filter })
  return new Set(listed.map(({ sourceId, targetId }) => pairKey(sourceId, targetId)))
}

function compareIds(a: Prediction, b: Prediction): number {
  return `${a.sourceId}\0${a.targetId}` < `${b.sourceId}\0${b.targetId}` ? -1 : 1
}
