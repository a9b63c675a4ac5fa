import type { Correlation, CorrelationPartName, NamedMemory, RelationshipType } from '../index.ts'
import { isSymmetric } from '../index.ts'
import type { Invocation } from './invocation.ts'
import type { Output } from './output.ts'
import { formatPlace } from './show-result.ts'
import { alignColumns, cleanLine, shortenText, wrapLine } from './terminal-text.ts'

const INDENT = '        '
/** Pieces of evidence that are shown of each side; --json has all of them. */
const SHOWN_EVIDENCE = 2

/** What each part of a score means to someone who did not write it. */
const PART_MEANINGS: Record<CorrelationPartName, string> = {
  semanticSimilarity: 'likeness of meaning',
  coOccurrence: 'names and words in common',
  temporalProximity: 'nearness in time',
  crossReference: 'explicit references',
}

/** How a relationship is drawn, seen from one of its ends. */
export function arrowOf(type: RelationshipType, direction: 'out' | 'in'): string {
  if (isSymmetric(type)) return '↔'
  return direction === 'out' ? '→' : '←'
}

/** A memory in one line: where it stands, below which headings, what kind it is. */
export function describeNamed(memory: NamedMemory, { colors, width }: Output): string {
  const place = formatPlace(memory)
  const header = shortenText(cleanLine(memory.header), Math.max(20, width - place.length - memory.tier.length - 8))
  return [colors.bold(place), header === '' ? '' : colors.cyan(header), colors.dim(memory.tier)]
    .filter(Boolean)
    .join('  ')
}

/** One correlation as a person reads it; `target` is absent where it can be named by its id alone. */
export function describeCorrelation(
  correlation: Correlation,
  target: NamedMemory | undefined,
  { output, isExplained }: { output: Pick<Invocation, 'output'>['output']; isExplained: boolean },
): string[] {
  const { colors, width } = output
  const { score, relationshipType: type, direction, targetId, targetType, reason, origin } = correlation
  const named = target
    ? describeNamed(target, output)
    : `${colors.bold(cleanLine(targetId))}  ${colors.dim(targetType)}`
  const first = [
    ` ${colors.green(score.toFixed(2))}  ${arrowOf(type, direction)} ${type}`,
    named,
    ...(origin === 'explicit' ? [colors.yellow('stated')] : []),
  ]
  const because = reason === '' ? [] : wrapLine(cleanLine(reason), width - INDENT.length)
  return [
    first.join('  '),
    ...because.map((line) => INDENT + line),
    ...(isExplained ? explainCorrelation(correlation, output) : []),
  ]
}

/** The parts of a score with their shares, and the pieces of text that speak for it. */
function explainCorrelation({ parts, evidence, direction, metadata }: Correlation, output: Output): string[] {
  const { colors, width } = output
  const rows = Object.entries(parts ?? {}).map(([name, { value, weight }]) => [
    PART_MEANINGS[name as CorrelationPartName],
    value.toFixed(2),
    `× ${weight.toFixed(2)}`,
    `= ${(value * weight).toFixed(2)}`,
  ])
  const own = direction === 'out' ? 'source' : 'target'
  const quotes = (['here', 'there'] as const).flatMap((where) =>
    evidence
      .filter(({ side }) => (side === own) === (where === 'here'))
      .slice(0, SHOWN_EVIDENCE)
      .map(({ text }) => `${where}: “${shortenText(cleanLine(text), width - INDENT.length - 10)}”`),
  )
  const noted = metadata && Object.keys(metadata).length > 0 ? [`noted: ${cleanLine(JSON.stringify(metadata))}`] : []
  return [...alignColumns(rows, [1]), ...quotes, ...noted].map((line) => INDENT + colors.dim(line))
}
