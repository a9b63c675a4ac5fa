import type { CorrelationGraph } from '../../model/correlation.ts'
import { RELATIONSHIP_KINDS } from '../../model/relationship.ts'
import { type DrawnEdge, drawGraph } from './drawn-graph.ts'

/** The graph as a Mermaid flowchart. Stated relationships have a solid line, found and predicted ones a dotted one. */
export function toMermaid(graph: CorrelationGraph): string {
  const { nodes, edges } = drawGraph(graph)
  return [
    'flowchart LR',
    ...nodes.map(({ key, label }) => `  ${key}["${escapeLabel(label)}"]`),
    ...edges.map(drawEdge),
    '',
  ].join('\n')
}

function drawEdge({ source, target, type, score, origin }: DrawnEdge): string {
  const isSolid = origin === 'explicit'
  const direction = type === 'predicted' ? 'none' : RELATIONSHIP_KINDS[type].direction
  const line = isSolid ? '--' : '-.-'
  const arrow = { forward: `${line}>`, backward: `${line}>`, both: `<${line}>`, none: line }[direction]
  const [from, to] = direction === 'backward' ? [target, source] : [source, target]
  return `  ${from.key} ${arrow}|"${type} ${score.toFixed(2)}"| ${to.key}`
}

/** A label for quotation marks: whatever could be read as syntax, Markdown or HTML is written by its number. */
function escapeLabel(label: string): string {
  return label.replace(/[^\p{L}\p{M}\p{N} ._/,:-]/gu, (character) => `#${character.codePointAt(0)};`)
}
