import { MadeleineError, messageOf } from '../errors.ts'
import type { Problem } from '../model/document.ts'
import { CHUNKER_VERSION } from '../options.ts'
import type { Source, SourceEntry } from '../source/source.ts'
import type { DocumentWrite, MemoryStore, StoredDocument } from '../store/memory-store.ts'
import type { Noted, ReadJob, ReadStep } from './read-document.ts'
import type { WritePassOptions, WritePassReport } from './write-pass.ts'

/** One file to look at: where it comes from, how it looks now, and what the store knows of it. */
export interface Work {
  source: Source
  entry: SourceEntry
  /** The end of its fingerprint (contextMark). */
  mark: string
  known: StoredDocument | undefined
}

/** What a file gave: something to write, with how many bytes of the file it took so far; or `gone`: it holds nothing of its kind now. */
export type WriteStep = { write: DocumentWrite; bytes: number } | 'gone'

/** What reading a file has to know of what is stored of it. */
export async function toReadJob(store: MemoryStore, work: Work, options: WritePassOptions): Promise<ReadJob> {
  const { source, entry, mark, known } = work
  const canGoOn = source.readParts !== undefined && known !== undefined && !options.full && isMadeAlike(known, mark)
  const cursor = canGoOn ? await store.getCursor({ root: source.root, path: entry.path }) : null
  const mayBeSame = known !== undefined && !known.isPartial && !options.full && isMadeAlike(known, mark)
  return {
    source: options.sources.indexOf(source),
    entry,
    mark,
    ...(cursor !== null && { cursor }),
    ...(mayBeSame && { storedHash: known.contentHash }),
  }
}

/**
 * Follows the reading of one file: gives its writes, each of bounded size; none when its bytes are the stored ones or cannot be read
 * now. Errors of the program and of the store reject.
 */
export async function* readWrites(
  steps: AsyncIterable<ReadStep>,
  work: Work,
  { store, report, options }: { store: MemoryStore; report: WritePassReport; options: WritePassOptions },
): AsyncGenerator<WriteStep> {
  const { source, entry } = work
  let isFirst = true
  try {
    for await (const step of steps) {
      if (step.kind === 'skipped') {
        noteSkipped(report, { path: entry.path, reason: step.reason })
        if (work.known) yield 'gone'
        return
      }
      if (step.noted) noteResult(report, entry, step.noted)
      if (step.kind === 'same') {
        const key = { root: source.root, path: entry.path }
        await store.touchDocument(key, entry.fingerprint, options.clock().getTime())
        return
      }
      if (step.isContinued) report.continued.add(entry.path)
      if (isFirst) countDocument(report, work, step.write.head.contentHash)
      isFirst = false
      yield { write: step.write, bytes: step.bytes }
    }
  } catch (error) {
    if (!(error instanceof MadeleineError) || error.code !== 'SOURCE_UNREADABLE') throw error
    // What was known of the file stays: unreadable for the moment is not gone.
    report.problems.push({ path: entry.path, reason: messageOf(error), failed: true })
  }
}

/** Whether what is stored of a file was made as it would be now. */
function isMadeAlike({ chunkerVersion, fingerprint }: StoredDocument, mark: string): boolean {
  return chunkerVersion === CHUNKER_VERSION && fingerprint.endsWith(mark)
}

/**
 * What stands at the end of the fingerprints of a source's documents: whose they are, and in which zone the days of notes begin. When
 * it changes, so do they.
 */
export function contextMark({ kind, owner }: Source, timeZone: string): string {
  const zone = kind === 'markdown' ? `@${timeZone}` : ''
  return owner || zone !== '' ? ` ${owner?.mark ?? ''}${zone}` : ''
}

function countDocument({ documents }: WritePassReport, { known, mark }: Work, contentHash: string): void {
  if (!known) documents.added += 1
  else if (known.contentHash !== contentHash || !isMadeAlike(known, mark)) documents.changed += 1
}

/** What surrounds a secret is kept: it is not left out. */
const REDACTED = 'redacted: secrets'

function noteResult(report: WritePassReport, entry: SourceEntry, { problems, omitted = {} }: Noted): void {
  for (const problem of problems) report.problems.push({ ...problem, failed: true })
  for (const [reason, count] of Object.entries(omitted)) {
    report.problems.push({ path: entry.path, reason: reason === 'secrets' ? REDACTED : `left out: ${reason}`, count })
  }
}

/** Something was passed over as a whole. */
export function noteSkipped(report: WritePassReport, problem: Problem & { failed?: boolean }): void {
  report.documents.skipped += 1
  report.problems.push(problem)
}
