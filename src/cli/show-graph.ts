import type { CorrelationGraph, FileGraph, GraphEdge, GraphNode, NamedMemory, UnresolvedLink } from '../index.ts'
import { isSymmetric } from '../index.ts'
import type { Output } from './output.ts'
import { arrowOf, describeNamed } from './show-correlation.ts'
import { alignColumns, cleanLine } from './terminal-text.ts'
import { formatCount } from './words.ts'

/** What text output shows of one memory's relationships, and of each list; --json has all. */
const SHOWN_BRANCHES = 8
const SHOWN_LISTED = 12
/** Columns of what is drawn before and after the words of a branch. */
const BRANCH_WIDTH = 5

/** A step from a memory of the tree to one that no other step has reached, by all that is between the two. */
interface Branch {
  edges: GraphEdge[]
  node: GraphNode
}

/** What is known of the memories beside what the graph says; those that are not there are drawn by their path. */
export type NamedNodes = ReadonlyMap<string, NamedMemory>

/** A graph as a person reads it: a tree from each memory that it begins with, and what is beside the trees. */
export function describeGraph(graph: CorrelationGraph, named: NamedNodes, output: Output): string[] {
  const { nodes, edges, unresolved, leftOut } = graph
  if (nodes.length === 0) return ['No memory bears on another yet: run `madeleine links discover`.']
  const { roots, branches } = growTrees(graph)
  const drawn = [...branches.values()].flat().reduce((sum, branch) => sum + branch.edges.length, 0)
  const trees = roots.flatMap((node) => [...drawTree(node, branches, { named, output }), ''])
  const beside = edges.length - drawn
  return [
    ...trees,
    ...describeSize(graph, output),
    ...(beside > 0 ? [`${formatCount(beside, 'relationship')} more between these; --json and --format have all.`] : []),
    ...(leftOut === undefined ? [] : [`At least ${formatCount(leftOut, 'memory')} more beyond the limit of a graph.`]),
    ...listOrphans(graph, named, output),
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
        const between = strongest.filter(({ sourceId, targetId }) =>
          sourceId === id ? targetId === node.id : targetId === id && sourceId === node.id,
        )
        branches.set(id, [...(branches.get(id) ?? []), { edges: between, node }])
      }
    }
  }
  return { roots, branches }
}

function drawTree(
  root: GraphNode,
  branches: ReadonlyMap<string, Branch[]>,
  { named, output }: { named: NamedNodes; output: Output },
): string[] {
  const { colors } = output
  const drawBranches = (from: GraphNode, lead: string): string[] => {
    const all = branches.get(from.id) ?? []
    const shown = all.slice(0, SHOWN_BRANCHES)
    const rest = all.length - shown.length
    const lines = shown.flatMap(({ edges, node }, index) => {
      const isLast = rest === 0 && index === shown.length - 1
      const how = describeSteps(edges, from.id)
      const taken = lead.length + how.length + BRANCH_WIDTH
      return [
        `${colors.dim(`${lead}${isLast ? '└─' : '├─'}`)} ${colors.green(how)}  ${describeNode(node, { named, output, taken })}`,
        ...drawBranches(node, `${lead}${isLast ? '   ' : '│  '}`),
      ]
    })
    return rest === 0 ? lines : [...lines, colors.dim(`${lead}└─ … ${rest} more`)]
  }
  return [describeNode(root, { named, output, taken: 0 }), ...drawBranches(root, '')]
}

/** `0.77 ← references, → supports`: the strongest score, and every way in which the two bear on each other, seen from the first. */
function describeSteps(edges: readonly GraphEdge[], fromId: string): string {
  const score = Math.max(...edges.map((edge) => edge.score))
  const ways = edges.map(({ sourceId, relationshipType: type }) => {
    const direction = sourceId === fromId || isSymmetric(type) ? 'out' : 'in'
    return `${arrowOf(type, direction)} ${type}`
  })
  return `${score.toFixed(2)} ${ways.join(', ')}`
}

function describeNode(
  { id, path, type }: GraphNode,
  { named, output, taken }: { named: NamedNodes; output: Output; taken: number },
): string {
  const memory = named.get(id)
  if (memory) return describeNamed(memory, output, taken)
  return `${output.colors.bold(cleanLine(path || id))}  ${output.colors.dim(type)}`
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

function listOrphans({ nodes, orphans }: CorrelationGraph, named: NamedNodes, output: Output): string[] {
  if (orphans.length === 0) return []
  const shown = nodes
    .filter(({ id }) => orphans.includes(id))
    .slice(0, SHOWN_LISTED)
    .map((node) => `  ${describeNode(node, { named, output, taken: 2 })}`)
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
