import type { CorrelationGraph } from '../../model/correlation.ts'
import { RELATIONSHIP_KINDS } from '../../model/relationship.ts'
import { type DrawnEdge, drawGraph } from './drawn-graph.ts'

const ARROWS = { forward: 'forward', backward: 'back', both: 'both' } as const

/** The graph in DOT, for Graphviz. Stated relationships have a solid line, found ones a dashed, predicted ones a dotted one. */
export function toDot(graph: CorrelationGraph): string {
  const { nodes, edges } = drawGraph(graph)
  return [
    'digraph memories {',
    '  node [shape=box];',
    ...nodes.map(
      ({ key, id, label, type }) => `  ${key} [label=${quote(label)}, id=${quote(id)}, class=${quote(type)}];`,
    ),
    ...edges.map(drawEdge),
    '}',
    '',
  ].join('\n')
}

function drawEdge({ source, target, type, score, origin, reason }: DrawnEdge): string {
  const arrow = type === 'predicted' ? 'none' : ARROWS[RELATIONSHIP_KINDS[type].direction]
  const style = { explicit: 'solid', discovered: 'dashed', predicted: 'dotted' }[origin]
  const label = quote(`${type} ${score.toFixed(2)}`)
  return `  ${source.key} -> ${target.key} [label=${label}, tooltip=${quote(reason)}, dir=${arrow}, style=${style}];`
}

/** A quoted string: in one line, and no backslash of it means anything. */
function quote(text: string): string {
  const line = text.toWellFormed().replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
  return `"${line.replace(/[\\"]/g, '\\$&')}"`
}
