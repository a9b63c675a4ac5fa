import type { IndexReport } from '../index.ts'
import type { Output } from './output.ts'
import { cleanLine, shortenText } from './terminal-text.ts'

type ReportedProblem = IndexReport['problems'][number]

/** Places that stand for all with the same reason. */
const EXAMPLES_PER_REASON = 2

interface Group {
  count: number
  hasFailed: boolean
  places: string[]
}

/** Problems by reason, failures first and the most frequent above: a count, the reason, and where, for example. */
export function groupProblems(problems: readonly ReportedProblem[], { colors, width }: Output): string[] {
  const ranked = [...collectGroups(problems)].sort(
    ([, a], [, b]) => Number(b.hasFailed) - Number(a.hasFailed) || b.count - a.count,
  )
  const countWidth = String(Math.max(0, ...ranked.map(([, { count }]) => count))).length
  return ranked.flatMap(([reason, { count, hasFailed, places }]) => {
    const head = `${String(count).padStart(countWidth + 4)} × `
    const examples = places.slice(0, EXAMPLES_PER_REASON).join(', ')
    const more = places.length > EXAMPLES_PER_REASON ? ', …' : ''
    return [
      `${head}${hasFailed ? colors.red(reason) : reason}`,
      colors.dim(`${' '.repeat(head.length)}${shortenText(examples, width - head.length - more.length)}${more}`),
    ]
  })
}

/** What is shown of problems in a report: what was skipped, and apart from it what was kept without its secrets. */
export function describeProblems(problems: readonly ReportedProblem[], output: Output, width: number): string[] {
  const isRedacted = ({ reason }: ReportedProblem): boolean => reason.startsWith('redacted:')
  const skipped = problems.filter((problem) => !isRedacted(problem))
  const redacted = problems.filter(isRedacted)
  return [
    ...(skipped.length > 0 ? [`  ${'skipped'.padEnd(width)}${countProblems(skipped)}`] : []),
    ...groupProblems(skipped, output),
    ...(redacted.length > 0 ? [`  ${'redacted'.padEnd(width)}${countProblems(redacted)}`] : []),
    ...groupProblems(redacted, output),
  ]
}

/** How many things were left out, those that one problem stands for counted each. */
export function countProblems(problems: readonly ReportedProblem[]): number {
  return problems.reduce((sum, { count = 1 }) => sum + count, 0)
}

function collectGroups(problems: readonly ReportedProblem[]): Map<string, Group> {
  const groups = new Map<string, Group>()
  for (const { path, line, reason: written, count = 1, failed = false } of problems) {
    const reason = cleanLine(written)
    const group = groups.get(reason) ?? { count: 0, hasFailed: false, places: [] }
    group.count += count
    group.hasFailed ||= failed
    group.places.push(cleanLine(line ? `${path}:${line}` : path))
    groups.set(reason, group)
  }
  return groups
}
