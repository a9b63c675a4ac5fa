import { createReadStream } from 'node:fs'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { MadeleineError, messageOf } from '../../errors.ts'
import { ARCHIVE_MAX_LINE } from '../../options.ts'
import { type ArchiveDigests, DigestTally, findDifferences } from './archive-digests.ts'
import { ARCHIVE_PARTS, type ArchiveRecord, type ReadOptions, type StoreArchive } from './archive-record.ts'

/** The version of the format that this program writes. */
const FORMAT_VERSION = 1
const NEWLINE = 0x0a
/** Lines are written when they come to so many characters. */
const BUFFER_CHARS = 256 * 1024

/** The first line of an export. */
export interface ArchiveHeader {
  /** Version of the format. */
  madeleineStore: number
  exportedAt: string
  /** Whose memories it holds; named values are the first's. */
  tenants: string[]
  hasVectors: boolean
}

export interface ArchiveFile {
  header: ArchiveHeader
  digests: ArchiveDigests
}

/**
 * Writes all that a store holds into a new file of the user's own, one JSON value a line: a header, the records, and the digests of its
 * parts. The file has its name only when it is whole. Rejects with ALREADY_EXISTS where there is a file, unless it may be replaced.
 */
export async function writeArchiveFile(
  file: string,
  archive: StoreArchive,
  given: { tenants: readonly string[]; now: Date; mayReplace?: boolean } & ReadOptions,
): Promise<ArchiveFile> {
  const { tenants, now, mayReplace = false, withoutVectors = false } = given
  const header: ArchiveHeader = {
    madeleineStore: FORMAT_VERSION,
    exportedAt: now.toISOString(),
    tenants: [...tenants],
    hasVectors: !withoutVectors,
  }
  if (!mayReplace) await assertAbsent(file)
  const draft = `${file}.part`
  try {
    const digests = await writeDraft(draft, archive, header, { withoutVectors })
    await rename(draft, file)
    return { header, digests }
  } catch (error) {
    await rm(draft, { force: true })
    throw toFileError(error, `Cannot export to ${file}`)
  }
}

async function assertAbsent(file: string): Promise<void> {
  const handle = await open(file).catch(() => null)
  if (!handle) return
  await handle.close()
  throw new MadeleineError('ALREADY_EXISTS', `Cannot export to ${file}: there is such a file`, {
    remedy: 'Give another name, or --force to replace it',
  })
}

async function writeDraft(
  draft: string,
  archive: StoreArchive,
  header: ArchiveHeader,
  options: ReadOptions,
): Promise<ArchiveDigests> {
  await rm(draft, { force: true })
  const handle = await open(draft, 'wx', 0o600)
  try {
    const lines = new LineWriter(handle)
    await lines.write(JSON.stringify(header))
    const tally = new DigestTally()
    await archive.read(async (records) => {
      for (const record of records) {
        const line = JSON.stringify(record)
        tally.add(record, line)
        await lines.write(line)
      }
    }, options)
    const digests = tally.take()
    await lines.write(JSON.stringify({ digests }))
    await lines.flush()
    await handle.sync()
    return digests
  } finally {
    await handle.close()
  }
}

class LineWriter {
  readonly #handle: FileHandle
  #waiting: string[] = []
  #size = 0

  constructor(handle: FileHandle) {
    this.#handle = handle
  }

  async write(line: string): Promise<void> {
    this.#waiting.push(line, '\n')
    this.#size += line.length
    if (this.#size >= BUFFER_CHARS) await this.flush()
  }

  async flush(): Promise<void> {
    const text = this.#waiting.join('')
    this.#waiting = []
    this.#size = 0
    await this.#handle.appendFile(text)
  }
}

/**
 * Reads an export to its end and compares every part with its digest. Rejects with SOURCE_UNREADABLE an export that is not whole, and with
 * INVALID_OPTION what is none, or one of a newer version.
 */
export async function checkArchiveFile(file: string): Promise<ArchiveFile> {
  const tally = new DigestTally()
  let header: ArchiveHeader | undefined
  let stated: ArchiveDigests | undefined
  for await (const { line, number } of readLines(file)) {
    if (stated) throw notWhole(file, `line ${number} stands after its end`)
    if (!header) header = readHeader(file, line)
    else {
      const value = parseLine(file, line, number)
      if ('digests' in value) stated = value.digests as ArchiveDigests
      else tally.add(toRecord(file, value, number), line)
    }
  }
  if (!header) throw notWhole(file, 'it is empty')
  if (!stated) throw notWhole(file, 'its end is missing')
  const digests = tally.take()
  const [different] = findDifferences(stated, digests)
  if (different) throw notWhole(file, `its part "${different}" is not what was exported`)
  return { header, digests }
}

/** The records of an export that checkArchiveFile found whole. */
export async function* readArchiveRecords(file: string): AsyncGenerator<ArchiveRecord> {
  for await (const { line, number } of readLines(file)) {
    if (number === 1) continue
    const value = parseLine(file, line, number)
    if (!('digests' in value)) yield toRecord(file, value, number)
  }
}

function readHeader(file: string, line: string): ArchiveHeader {
  const header = parseLine(file, line, 1) as Partial<ArchiveHeader>
  const version = header.madeleineStore
  if (typeof version !== 'number' || !Array.isArray(header.tenants)) throw noExport(file)
  if (version > FORMAT_VERSION) {
    throw new MadeleineError('INVALID_OPTION', `Cannot import ${file}: it was exported by a newer version`, {
      remedy: 'Update madeleine',
    })
  }
  return header as ArchiveHeader
}

function parseLine(file: string, line: string, number: number): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  } catch {
    // Said below: the parser would show what stands there.
  }
  throw number === 1 ? noExport(file) : notWhole(file, `line ${number} is no JSON object`)
}

function toRecord(file: string, value: Record<string, unknown>, number: number): ArchiveRecord {
  if (!(ARCHIVE_PARTS as readonly unknown[]).includes(value.part)) {
    throw notWhole(file, `line ${number} is of no kind that is known`)
  }
  // Safe because the digests say that it is what was exported.
  return value as unknown as ArchiveRecord
}

/** Lines end at a line feed alone: JSON keeps other separators as they are. */
async function* readLines(file: string): AsyncGenerator<{ line: string; number: number }> {
  let number = 0
  let rest: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
      let from = 0
      for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
        number += 1
        yield { line: Buffer.concat([...rest, chunk.subarray(from, at)]).toString('utf8'), number }
        rest = []
        size = 0
        from = at + 1
      }
      rest.push(chunk.subarray(from))
      size += chunk.length - from
      if (size > ARCHIVE_MAX_LINE) throw notWhole(file, `line ${number + 1} is too long`)
    }
  } catch (error) {
    throw toFileError(error, `Cannot import ${file}`)
  }
  if (size > 0) yield { line: Buffer.concat(rest).toString('utf8'), number: number + 1 }
}

/** It never was one: another file was meant. */
function noExport(file: string): MadeleineError {
  return new MadeleineError('INVALID_OPTION', `Cannot import ${file}: it is no export of a store`, {
    remedy: 'Give a file that "madeleine export" wrote, or name with --from the program whose file it is',
  })
}

function notWhole(file: string, why: string): MadeleineError {
  return new MadeleineError('SOURCE_UNREADABLE', `Cannot import ${file}: it is no whole export of a store: ${why}`, {
    remedy: 'Export the store again with "madeleine export", or name with --from the program whose file it is',
  })
}

function toFileError(error: unknown, action: string): unknown {
  if (error instanceof MadeleineError || typeof (error as NodeJS.ErrnoException).code !== 'string') return error
  return new MadeleineError('SOURCE_UNREADABLE', `${action}: ${messageOf(error)}`, {
    remedy: 'Check the name, the permissions and the space on the disk',
    cause: error,
  })
}
