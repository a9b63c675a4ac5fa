import { existsSync } from 'node:fs'
import path from 'node:path'
import { messageOf } from '../errors.ts'
import { type ArchiveKind, DEFAULT_ARCHIVES, judgeArchive } from './archive-policy.ts'
import { listStoredSessions, SESSION_DATABASE } from './session-store.ts'
import type { OnSkip, SourceEntry } from './source.ts'
import { type WalkRules, walkFiles } from './walk-files.ts'
import { loadZstd, NO_ZSTD } from './zstd.ts'

export interface ListTranscriptsOptions {
  /** Only this many, newest first; the others are reported. Default all. */
  newest?: number
  /** Archives that are read beside live transcripts. Default DEFAULT_ARCHIVES. */
  archives?: readonly ArchiveKind[]
}

const TRANSCRIPT_NAME = /\.jsonl(?:\.(?:gz|zstd?))?$/i
const ZSTD_NAME = /\.zstd?$/i
const UNREAD_PACKING = /\.jsonl.*\.(?:br|xz|bz2|7z|zip)$/i
/** Folders in which hosts keep other things than transcripts. */
const HOST_FOLDERS: ReadonlySet<string> = new Set(['.git', 'node_modules', 'tool-results', 'file-history'])
const COMPANION_NAME = /^(?:sessions(?:-index)?\.json|.*\.(?:lock|tmp)|.*-(?:wal|shm|journal))$/i

/**
 * Transcripts below a root, paths relative to it: files, and the sessions of a host's store as if it were a folder of files. The
 * store of the agent whose sessions the root holds stands beside the root and counts as standing in it.
 */
export async function* listTranscripts(
  root: string,
  { newest, archives = DEFAULT_ARCHIVES }: ListTranscriptsOptions,
  onSkip: OnSkip,
): AsyncGenerator<SourceEntry> {
  const found = listAll(root, archives, onSkip)
  yield* newest === undefined ? found : newestOf(found, newest, onSkip)
}

/** Where a store may be written that belongs to the root and stands beside it. */
export function storeBeside(root: string): string {
  return path.join(path.dirname(root), 'agent', SESSION_DATABASE)
}

async function* listAll(root: string, archives: readonly ArchiveKind[], onSkip: OnSkip): AsyncGenerator<SourceEntry> {
  const beside = storeBeside(root)
  if (existsSync(beside)) yield* sessionsIn({ file: beside, relativePath: SESSION_DATABASE }, onSkip)
  for await (const entry of walkFiles(root, transcriptRules(archives), onSkip)) {
    if (path.basename(entry.path) !== SESSION_DATABASE) yield entry
    else if (entry.absolutePath !== beside) {
      yield* sessionsIn({ file: entry.absolutePath, relativePath: entry.path }, onSkip)
    }
  }
}

/** What cannot be read is reported and hides its sessions, so that none is taken for removed. */
async function* sessionsIn(
  { file, relativePath }: { file: string; relativePath: string },
  onSkip: OnSkip,
): AsyncGenerator<SourceEntry> {
  try {
    for (const session of await listStoredSessions(file)) {
      yield { ...session, path: `${relativePath}/${path.basename(session.absolutePath)}` }
    }
  } catch (error) {
    onSkip({ path: relativePath, reason: messageOf(error), failed: true }, `${relativePath}/`)
  }
}

function transcriptRules(archives: readonly ArchiveKind[]): WalkRules {
  return {
    skipFolder: (_path, name) => (HOST_FOLDERS.has(name) ? '' : undefined),
    judgeFile(_path, name) {
      if (name === SESSION_DATABASE) return 'read'
      const archive = judgeArchive(name, archives)
      if (typeof archive === 'object') return archive.reason
      if (/\.tmp$/i.test(name) && /\.jsonl/i.test(name)) return 'half written'
      if (UNREAD_PACKING.test(name)) return 'packed in a form that is not read; .gz and .zst are'
      if (archive === 'read' || TRANSCRIPT_NAME.test(name)) {
        return ZSTD_NAME.test(name) && !loadZstd() ? NO_ZSTD : 'read'
      }
      return COMPANION_NAME.test(name) || name.startsWith('.') || /\.md$/i.test(name) ? '' : 'no transcript (.jsonl)'
    },
  }
}

async function* newestOf(
  entries: AsyncIterable<SourceEntry>,
  count: number,
  onSkip: OnSkip,
): AsyncGenerator<SourceEntry> {
  const all: SourceEntry[] = []
  for await (const entry of entries) all.push(entry)
  all.sort((a, b) => b.modifiedMs - a.modifiedMs || (a.path < b.path ? -1 : 1))
  yield* all.slice(0, count)
  for (const entry of all.slice(count)) {
    onSkip({ path: entry.path, reason: `older than the newest ${count} transcripts` })
  }
}
