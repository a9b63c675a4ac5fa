import type { ReadPart, Source, SourceEntry } from '../source/source.ts'
import type { DocumentWrite } from '../store/memory-store.ts'
import { toDocumentWrite } from './to-document-write.ts'
import { toPartWrite, unpackPartCursor } from './to-part-write.ts'

/** One file to read, plain data: it may be read in another thread. */
export interface ReadJob {
  /** Its source, by its place among the sources of the run. */
  source: number
  entry: SourceEntry
  /** The end of its fingerprint. */
  mark: string
  /** The cursor of what is stored of it, where reading may go on from there. */
  cursor?: string
  /** What its bytes must be, by content hash, for it to be as it is stored. */
  storedHash?: string
}

/** What is the same for all files of a run. */
export interface ReadFacts {
  /** IANA zone in which a date in a note is a day. */
  timeZone: string
  /** Ids of memories that were forgotten. */
  forgotten: ReadonlySet<string>
}

/** What was bad in a document, and what was left out by rule. */
export type Noted = Pick<ReadPart, 'problems' | 'omitted'>

/**
 * What reading a file gives, one after the other, plain data.
 * - `write`: something to store, with how many bytes of the file it took so far. `isContinued`: the document goes on from the cursor
 * - `same`: its bytes are the stored ones
 * - `skipped`: it is no document of its kind
 */
export type ReadStep =
  | { kind: 'write'; write: DocumentWrite; bytes: number; isContinued: boolean; noted?: Noted }
  | { kind: 'same'; noted: Noted }
  | { kind: 'skipped'; reason: string }

/**
 * Reads, cleans and cuts one file: steps of bounded size. Depends on nothing but the file and what it is given. Rejects with
 * SOURCE_UNREADABLE when the file cannot be read.
 */
export async function* readDocument(source: Source, job: ReadJob, facts: ReadFacts): AsyncGenerator<ReadStep> {
  yield* source.readParts ? readParts(source, job, facts) : readWhole(source, job, facts)
}

async function* readWhole(source: Source, job: ReadJob, { timeZone }: ReadFacts): AsyncGenerator<ReadStep> {
  const { entry } = job
  const result = await source.read(entry)
  if ('skipped' in result) {
    yield { kind: 'skipped', reason: result.skipped }
    return
  }
  const { document } = result
  const noted = notedOf(result)
  if (document.contentHash === job.storedHash) yield { kind: 'same', noted }
  else {
    const write = toDocumentWrite(document, { fingerprint: entry.fingerprint, timeZone })
    yield { kind: 'write', write, bytes: entry.bytes, isContinued: false, noted }
  }
}

async function* readParts(source: Source, job: ReadJob, { timeZone, forgotten }: ReadFacts): AsyncGenerator<ReadStep> {
  const { entry, cursor } = job
  let after: string | undefined
  let isFirst = true
  const from = cursor === undefined ? {} : { cursor: unpackPartCursor(cursor).source }
  for await (const part of source.readParts?.(entry, from) ?? []) {
    if ('skipped' in part) {
      yield { kind: 'skipped', reason: part.skipped }
      return
    }
    const isContinued = isFirst && part.isContinued
    if (isContinued) after = cursor
    if (isFirst && part.isLast && part.document.contentHash === job.storedHash) {
      yield { kind: 'same', noted: notedOf(part) }
      return
    }
    isFirst = false
    const fingerprint = part.isLast ? entry.fingerprint : job.mark
    const write = toPartWrite(part, { fingerprint, timeZone, after, forgotten })
    after = write.part?.cursor
    yield { kind: 'write', write, bytes: part.bytes, isContinued, ...(part.isLast && { noted: notedOf(part) }) }
  }
}

function notedOf({ problems, omitted }: Noted): Noted {
  return { problems, ...(omitted && { omitted }) }
}
