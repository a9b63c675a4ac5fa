import type { HeartbeatResult, LeftOut, RecordedTick, SalienceReport } from '../index.ts'
import { formatInstant, formatMoment } from './instant.ts'
import type { Invocation } from './invocation.ts'
import { alignColumns, cleanLine, shortenText } from './terminal-text.ts'

const INDENT = '  '
/** Ticks keep no words: what was edited or forgotten since has none. */
const GONE = '(its text is not there any more)'

/** A tick as a person reads it: whether it speaks up, about what, and what it holds back and why. */
export function describeTick(result: HeartbeatResult, invocation: Invocation): string[] {
  const { output, timeZone } = invocation
  const { colors, width } = output
  const { shouldAct, decisionReason, urgency, nextDue, signals, relatedContext, graphContext, analysis } = result
  const head = shouldAct ? colors.green(`speaks up (${decisionReason}, ${urgency})`) : `silent (${decisionReason})`
  const rows = signals.map(({ kind, urgency: own, suppressedBy, summary }) => [
    `${INDENT}${own}`,
    kind,
    cleanLine(summary) + (suppressedBy === undefined ? '' : colors.dim(` [${suppressedBy}]`)),
  ])
  return [
    `${colors.bold(head)}  next ${formatInstant(new Date(nextDue), timeZone)}`,
    ...(signals.length === 0 ? [INDENT + cleanLine(result.summary)] : alignColumns(rows)),
    ...describeLeftOut(result.leftOut).map((line) => INDENT + colors.dim(line)),
    ...(relatedContext.length > 0 ? ['', colors.bold('Related')] : []),
    ...relatedContext.map(({ path, snippet, occurredAt, relationship }) => {
      const when = occurredAt === undefined ? '' : `${formatMoment(occurredAt, timeZone)} `
      const how = relationship ? ` [${relationship.type}]` : ''
      return shortenText(`${INDENT}${when}${cleanLine(path)}${how}: ${cleanLine(snippet)}`, width)
    }),
    ...graphContext.map((line) => INDENT + cleanLine(line)),
    ...(analysis ? ['', colors.bold('Analysis'), INDENT + cleanLine(analysis.actionBrief)] : []),
    ...(analysis?.recommendedActions ?? []).map((action) => `${INDENT}- ${cleanLine(action)}`),
  ]
}

/** What there is besides, for the next ticks. */
function describeLeftOut(leftOut: LeftOut): string[] {
  const counts = Object.entries(leftOut).map(([kind, count]) => `${count} ${kind}`)
  return counts.length === 0 ? [] : [`and more: ${counts.join(', ')}; the next ticks have them`]
}

/** Ticks that were, in the order given. */
export function describeTicks(ticks: readonly RecordedTick[], { output, timeZone, now }: Invocation): string[] {
  const { colors, width } = output
  return ticks.flatMap(({ at, shouldAct, decisionReason, summary, signals, leftOut = 0 }) => {
    const reason = shouldAct ? colors.green(decisionReason) : decisionReason
    const ahead = Date.parse(at) > now().getTime() ? colors.yellow(' (by a clock that ran ahead)') : ''
    return [
      `${colors.bold(formatInstant(new Date(at), timeZone))}${ahead}  ${reason}  ${colors.dim(summary)}`,
      ...signals.map((signal) => {
        const fate = signal.suppressedBy === undefined ? 'told' : signal.suppressedBy
        return shortenText(`${INDENT}${fate}  ${signal.kind}  ${cleanLine(signal.summary) || GONE}`, width)
      }),
      ...(leftOut > 0 ? [`${INDENT}and ${leftOut} more`] : []),
    ]
  })
}

/** What is important and goes stale, and what to ask oneself about it. */
export function describeSalience({ items, prompts, totalItems }: SalienceReport, { output }: Invocation): string[] {
  const { colors, width } = output
  if (items.length === 0) return ['Nothing important goes stale.']
  const rows = items.map(({ salience, path, header, reasons }) => [
    salience.toFixed(2),
    cleanLine(header === '' ? path : `${path}, ${header}`),
    colors.dim(reasons.map(cleanLine).join('; ')),
  ])
  return [
    ...alignColumns(rows),
    ...(totalItems > items.length ? [colors.dim(`${items.length} of ${totalItems}; --limit shows more.`)] : []),
    ...(prompts.length > 0 ? ['', colors.bold('To think about')] : []),
    ...prompts.map((prompt) => shortenText(`${INDENT}- ${cleanLine(prompt)}`, width)),
  ]
}
