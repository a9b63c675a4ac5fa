import type { CorrelationResult, GraphNode, ReviewItem } from '../../model/correlation.ts'
import { isSymmetric } from '../../model/relationship.ts'
import { REPORT } from '../correlation-options.ts'
import { pairKey } from '../reviews.ts'
import { type CorrelationReport, seedsOf } from './correlation-report.ts'
import { labelOf, toLine } from './drawn-graph.ts'
import { formatTree } from './format-tree.ts'

/** Names memories by their ids: where they stand, and the id, for Markdown. */
type NameOf = (id: string) => string

/**
 * The report on memories and their relationships, in Markdown: what the first ones are related to, the graph as a tree, the tiers, and
 * what to look at. Names and reasons are data: none of them can become a table's border, a heading or the end of a block.
 */
export function formatCorrelationReport(report: CorrelationReport): string {
  const { generatedAt, graph, correlations, places } = report
  const roots = orderRoots(report)
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]))
  const nameOf: NameOf = (id) => {
    const node = nodes.get(id)
    const place = node ? labelOf(node) : toLine(places.get(id) ?? '')
    const name = escapeMarkdown(toLine(id))
    return place === '' ? name : `${escapeMarkdown(place)} (${name})`
  }
  const seeds = roots.map(({ id }) => nameOf(id))
  const sections = [
    '# Cross-Tier Correlation Report',
    [
      `**Generated:** ${generatedAt}  `,
      seeds.length === 0
        ? '**Seed Memory:** none: no memory has a relationship'
        : `**Seed Memory:** ${seeds.join('; ')}`,
    ].join('\n'),
    ...correlations.map((result) => formatDirect(result, { nameOf, isOnly: correlations.length === 1 })),
    ...(roots.length > correlations.length
      ? [`Direct correlations are listed of the first ${correlations.length} of ${roots.length} seed memories.`]
      : []),
    ['## Correlation Graph', formatGraphTree(report, roots)].join('\n\n'),
    ['## Tier Distribution', formatTiers(report)].join('\n\n'),
    ['## Recommendations', formatRecommendations(report, nameOf)].join('\n\n'),
    ['---', '*Relationships are suggestions, and contradictions wait for a person: no memory was changed.*'].join(
      '\n\n',
    ),
  ]
  return `${sections.join('\n\n')}\n`
}

/** The memories that it begins with, those whose correlations are listed first. */
function orderRoots({ graph, correlations }: CorrelationReport): GraphNode[] {
  return seedsOf(
    graph,
    correlations.map(({ memoryId }) => memoryId),
  )
}

function formatDirect(
  { memoryId, correlations, totalFound, degraded }: CorrelationResult,
  { nameOf, isOnly }: { nameOf: NameOf; isOnly: boolean },
): string {
  const count = totalFound > correlations.length ? `${correlations.length} of ${totalFound}` : `${totalFound}`
  const title = `## Direct Correlations (${count})`
  const lines = [isOnly ? title : `${title}: ${nameOf(memoryId)}`, '']
  if (correlations.length === 0) lines.push('None.')
  else {
    lines.push('| Target | Type | Relationship | Score | Reason |', '| --- | --- | --- | --- | --- |')
    for (const { targetId, targetType, relationshipType, direction, score, reason } of correlations) {
      const relation = direction === 'in' ? `← ${relationshipType}` : relationshipType
      const cells = [
        nameOf(targetId),
        targetType,
        escapeMarkdown(relation),
        score.toFixed(2),
        escapeMarkdown(toLine(reason)),
      ]
      lines.push(`| ${cells.join(' | ')} |`)
    }
    if (correlations.some(({ direction }) => direction === 'in')) {
      lines.push(
        '',
        '← marks what the target is to the seed memory; the others say what the seed memory is to the target.',
      )
    }
  }
  for (const { part, reason } of degraded)
    lines.push('', `Not everything was asked: ${escapeMarkdown(toLine(`${part}: ${reason}`))}.`)
  return lines.join('\n')
}

function formatGraphTree({ graph }: CorrelationReport, roots: readonly GraphNode[]): string {
  if (graph.nodes.length === 0) return 'Empty.'
  const nameOf = (node: GraphNode): string => `${labelOf(node)} [${toLine(node.id)}]`
  const lines = formatTree(graph, roots, { nameOf, maxLines: REPORT.treeLines })
  const text = lines.join('\n')
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((ticks) => ticks.length))
  const fence = '`'.repeat(Math.max(3, longest + 1))
  const hidden = graph.nodes.reduce((sum, { hiddenEdges = 0 }) => sum + hiddenEdges, 0)
  return [
    `${fence}text\n${text}\n${fence}`,
    ...(hidden > 0 ? [`Of memories with very many relationships, ${hidden} weaker ones were not followed.`] : []),
    ...(graph.leftOut !== undefined ? [`At least ${graph.leftOut} memories found no room.`] : []),
  ].join('\n\n')
}

function formatTiers({ graph }: CorrelationReport): string {
  const rows = graph.tiers.map(({ tier, count, averageScore }) => {
    const name = `${tier.charAt(0).toUpperCase()}${tier.slice(1)}`
    return `| ${name} | ${count} | ${averageScore === null ? '–' : averageScore.toFixed(2)} |`
  })
  return ['| Tier | Count | Avg Score |', '| --- | --- | --- |', ...rows].join('\n')
}

function formatRecommendations(report: CorrelationReport, nameOf: NameOf): string {
  const { graph, correlations } = report
  // What nothing stored relates may be related as it is asked for.
  const related = new Set(correlations.filter(({ totalFound }) => totalFound > 0).map(({ memoryId }) => memoryId))
  const all = [
    ...listStrong(report, nameOf),
    ...listContradictions(report, nameOf),
    ...graph.orphans
      .filter((id) => !related.has(id))
      .map((id) => `**Orphan memory** — ${nameOf(id)} has no correlations`),
    ...graph.unresolved.map(({ path, target, candidates }) => {
      const meaning =
        candidates.length === 0
          ? 'names no memory'
          : `can mean ${candidates.map((one) => escapeMarkdown(toLine(one))).join(' or ')}`
      return `**Unresolved link** — "${escapeMarkdown(toLine(target))}" in ${escapeMarkdown(toLine(path))} ${meaning}`
    }),
  ]
  if (all.length === 0) return 'None.'
  const shown = all.slice(0, REPORT.recommendations).map((line, index) => `${index + 1}. ${line}`)
  return [...shown, ...(all.length > shown.length ? ['', `… and ${all.length - shown.length} more.`] : [])].join('\n')
}

function listStrong({ graph, correlations }: CorrelationReport, nameOf: NameOf): string[] {
  const stored = graph.edges.map(({ sourceId, targetId, relationshipType, score }) => ({
    sourceId,
    targetId,
    relationshipType,
    score,
  }))
  const computed = correlations.flatMap(({ memoryId, correlations: found }) =>
    found.map(({ targetId, relationshipType, score, direction }) => {
      const [from, to] = direction === 'in' ? [targetId, memoryId] : [memoryId, targetId]
      return { sourceId: from, targetId: to, relationshipType, score }
    }),
  )
  const links = new Map(
    [...computed, ...stored].map((one) => [`${one.sourceId}\0${one.targetId}\0${one.relationshipType}`, one]),
  )
  return [...links.values()]
    .filter(({ relationshipType, score }) => score >= REPORT.strongScore && !isSymmetric(relationshipType))
    .sort((a, b) => b.score - a.score || (`${a.sourceId}\0${a.targetId}` < `${b.sourceId}\0${b.targetId}` ? -1 : 1))
    .slice(0, REPORT.strongLinks)
    .map(
      ({ sourceId, targetId, relationshipType, score }) =>
        `**Strong link** — ${nameOf(sourceId)} → ${nameOf(targetId)} (${escapeMarkdown(relationshipType)}, ${score.toFixed(2)})`,
    )
}

/** What the graph holds of contradictions, and what waits for review between its memories. */
function listContradictions({ graph, reviews }: CorrelationReport, nameOf: NameOf): string[] {
  const nodes = new Set(graph.nodes.map(({ id }) => id))
  const byPair = new Map(reviews.map((review) => [pairKey(review.a.id, review.b.id), review]))
  const pairs = new Map(
    [
      ...graph.edges
        .filter(({ relationshipType }) => relationshipType === 'contradicts')
        .map((edge) => [edge.sourceId, edge.targetId] as const),
      ...reviews.filter(({ a, b }) => nodes.has(a.id) && nodes.has(b.id)).map(({ a, b }) => [a.id, b.id] as const),
    ].map(([a, b]) => [pairKey(a, b), [a, b] as const]),
  )
  return [...pairs].map(([key, [a, b]]) => {
    const review = byPair.get(key)
    const name = review?.status === 'confirmed' ? 'Contradiction' : 'Potential contradiction'
    return `**${name}** — ${nameOf(a)} ↔ ${nameOf(b)} (${describeReview(review)})`
  })
}

function describeReview(review: ReviewItem | undefined): string {
  if (!review) return 'not put before anybody'
  if (review.status !== 'confirmed') return 'review needed'
  const reviewers = `confirmed by ${review.confirmations} ${review.confirmations === 1 ? 'reviewer' : 'reviewers'}`
  return review.enforced ? reviewers : `${reviewers}, more are needed`
}

/** A text in which no character means anything to Markdown or HTML, tables included. Underscores inside of words never do. */
function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*[\]<>|~#&!]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\$&')
}
