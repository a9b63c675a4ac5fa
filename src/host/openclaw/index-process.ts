/** The process that indexes for the plugin: `node index-process.js '<options as JSON>'`. Exits as the command line does. */
import { setTimeout as sleep } from 'node:timers/promises'
import { MadeleineError } from '../../errors.ts'
import { type OpenOptions, openMadeleine } from '../../index.ts'
import { OPENCLAW_PLUGIN } from '../host-options.ts'
import { addEmbeddingKey } from './open-options.ts'

async function indexOnce(options: OpenOptions, signal: AbortSignal): Promise<number> {
  // A host says that a turn has ended a little before the last of it is written.
  await sleep(OPENCLAW_PLUGIN.settleMs, undefined, { signal })
  const engine = await openMadeleine(addEmbeddingKey(options, process.env))
  try {
    for (let pauseMs: number = OPENCLAW_PLUGIN.settleMs; ; pauseMs *= 2) {
      const failed = (await engine.index({ signal })).problems.filter((problem) => problem.failed)
      if (failed.length === 0) return 0
      // A database that is being written to is not read at all. The host may have ended by now: no other turn would ask again.
      const isBusy = failed.some(({ reason }) => reason.includes('written to meanwhile'))
      if (!isBusy || pauseMs > OPENCLAW_PLUGIN.maxPauseMs) return 3
      await sleep(pauseMs, undefined, { signal })
    }
  } finally {
    await engine.close()
  }
}

function exitCodeOf(error: unknown): number {
  if (!(error instanceof MadeleineError)) return error instanceof Error && error.name === 'AbortError' ? 130 : 1
  const codes: Partial<Record<MadeleineError['code'], number>> = {
    INVALID_OPTION: 2,
    SOURCE_UNREADABLE: 3,
    STORE_BUSY: 4,
    STORE_UNUSABLE: 5,
    STORE_DAMAGED: 5,
    INTERRUPTED: 130,
  }
  return codes[error.code] ?? 1
}

const stop = new AbortController()
process.on('SIGTERM', () => stop.abort())
process.on('SIGINT', () => stop.abort())
try {
  process.exitCode = await indexOnce(JSON.parse(process.argv[2] ?? '{}') as OpenOptions, stop.signal)
} catch (error) {
  process.exitCode = exitCodeOf(error)
}
