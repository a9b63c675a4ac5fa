import type { IndexProgress } from '../../index.ts'
import { describeReport } from '../describe-report.ts'
import { EXIT } from '../exit-codes.ts'
import { type AddCommand, dropUndefined, type Invocation, requireSources, withEngine } from '../invocation.ts'
import { startProgress } from '../progress.ts'
import type { WatchFlags } from '../watch/watch-index.ts'
import { withInterrupt } from '../with-interrupt.ts'

interface IndexFlags extends WatchFlags {
  watch?: boolean
}

const EXAMPLES = `
Examples:
  $ madeleine index                                   what is new or has changed since the last time
  $ madeleine index --workspace ~/notes --no-embed    text only; vectors follow at the next run
  $ madeleine index --full --json                     read everything again, report as JSON
  $ madeleine index --watch                           stay, and follow every change until Ctrl-C
  $ madeleine index --watch --json                    one line of JSON for each pass: {pass, kind, paths, ...report}`

/** `madeleine index`: brings the store up to date. Ctrl-C stops it cleanly: what is done stays done. */
export const addIndexCommand: AddCommand = (program, run) => {
  program
    .command('index')
    .description('bring the store up to date with the sources: text first, vectors after')
    .option('--full', 'read every document again, changed or not')
    .option('--watch', 'stay and follow changes; texts at once, vectors in between')
    .option('--no-embed', 'leave vectors for a later run; the text is searchable all the same')
    .addHelpText('after', EXAMPLES)
    .action((flags: IndexFlags) => run((invocation) => runIndex(invocation, flags)))
}

async function runIndex(invocation: Invocation, flags: IndexFlags): Promise<number> {
  requireSources(invocation)
  if (flags.watch) return runWatch(invocation, flags)
  const { full, embed } = flags
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

/** Loaded only where it is wanted: no other command should wait for it at start. */
async function runWatch(invocation: Invocation, flags: WatchFlags): Promise<number> {
  const { watchIndex } = await import('../watch/watch-index.ts')
  const { describePass } = await import('../watch/describe-pass.ts')
  const { output } = invocation
  const describe = describePass(invocation)
  // Who read the passes has gone: there is nobody left to watch for.
  const closed = new AbortController()
  invocation.surroundings.stdout.once('error', () => closed.abort())
  return withInterrupt((interrupted) =>
    watchIndex(invocation, flags, {
      signal: AbortSignal.any([interrupted, closed.signal]),
      onPass(pass) {
        const { report, ...head } = pass
        output.record({ ...head, ...report })
        for (const line of describe(pass)) output.print(line)
      },
    }),
  )
}
