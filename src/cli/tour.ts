import { Command, CommanderError } from 'commander'
import type { IndexReport, Madeleine, RecallItem, RecallResponse, SignalScores } from '../index.ts'
import { MadeleineError } from '../index.ts'
import { wordsBehind } from './emphasise.ts'
import { EXIT, exitCodeOf } from './exit-codes.ts'
import { formatMoment } from './instant.ts'
import { beginInvocation, type Invocation, withEngine } from './invocation.ts'
import { printError } from './output.ts'
import { shortenPath } from './paths.ts'
import { startProgress } from './progress.ts'
import { excerpt, formatPlace, withoutHeading } from './show-result.ts'
import type { Surroundings } from './surroundings.ts'
import { alignColumns, cleanLine, shortenText } from './terminal-text.ts'
import { choosePrompts, planTour, type TourPlan, type TourPrompt } from './tour-plan.ts'
import { usageError } from './usage-error.ts'
import { formatCount, formatSeconds } from './words.ts'

/** A first look is not worth a longer wait: what has no vector by then is found by its words. */
const EMBEDDING_SECONDS = 40
const SHOWN_ITEMS = 2
const ITEM_LINES = 2
const INDENT = '   '
const ITEM_INDENT = `${INDENT}      `

/** `npm start`: a first look at what memory would do, on the user's own data or on the sample. Answers with the exit code. */
export async function runTour(args: readonly string[], surroundings: Surroundings): Promise<number> {
  const program = createTourProgram(surroundings)
  try {
    const { sample = false } = program.parse(args, { from: 'user' }).opts<{ sample?: boolean }>()
    const plan = planTour(surroundings, sample)
    const invocation = invocationFor(plan, surroundings)
    await withEngine(invocation, (engine) => showTour(engine, plan, invocation))
    return EXIT.done
  } catch (thrown) {
    if (thrown instanceof CommanderError && thrown.exitCode === 0) return EXIT.done
    const error = thrown instanceof CommanderError ? usageError(thrown, args, program) : thrown
    printError(error, surroundings, false)
    return exitCodeOf(error)
  }
}

function createTourProgram({ stdout }: Surroundings): Command {
  return new Command('npm start --')
    .description('A first look: what memory would say, and when it would keep silent.')
    .option('--sample', 'use the sample workspace even where there is data of your own')
    .configureOutput({ writeOut: (text) => stdout.write(text), writeErr: () => undefined })
    .exitOverride()
}

/** What the user configured for real work (agent, project, tenant …) does not fit a first look; how to compute does. */
function invocationFor(plan: TourPlan, surroundings: Surroundings): Invocation {
  const kept = Object.entries(surroundings.env).filter(
    ([name]) => !name.startsWith('MADELEINE_') || /^MADELEINE_(?:EMBEDDING|CACHE_DIR$|NO_NATIVE$)/.test(name),
  )
  const newest = plan.newestTranscripts && { MADELEINE_NEWEST_TRANSCRIPTS: String(plan.newestTranscripts) }
  return beginInvocation(
    {
      workspace: plan.workspaces,
      transcripts: plan.transcripts,
      store: plan.store,
      ...(plan.now && { now: plan.now }),
      ...(plan.timeZone && { tz: plan.timeZone }),
    },
    { ...surroundings, env: { ...Object.fromEntries(kept), ...newest } },
    { withoutConfig: true },
  )
}

async function showTour(engine: Madeleine, plan: TourPlan, invocation: Invocation): Promise<void> {
  const { output } = invocation
  output.print(output.colors.bold('Madeleine: what matters from the past surfaces by itself.'))
  output.print(`\n${plan.title}.`)
  const report = await indexWithin(engine, invocation)
  const waiting = report.pending > 0 ? `; ${report.pending} vectors are left for later` : ''
  output.print(
    `${formatCount(report.documents.total, 'document')}, ${formatCount(report.memories.total, 'memory')}, ` +
      `ready in ${formatSeconds(report.elapsedMs)}${waiting}.`,
  )
  const prompts = await choosePrompts(engine, plan)
  for (const [index, prompt] of prompts.entries()) {
    const response = await engine.recall({ ...prompt.request, explain: true })
    showPrompt(prompt, index + 1, response, invocation)
  }
  showNext(plan, invocation)
}

/** Text first; then vectors, as many as there is time for. */
async function indexWithin(engine: Madeleine, invocation: Invocation): Promise<IndexReport> {
  const progress = await startProgress(invocation)
  try {
    const onProgress = progress.show
    const text = await engine.index({ skipEmbedding: true, onProgress })
    const signal = AbortSignal.timeout(EMBEDDING_SECONDS * 1000)
    try {
      const vectors = await engine.index({ onProgress, signal })
      return { ...text, pending: vectors.pending, elapsedMs: text.elapsedMs + vectors.elapsedMs }
    } catch (error) {
      if (!(error instanceof MadeleineError && error.code === 'INTERRUPTED')) throw error
      const { pending } = await engine.status()
      return { ...text, pending, elapsedMs: text.elapsedMs + EMBEDDING_SECONDS * 1000 }
    }
  } finally {
    progress.stop()
  }
}

function showPrompt({ request, note }: TourPrompt, number: number, response: RecallResponse, invocation: Invocation) {
  const { output } = invocation
  const { colors } = output
  output.print(`\n${colors.bold(`${number}  “${shortenText(cleanLine(request.prompt), output.width - 6)}”`)}`)
  output.print(INDENT + colors.dim(note))
  const took = `${Math.round(response.elapsedMs)} ms`
  if (response.items.length === 0) {
    const [best] = response.trace ?? []
    const nearest = best ? `; the nearest memory scored ${best.score.toFixed(2)}` : ''
    output.print(
      `${INDENT}${colors.cyan('silent')} (${took}): ${cleanLine(response.reason ?? 'nothing to say')}${nearest}`,
    )
    return
  }
  output.print(`${INDENT}${colors.green('injected')} (${took}): ${formatCount(response.items.length, 'item')}`)
  for (const item of response.items.slice(0, SHOWN_ITEMS)) {
    for (const line of describeItem(item, request.prompt, response, invocation)) output.print(line)
  }
  const hidden = response.items.length - SHOWN_ITEMS
  if (hidden > 0) output.print(INDENT + colors.dim(`and ${hidden} more`))
}

function describeItem(
  { id, score, text, header, occurredAt, ...place }: RecallItem,
  prompt: string,
  { trace = [] }: RecallResponse,
  { output, timeZone }: Invocation,
): string[] {
  const { colors } = output
  const explanation = trace.find((entry) => entry.id === id)?.explanation
  const terms = explanation?.matchedTerms ?? []
  const date = occurredAt ? formatMoment(occurredAt, timeZone) : ''
  return [
    `${INDENT}${colors.green(score.toFixed(2))}  ${colors.bold(formatPlace(place))}  ${colors.dim(date)}`.trimEnd(),
    ...(header ? [ITEM_INDENT + colors.cyan(shortenText(cleanLine(header), output.width - ITEM_INDENT.length))] : []),
    ...excerpt(withoutHeading(text), terms, { output, indent: ITEM_INDENT, lines: ITEM_LINES }),
    ITEM_INDENT + colors.dim(`because of ${nameReasons(wordsBehind(prompt, terms), explanation?.signals)}`),
  ]
}

function nameReasons(words: readonly string[], signals: SignalScores | undefined): string {
  const meaning = signals && signals.vector > 0 ? [`its meaning (${signals.vector.toFixed(2)})`] : []
  const named = words.length > 0 ? [`the words ${words.map(cleanLine).join(', ')}`] : []
  return [...named, ...meaning].join(' and ') || 'its place'
}

function showNext(plan: TourPlan, { output, surroundings }: Invocation): void {
  const { colors } = output
  const rows = plan.isSample
    ? [
        ['npx madeleine init', 'find your own notes and sessions, write the configuration'],
        ['npx madeleine index', 'bring your store up to date'],
        ['npx madeleine search "…"', 'ask it something'],
      ]
    : [
        ['npx madeleine init', 'write down what was found'],
        ['npx madeleine index', 'all of it, into your store'],
        ['npx madeleine recall "…" --explain', 'what would be injected, and why'],
      ]
  output.print(`\n${colors.bold('Next')}`)
  for (const line of alignColumns(rows)) output.print(`  ${line}`)
  output.print(colors.dim(`\nThis look kept its store apart: ${shortenPath(plan.store, surroundings.home)}`))
}
