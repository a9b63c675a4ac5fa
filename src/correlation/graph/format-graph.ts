import type { CorrelationGraph } from '../../model/correlation.ts'
import { toDot } from './to-dot.ts'
import { toGraphml } from './to-graphml.ts'
import { toGraphology } from './to-graphology.ts'
import { toMermaid } from './to-mermaid.ts'

export type GraphFormat = 'json' | 'graphology' | 'graphml' | 'mermaid' | 'dot'
export const GRAPH_FORMATS: readonly GraphFormat[] = ['json', 'graphology', 'graphml', 'mermaid', 'dot']

const WRITERS: Record<GraphFormat, (graph: CorrelationGraph) => string> = {
  json: toJson,
  graphology: (graph) => toJson(toGraphology(graph)),
  graphml: toGraphml,
  mermaid: toMermaid,
  dot: toDot,
}

/** A graph as a text of a format. Names of files and headings are data in each of them, whatever they hold. */
export function formatGraph(graph: CorrelationGraph, format: GraphFormat): string {
  return WRITERS[format](graph)
}

function toJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
