import type { CorrelationGraph, GraphEdge, GraphNode } from '../../model/correlation.ts'
import { isSymmetric } from '../../model/relationship.ts'

export interface TreeOptions {
  nameOf: (node: GraphNode) => string
  maxLines: number
}

/**
 * A graph as trees, one a memory that it begins with: each memory stands once, below the one by which it was reached, with its strongest
 * relationship to it; `←` where the lower one is the source. What else joins them is counted, and so is what found no room.
 */
export function formatTree(
  { nodes, edges }: CorrelationGraph,
  roots: readonly GraphNode[],
  { nameOf, maxLines }: TreeOptions,
): string[] {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const children = toChildren(edges, byId)
  const lines: string[] = []
  const draw = (node: GraphNode, indent: string): void => {
    const below = children.get(node.id) ?? []
    for (const [index, { child, edge }] of below.entries()) {
      const isLast = index === below.length - 1
      const arrow = edge.sourceId === child.id && !isSymmetric(edge.relationshipType) ? '← ' : ''
      const relation = `(${arrow}${edge.relationshipType}, ${edge.score.toFixed(2)})`
      lines.push(`${indent}${isLast ? '└── ' : '├── '}${nameOf(child)} ${relation}`)
      draw(child, `${indent}${isLast ? '    ' : '│   '}`)
    }
  }
  for (const root of roots) {
    lines.push(nameOf(root))
    draw(root, '')
  }
  const shown = lines.slice(0, maxLines)
  if (lines.length > shown.length) shown.push(`… ${lines.length - shown.length} more memories`)
  const inTree = [...children.values()].reduce((sum, below) => sum + below.length, 0)
  const others = edges.length - inTree
  if (others > 0)
    shown.push(`(${others} more ${others === 1 ? 'relationship' : 'relationships'} between these memories)`)
  return shown
}

interface Child {
  child: GraphNode
  edge: GraphEdge
}

/** Below each memory, strongest first, those a step farther that it reaches; one that several reach stands below its strongest. */
function toChildren(edges: readonly GraphEdge[], byId: ReadonlyMap<string, GraphNode>): Map<string, Child[]> {
  const placed = new Set<string>()
  const children = new Map<string, Child[]>()
  for (const edge of edges) {
    const ends = [byId.get(edge.sourceId), byId.get(edge.targetId)]
    const [upper, lower] = ends.sort((a, b) => (a?.depth ?? 0) - (b?.depth ?? 0))
    if (!upper || !lower || lower.depth !== upper.depth + 1 || placed.has(lower.id)) continue
    placed.add(lower.id)
    const below = children.get(upper.id) ?? []
    below.push({ child: lower, edge })
    children.set(upper.id, below)
  }
  return children
}
