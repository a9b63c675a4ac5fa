import { toWire } from '../../host/to-wire.ts'
import { EXIT } from '../exit-codes.ts'
import { type AddCommand, dropUndefined, withEngine } from '../invocation.ts'
import { wholeNumber } from '../option-values.ts'
import { describeSalience } from '../show-heartbeat.ts'

const MAX_LIMIT = 1000

const EXAMPLES = `
Examples:
  $ madeleine salience --limit 5
  $ madeleine salience --json`

/** `madeleine salience`: important memories that go stale, most salient first. Changes nothing. */
export const addSalienceCommand: AddCommand = (program, run) => {
  program
    .command('salience')
    .description('what is important and going stale, and what to ask about it')
    .option('--limit <n>', `how many at most, 1 to ${MAX_LIMIT} (default 20)`, wholeNumber(1, MAX_LIMIT))
    .addHelpText('after', EXAMPLES)
    .action(({ limit }: { limit?: number }) =>
      run(async (invocation) => {
        const { output, settings } = invocation
        const { project } = settings.values
        const report = await withEngine(invocation, (engine) => engine.salience(dropUndefined({ limit, project })))
        output.document(toWire(report))
        for (const line of describeSalience(report, invocation)) output.print(line)
        return EXIT.done
      }),
    )
}
