import type { LinkReport } from '../../index.ts'
import { EXIT } from '../exit-codes.ts'
import { type AddCommand, dropUndefined, type Invocation, withEngine } from '../invocation.ts'
import { noteDegraded } from '../output.ts'
import { startProgress } from '../progress.ts'
import { requireCorrelator } from '../require-correlator.ts'
import { withInterrupt } from '../with-interrupt.ts'
import { formatCount, formatSeconds } from '../words.ts'

const EXAMPLES = `
Examples:
  $ madeleine links discover            relate what is new or has changed
  $ madeleine links discover --all      relate everything anew
  $ madeleine links discover --json`

/** `madeleine links discover`: finds relationships in the texts. Ctrl-C stops it cleanly: what is found stays found. */
export const addLinksCommand: AddCommand = (program, run) => {
  const links = program
    .command('links')
    .description('relationships that stand in the texts')
    .addHelpText('after', EXAMPLES)
  links
    .command('discover')
    .description('find how memories bear on each other, in what is new or has changed')
    .option('--all', 'relate everything anew')
    .addHelpText('after', EXAMPLES)
    .action((flags: { all?: boolean }) => run((invocation) => runDiscover(invocation, flags)))
}

async function runDiscover(invocation: Invocation, flags: { all?: boolean }): Promise<number> {
  requireCorrelator(invocation)
  const { output } = invocation
  const report = await withInterrupt((signal) =>
    withEngine(invocation, async (engine) => {
      const progress = await startProgress(invocation)
      try {
        return await engine.linkMemories({
          signal,
          onProgress: (state) => progress.show({ phase: 'link', ...state }),
          ...dropUndefined({ all: flags.all }),
        })
      } finally {
        progress.stop()
      }
    }),
  )
  output.document({ links: report.written, ...report })
  for (const line of describeLinks(report)) output.print(line)
  noteDegraded(output, report.degraded)
  return EXIT.done
}

function describeLinks({ memories, written, removed, reviews, awaiting, elapsedMs }: LinkReport): string[] {
  return [
    `${formatCount(memories, 'memory')} related in ${formatSeconds(elapsedMs)}: ${written} new or changed, ${removed} gone.`,
    ...(reviews > 0 ? [`${formatCount(reviews, 'contradiction')} to look at: run \`madeleine review\`.`] : []),
    ...(awaiting > 0 ? [`${formatCount(awaiting, 'memory')} still to be related.`] : []),
  ]
}
