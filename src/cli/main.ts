#!/usr/bin/env node
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const args = process.argv.slice(2)
// A host waits for its hook at every prompt: nothing else is loaded for it.
if (args[0] === 'hook' && !args.some((argument) => /^(?:--help|-h)$/.test(argument))) await startHook(args.slice(1))
else await startCli(args)

/** As one file where there is a build of it, which loads several times faster. */
async function startHook(rest: readonly string[]): Promise<void> {
  const bundle = new URL('./hook.cjs', import.meta.url)
  const { runHookEntry } = existsSync(bundle)
    ? (createRequire(import.meta.url)(fileURLToPath(bundle)) as typeof import('./hook-entry.ts'))
    : await import('./hook-entry.ts')
  await runHookEntry(rest)
}

async function startCli(rest: readonly string[]): Promise<void> {
  // Before all others: it sees to it that no library writes where answers go.
  await import('./console-to-stderr.ts')
  const { limitHeapGrowth } = await import('./limit-heap-growth.ts')
  limitHeapGrowth()
  const { guardStreams } = await import('./guard-streams.ts')
  const { runCli } = await import('./run-cli.ts')
  const { processSurroundings } = await import('./surroundings.ts')
  guardStreams()
  process.exitCode = await runCli(rest, processSurroundings())
}
