import type { IndexProgress, IndexReport } from '../../index.ts'
import { EXIT } from '../exit-codes.ts'
import { type AddCommand, dropUndefined, type Invocation, requireSources, withEngine } from '../invocation.ts'
import { countProblems, groupProblems } from '../problems.ts'
import { startProgress } from '../progress.ts'
import { formatCount, formatSeconds } from '../words.ts'

interface IndexFlags {
  full?: boolean
  embed: boolean
}

const EXAMPLES = `
Examples:
  $ madeleine index                                   what is new or has changed since the last time
  $ madeleine index --workspace ~/notes --no-embed    text only; vectors follow at the next run
  $ madeleine index --full --json                     read everything again, report as JSON`

/** `madeleine index`: brings the store up to date. Ctrl-C stops it cleanly: what is done stays done. */
export const addIndexCommand: AddCommand = (program, run) => {
  program
    .command('index')
    .description('bring the store up to date with the sources: text first, vectors after')
    .option('--full', 'read every document again, changed or not')
    .option('--no-embed', 'leave vectors for a later run; the text is searchable all the same')
    .addHelpText('after', EXAMPLES)
    .action((flags: IndexFlags) => run((invocation) => runIndex(invocation, flags)))
}

async function runIndex(invocation: Invocation, { full, embed }: IndexFlags): Promise<number> {
  requireSources(invocation)
  const { output } = invocation
  const report = await withInterrupt((signal) =>
    withEngine(invocation, async (engine) => {
      const progress = await startProgress(invocation)
      try {
        const onProgress = (state: IndexProgress) => progress.show(state)
        return await engine.index({ onProgress, signal, skipEmbedding: !embed, ...dropUndefined({ full }) })
      } finally {
        progress.stop()
      }
    }),
  )
  output.document(report)
  for (const line of describeReport(report, invocation)) output.print(line)
  return report.problems.some(({ failed }) => failed) ? EXIT.partly : EXIT.done
}

/** Turns the first Ctrl-C into an abort; a second one ends the process at once. */
async function withInterrupt<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController()
  const interrupt = () => {
    if (controller.signal.aborted) process.exit(EXIT.interrupted)
    controller.abort()
  }
  process.on('SIGINT', interrupt)
  process.on('SIGTERM', interrupt)
  try {
    return await work(controller.signal)
  } finally {
    process.off('SIGINT', interrupt)
    process.off('SIGTERM', interrupt)
  }
}

/** The report as a person reads it: what changed, what there is now, what was left out. */
export function describeReport(report: IndexReport, { output, settings }: Invocation): string[] {
  const { colors } = output
  const { documents, memories, embedded, pending, problems } = report
  const unchanged = documents.total - documents.added - documents.changed
  const lines = [
    `${colors.bold(`Indexed ${formatCount(documents.total, 'document')}`)} in ${formatSeconds(report.elapsedMs)}: ` +
      `${documents.added} added, ${documents.changed} changed, ${documents.removed} removed, ${Math.max(0, unchanged)} unchanged`,
    `  memories  ${memories.total} (${memories.added} added, ${memories.removed} removed, ` +
      `${formatCount(memories.duplicates, 'duplicate')} folded)`,
    `  vectors   ${settings.values.embedding === 'none' ? 'off' : `${embedded} embedded, ${pending} pending`}`,
  ]
  if (problems.length > 0) lines.push(`  skipped   ${countProblems(problems)}`, ...groupProblems(problems, output))
  return lines
}
