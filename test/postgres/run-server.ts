import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { inject, type ProvidedContext } from 'vitest'
import { findBinaries } from './find-binaries.ts'
import { startServer } from './server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder of the server of this run of tests, and the process that makes the run. */
    postgresRun: { folder: string; ownerPid: number }
  }
}

const POLL_MS = 20
/** Generous: it only bounds how long a failing run takes. */
const START_LIMIT_MS = 300_000

/** Why tests with a real server cannot run here, in words; null where they can. */
export function whyNoServer(): string | null {
  if (process.env.MADELEINE_TEST_POSTGRES || findBinaries()) return null
  return 'PostgreSQL 15 or newer is not installed, and MADELEINE_TEST_POSTGRES names no server'
}

let started: Promise<string> | null = null

/**
 * Address of a superuser of the server that all tests of this run share: the one that MADELEINE_TEST_POSTGRES names, or one that is started
 * for the run by whichever process asks first.
 */
export function useRunServer(): Promise<string> {
  const named = process.env.MADELEINE_TEST_POSTGRES
  started ??= named ? Promise.resolve(named) : shareServer()
  return started
}

async function shareServer(): Promise<string> {
  const run = inject('postgresRun') as ProvidedContext['postgresRun'] | undefined
  // A run of tests that was not set up for it: a server of this process alone.
  if (!run) return (await startServer()).adminUrl
  const address = join(run.folder, 'address')
  if (isFirst(run.folder)) {
    const server = await startServer({ folder: join(run.folder, 'server'), ownerPid: run.ownerPid })
    writeFileSync(`${address}.new`, server.adminUrl)
    renameSync(`${address}.new`, address)
    return server.adminUrl
  }
  for (let waited = 0; !existsSync(address); waited += POLL_MS) {
    if (waited > START_LIMIT_MS) throw new Error('Cannot use the server of this run: another process did not start it')
    await sleep(POLL_MS)
  }
  return readFileSync(address, 'utf8')
}

function isFirst(folder: string): boolean {
  try {
    mkdirSync(join(folder, 'claimed'))
    return true
  } catch {
    // Another process of the run starts it.
    return false
  }
}
