import { existsSync } from 'node:fs'
import { setPriority } from 'node:os'
import { dirname, isAbsolute } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { noteFailure } from '../../host/claude-code/failure-log.ts'
import { askWarm, readCard } from '../../host/warm/ask-warm.ts'
import type { OpenWarmWork } from '../../host/warm/open-warm-work.ts'
import type { WarmPlace } from '../../host/warm/warm-place.ts'
import { EXIT } from '../exit-codes.ts'
import { type AddCommand, type Invocation, openOptions } from '../invocation.ts'
import { refuseOptions } from '../refuse-options.ts'
import { dataFolderOf, warmPlaceOf } from '../warm-place-of.ts'

interface WarmFlags {
  once?: boolean
  stop?: boolean
  indexTranscript?: string
}

const HELP_END = `
One process a store. It answers hooks without having to load the model, and indexes the transcripts that they hand over. It listens
on a socket in the data folder that is its user's alone, and ends when it was not asked for half an hour. Hooks start it by
themselves unless the configuration says \`warm: false\` (or MADELEINE_WARM=0); it needs no care. \`madeleine status\` shows it.

Examples:
  $ madeleine warm            until it is idle; at once when one is running already
  $ madeleine warm --stop     end the one that is running`

/** Time for the one that runs to say that it ends, ms. */
const STOP_MS = 2000
const LOW_PRIORITY = 10
/** How often, and with which pauses in ms, an errand is offered: a process that opens a large store takes a while. */
const HAND_OVER = { tries: 20, pauseMs: 250 } as const

/** `madeleine warm`: the process that keeps store and model open for hooks. */
export const addWarmCommand: AddCommand = (program, run) => {
  program
    .command('warm')
    .description('keep store and model open for hooks, until nobody asks')
    .option('--index-transcript <file>', 'index this transcript first')
    .option('--once', 'end after that instead of staying')
    .option('--stop', 'end the one that is running')
    .addHelpText('after', HELP_END)
    .action((flags: WarmFlags) =>
      run((invocation) => (flags.stop ? stopWarm(invocation, flags) : runWarm(invocation, flags))),
    )
}

async function stopWarm(invocation: Invocation, flags: WarmFlags): Promise<number> {
  refuseOptions('end the warm process', flags, ['indexTranscript', 'once'])
  const { output } = invocation
  const { place } = warmPlaceOf(invocation)
  const card = readCard(place)
  const answer = card && (await askWarm(place, { method: 'stop' }, { token: card.token, waitMs: STOP_MS }))
  const isStopped = answer?.ok === true
  output.document({ stopped: isStopped })
  output.print(isStopped ? `Process ${card?.pid} ends.` : 'No warm process is running.')
  return EXIT.done
}

async function runWarm(invocation: Invocation, flags: WarmFlags): Promise<number> {
  // It was started a moment ago by a hook: a home that is gone by now is not made anew.
  if (!existsSync(invocation.surroundings.home)) return EXIT.done
  const folder = dataFolderOf(invocation.surroundings)
  const onFailure = (event: string, error: unknown): void => {
    const reason = error instanceof Error ? error.message : String(error)
    noteFailure(folder, { at: new Date().toISOString(), event, reason })
    invocation.output.note(`(${event}: ${reason})`)
  }
  const ended = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ended.abort())
  try {
    if (flags.once) await workOnce(invocation, flags, ended.signal)
    else await serve(invocation, flags, { signal: ended.signal, onFailure })
    return EXIT.done
  } catch (error) {
    onFailure('warm', error)
    throw error
  }
}

async function openWork(invocation: Invocation): Promise<OpenWarmWork> {
  const { openWarmWork } = await import('../../host/warm/open-warm-work.ts')
  const work = await openWarmWork(openOptions(invocation))
  // Relative paths are settled. A folder that a user wants to move or unmount must not be held by a process that nobody sees.
  const { store } = invocation.settings.values
  process.chdir(isAbsolute(store) ? dirname(store) : invocation.surroundings.home)
  return work
}

async function workOnce(invocation: Invocation, { indexTranscript }: WarmFlags, signal: AbortSignal): Promise<void> {
  setPriority(LOW_PRIORITY)
  const work = await openWork(invocation)
  try {
    if (indexTranscript !== undefined) await work.indexTranscript(indexTranscript, signal)
  } finally {
    await work.close()
  }
}

async function serve(
  invocation: Invocation,
  flags: WarmFlags,
  options: { signal: AbortSignal; onFailure(event: string, error: unknown): void },
): Promise<void> {
  const { output } = invocation
  const { serveWarm } = await import('../../host/warm/serve-warm.ts')
  const at = warmPlaceOf(invocation)
  const errands = flags.indexTranscript === undefined ? [] : [flags.indexTranscript]
  const outcome = await serveWarm({
    ...at,
    ...options,
    errands,
    async openWork() {
      const work = await openWork(invocation)
      await work.warmUp()
      return work
    },
  })
  output.document({ outcome })
  if (outcome === 'ended') return
  output.print('Another process is warm already.')
  for (const path of errands) if (!(await handOver(at.place, path))) await workOnce(invocation, flags, options.signal)
}

/** Gives an errand to the process that listens already, which may have begun to a moment ago. */
async function handOver(place: WarmPlace, path: string): Promise<boolean> {
  for (let left = HAND_OVER.tries; left > 0; left--) {
    const card = readCard(place)
    const call = { method: 'index-transcript', path } as const
    if (card && (await askWarm(place, call, { token: card.token, waitMs: STOP_MS }))?.ok) return true
    await sleep(HAND_OVER.pauseMs)
  }
  return false
}
