import { basename } from 'node:path'
import { type IndexOptions, type IndexReport, type Madeleine, MadeleineError, openMadeleine } from '../../index.ts'
import { EXIT } from '../exit-codes.ts'
import { dropUndefined, type Invocation, openOptions } from '../invocation.ts'
import { startProgress } from '../progress.ts'
import { cleanLine } from '../terminal-text.ts'
import { formatCount } from '../words.ts'
import { createQuietQueue, type QuietQueue } from './quiet-queue.ts'
import { type RootWatch, type WatchedRoot, watchRoots } from './watch-roots.ts'

export interface WatchFlags {
  full?: boolean
  embed: boolean
}

/** One pass, as it is reported: of texts alone, or of the vectors that were still wanting. */
export interface Pass {
  pass: number
  kind: 'text' | 'vectors'
  /** Documents that were read. */
  paths: string[]
  report: IndexReport
}

/** Passes come at least so often, ms, though nothing seems to have changed: network folders do not always tell. */
const RESCAN_MS = 600_000
/** The same where the system cannot watch. */
const BLIND_RESCAN_MS = 5000
/** A pass that another process kept from writing is tried again after so long, ms. */
const RETRY_MS = 5000

/**
 * Keeps the store up to date until the signal fires: a pass of texts after each burst of changes, and vectors in between, which stop
 * for changes. One pass at a time. Rejects when the store cannot be used.
 */
export async function watchIndex(
  invocation: Invocation,
  flags: WatchFlags,
  { signal, onPass }: { signal: AbortSignal; onPass(pass: Pass): void },
): Promise<number> {
  const queue = createQuietQueue()
  let engine = await openMadeleine(openOptions(invocation))
  let roots: WatchedRoot[] = []
  let rescanMs = RESCAN_MS
  const watch = await watchRoots({
    onChange: (path) => queue.add(path),
    onBlind(reason) {
      rescanMs = BLIND_RESCAN_MS
      queue.add('')
      invocation.output.note(
        `(cannot watch: ${cleanLine(reason)}; looking every ${BLIND_RESCAN_MS / 1000} seconds instead)`,
      )
    },
  })
  try {
    roots = await followRoots(engine, watch)
    const count = roots.filter(({ isBeside }) => !isBeside).length
    invocation.output.note(`(watching ${formatCount(count, 'folder')}; Ctrl-C ends)`)
    // Only the first pass may be long.
    const progress = await startProgress(invocation)
    const report = (pass: Pass): void => {
      progress.stop()
      onPass(pass)
    }
    const passes = createPasses(queue, { signal, onPass: report, embed: flags.embed })
    try {
      await passes.run(engine, { ...dropUndefined({ full: flags.full }), onProgress: (state) => progress.show(state) })
    } finally {
      progress.stop()
    }
    while (!signal.aborted) {
      const changed = await queue.next(passes.isBlocked ? RETRY_MS : rescanMs, signal)
      if (signal.aborted) break
      if (changed.some((path) => mayBeNewRoot(path, roots))) {
        await engine.close()
        engine = await openMadeleine(openOptions(invocation))
        roots = await followRoots(engine, watch)
      }
      await passes.run(engine, {})
    }
  } finally {
    await watch.close()
    await engine.close()
  }
  return EXIT.interrupted
}

/** Watches what the engine reads, and what stands beside it. */
async function followRoots(engine: Madeleine, watch: RootWatch): Promise<WatchedRoot[]> {
  const { roots } = await engine.status()
  const watched = roots.flatMap(({ path, kind, watch: beside = [] }) =>
    [path, ...beside].map((one) => ({ path: one, kind, isBeside: one !== path })),
  )
  watch.setRoots(watched)
  return watched
}

/** Claude Code begins to keep notes of a project: a folder that no source reads yet. */
function mayBeNewRoot(path: string, roots: readonly WatchedRoot[]): boolean {
  return basename(path) === 'memory' && !roots.some((root) => root.kind === 'markdown' && path.startsWith(root.path))
}

/** Runs passes one after the other and reports them. */
function createPasses(
  queue: QuietQueue,
  { signal, onPass, embed }: { signal: AbortSignal; onPass(pass: Pass): void; embed: boolean },
): { readonly isBlocked: boolean; run(engine: Madeleine, options: IndexOptions): Promise<void> } {
  let pass = 0
  let isBlocked = false
  const index = async (
    engine: Madeleine,
    kind: Pass['kind'],
    options: IndexOptions,
  ): Promise<IndexReport | undefined> => {
    const paths: string[] = []
    const yielding = new AbortController()
    try {
      const report = await engine.index({
        ...options,
        signal: AbortSignal.any([signal, yielding.signal]),
        onProgress(progress) {
          options.onProgress?.(progress)
          if (progress.phase === 'index' && progress.path !== undefined) paths.push(progress.path)
          // Some vectors are made before changes take the turn, so that steady writing cannot keep them off for ever.
          const { phase, done, total } = progress
          if (phase === 'embed' && done > 0 && done < total && queue.isPending) yielding.abort()
        },
      })
      if (kind === 'text' || report.embedded > 0) onPass({ pass: ++pass, kind, paths, report })
      return report
    } catch (error) {
      if (!(error instanceof MadeleineError)) throw error
      isBlocked = error.code === 'STORE_BUSY'
      if (!isBlocked && error.code !== 'INTERRUPTED') throw error
      return undefined
    }
  }
  return {
    get isBlocked() {
      return isBlocked
    },
    async run(engine, options) {
      isBlocked = false
      const report = await index(engine, 'text', { ...options, skipEmbedding: true })
      if (report && embed && report.pending > 0 && !signal.aborted) await index(engine, 'vectors', {})
    },
  }
}
