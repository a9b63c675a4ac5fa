import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { OpenOptions } from '../../index.ts'
import type { HostLogger } from './host-types.ts'

/** One run of the indexer that has been started. */
export interface IndexRun {
  /** The exit code as the command line has it, or null when the run was stopped. Never rejects. */
  ended: Promise<number | null>
  stop(): void
}

/** Starts one run over these sources. */
export type StartIndexRun = (options: OpenOptions) => IndexRun

/**
 * Brings the store up to date behind the host's back, one run at a time: a request during a run is answered by one more run after
 * it. Runs are processes of their own, so that the host answers while a long history is read, and a host that ends with its turn
 * does not end the run with it.
 */
export class BackgroundIndex {
  readonly #options: () => OpenOptions
  readonly #start: StartIndexRun
  readonly #logger: HostLogger
  #run: IndexRun | undefined
  #isWanted = false

  constructor(given: { options: () => OpenOptions; logger: HostLogger; start?: StartIndexRun }) {
    this.#options = given.options
    this.#start = given.start ?? startIndexProcess
    this.#logger = given.logger
  }

  /** Asks for a run that sees all that has been written by now. Never throws. */
  request(): void {
    if (this.#run) {
      this.#isWanted = true
      return
    }
    try {
      const run = this.#start(this.#options())
      this.#run = run
      void run.ended.then((code) => this.#onEnd(run, code))
    } catch (error) {
      this.#logger.warn(`madeleine: cannot start indexing: ${String(error)}`)
    }
  }

  /** Stops the run at hand: what it has committed stays, the next one goes on. Resolves when it has ended. */
  async stop(): Promise<void> {
    this.#isWanted = false
    const run = this.#run
    run?.stop()
    await run?.ended
  }

  #onEnd(run: IndexRun, code: number | null): void {
    if (this.#run === run) this.#run = undefined
    if (code !== 0 && code !== null) {
      this.#logger.warn(
        `madeleine: indexing ended with exit code ${code}; "openclaw madeleine doctor" says what is wrong`,
      )
    }
    if (this.#isWanted) {
      this.#isWanted = false
      this.request()
    }
  }
}

const OWN_ENTRY = fileURLToPath(import.meta.url).replace(/background-index(\.\w+)$/, 'index-process$1')
/** The same in few files, which a build makes and which start several times faster. */
const BUILT_ENTRY = fileURLToPath(new URL('../../cli/bundle/index-process.js', import.meta.url))

/** A process that outlives this one and keeps it from nothing. */
export function startIndexProcess(options: OpenOptions): IndexRun {
  const entry = existsSync(BUILT_ENTRY) ? BUILT_ENTRY : OWN_ENTRY
  // From its sources, as in tests, it is run by what runs TypeScript.
  const loader = entry.endsWith('.ts') ? ['--import', 'tsx'] : []
  const child = spawn(process.execPath, [...loader, entry, JSON.stringify(options)], {
    detached: true,
    stdio: 'ignore',
    env: { ...process.env, MADELEINE_CHILD: '1' },
  })
  child.unref()
  const ended = new Promise<number | null>((resolve) => {
    child.on('exit', (code) => resolve(code))
    child.on('error', () => resolve(1))
  })
  lowerPriority(child.pid)
  return { ended, stop: () => void child.kill('SIGTERM') }
}

function lowerPriority(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    setPriority(pid, 10)
  } catch {
    // It may have ended already, or the system does not allow it: then it runs as it is.
  }
}
