import { existsSync, realpathSync } from 'node:fs'
import { dirname, sep } from 'node:path'
import { type Madeleine, MadeleineError, type OpenOptions, openMadeleine } from '../../index.ts'
import { WARM_EMBED_PENDING } from '../host-options.ts'
import type { WarmWork } from './serve-warm.ts'

/** Long enough to be no small talk; what it finds is shown to nobody. */
const WARM_UP = 'What was decided about the project, and when?'

export interface OpenWarmWork extends WarmWork {
  /** Loads the model and what a recall needs, so that the first one does not wait for it. */
  warmUp(): Promise<void>
  close(): Promise<void>
}

/**
 * The work of the warm process over one engine: it stays open, with its model in memory. A transcript that lies below no configured
 * folder is indexed as one of the folder that holds its project's folder, where Claude Code keeps them all.
 */
export async function openWarmWork(options: OpenOptions): Promise<OpenWarmWork> {
  const engine = await openMadeleine(options)
  const roots = (await engine.status()).roots.map(({ path }) => path)
  return {
    recall: (request) => engine.recall(request),
    async warmUp() {
      await engine.recall({ prompt: WARM_UP, allProjects: true })
    },
    async indexTranscript(path, signal) {
      // A session that ends before anything was said leaves none.
      if (!existsSync(path)) return
      const only = [...new Set([path, realpathSync(path)])]
      const isListed = roots.some((root) => only.some((one) => one.startsWith(`${root}${sep}`)))
      if (!isListed) await indexElsewhere(options, { only, root: dirname(dirname(path)), signal })
      await index(engine, { only: isListed ? only : [], signal })
    },
    close: () => engine.close(),
  }
}

/** Text first, so that the next prompt finds it. Vectors only where few are wanting: the many are for `madeleine index`. */
async function index(engine: Madeleine, { only, signal }: { only: string[]; signal: AbortSignal }): Promise<void> {
  const report = await engine.index({ only, skipEmbedding: true, signal })
  const isWorthIt = report.pending > 0 && report.pending <= WARM_EMBED_PENDING
  const embedded = isWorthIt ? await engine.index({ only: [], signal }) : report
  const failed = [...report.problems, ...embedded.problems].find((problem) => problem.failed)
  if (failed) {
    throw new MadeleineError('SOURCE_UNREADABLE', `Cannot index ${failed.path}: ${failed.reason}`, {
      remedy: 'Run "madeleine index" and see what it says',
    })
  }
}

async function indexElsewhere(
  options: OpenOptions,
  { only, root, signal }: { only: string[]; root: string; signal: AbortSignal },
): Promise<void> {
  const engine = await openMadeleine({
    ...options,
    workspaces: [],
    extraPaths: [],
    transcripts: [root],
    embedding: 'none',
  })
  try {
    await index(engine, { only, signal })
  } finally {
    await engine.close()
  }
}
