import { describeReport } from '../describe-report.ts'
import type { Invocation } from '../invocation.ts'
import { cleanLine, shortenText } from '../terminal-text.ts'
import { formatCount } from '../words.ts'
import type { Pass } from './watch-index.ts'

/** Says in words what each pass changed: the first in full, later ones in a line, those that changed nothing not at all. */
export function describePass(invocation: Invocation): (pass: Pass) => string[] {
  const { output, now, timeZone } = invocation
  const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium', timeZone })
  let known = new Set<string>()
  return ({ pass, kind, paths, report }) => {
    const failures = report.problems
      .filter(({ failed }) => failed)
      .map(({ path, reason }) => cleanLine(`${path}: ${reason}`))
    const fresh = failures.filter((failure) => !known.has(failure))
    known = new Set(failures)
    if (pass === 1) return describeReport(report, invocation)
    const head = output.colors.dim(clock.format(now()))
    const change = describeChange(kind, report)
    const isRead = kind === 'text' && report.documents.added + report.documents.changed > 0
    const where = isRead ? shortenText(cleanLine(paths.join(', ')), output.width) : ''
    return [
      ...(change === '' ? [] : [`${head}  ${change}${where === '' ? '' : `  ${output.colors.dim(where)}`}`]),
      ...fresh.map((failure) => `${head}  ${output.colors.red(failure)}`),
    ]
  }
}

function describeChange(kind: Pass['kind'], { documents, memories, embedded, pending }: Pass['report']): string {
  if (kind === 'vectors') return `${embedded} embedded, ${pending} pending`
  const { added, changed, removed } = documents
  if (added + changed + removed + memories.added + memories.removed === 0) return ''
  const counts = [`${added} added`, `${changed} changed`, `${removed} removed`].filter((part) => !part.startsWith('0 '))
  return `${counts.join(', ')}: ${formatCount(memories.total, 'memory')} (+${memories.added} −${memories.removed})`
}
