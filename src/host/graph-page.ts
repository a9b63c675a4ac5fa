import type { CorrelationGraph, GraphEdge, GraphNode, UnresolvedLink } from '../index.ts'
import { takeItems } from './mcp/answer-budget.ts'

type GraphItem = { node: GraphNode } | { edge: GraphEdge } | { orphan: string } | { unresolved: UnresolvedLink }

/** A part of a graph: every relationship comes with or after both its memories, so that the parts together make up the whole. */
export interface GraphPage extends Omit<CorrelationGraph, 'predicted'> {
  totalNodes: number
  totalEdges: number
  truncated: boolean
  /** Where it goes on; absent at the end. */
  nextOffset?: number
}

/** As much of a graph as an answer has room for, from `offset` on. */
export function pageOfGraph(graph: CorrelationGraph, offset: number): GraphPage {
  const { nodes, edges, tiers, leftOut } = graph
  const rest = { tiers, totalNodes: nodes.length, totalEdges: edges.length, ...(leftOut !== undefined && { leftOut }) }
  const items = listItems(graph)
  const taken = takeItems(items.slice(offset), { ...rest, nodes: [], edges: [], orphans: [], unresolved: [] })
  const nextOffset = offset + taken.length
  const isCut = nextOffset < items.length
  return {
    nodes: taken.flatMap((item) => ('node' in item ? [item.node] : [])),
    edges: taken.flatMap((item) => ('edge' in item ? [item.edge] : [])),
    orphans: taken.flatMap((item) => ('orphan' in item ? [item.orphan] : [])),
    unresolved: taken.flatMap((item) => ('unresolved' in item ? [item.unresolved] : [])),
    ...rest,
    truncated: isCut,
    ...(isCut && { nextOffset }),
  }
}

/** Each memory followed by its relationships with those before it. */
function listItems({ nodes, edges, orphans, unresolved }: CorrelationGraph): GraphItem[] {
  const order = new Map(nodes.map(({ id }, index) => [id, index]))
  const after = new Map<number, GraphEdge[]>()
  for (const edge of edges) {
    const later = Math.max(order.get(edge.sourceId) ?? 0, order.get(edge.targetId) ?? 0)
    after.set(later, [...(after.get(later) ?? []), edge])
  }
  return [
    ...nodes.flatMap((node, index) => [{ node }, ...(after.get(index) ?? []).map((edge) => ({ edge }))]),
    ...orphans.map((orphan) => ({ orphan })),
    ...unresolved.map((link) => ({ unresolved: link })),
  ]
}
