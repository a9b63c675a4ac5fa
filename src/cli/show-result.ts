import type { Boost, Calibration, SearchResult, SignalScores } from '../index.ts'
import { emphasise, isMatched, wordsBehind } from './emphasise.ts'
import { formatMoment } from './instant.ts'
import type { Invocation } from './invocation.ts'
import type { Output } from './output.ts'
import { shortenPath } from './paths.ts'
import { alignColumns, cleanForTerminal, cleanLine, wrapLine } from './terminal-text.ts'

/** Lines of a snippet that are shown; the rest is one `madeleine get` away. */
const SNIPPET_LINES = 5
const INDENT = '    '
const ELLIPSIS_ROOM = 2
const SIGNAL_NAMES: ReadonlyArray<keyof SignalScores> = ['vector', 'keyword', 'header', 'filepath']
/** What each signal means to someone who did not write it. */
const SIGNAL_MEANINGS: Record<keyof SignalScores, string> = {
  vector: 'meaning',
  keyword: 'words of the text',
  header: 'words of the headings',
  filepath: 'words of the path',
}

/** What is needed to explain a score, of a search result or a recall candidate. */
interface ExplainedScore {
  signals?: SignalScores
  weights?: SignalScores
  boosts?: readonly Boost[]
  matchedTerms?: readonly string[]
  calibration?: Calibration
}

/** `path:12-20`, as `madeleine get` takes it. */
export function formatPlace({
  path,
  startLine,
  endLine,
}: {
  path: string
  startLine: number
  endLine?: number
}): string {
  const lines = endLine === undefined || endLine === startLine ? startLine : `${startLine}-${endLine}`
  return `${cleanLine(path)}:${lines}`
}

/** A result as a person reads it: score, place and date; the headings; some lines with what matched emphasised. */
export function describeResult(
  result: SearchResult,
  rank: number,
  { output, timeZone, surroundings: { home } }: Invocation,
): string[] {
  const { colors } = output
  const date = result.occurredAt ? formatMoment(result.occurredAt, timeZone) : ''
  const speaker = cleanLine(result.speaker ?? result.tool ?? result.role ?? '')
  const root = result.root ? cleanLine(shortenPath(result.root, home)) : ''
  const first = [
    `${String(rank).padStart(2)}  ${colors.green(result.score.toFixed(2))}`,
    colors.bold(formatPlace(result)),
    colors.dim([date, speaker, root].filter(Boolean).join('  ')),
  ]
  const header = result.header ? [INDENT + colors.cyan(cleanLine(result.header))] : []
  const text = excerpt(withoutHeading(result.snippet), result.matchedTerms ?? [], {
    output,
    indent: INDENT,
    lines: SNIPPET_LINES,
  })
  return [first.join('  ').trimEnd(), ...header, ...text]
}

/** The text below its own headings, which are shown by themselves. */
export function withoutHeading(text: string): string {
  return text.replace(/^(?:\s*#{1,6} .*(?:\n|$))+/, '')
}

/** Some lines of a text, from the line before the first match on, with what matched emphasised. */
export function excerpt(
  text: string,
  terms: readonly string[],
  { output: { colors, width }, indent, lines: most }: { output: Output; indent: string; lines: number },
): string[] {
  const lines = cleanForTerminal(text)
    .split('\n')
    .filter((line) => line.trim() !== '')
    .flatMap((line) => wrapLine(line.trimEnd(), width - indent.length - ELLIPSIS_ROOM))
  const marked = lines.findIndex((line) => isMatched(line, terms))
  const start = marked >= most ? Math.min(marked - 1, Math.max(0, lines.length - most)) : 0
  const shown = lines.slice(start, start + most)
  if (start > 0) shown[0] = `… ${shown[0]}`
  if (start + most < lines.length) shown.push(`${shown.pop()} …`)
  return shown.map((line) => indent + emphasise(line, terms, (word) => colors.bold(colors.yellow(word))))
}

/** Why a score is what it is: a sentence, and a table of signals with raw value, weight and share. */
export function explainResult(result: ExplainedScore, query: string, { colors }: Output): string[] {
  const { signals, weights, boosts = [], matchedTerms = [] } = result
  if (!signals || !weights) return []
  const table = sharesOf(signals, weights).map(({ name, share }) => [
    name,
    signals[name].toFixed(2),
    `× ${weights[name].toFixed(2)}`,
    `= ${share.toFixed(2)}`,
    SIGNAL_MEANINGS[name],
  ])
  const moved = boosts.map(({ name, factor, reason }) => [
    cleanLine(name),
    `×${Number(factor.toFixed(2))}`,
    cleanLine(reason),
  ])
  const words = wordsBehind(query, matchedTerms)
  const matched = words.length > 0 ? [`matched: ${cleanLine(words.join(', '))}`] : []
  const score = result.calibration ? explainScore(result.calibration) : []
  return [
    nameStrongest(signals, weights),
    ...alignColumns(table, [1]),
    ...alignColumns(moved, [1]),
    ...matched,
    ...score,
  ].map((line) => INDENT + colors.dim(line))
}

/** How the evidence becomes the score that is shown: signals and factors decide the order, this the number. */
function explainScore({ score, chance, share, coverage, window, cosine, dated }: Calibration): string[] {
  const parts = [
    `words ${coverage.toFixed(2)}`,
    `with its neighbours ${window.toFixed(2)}`,
    `meaning ${cosine.toFixed(2)}`,
    ...(dated ? ['of the time asked for'] : []),
  ]
  return [
    `score ${score.toFixed(2)} = chance of an answer ${chance.toFixed(2)} × share of it ${share.toFixed(2)}`,
    `evidence: ${parts.join(', ')}`,
  ]
}

function nameStrongest(signals: SignalScores, weights: SignalScores): string {
  const strongest = sharesOf(signals, weights).reduce((best, signal) => (signal.share > best.share ? signal : best))
  return strongest.share > 0
    ? `Mostly by the ${SIGNAL_MEANINGS[strongest.name]}.`
    : 'No signal speaks for it by itself.'
}

function sharesOf(signals: SignalScores, weights: SignalScores) {
  return SIGNAL_NAMES.map((name) => ({ name, share: signals[name] * weights[name] }))
}
