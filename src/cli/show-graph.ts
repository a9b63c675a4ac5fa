import type { CorrelationGraph } from '../index.ts'
import type { Output } from './output.ts'
import { formatCount } from './words.ts'

/** A graph as a person reads it. */
export function describeGraph(graph: CorrelationGraph, _output: Output): string[] {
  return [`${formatCount(graph.nodes.length, 'memory')}, ${formatCount(graph.edges.length, 'relationship')}`]
}
