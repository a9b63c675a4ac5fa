import type { Readable } from 'node:stream'
import { MCP_LIMITS, openMadeleine } from '../../index.ts'
import { claimStdout } from '../claim-stdout.ts'
import { EXIT } from '../exit-codes.ts'
import { type AddCommand, dropUndefined, type Invocation, openOptions } from '../invocation.ts'
import { cleanLine, shortenText } from '../terminal-text.ts'

const EXAMPLES = `
For a client that takes a JSON configuration:
  {"mcpServers": {"memory": {"command": "madeleine", "args": ["mcp", "--agent", "main"]}}}

--agent and --project hold for every call of the client. MADELEINE_DEBUG=1 logs each request on stderr.`

/** A library may say at length what it does not like. */
const MAX_LOG_COLUMNS = 1000
const SIGNALS: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGINT', 'SIGHUP']

/** `madeleine mcp`: serves one client of the Model Context Protocol on stdin and stdout until it goes. */
export const addMcpCommand: AddCommand = (program, run) => {
  program
    .command('mcp')
    .description('serve the memory to a client of the Model Context Protocol, on stdin and stdout')
    .addHelpText('after', EXAMPLES)
    .action(() => run((invocation) => runMcp(invocation, program.version() ?? '')))
}

async function runMcp(invocation: Invocation, version: string): Promise<number> {
  const { stdin, stdout, stderr, env } = invocation.surroundings
  const output = claimStdout(stdout)
  // Loaded only where it is wanted: no other command should wait for it at start.
  const { serveMcp } = await import('../../host/mcp/serve-mcp.ts')
  const log = (line: string): void => {
    stderr.write(`madeleine mcp: ${shortenText(cleanLine(line), MAX_LOG_COLUMNS)}\n`)
  }
  const isDebugging = !/^(?:|0|false)$/.test(env.MADELEINE_DEBUG ?? '')
  await untilSignal((signal) =>
    serveMcp({
      open: () => openMadeleine(openOptions(invocation)),
      scope: dropUndefined({ project: invocation.settings.values.project }),
      version,
      now: invocation.now,
      input: stdin as Readable,
      output,
      log,
      ...(isDebugging && { trace: log }),
      signal,
    }),
  )
  if (stdout === process.stdout) leave(stdin as Readable)
  return EXIT.done
}

/** Turns the signals that end a process into an abort, so that the store is closed first. */
async function untilSignal(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const controller = new AbortController()
  const end = (): void => controller.abort()
  for (const name of SIGNALS) process.on(name, end)
  try {
    await work(controller.signal)
  } finally {
    for (const name of SIGNALS) process.off(name, end)
  }
}

/** Nobody is served any more: an input that stays open holds the process no longer, and whatever else does for a moment only. */
function leave(stdin: Readable): void {
  stdin.destroy()
  setTimeout(() => process.exit(), MCP_LIMITS.exitMs).unref()
}
