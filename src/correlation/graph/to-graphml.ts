import type { CorrelationGraph } from '../../model/correlation.ts'
import { type DrawnEdge, type DrawnNode, drawGraph } from './drawn-graph.ts'

type Value = string | number

const NODE_DATA: Record<string, { type: 'string' | 'int' | 'double'; of: (node: DrawnNode) => Value }> = {
  id: { type: 'string', of: ({ id }) => id },
  label: { type: 'string', of: ({ label }) => label },
  path: { type: 'string', of: ({ path }) => path },
  header: { type: 'string', of: ({ header }) => header },
  tier: { type: 'string', of: ({ type }) => type },
  depth: { type: 'int', of: ({ depth }) => depth },
  rank: { type: 'double', of: ({ rank }) => rank },
}
const EDGE_DATA: Record<string, { type: 'string' | 'double'; of: (edge: DrawnEdge) => Value }> = {
  relationshipType: { type: 'string', of: ({ type }) => type },
  score: { type: 'double', of: ({ score }) => score },
  origin: { type: 'string', of: ({ origin }) => origin },
  reason: { type: 'string', of: ({ reason }) => reason },
}

/** The graph in GraphML, http://graphml.graphdrawing.org, as XML 1.0. Characters that XML cannot hold become U+FFFD. */
export function toGraphml(graph: CorrelationGraph): string {
  const { nodes, edges } = drawGraph(graph)
  const keys = [
    ...Object.entries(NODE_DATA).map(([name, { type }]) => keyOf('node', name, type)),
    ...Object.entries(EDGE_DATA).map(([name, { type }]) => keyOf('edge', name, type)),
  ]
  const drawnNodes = nodes.map((node) => {
    const data = Object.entries(NODE_DATA).map(([name, { of }]) => dataOf('node', name, of(node)))
    return `    <node id="${node.key}">${data.join('')}</node>`
  })
  const drawnEdges = edges.map((edge) => {
    const data = Object.entries(EDGE_DATA).map(([name, { of }]) => dataOf('edge', name, of(edge)))
    const ends = `source="${edge.source.key}" target="${edge.target.key}"`
    return `    <edge id="${edge.key}" ${ends} directed="${!edge.isUndirected}">${data.join('')}</edge>`
  })
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
    ...keys,
    '  <graph id="memories" edgedefault="directed">',
    ...drawnNodes,
    ...drawnEdges,
    '  </graph>',
    '</graphml>',
    '',
  ].join('\n')
}

function keyOf(kind: 'node' | 'edge', name: string, type: string): string {
  return `  <key id="${kind}-${name}" for="${kind}" attr.name="${name}" attr.type="${type}"/>`
}

function dataOf(kind: 'node' | 'edge', name: string, value: Value): string {
  return `<data key="${kind}-${name}">${escapeXml(String(value))}</data>`
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' }

/** Text for XML, in an element or in an attribute. Line ends are written as references, or a parser would change them. */
function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
    .replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
    .replace(/[\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`)
}
