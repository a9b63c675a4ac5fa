import type { RecalledTurn } from '../index.ts'
import { formatInstant } from './instant.ts'
import type { Invocation } from './invocation.ts'
import { OUTCOMES } from './outcomes.ts'
import { shortenPath } from './paths.ts'
import { formatPlace } from './show-result.ts'
import { alignColumns, cleanLine, displayWidth, shortenText } from './terminal-text.ts'

/** Candidates that stayed out which a turn shows: why it was silent is seen from the best ones. */
const SHOWN_OUT = 3
const INDENT = '  '

/** What came of recalls, in the order given: when, what was said, what was in and out and why, what was done without. */
export function describeTurns(turns: readonly RecalledTurn[], invocation: Invocation): string[] {
  return turns.flatMap((turn, index) => [...(index > 0 ? [''] : []), ...describeTurn(turn, invocation)])
}

function describeTurn(turn: RecalledTurn, { output, timeZone, surroundings: { home } }: Invocation): string[] {
  const { colors, width } = output
  const time = formatInstant(new Date(turn.at), timeZone)
  const details = [
    turn.agent !== undefined && `agent ${turn.agent}`,
    turn.project !== undefined && `project ${shortenPath(turn.project, home)}`,
    turn.sessionId !== undefined && `session ${turn.sessionId}`,
    `${Math.round(turn.elapsedMs)} ms`,
  ].filter((detail) => detail !== false)
  const injected = turn.considered.filter(({ outcome }) => outcome === 'injected')
  const out = turn.considered.filter(({ outcome }) => outcome !== 'injected')
  const rows = [...injected, ...out.slice(0, SHOWN_OUT)].map((entry) => [
    `${INDENT}${entry.score.toFixed(2)}`,
    formatPlace(entry),
    entry.outcome === 'injected' ? colors.green(OUTCOMES.injected) : colors.dim(OUTCOMES[entry.outcome]),
  ])
  const rest = out.length - SHOWN_OUT
  return [
    `${colors.bold(time)}  ${shortenText(cleanLine(turn.prompt), width - displayWidth(time) - INDENT.length)}`,
    colors.dim(INDENT + details.map(cleanLine).join(', ')),
    ...describeSilence(turn, injected.length),
    ...alignColumns(rows),
    ...(rest > 0 ? [colors.dim(`${INDENT}… and ${rest} more that stayed out`)] : []),
    ...turn.degraded.map(({ part, reason }) =>
      colors.yellow(`${INDENT}without ${cleanLine(part)}: ${cleanLine(reason)}`),
    ),
  ]
}

function describeSilence({ skipped, reason }: RecalledTurn, injected: number): string[] {
  if (injected > 0) return []
  return [`${INDENT}silent${skipped ? ' without looking' : ''}: ${cleanLine(reason ?? 'nothing to say')}`]
}
