import type { CorrelationGraph, FileGraph, GraphEdge, GraphNode, UnresolvedLink } from '../index.ts'
import { isSymmetric } from '../index.ts'
import type { Output } from './output.ts'
import { arrowOf } from './show-correlation.ts'
import { alignColumns, cleanLine, shortenText } from './terminal-text.ts'
import { formatCount } from './words.ts'

/** What text output shows of one memory's relationships, and of each list; --json has all. */
const SHOWN_BRANCHES = 8
const SHOWN_LISTED = 12
/** Columns that a place keeps at least when it is cut. */
const MIN_PLACE_WIDTH = 24

/** A step from a memory of the tree to one that no other step has reached. */
interface Branch {
  edge: GraphEdge
  node: GraphNode
}

/** A graph as a person reads it: a tree from each memory that it begins with, and what is beside the trees. */
export function describeGraph(graph: CorrelationGraph, output: Output): string[] {
  const { nodes, edges, unresolved, leftOut } = graph
  if (nodes.length === 0) return ['No memory bears on another yet: run `madeleine links discover`.']
  const { roots, branches } = growTrees(graph)
  const drawn = [...branches.values()].reduce((sum, { length }) => sum + length, 0)
  const trees = roots.flatMap((node) => [...drawTree(node, branches, output), ''])
  const beside = edges.length - drawn
  return [
    ...trees,
    ...describeSize(graph, output),
    ...(beside > 0 ? [`${formatCount(beside, 'relationship')} more between these; --json and --format have all.`] : []),
    ...(leftOut === undefined ? [] : [`At least ${formatCount(leftOut, 'memory')} more beyond the limit of a graph.`]),
    ...listOrphans(graph, output),
    ...describeUnresolved(unresolved, output),
  ]
}

/** Trees that together reach every memory once, from the memories that the graph begins with on, strongest steps first. */
function growTrees({ nodes, edges, orphans }: CorrelationGraph): {
  roots: GraphNode[]
  branches: Map<string, Branch[]>
} {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const strongest = [...edges].sort((a, b) => b.score - a.score)
  const reached = new Set(orphans)
  const roots: GraphNode[] = []
  const branches = new Map<string, Branch[]>()
  for (const root of nodes) {
    if (reached.has(root.id)) continue
    reached.add(root.id)
    roots.push(root)
    const queue = [root.id]
    for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
      for (const edge of strongest) {
        if (edge.sourceId !== id && edge.targetId !== id) continue
        const node = byId.get(edge.sourceId === id ? edge.targetId : edge.sourceId)
        if (!node || reached.has(node.id)) continue
        reached.add(node.id)
        queue.push(node.id)
        branches.set(id, [...(branches.get(id) ?? []), { edge, node }])
      }
    }
  }
  return { roots, branches }
}

function drawTree(root: GraphNode, branches: ReadonlyMap<string, Branch[]>, output: Output): string[] {
  const { colors, width } = output
  const drawBranches = (from: GraphNode, lead: string): string[] => {
    const all = branches.get(from.id) ?? []
    const shown = all.slice(0, SHOWN_BRANCHES)
    const rest = all.length - shown.length
    const lines = shown.flatMap(({ edge, node }, index) => {
      const isLast = rest === 0 && index === shown.length - 1
      const direction = edge.sourceId === from.id || isSymmetric(edge.relationshipType) ? 'out' : 'in'
      const how = `${edge.score.toFixed(2)} ${arrowOf(edge.relationshipType, direction)} ${edge.relationshipType}`
      const used = lead.length + how.length + 6
      return [
        `${colors.dim(`${lead}${isLast ? '└─' : '├─'}`)} ${colors.green(how)}  ${placeOf(node, width - used, output)}`,
        ...drawBranches(node, `${lead}${isLast ? '   ' : '│  '}`),
      ]
    })
    return rest === 0 ? lines : [...lines, colors.dim(`${lead}└─ … ${rest} more`)]
  }
  return [placeOf(root, width, output), ...drawBranches(root, '')]
}

/** Where a memory stands, in one line of so many columns. */
function placeOf({ path, header }: Pick<GraphNode, 'path' | 'header'>, width: number, { colors }: Output): string {
  const room = Math.max(MIN_PLACE_WIDTH, width)
  const place = shortenText(cleanLine(path), room)
  const heading = room - place.length - 2 > 8 ? shortenText(cleanLine(header), room - place.length - 2) : ''
  return [colors.bold(place), heading && colors.cyan(heading)].filter(Boolean).join('  ')
}

function describeSize({ nodes, edges, tiers }: CorrelationGraph, { colors }: Output): string[] {
  const rows = tiers
    .filter(({ count }) => count > 0)
    .map(({ tier, count, averageScore }) => [
      `  ${tier}`,
      String(count),
      averageScore === null ? '' : colors.dim(`${averageScore.toFixed(2)} on average`),
    ])
  return [
    colors.bold(`${formatCount(nodes.length, 'memory')}, ${formatCount(edges.length, 'relationship')}`),
    ...alignColumns(rows, [1]),
  ]
}

function listOrphans({ nodes, orphans }: CorrelationGraph, output: Output): string[] {
  if (orphans.length === 0) return []
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const shown = orphans.slice(0, SHOWN_LISTED).map((id) => {
    const node = byId.get(id)
    return `  ${node ? placeOf(node, output.width - 2, output) : cleanLine(id)}`
  })
  return [`${formatCount(orphans.length, 'memory')} without a relationship:`, ...shown, ...more(orphans.length)]
}

/** Links that name nothing, or several things, each with what it could mean. */
export function describeUnresolved(unresolved: readonly UnresolvedLink[], { colors }: Output): string[] {
  if (unresolved.length === 0) return []
  const rows = unresolved
    .slice(0, SHOWN_LISTED)
    .map(({ path, target, candidates }) => [
      `  ${colors.bold(cleanLine(path))}`,
      cleanLine(target),
      colors.dim(candidates.length === 0 ? 'names nothing' : `could be ${candidates.map(cleanLine).join(', ')}`),
    ])
  return [
    `${formatCount(unresolved.length, 'link')} in texts not joined to any memory:`,
    ...alignColumns(rows),
    ...more(unresolved.length),
  ]
}

/** Which files say alike things, most alike first. */
export function describeFiles({ files, links, orphans }: FileGraph, { colors }: Output): string[] {
  const rows = links
    .slice(0, SHOWN_LISTED)
    .map(({ score, a, b, pairs }) => [
      ` ${colors.green(score.toFixed(2))}`,
      colors.bold(cleanLine(a.path)),
      colors.bold(cleanLine(b.path)),
      colors.dim(formatCount(pairs.length, 'pair')),
    ])
  return [
    `${formatCount(files.length, 'file')}, ${formatCount(links.length, 'link')} between them, ${orphans.length} like no other.`,
    ...alignColumns(rows),
    ...more(links.length),
  ]
}

function more(length: number): string[] {
  return length > SHOWN_LISTED ? [`  … ${length - SHOWN_LISTED} more; --json has all`] : []
}
