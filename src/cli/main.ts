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

/** As few files where there is a build of them: of what a short command does, finding and reading 500 modules is the most. */
async function startCli(rest: readonly string[]): Promise<void> {
  const bundle = new URL('./bundle/start-cli.js', import.meta.url)
  const cli = existsSync(bundle)
    ? ((await import(bundle.href)) as typeof import('./start-cli.ts'))
    : await import('./start-cli.ts')
  await cli.startCli(rest)
}
