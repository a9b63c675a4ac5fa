import type { IndexProgress } from '../index.ts'
import type { Invocation } from './invocation.ts'
import { cleanLine, padTo, shortenText } from './terminal-text.ts'

/** How far a run is: one that indexes, asks questions, or relates memories. */
type Progress = Omit<IndexProgress, 'phase'> & { phase: IndexProgress['phase'] | 'ask' | 'link' }

const PHASES: Record<Progress['phase'], string> = {
  scan: 'finding',
  index: 'reading',
  embed: 'embedding',
  ask: 'asking',
  link: 'linking',
}
const BAR_WIDTH = 24
const PATH_WIDTH = 36

export interface ProgressDisplay {
  show(progress: Progress): void
  /** Takes the bar away. */
  stop(): void
}

/** A bar on stderr while a long run works; nothing where stderr is no terminal. */
export async function startProgress({
  surroundings: { stderr },
}: Pick<Invocation, 'surroundings'>): Promise<ProgressDisplay> {
  if (stderr.isTTY !== true) return { show: () => undefined, stop: () => undefined }
  // Loaded only where it is seen: no other command should wait for it at start.
  const { Presets, SingleBar } = await import('cli-progress')
  const bar = new SingleBar(
    {
      stream: stderr,
      format: '{phase} {bar} {value}/{total}  {path}',
      barsize: BAR_WIDTH,
      hideCursor: true,
      clearOnComplete: true,
      gracefulExit: false,
      etaBuffer: 1,
    },
    Presets.shades_classic,
  )
  let isStarted = false
  return {
    show({ phase, done, total, path, bytes }) {
      const payload = {
        phase: padTo(PHASES[phase], 'embedding'.length),
        path: path ? `${shortenText(cleanLine(path), PATH_WIDTH)}${bytes ? formatShare(bytes) : ''}` : '',
      }
      if (!isStarted) bar.start(total, done, payload)
      isStarted = true
      bar.setTotal(Math.max(1, total))
      bar.update(done, payload)
    },
    stop() {
      if (isStarted) bar.stop()
    },
  }
}

function formatShare({ done, total }: { done: number; total: number }): string {
  return total > 0 ? `  ${Math.floor((100 * done) / total)} %` : ''
}
