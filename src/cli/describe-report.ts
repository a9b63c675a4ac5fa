import type { IndexReport } from '../index.ts'
import type { Invocation } from './invocation.ts'
import { describeProblems } from './problems.ts'
import { formatCount, formatSeconds } from './words.ts'

/** The report as a person reads it: what changed, what there is now, what was left out. */
export function describeReport(report: IndexReport, { output, settings }: Invocation): string[] {
  const { colors } = output
  const { documents, memories, embedded, pending, problems } = report
  const unchanged = documents.total - documents.added - documents.changed
  const lines = [
    `${colors.bold(`Indexed ${formatCount(documents.total, 'document')}`)} in ${formatSeconds(report.elapsedMs)}: ` +
      `${documents.added} added, ${documents.changed} changed, ${documents.removed} removed, ${Math.max(0, unchanged)} unchanged`,
    `  memories  ${memories.total} (${memories.added} added, ${memories.removed} removed, ` +
      `${formatCount(memories.duplicates, 'duplicate')} folded)`,
    `  vectors   ${settings.values.embedding === 'none' ? 'off' : `${embedded} embedded, ${pending} pending`}`,
  ]
  lines.push(...describeProblems(problems, output, 10))
  return lines
}
