import type { IndexReport } from '../index.ts'
import type { Output } from './output.ts'
import { cleanLine, shortenText } from './terminal-text.ts'

type ReportedProblem = IndexReport['problems'][number]

/** Places that stand for all with the same reason. */
const EXAMPLES_PER_REASON = 2

/** Problems by reason, failures first and the most frequent above: a count, the reason, and where, for example. */
export function groupProblems(problems: readonly ReportedProblem[], { colors, width }: Output): string[] {
  const groups = new Map<string, ReportedProblem[]>()
  for (const problem of problems) {
    const reason = cleanLine(problem.reason)
    groups.set(reason, [...(groups.get(reason) ?? []), problem])
  }
  const hasFailed = (group: ReportedProblem[]) => group.some(({ failed }) => failed)
  const countOf = (group: ReportedProblem[]) => group.reduce((sum, { count }) => sum + (count ?? 1), 0)
  const ranked = [...groups].sort(
    ([, a], [, b]) => Number(hasFailed(b)) - Number(hasFailed(a)) || countOf(b) - countOf(a),
  )
  const countWidth = String(Math.max(0, ...ranked.map(([, group]) => countOf(group)))).length
  return ranked.flatMap(([reason, group]) => {
    const places = group
      .slice(0, EXAMPLES_PER_REASON)
      .map(({ path, line }) => cleanLine(line ? `${path}:${line}` : path))
    const more = group.length > places.length ? ', …' : ''
    const count = `${String(countOf(group)).padStart(countWidth + 4)} × `
    return [
      `${count}${hasFailed(group) ? colors.red(reason) : reason}`,
      colors.dim(`${' '.repeat(count.length)}${shortenText(places.join(', '), width - count.length - 3)}${more}`),
    ]
  })
}
