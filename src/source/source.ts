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

/**
 * A part of a document. All parts but the last are settled as a whole; the last carries the content hash, and what was bad and
 * left out in all that was read.
 */
export interface ReadPart {
  document: SourceDocument
  problems: Problem[]
  omitted?: Record<string, number>
  /** The first part only: it goes on where the cursor that was given says; else the document begins anew. */
  isContinued: boolean
  /** How many of its turns are settled: whatever is added to the file leaves them as they are. */
  settled: number
  /** To read on after the settled turns. Plain text without any words of the document. */
  cursor: string
  isLast: boolean
  /** How much of the file has been read, bytes as the listing counts them. */
  bytes: number
}

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
 * - `readParts` gives the same document part by part, each of bounded size; sources without it have only small ones. After the
 *   parts that a cursor stands for, the following ones are those of a whole reading, whatever was added to the file meanwhile.
 *   A file whose beginning changed since is read from its beginning. It may turn out late that a file is `skipped`.
 * - Reading is idempotent: the same bytes give the same document, whether or not a tally counts what is taken out of it.
 */
export interface Source {
  /**
   * What the same source can be made of again, in another thread: the name of its maker and plain data. Absent: it is read in the
   * thread that has it.
   */
  readonly recipe?: { readonly form: string; readonly options: object }
  readonly kind: 'markdown' | 'openclaw' | 'claude-code' | 'transcripts'
  readonly root: string
  /** What the paths below the root look like that it reads, where it does not read all of them. */
  readonly pattern?: string
  /** Folders beside the root whose changes matter too; they need not exist. */
  readonly watch?: readonly string[]
  /**
   * Whose documents it gives, and a mark of all that decides whose they are beside their bytes (agent, project …): when it changes,
   * unchanged files are read anew. Without it, bytes alone count.
   */
  readonly owner?: { readonly tenant: string; readonly mark: string }
  list(onSkip: OnSkip): AsyncIterable<SourceEntry>
  read(entry: SourceEntry, tally?: Tally): Promise<ReadResult>
  readParts?(
    entry: SourceEntry,
    options?: { cursor?: string; tally?: Tally },
  ): AsyncIterable<ReadPart | { skipped: string }>
}
