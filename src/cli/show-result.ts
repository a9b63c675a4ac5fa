import type { Boost, SearchResult, SignalScores } from '../index.ts'
import { emphasise, isMatched } from './emphasise.ts'
import { formatMoment } from './instant.ts'
import type { Invocation } from './invocation.ts'
import { alignColumns, cleanForTerminal, cleanLine, wrapLine } from './terminal-text.ts'

/** Lines of a snippet that are shown; the rest is one `madeleine get` away. */
const SNIPPET_LINES = 5
const INDENT = '    '
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
  score: number
  signals?: SignalScores
  weights?: SignalScores
  boosts?: readonly Boost[]
  matchedTerms?: readonly string[]
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
export function describeResult(result: SearchResult, rank: number, { output, timeZone }: Invocation): string[] {
  const { colors, width } = output
  const date = result.occurredAt ? formatMoment(result.occurredAt, timeZone) : ''
  const speaker = cleanLine(result.speaker ?? result.tool ?? result.role ?? '')
  const first = [
    `${String(rank).padStart(2)}  ${colors.green(result.score.toFixed(2))}`,
    colors.bold(formatPlace(result)),
    colors.dim([date, speaker, cleanLine(result.root ?? '')].filter(Boolean).join('  ')),
  ]
  const lines = [first.join('  ').trimEnd()]
  if (result.header) lines.push(INDENT + colors.cyan(cleanLine(result.header)))
  const terms = result.matchedTerms ?? []
  const snippet = pickLines(cleanForTerminal(result.snippet), terms, width - INDENT.length)
  return [
    ...lines,
    ...snippet.map((line) => INDENT + emphasise(line, terms, (word) => colors.bold(colors.yellow(word)))),
  ]
}

/** Some lines of a snippet, from the line before the first match on. */
function pickLines(snippet: string, terms: readonly string[], width: number): string[] {
  const lines = snippet
    .split('\n')
    .filter((line) => line.trim() !== '')
    .flatMap((line) => wrapLine(line.trimEnd(), width))
  const marked = lines.findIndex((line) => isMatched(line, terms))
  const last = Math.max(0, lines.length - SNIPPET_LINES)
  const start = marked >= SNIPPET_LINES ? Math.min(marked - 1, last) : 0
  const shown = lines.slice(start, start + SNIPPET_LINES)
  if (start > 0) shown.unshift('…')
  if (start + SNIPPET_LINES < lines.length) shown.push('…')
  return shown
}

/** Why a score is what it is: a sentence, and a table of signals with raw value, weight and share. */
export function explainResult(result: ExplainedScore, { output }: Pick<Invocation, 'output'>): string[] {
  const { signals, weights, boosts = [], matchedTerms = [] } = result
  if (!signals || !weights) return []
  const { colors } = output
  const shares = SIGNAL_NAMES.map((name) => ({ name, share: signals[name] * weights[name] }))
  const strongest = shares.reduce((best, signal) => (signal.share > best.share ? signal : best))
  const sentence =
    strongest.share > 0 ? `Mostly by the ${SIGNAL_MEANINGS[strongest.name]}.` : 'No signal speaks for it by itself.'
  const table = shares.map(({ name, share }) => [
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
  const matched = matchedTerms.length > 0 ? [`matched: ${cleanLine(matchedTerms.join(', '))}`] : []
  return [sentence, ...alignColumns(table, [1]), ...alignColumns(moved, [1]), ...matched].map(
    (line) => INDENT + colors.dim(line),
  )
}
