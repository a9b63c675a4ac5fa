import type { CorrelationGraph } from '../../model/correlation.ts'
import { drawGraph } from './drawn-graph.ts'

/** A graph as graphology serialises it: `MultiGraph.from(serialized)` takes it as it is. */
export interface SerializedGraph {
  attributes: Record<string, unknown>
  options: { type: 'mixed'; multi: true; allowSelfLoops: false }
  nodes: Array<{ key: string; attributes: Record<string, unknown> }>
  edges: Array<{
    key: string
    source: string
    target: string
    undirected: boolean
    attributes: Record<string, unknown>
  }>
}

/** The graph for graphology, memories under their ids; symmetric relationships are undirected. */
export function toGraphology(graph: CorrelationGraph): SerializedGraph {
  const { nodes, edges } = drawGraph(graph)
  return {
    attributes: { orphans: graph.orphans, ...(graph.leftOut !== undefined && { leftOut: graph.leftOut }) },
    options: { type: 'mixed', multi: true, allowSelfLoops: false },
    nodes: nodes.map(({ id, key: _, type, ...rest }) => ({ key: id, attributes: { tier: type, ...rest } })),
    edges: edges.map(({ key, source, target, isUndirected, type, score, origin, reason }) => ({
      key,
      source: source.id,
      target: target.id,
      undirected: isUndirected,
      attributes: { relationshipType: type, score, weight: score, origin, reason },
    })),
  }
}
