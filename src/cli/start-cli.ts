// Before all others: it sees to it that no library writes where answers go.
import './console-to-stderr.ts'
import { guardStreams } from './guard-streams.ts'
import { limitHeapGrowth } from './limit-heap-growth.ts'
import { runCli } from './run-cli.ts'
import { processSurroundings } from './surroundings.ts'

/** Runs the command line in this process, whose exit code it sets. */
export async function startCli(args: readonly string[]): Promise<void> {
  limitHeapGrowth()
  guardStreams()
  process.exitCode = await runCli(args, processSurroundings())
}
