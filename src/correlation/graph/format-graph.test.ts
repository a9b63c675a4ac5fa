import fc from 'fast-check'
import { MultiGraph } from 'graphology'
import { describe, expect, it } from 'vitest'
import type { CorrelationGraph } from '../../model/correlation.ts'
import { TIERS } from '../../model/memory.ts'
import { isSymmetric, RELATIONSHIP_TYPES } from '../../model/relationship.ts'
import { labelOf } from './drawn-graph.ts'
import { formatGraph } from './format-graph.ts'
import { toGraphology } from './to-graphology.ts'

const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom(
    'a"]; n0 --> n1["b',
    '"]\nclick n0 call alert()',
    '</data></node><node id="x"/>',
    ']]>&amp;<!--',
    '\\"; } digraph evil {',
    '\\N\\G\\',
    '`**bold**` #quot; end',
    '\u0000\u0001\ud800\uffff',
    '__proto__',
    '备份 👩‍👩‍👧',
    '<script>alert(1)</script>',
  ),
)

const graphs: fc.Arbitrary<CorrelationGraph> = fc
  .uniqueArray(
    fc.tuple(hostile, fc.nat(99)).map(([text, number]) => `${text}${number}`),
    { minLength: 1, maxLength: 5 },
  )
  .chain((ids) => {
    const end = fc.nat(ids.length - 1)
    const edge = fc.record({
      from: end,
      to: end,
      relationshipType: fc.constantFrom(...RELATIONSHIP_TYPES),
      score: fc.double({ min: 0, max: 1, noNaN: true }),
      origin: fc.constantFrom('explicit' as const, 'discovered' as const),
      reason: hostile,
    })
    return fc.record({
      nodes: fc.tuple(
        ...ids.map((id) =>
          fc.record({
            id: fc.constant(id),
            type: fc.constantFrom(...TIERS),
            path: hostile,
            header: hostile,
            depth: fc.nat(3),
            rank: fc.double({ min: 0, max: 1, noNaN: true }),
          }),
        ),
      ),
      edges: fc
        .array(edge, { maxLength: 6 })
        .map((all) =>
          all
            .filter(({ from, to }) => from !== to)
            .map(({ from, to, ...rest }) => ({ ...rest, sourceId: ids[from] ?? '', targetId: ids[to] ?? '' })),
        ),
      orphans: fc.constant([]),
      unresolved: fc.constant([]),
      tiers: fc.constant([]),
      predicted: fc.constant(
        ids.length < 2 ? [] : [{ sourceId: ids[0] ?? '', targetId: ids[1] ?? '', score: 0.5, reason: 'both "know" x' }],
      ),
    })
  })

interface Element {
  name: string
  attributes: Record<string, string>
  children: Element[]
  text: string
}

/** XML 1.0 as far as this format uses it, read strictly: anything else is an error. */
function parseXml(xml: string): Element {
  if (/[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u.test(xml)) throw new Error('no XML character')
  const body = xml.replace(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n/, '')
  const root: Element = { name: '', attributes: {}, children: [], text: '' }
  const open = [root]
  const decode = (text: string): string => {
    if (/[<>"]/.test(text) || /&(?!(?:amp|lt|gt|quot|apos|#\d+);)/.test(text)) throw new Error(`not escaped: ${text}`)
    const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
    return text.replace(/&(#(\d+)|\w+);/g, (_, name: string, code: string | undefined) =>
      code === undefined ? (named[name] ?? '') : String.fromCodePoint(Number(code)),
    )
  }
  let at = 0
  for (const match of body.matchAll(/<(\/?)([a-z]+)((?: [a-z.]+="[^"]*")*)(\/?)>/g)) {
    const top = open.at(-1)
    if (!top) throw new Error('closed too often')
    top.text += decode(body.slice(at, match.index))
    at = match.index + match[0].length
    const [, closing, name = '', given = '', empty] = match
    if (closing) {
      if (top.name !== name) throw new Error(`${name} closes ${top.name}`)
      open.pop()
      continue
    }
    const attributes = Object.fromEntries(
      [...given.matchAll(/ ([a-z.]+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, decode(value)]),
    )
    const element: Element = { name, attributes, children: [], text: '' }
    top.children.push(element)
    if (!empty) open.push(element)
  }
  if (open.length !== 1 || root.children.length !== 1 || body.slice(at).trim() !== '')
    throw new Error('not well-formed')
  const [document] = root.children
  if (!document) throw new Error('empty')
  return document
}

/** What an XML document can hold of a text. */
const xmlText = (text: string): string =>
  text.toWellFormed().replace(/[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')

const lineCount = ({ nodes, edges, predicted = [] }: CorrelationGraph): number =>
  nodes.length + edges.length + predicted.length

describe('whatever memories are called, a graph can be read back', () => {
  it('from JSON', () => {
    fc.assert(
      fc.property(graphs, (graph) => {
        const read: unknown = JSON.parse(formatGraph(graph, 'json'))
        // JSON knows no -0.
        expect(JSON.stringify(read)).toBe(JSON.stringify(graph))
      }),
    )
  })

  it('from the form of graphology, by graphology', () => {
    fc.assert(
      fc.property(graphs, (graph) => {
        const read = MultiGraph.from(JSON.parse(formatGraph(graph, 'graphology')))
        expect(read.nodes().sort()).toEqual(graph.nodes.map(({ id }) => id).sort())
        expect(read.size).toBe(graph.edges.length + (graph.predicted?.length ?? 0))
        for (const [number, { sourceId, targetId, relationshipType }] of graph.edges.entries()) {
          expect(read.extremities(`e${number}`)).toEqual([sourceId, targetId])
          expect(read.isUndirected(`e${number}`)).toBe(isSymmetric(relationshipType))
          expect(read.getEdgeAttribute(`e${number}`, 'relationshipType')).toBe(relationshipType)
        }
        expect(read.filterEdges((_, { origin }) => origin === 'predicted')).toHaveLength(graph.predicted?.length ?? 0)
        expect(read.export().nodes).toHaveLength(toGraphology(graph).nodes.length)
      }),
    )
  })

  it('from GraphML, by a strict reader of XML', () => {
    fc.assert(
      fc.property(graphs, (graph) => {
        const document = parseXml(formatGraph(graph, 'graphml'))
        const drawn = document.children.find(({ name }) => name === 'graph')?.children ?? []
        const known = new Set(document.children.map(({ attributes }) => attributes.id))
        const read = (element: Element) =>
          Object.fromEntries(element.children.map(({ attributes, text }) => [attributes.key, text]))
        expect(drawn).toHaveLength(lineCount(graph))
        for (const [number, node] of graph.nodes.entries()) {
          const element = drawn[number]
          if (!element) throw new Error('a node is missing')
          expect(element.attributes.id).toBe(`n${number}`)
          expect(read(element)).toMatchObject({
            'node-id': xmlText(node.id),
            'node-path': xmlText(node.path),
            'node-header': xmlText(node.header),
            'node-tier': node.type,
          })
          expect(element.children.every(({ attributes }) => known.has(attributes.key ?? ''))).toBe(true)
        }
        for (const [number, edge] of graph.edges.entries()) {
          const element = drawn[graph.nodes.length + number]
          if (!element) throw new Error('an edge is missing')
          expect(element.attributes.source).toBe(`n${graph.nodes.findIndex(({ id }) => id === edge.sourceId)}`)
          expect(read(element)).toMatchObject({
            'edge-relationshipType': edge.relationshipType,
            'edge-reason': xmlText(edge.reason),
          })
        }
      }),
    )
  })

  it('from Mermaid, line by line', () => {
    fc.assert(
      fc.property(graphs, (graph) => {
        const [first, ...lines] = formatGraph(graph, 'mermaid').trimEnd().split('\n')
        expect(first).toBe('flowchart LR')
        expect(lines).toHaveLength(lineCount(graph))
        for (const [number, line] of lines.entries()) {
          const node = graph.nodes[number]
          if (!node) {
            expect(line).toMatch(/^ {2}n\d+ <?(?:--|-\.-)>?\|"[a-z_]+ [01]\.\d\d"\| n\d+$/)
            continue
          }
          const label = /^ {2}n\d+\["((?:[\p{L}\p{M}\p{N} ._/,:-]|#\d+;)*)"\]$/u.exec(line)?.[1]
          const read = label?.replace(/#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
          expect(read).toBe(labelOf(node))
        }
      }),
    )
  })

  it('from DOT, string by string', () => {
    fc.assert(
      fc.property(graphs, (graph) => {
        const dot = formatGraph(graph, 'dot')
        const strings: string[] = []
        const bare = dot.replace(/"((?:[^"\\]|\\.)*)"/g, (_, inner: string) => {
          strings.push(inner.replace(/\\(.)/g, '$1'))
          return '""'
        })
        const lines = bare.trimEnd().split('\n')
        expect(lines).toHaveLength(lineCount(graph) + 3)
        for (const line of lines.slice(2, -1)) {
          expect(line).toMatch(
            /^ {2}n\d+ (?:\[label="", id="", class=""\]|-> n\d+ \[label="", tooltip="", dir=(?:forward|back|both|none), style=(?:solid|dashed|dotted)\]);$/,
          )
        }
        for (const { reason } of graph.edges) {
          expect(strings).toContain(reason.toWellFormed().replace(/[\p{Cc}\u2028\u2029]+/gu, ' '))
        }
      }),
    )
  })
})
