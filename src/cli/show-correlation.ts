import type { Correlation, CorrelationPartName, HitLink, NamedMemory, RelationshipType } from '../index.ts'
import { isSymmetric } from '../index.ts'
import { cutGraphemes } from '../model/cut-graphemes.ts'
import type { Output } from './output.ts'
import { formatPlace, withoutHeading } from './show-result.ts'
import { alignColumns, cleanLine, displayWidth, shortenText, wrapLine } from './terminal-text.ts'

const INDENT = '        '
const HIT_INDENT = '    '
/** Columns that a place keeps at least, and what is said of a memory beside it; a longer path loses its folders. */
const MIN_PLACE_WIDTH = 24
const MIN_ABOUT_WIDTH = 12
const MAX_PATH_WIDTH = 48
const MAX_FILE_WIDTH = 32
const SHORT_NAME = 12
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

/** A memory in one line of so many columns: where it stands, below which headings or how it begins, what kind it is. */
export function describeNamed(memory: NamedMemory, { colors, width }: Output, taken = 0): string {
  const room = Math.max(MIN_PLACE_WIDTH, width - taken)
  const place = shortenText(formatPlace({ ...memory, path: shortenPath(memory.path) }), room)
  const left = room - displayWidth(place) - memory.tier.length - 4
  const words = cleanLine(withoutHeading(memory.text))
  const about = memory.header === '' ? `“${shortenText(words, left - 2)}”` : shortenText(cleanLine(memory.header), left)
  return [colors.bold(place), left < MIN_ABOUT_WIDTH ? '' : colors.cyan(about), colors.dim(memory.tier)]
    .filter(Boolean)
    .join('  ')
}

/** Transcripts stand in deep folders and have long names: the beginning of the name tells them apart well enough to read on. */
function shortenPath(path: string): string {
  if (path.length <= MAX_PATH_WIDTH) return path
  const parts = path.split('/')
  const file = parts.at(-1) ?? path
  const dot = file.lastIndexOf('.')
  const name =
    file.length <= MAX_FILE_WIDTH ? file : `${cutGraphemes(file, SHORT_NAME)}…${dot > 0 ? file.slice(dot) : ''}`
  return parts.length <= 2 ? [...parts.slice(0, -1), name].join('/') : `${parts[0]}/…/${name}`
}

/** One correlation as a person reads it; `target` is absent where it can be named by its id alone. */
export function describeCorrelation(
  correlation: Correlation,
  target: NamedMemory | undefined,
  { output, isExplained }: { output: Output; isExplained: boolean },
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

/** How a result bears on others of the same list, each named by its rank there. */
export function describeHitLinks(
  links: readonly HitLink[],
  ranks: ReadonlyMap<string, number>,
  { colors, width }: Output,
): string[] {
  return links.map(({ id, relationshipType: type, direction, reason, broughtIn }) => {
    const how = `${arrowOf(type, direction)} ${type} [${ranks.get(id) ?? cleanLine(id)}]${broughtIn ? ', which brings it in' : ''}`
    const because = shortenText(
      cleanLine(reason),
      Math.max(MIN_ABOUT_WIDTH, width - how.length - HIT_INDENT.length - 2),
    )
    return `${HIT_INDENT}${colors.green(how)}${reason === '' ? '' : `  ${because}`}`
  })
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
