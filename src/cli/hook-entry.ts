import { createRequire } from 'node:module'
import { homedir } from 'node:os'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { noteFailure } from '../host/claude-code/failure-log.ts'
import type { HookSettings } from '../host/claude-code/hook-settings.ts'
import { runHook } from '../host/claude-code/run-hook.ts'
import { readHookArguments } from './hook-arguments.ts'
import { defaultCacheFolder, defaultConfigFile, defaultStoreFile, resolvePath } from './paths.ts'
import { readVersion } from './version.ts'

const MAIN = fileURLToPath(new URL('./main.js', import.meta.url))

/**
 * `madeleine hook HOST` without the command line's other parts: a host waits for it at every prompt. Whatever happens, it exits with 0
 * and prints nothing but its answer; what went wrong is in `hook.log` in the data folder.
 */
export async function runHookEntry(args: readonly string[]): Promise<void> {
  if (isSet(process.env.MADELEINE_CHILD)) return
  const { platform } = process
  const home = homedir()
  const dataFolder = dirname(defaultStoreFile({ env: process.env, home, platform }))
  const debug = (event: string, reason: string): void => {
    if (isSet(process.env.MADELEINE_DEBUG)) process.stderr.write(`madeleine hook: ${event}: ${reason}\n`)
  }
  const giveUp = (event: string, reason: string): never => {
    debug(event, reason)
    noteFailure(dataFolder, { at: new Date().toISOString(), event, reason })
    process.exit(0)
  }
  for (const kind of ['uncaughtException', 'unhandledRejection'])
    process.on(kind, (error: unknown) => giveUp('hook', error instanceof Error ? error.message : String(error)))
  const { variables, problem } = readHookArguments(args)
  if (problem !== undefined) giveUp('arguments', problem)
  const env = { ...process.env, ...variables }
  let end: NodeJS.Timeout | undefined
  // However the work hangs, the turn goes on.
  const endWithin = (ms: number): void => {
    clearTimeout(end)
    end = setTimeout(() => giveUp('hook', `no answer within ${ms} ms`), ms)
  }
  const configFile = env.MADELEINE_CONFIG
    ? resolvePath(env.MADELEINE_CONFIG, { home, base: process.cwd(), platform })
    : defaultConfigFile({ env, home, platform })
  const { output, finish } = await runHook({
    ...{ version: readVersion(), env, home, configFile, platform, dataFolder, debug },
    stdin: process.stdin,
    endWithin,
    recallBundle: {
      file: fileURLToPath(new URL('./hook-recall.cjs', import.meta.url)),
      cacheFolder: defaultCacheFolder({ env, home, platform }),
    },
    resolveSettings: () => resolveFully(env),
    startProcess: (rest) => startDetached(rest, env),
  })
  // Whoever read has gone: nobody is left to be told.
  process.stdout.on('error', () => process.exit(0))
  // A pipe that stays open on the host's side, or a late search, must not keep the turn waiting.
  process.stdout.write(output === undefined ? '' : `${JSON.stringify(output)}\n`, () => {
    const finished = finish?.() ?? Promise.resolve()
    void finished.catch(() => undefined).then(() => process.exit(0))
  })
}

const isSet = (variable: string | undefined): boolean => Boolean(variable) && variable !== '0'

/** The slow way, with the parser of the configuration: taken once for every change of it. */
async function resolveFully(env: NodeJS.ProcessEnv): Promise<HookSettings> {
  const { resolveHookSettings } = await import('./resolve-hook-settings.ts')
  return resolveHookSettings(env)
}

/** It outlives the hook and has no terminal; hooks of what it may start do nothing. */
function startDetached(args: readonly string[], env: NodeJS.ProcessEnv): void {
  // Loaded when a process is started, which most hooks do not.
  const { spawn } = createRequire(import.meta.url)('node:child_process') as typeof import('node:child_process')
  const child = spawn(process.execPath, [MAIN, ...args], {
    detached: true,
    stdio: 'ignore',
    windowsHide: true,
    env: { ...env, MADELEINE_CHILD: '1' },
  })
  // Where no process can be started, the next hook tries again.
  child.on('error', () => undefined)
  child.unref()
}
