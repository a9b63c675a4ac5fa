import type { CorrelationGraph, GraphEdge, GraphNode } from '../../model/correlation.ts'
import { isSymmetric, type RelationshipType } from '../../model/relationship.ts'
import { cleanCharacters } from '../../normalize/index.ts'

/** A memory as it is drawn. */
export interface DrawnNode extends GraphNode {
  /** `n0`, `n1` …: a name that every format takes, whatever the memory is called. */
  key: string
  /** Where it stands, in one line. */
  label: string
}

/** A relationship as it is drawn, a predicted one too. */
export interface DrawnEdge {
  /** `e0`, `e1` … */
  key: string
  source: DrawnNode
  target: DrawnNode
  type: RelationshipType | 'predicted'
  score: number
  origin: GraphEdge['origin'] | 'predicted'
  reason: string
  /** Whether neither end comes first. */
  isUndirected: boolean
}

export interface DrawnGraph {
  nodes: DrawnNode[]
  edges: DrawnEdge[]
}

/** What all drawn formats show of a graph, in its order. */
export function drawGraph({ nodes, edges, predicted = [] }: CorrelationGraph): DrawnGraph {
  const drawn = nodes.map((node, number): DrawnNode => ({ ...node, key: `n${number}`, label: labelOf(node) }))
  const byId = new Map(drawn.map((node) => [node.id, node]))
  const lines = [
    ...edges.map(({ relationshipType: type, ...edge }) => ({ ...edge, type, isUndirected: isSymmetric(type) })),
    ...predicted.map((edge) => ({
      ...edge,
      type: 'predicted' as const,
      origin: 'predicted' as const,
      isUndirected: true,
    })),
  ]
  return {
    nodes: drawn,
    edges: lines.flatMap(({ sourceId, targetId, ...edge }, number) => {
      const [source, target] = [byId.get(sourceId), byId.get(targetId)]
      return source && target ? [{ ...edge, key: `e${number}`, source, target }] : []
    }),
  }
}

/** Where a memory stands, in one line of visible characters; a heading that is only the file's name once more is left out. */
export function labelOf({ id, path, header }: Pick<GraphNode, 'id' | 'path' | 'header'>): string {
  const isName =
    path
      .split('/')
      .at(-1)
      ?.replace(/\.[A-Za-z0-9]{1,8}$/, '') === header
  return toLine([path || id, isName ? '' : header].filter((part) => part !== '').join(' › '))
}

/** A text in one line, without characters that nobody sees. */
export function toLine(text: string): string {
  return cleanCharacters(text.toWellFormed())
    .replace(/[\s\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()
}
