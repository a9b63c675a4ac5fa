import { MadeleineError, messageOf } from '../errors.ts'
import type { Problem } from '../model/document.ts'
import { CHUNKER_VERSION } from '../options.ts'
import type { ReadPart, Source, SourceEntry } from '../source/source.ts'
import type { DocumentWrite, MemoryStore, StoredDocument } from '../store/memory-store.ts'
import { toDocumentWrite } from './to-document-write.ts'
import { toPartWrite, unpackPartCursor } from './to-part-write.ts'
import type { WritePassOptions, WritePassReport } from './write-pass.ts'

/** One file to look at: where it comes from, how it looks now, and what the store knows of it. */
export interface Work {
  source: Source
  entry: SourceEntry
  /** The end of its fingerprint (contextMark). */
  mark: string
  known: StoredDocument | undefined
}

interface Context {
  report: WritePassReport
  options: WritePassOptions
  /** Ids of memories that were forgotten. */
  forgotten: ReadonlySet<string>
}

/** What a file gave: something to write, with how many bytes of the file it took so far; or `gone`: it holds nothing of its kind now. */
export type ReadStep = { write: DocumentWrite; bytes: number } | 'gone'

/**
 * Reads one file: its writes, each of bounded size; none when its bytes are the stored ones or cannot be read now. Errors of the
 * program and of the store reject.
 */
export async function* readWrites(store: MemoryStore, work: Work, context: Context): AsyncGenerator<ReadStep> {
  try {
    yield* work.source.readParts ? readParts(store, work, context) : readWhole(store, work, context)
  } catch (error) {
    if (!(error instanceof MadeleineError) || error.code !== 'SOURCE_UNREADABLE') throw error
    // What was known of the file stays: unreadable for the moment is not gone.
    context.report.problems.push({ path: work.entry.path, reason: messageOf(error), failed: true })
  }
}

async function* readWhole(store: MemoryStore, work: Work, { report, options }: Context): AsyncGenerator<ReadStep> {
  const { source, entry } = work
  const result = await source.read(entry)
  if ('skipped' in result) {
    yield* passOver(work, result.skipped, report)
    return
  }
  noteResult(report, entry, result)
  const { document } = result
  if (isSame(work, document.contentHash) && !options.full) {
    await store.touchDocument(document, entry.fingerprint, options.clock().getTime())
    return
  }
  countDocument(report, work, document.contentHash)
  const { timeZone } = options
  yield { write: toDocumentWrite(document, { fingerprint: entry.fingerprint, timeZone }), bytes: entry.bytes }
}

async function* readParts(
  store: MemoryStore,
  work: Work,
  { report, options, forgotten }: Context,
): AsyncGenerator<ReadStep> {
  const { source, entry, known } = work
  const stored = canGoOn(work, options) ? await store.getCursor({ root: source.root, path: entry.path }) : null
  const cursor = stored === null ? {} : { cursor: unpackPartCursor(stored).source }
  let after: string | undefined
  let isFirst = true
  for await (const part of source.readParts?.(entry, cursor) ?? []) {
    if ('skipped' in part) {
      yield* passOver(work, part.skipped, report)
      return
    }
    if (isFirst && part.isContinued) {
      after = stored ?? undefined
      report.continued.add(entry.path)
    }
    if (part.isLast) noteResult(report, entry, part)
    if (isFirst && part.isLast && isSame(work, part.document.contentHash) && !known?.isPartial && !options.full) {
      await store.touchDocument(part.document, entry.fingerprint, options.clock().getTime())
      return
    }
    if (isFirst) countDocument(report, work, part.document.contentHash)
    isFirst = false
    const fingerprint = part.isLast ? entry.fingerprint : work.mark
    const write = toPartWrite(part, { fingerprint, timeZone: options.timeZone, after, forgotten })
    after = write.part?.cursor
    yield { write, bytes: part.bytes }
  }
}

/** Whether what is stored of a file may be gone on from. */
function canGoOn({ known, mark }: Work, { full }: WritePassOptions): boolean {
  return known !== undefined && !full && known.chunkerVersion === CHUNKER_VERSION && known.fingerprint.endsWith(mark)
}

function isSame({ known, mark }: Work, contentHash: string): boolean {
  if (known?.contentHash !== contentHash) return false
  return known.chunkerVersion === CHUNKER_VERSION && known.fingerprint.endsWith(mark)
}

/**
 * What stands at the end of the fingerprints of a source's documents: whose they are, and in which zone the days of notes begin. When
 * it changes, so do they.
 */
export function contextMark({ kind, owner }: Source, timeZone: string): string {
  const zone = kind === 'markdown' ? `@${timeZone}` : ''
  return owner || zone !== '' ? ` ${owner?.mark ?? ''}${zone}` : ''
}

function countDocument({ documents }: WritePassReport, work: Work, contentHash: string): void {
  if (!work.known) documents.added += 1
  else if (!isSame(work, contentHash)) documents.changed += 1
}

function* passOver({ entry, known }: Work, reason: string, report: WritePassReport): Generator<ReadStep> {
  noteSkipped(report, { path: entry.path, reason })
  if (known) yield 'gone'
}

/** What surrounds a secret is kept: it is not left out. */
const REDACTED = 'redacted: secrets'

function noteResult(
  report: WritePassReport,
  entry: SourceEntry,
  { problems, omitted = {} }: Pick<ReadPart, 'problems' | 'omitted'>,
): void {
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
