import { Command, CommanderError } from 'commander'
import { MadeleineError } from '../index.ts'
import { addConfigCommand } from './commands/config.ts'
import { addCorrelateCommand } from './commands/correlate.ts'
import { addDoctorCommand } from './commands/doctor.ts'
import { addEvalCommand } from './commands/eval.ts'
import { addExportCommand } from './commands/export.ts'
import { addForgetCommand } from './commands/forget.ts'
import { addGetCommand } from './commands/get.ts'
import { addGraphCommand } from './commands/graph.ts'
import { addHeartbeatCommand } from './commands/heartbeat.ts'
import { addHookCommand } from './commands/hook.ts'
import { addImportCommand } from './commands/import.ts'
import { addIndexCommand } from './commands/index.ts'
import { addInitCommand } from './commands/init.ts'
import { addLinkCommand } from './commands/link.ts'
import { addLinksCommand } from './commands/links.ts'
import { addMcpCommand } from './commands/mcp.ts'
import { addRecallCommand } from './commands/recall.ts'
import { addRememberCommand } from './commands/remember.ts'
import { addReviewCommand } from './commands/review.ts'
import { addSalienceCommand } from './commands/salience.ts'
import { addSearchCommand } from './commands/search.ts'
import { addStatusCommand } from './commands/status.ts'
import { addUnlinkCommand } from './commands/unlink.ts'
import { addWarmCommand } from './commands/warm.ts'
import { EXIT, exitCodeOf } from './exit-codes.ts'
import { type Action, type AddCommand, beginInvocation, type GlobalOptions, type RunOptions } from './invocation.ts'
import { collect } from './option-values.ts'
import { createOutput, printError } from './output.ts'
import type { Surroundings } from './surroundings.ts'
import { usageError } from './usage-error.ts'
import { readVersion } from './version.ts'

/** In the order in which a newcomer needs them: so does `--help` list them. */
const COMMANDS: readonly AddCommand[] = [
  addInitCommand,
  addIndexCommand,
  addSearchCommand,
  addGetCommand,
  addRecallCommand,
  addRememberCommand,
  addForgetCommand,
  addCorrelateCommand,
  addLinkCommand,
  addUnlinkCommand,
  addLinksCommand,
  addGraphCommand,
  addReviewCommand,
  addHeartbeatCommand,
  addSalienceCommand,
  addStatusCommand,
  addDoctorCommand,
  addEvalCommand,
  addConfigCommand,
  addMcpCommand,
  addExportCommand,
  addImportCommand,
  addHookCommand,
  addWarmCommand,
]

/** Runs one command line and resolves with its exit code; whatever goes wrong is told on stderr. */
export async function runCli(args: readonly string[], surroundings: Surroundings): Promise<number> {
  let exitCode: number = EXIT.done
  const program = createProgram(surroundings)
  const run = async (action: Action, options?: RunOptions) => {
    exitCode = await action(beginInvocation(program.opts<GlobalOptions>(), surroundings, options))
  }
  for (const addCommand of COMMANDS) addCommand(program, run)
  try {
    if (args.length === 0) program.outputHelp()
    else await program.parseAsync(args, { from: 'user' })
    return exitCode
  } catch (thrown) {
    if (thrown instanceof CommanderError && thrown.exitCode === 0) return EXIT.done
    if (thrown instanceof MadeleineError && thrown.code === 'DISABLED') {
      tellDisabled(thrown, surroundings, wantsJson(args))
      return EXIT.done
    }
    const error = thrown instanceof CommanderError ? usageError(thrown, args, program) : thrown
    printError(error, surroundings, wantsJson(args))
    return exitCodeOf(error)
  }
}

/** What somebody switched off is not wrong: it says so and does nothing. */
function tellDisabled({ message, remedy }: MadeleineError, surroundings: Surroundings, json: boolean): void {
  const output = createOutput(surroundings, json)
  output.document({ disabled: true })
  output.print(`${message}.`)
  output.note(remedy)
}

function createProgram({ stdout }: Surroundings): Command {
  return new Command('madeleine')
    .description('Involuntary memory for AI agents: what matters from the past surfaces by itself, or stays silent.')
    .version(readVersion(), '-V, --version', 'print the version')
    .option('--json', 'print one JSON document on stdout and nothing else')
    .option('--workspace <dir>', 'folder of Markdown notes (repeatable)', collect)
    .option('--extra-path <path>', 'folder, file or pattern of more notes, for every agent (repeatable)', collect)
    .option('--transcripts <dir>', 'folder of agent transcripts (repeatable)', collect)
    .option('--store <file or URL>', 'file of the store, or postgres://user@host/database')
    .option('--read-store <URL>', 'replica of a store in PostgreSQL that searches and recalls ask')
    .option('--agent <id>', 'ask or write as this agent; without it, as the owner')
    .option('--project <dir>', 'stay in this project and in what is global')
    .option('--tenant <id>', 'whose memories (default local)')
    .option('--embedding <model>', 'bundled, none, ollama:MODEL, openai:MODEL or voyage:MODEL')
    .option('--now <iso>', 'take this for the present time')
    .option('--tz <zone>', 'time zone of the user, such as Europe/Zurich')
    .option('--config <file>', 'configuration file')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeOut: (text) => stdout.write(text), writeErr: () => undefined })
    .exitOverride()
    .addHelpText('after', HELP_END)
}

const HELP_END = `
Examples:
  $ madeleine init                          find agents and notes on this machine, write the configuration
  $ madeleine index                         bring the store up to date
  $ madeleine search "which pump did we choose"
  $ madeleine recall "shall we order the pump today?" --explain`

/** Whether errors are wanted as JSON, also when the line could not be parsed. */
function wantsJson(args: readonly string[]): boolean {
  const end = args.indexOf('--')
  return (end === -1 ? args : args.slice(0, end)).includes('--json')
}
