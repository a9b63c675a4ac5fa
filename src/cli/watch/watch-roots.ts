import { type Stats, statSync } from 'node:fs'
import { basename, relative, sep } from 'node:path'
import type { FSWatcher } from 'chokidar'

/** A folder to watch, and what kind of source it is. */
export interface WatchedRoot {
  path: string
  kind: string
  /** It is no root itself but stands beside one. */
  isBeside: boolean
}

export interface WatchListener {
  /** Something below a root changed, or a root came or went. What exactly is for the next pass to find out. */
  onChange(path: string): void
  /** The system cannot watch: from now on only looking tells what changed. At most once. */
  onBlind(reason: string): void
}

export interface RootWatch {
  /** The roots to watch from now on. */
  setRoots(roots: readonly WatchedRoot[]): void
  close(): Promise<void>
}

/** How often it is looked whether a root came, went or was put in place anew, ms: file systems do not tell that reliably. */
const ROOT_CHECK_MS = 1000
/** Folders that hold no sources, or more files than can be watched. */
const UNWATCHED_FOLDERS = new Set(
  'node_modules bower_components venv __pycache__ site-packages tool-results file-history'.split(' '),
)
const NOTE = /\.(?:md|markdown)$|^\.madeleineignore$/i
const TRANSCRIPT = /\.jsonl(?:\.|$)|^openclaw-agent\.sqlite(?:-wal)?$|\.md$/i

/**
 * Watches roots, those too that are missing now. Events are hints, given for each change at least once and late rather than never:
 * writing by renaming, bursts and deletions all end in `onChange`. Links are not followed.
 */
export async function watchRoots(listener: WatchListener): Promise<RootWatch> {
  const { watch } = await import('chokidar')
  let roots: readonly WatchedRoot[] = []
  const standing = new Map<string, string>()
  const watcher: FSWatcher = watch([], {
    followSymlinks: false,
    ignorePermissionErrors: true,
    ignored: (path, stats) => isIgnored(path, stats, roots),
  })
  let isBlind = false
  let isReady = false
  watcher.on('ready', () => {
    isReady = true
    // What changed while the folders were walked has been found or not: one pass tells.
    listener.onChange(roots[0]?.path ?? '')
  })
  watcher.on('all', (event, path) => {
    if (!isReady && (event === 'add' || event === 'addDir')) return
    // The same folder may be back before it is looked at again, and would not be watched any more.
    if (event === 'unlinkDir' && standing.has(path)) standing.set(path, MISSING)
    listener.onChange(path)
  })
  watcher.on('error', (error) => {
    if (isBlind || !isOutOfWatches(error)) return
    isBlind = true
    listener.onBlind(error instanceof Error ? error.message : String(error))
  })
  const checkRoots = (isFirst: boolean): void => {
    for (const { path } of roots) {
      const identity = identityOf(path)
      const before = standing.get(path)
      if (identity === before) continue
      standing.set(path, identity)
      if (before !== undefined) watcher.unwatch(path)
      if (identity !== MISSING) watcher.add(path)
      if (!isFirst) listener.onChange(path)
    }
  }
  const timer = setInterval(() => checkRoots(false), ROOT_CHECK_MS)
  return {
    setRoots(next) {
      roots = next
      checkRoots(true)
    },
    async close() {
      clearInterval(timer)
      await watcher.close()
    },
  }
}

const MISSING = 'missing'

/** Tells a folder from another one that was put in its place. */
function identityOf(path: string): string {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stats ? `${stats.dev}:${stats.ino}` : MISSING
}

/** Whether a path is of no interest to every root that it stands below. */
function isIgnored(path: string, stats: Stats | undefined, roots: readonly WatchedRoot[]): boolean {
  const below = roots.filter(({ path: root }) => path.startsWith(root + sep))
  return below.length > 0 && below.every((root) => isOfNoInterest(path, stats, root))
}

function isOfNoInterest(path: string, stats: Stats | undefined, { path: root, kind }: WatchedRoot): boolean {
  const name = basename(path)
  const folders = relative(root, path).split(sep)
  if (stats?.isFile()) {
    folders.pop()
    if (!(kind === 'markdown' ? NOTE : TRANSCRIPT).test(name)) return true
  } else if (!stats) folders.pop()
  return folders.some((folder) => folder.startsWith('.') || UNWATCHED_FOLDERS.has(folder))
}

/** The system has no more watches or file descriptors to give. */
function isOutOfWatches(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === 'ENOSPC' || code === 'EMFILE' || code === 'ENFILE'
}
