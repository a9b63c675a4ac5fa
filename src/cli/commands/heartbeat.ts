import { toWire } from '../../host/to-wire.ts'
import { formatHeartbeatContext, MadeleineError, VERBOSITIES, type Verbosity } from '../../index.ts'
import { EXIT } from '../exit-codes.ts'
import { type AddCommand, dropUndefined, type Invocation, withEngine } from '../invocation.ts'
import { choiceOption, wholeNumber } from '../option-values.ts'
import { noteDegraded } from '../output.ts'
import { refuseOptions } from '../refuse-options.ts'
import { describeTick, describeTicks } from '../show-heartbeat.ts'
import { cleanForTerminal } from '../terminal-text.ts'
import { withInterrupt } from '../with-interrupt.ts'

interface HeartbeatFlags {
  analyze?: boolean
  related?: boolean
  dryRun?: boolean
  verbosity?: Verbosity
  last?: number | true
}

const EXAMPLES = `
Examples:
  $ madeleine heartbeat --dry-run              what a tick would say now; nothing is kept
  $ madeleine heartbeat --related              one tick, with past decisions that bear on it
  $ madeleine heartbeat --analyze --json       the same, and one question to the configured language model
  $ madeleine heartbeat --verbosity standard   the text for an agent, as hosts give it
  $ madeleine heartbeat --last 5               what came of the last five, and why`

/** `madeleine heartbeat`: one tick. To stay silent is an answer, not a failure. */
export const addHeartbeatCommand: AddCommand = (program, run) => {
  program
    .command('heartbeat')
    .description('one tick: what needs attention between turns; mostly nothing')
    .option('--analyze', 'ask the configured language model about it, when it speaks up')
    .option('--related', 'show past decisions that bear on it, without a language model too')
    .option('--dry-run', 'decide and show, and keep nothing')
    .addOption(choiceOption('--verbosity <level>', 'print the text for an agent, in this detail', VERBOSITIES))
    .option('--last [n]', 'what came of the last ticks instead, newest first (default 10)', wholeNumber(1))
    .addHelpText('after', EXAMPLES)
    .action((flags: HeartbeatFlags) =>
      run((invocation) => (flags.last === undefined ? runHeartbeat : showLast)(invocation, flags)),
    )
}

async function runHeartbeat(invocation: Invocation, flags: HeartbeatFlags): Promise<number> {
  const { output, settings } = invocation
  // The document says more than any text.
  if (output.json) refuseOptions('write a tick as JSON', flags, ['verbosity'])
  const { verbosity, analyze, related, dryRun } = flags
  const { project } = settings.values
  const result = await withInterrupt((signal) =>
    withEngine(invocation, (engine) =>
      engine.heartbeat({ signal, ...dropUndefined({ analyze, related, dryRun, project }) }),
    ),
  )
  output.document(toWire(result))
  noteDegraded(output, result.degraded)
  if (verbosity === undefined) {
    for (const line of describeTick(result, invocation)) output.print(line)
    return EXIT.done
  }
  const text = formatHeartbeatContext(result, { verbosity, timeZone: invocation.timeZone })
  if (text !== '') output.print(cleanForTerminal(text))
  return EXIT.done
}

async function showLast(invocation: Invocation, { last, ...others }: HeartbeatFlags): Promise<number> {
  const { output, settings } = invocation
  if (Object.keys(others).length > 0) {
    throw new MadeleineError('INVALID_OPTION', 'Cannot tick and show what came of earlier ticks at once', {
      remedy: 'Give --last alone, with how many as you like: --last 5.',
    })
  }
  const { project } = settings.values
  const limit = last === true ? undefined : last
  const ticks = await withEngine(invocation, (engine) => engine.recentHeartbeats(dropUndefined({ limit, project })))
  output.document({ ticks: toWire(ticks) })
  if (ticks.length === 0) output.print('No tick is kept yet.')
  for (const line of describeTicks(ticks, invocation)) output.print(line)
  return EXIT.done
}
