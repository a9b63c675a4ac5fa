import type { Problem, SourceDocument } from '../model/document.ts'
import type { Tally } from '../normalize/tally.ts'

/** A file as the listing sees it. `fingerprint` changes whenever the bytes may have changed. */
export interface SourceEntry {
  /** Relative to the root, as in DocumentHead.path. */
  path: string
  absolutePath: string
  bytes: number
  /** Modification time in ms: newest first decides the order of work. */
  modifiedMs: number
  /** Size, mtime, ctime (ns) and inode: equal fingerprints mean unchanged bytes unless the file is very fresh. */
  fingerprint: string
}

/**
 * What reading an entry gave: a document with what was bad in it, or the reason why there is none. `omitted` counts what
 * was left out by rule (heartbeat polls, summaries …) under its reason.
 */
export type ReadResult =
  | { document: SourceDocument; problems: Problem[]; omitted?: Record<string, number> }
  | { skipped: string }

/** How the reason begins where a host's store of sessions cannot be read: nothing else would tell that they are missing. */
export const UNREAD_SESSION_STORE = 'newer session store'

/**
 * Told what a listing passes over. `failed` leaves the run partly done. `hides` is the beginning of the paths that could not be
 * listed because of it: documents known there are not taken for removed.
 */
export type OnSkip = (problem: Problem & { failed?: boolean }, hides?: string) => void

/**
 * Where text comes from: one root of one kind.
 *
 * Contract:
 * - `list` yields every candidate file under the root, each once, without reading it. An unreadable directory or a
 *   file left out by rule goes to `onSkip`, with what it hides; a missing root rejects with SOURCE_UNREADABLE, so that nothing is taken for removed.
 * - `read` cleans and redacts; it never throws for bad content: a file that is no document of this kind comes back
 *   as `skipped`, a bad line as a problem with its physical line. It rejects with SOURCE_UNREADABLE when the file cannot be read.
 * - Reading is idempotent: the same bytes give the same document, whether or not a tally counts what is taken out of it.
 */
export interface Source {
  readonly kind: 'markdown' | 'openclaw' | 'claude-code' | 'transcripts'
  readonly root: string
  /** Folders beside the root whose changes matter too; they need not exist. */
  readonly watch?: readonly string[]
  list(onSkip: OnSkip): AsyncIterable<SourceEntry>
  read(entry: SourceEntry, tally?: Tally): Promise<ReadResult>
}
