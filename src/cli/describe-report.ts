import type { IndexReport } from '../index.ts'
import type { Invocation } from './invocation.ts'
import { describeProblems } from './problems.ts'
import { formatCount, formatSeconds } from './words.ts'

/** The report as a person reads it: what changed, what there is now, what was left out. */
export function describeReport(report: IndexReport, { output, settings }: Invocation): string[] {
  const { colors } = output
  const { documents, memories, embedded, pending, links, problems } = report
  const unchanged = documents.total - documents.added - documents.changed
  const lines = [
    `${colors.bold(`Indexed ${formatCount(documents.total, 'document')}`)} in ${formatSeconds(report.elapsedMs)}: ` +
      `${documents.added} added, ${documents.changed} changed, ${documents.removed} removed, ${Math.max(0, unchanged)} unchanged`,
    `  memories  ${memories.total} (${memories.added} added, ${memories.removed} removed, ` +
      `${formatCount(memories.duplicates, 'duplicate')} folded)`,
    `  vectors   ${settings.values.embedding === 'none' ? 'off' : `${embedded} embedded, ${pending} pending`}`,
  ]
  if (links && links.memories + links.awaiting > 0) lines.push(`  links     ${describeLinks(links)}`)
  lines.push(...describeProblems(problems, output, 10))
  return lines
}

function describeLinks({ written, removed, reviews, awaiting }: NonNullable<IndexReport['links']>): string {
  return [
    `${written} new, ${removed} gone`,
    ...(reviews > 0 ? [`${formatCount(reviews, 'contradiction')} to look at (madeleine review)`] : []),
    ...(awaiting > 0 ? [`${formatCount(awaiting, 'memory')} still to be related (madeleine links discover)`] : []),
  ].join(', ')
}
