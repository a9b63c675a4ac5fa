import { createReadStream } from 'node:fs'
import { type Duplex, pipeline, Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { createGunzip } from 'node:zlib'
import { MadeleineError, messageOf } from '../errors.ts'
import type { Tally } from '../normalize/tally.ts'
import { unwrapArchivedEvent } from './archived-event.ts'
import { type ByteHash, createByteHash } from './byte-hash.ts'
import { parseStoredSession, readStoredSession } from './session-store.ts'
import { loadZstd } from './zstd.ts'

/** A line of a JSONL file, `line` 1-based and physical. Blank lines are not among them. */
export type JsonLine =
  | { line: number; value: unknown }
  | { line: number; problem: string }
  /** The last line, not ended and not yet valid: somebody is still writing it. */
  | { line: number; unfinished: true }

const NEWLINE = 0x0a
const GZIP_ENDING = /\.gz$/i
const ZSTD_ENDING = /\.zstd?$/i

/** Bytes of a line, put together from the blocks of a stream; undefined bytes where it is too long to hold. */
interface RawLine {
  line: number
  bytes: Buffer | undefined
  ended: boolean
  /** Characters of a line that is too long to hold. */
  characters: number
}

/** Where a line begins: its number and its first byte. */
export interface LineStart {
  line: number
  offset: number
}

/**
 * Splits a stream of bytes at 0x0A and nowhere else: U+2028 and its like are legal inside JSON. Holds one line at a time;
 * of a line above `maxLineBytes` nothing is held. `next` always says where the line after the last ended one begins.
 */
export async function* splitLines(
  stream: AsyncIterable<Buffer>,
  maxLineBytes: number,
  next: LineStart = { line: 1, offset: 0 },
): AsyncGenerator<RawLine> {
  let parts: Buffer[] = []
  let size = 0
  let counted = createCharacterCount()
  const take = (ended: boolean): RawLine => {
    const bytes = size > maxLineBytes ? undefined : parts.length === 1 ? parts[0] : Buffer.concat(parts)
    const characters = bytes ? 0 : counted.total()
    const { line } = next
    // Of a line that is not ended, the rest may still come.
    if (ended) {
      next.line += 1
      next.offset += size + 1
    }
    parts = []
    size = 0
    if (!bytes) counted = createCharacterCount()
    return { line, bytes, ended, characters }
  }
  const add = (part: Buffer): void => {
    size += part.length
    parts.push(part)
    if (size <= maxLineBytes) return
    for (const one of parts) counted.add(one)
    parts = []
  }
  for await (const block of stream) {
    let start = 0
    for (let end = block.indexOf(NEWLINE); end >= 0; end = block.indexOf(NEWLINE, start)) {
      add(block.subarray(start, end))
      yield take(true)
      start = end + 1
    }
    if (start < block.length) add(block.subarray(start))
  }
  if (size > 0) yield take(false)
}

/** Counts characters (UTF-16 units) of UTF-8 that comes in parts, without holding it. */
function createCharacterCount(): { add(part: Buffer): void; total(): number } {
  const decoder = new StringDecoder('utf8')
  let count = 0
  return {
    add(part) {
      count += decoder.write(part).length
    },
    total: () => count + decoder.end().length,
  }
}

/** Characters (UTF-16 units) of a whole file, read as UTF-8 and unpacked where it is packed. Rejections carry SOURCE_UNREADABLE. */
export async function countCharacters(absolutePath: string): Promise<number> {
  const count = createCharacterCount()
  const ignore = (): void => undefined
  for await (const block of openBlocks(absolutePath, ignore, ignore)) count.add(block)
  return count.total()
}

/** The lines of a stream as JSON values; bad ones come as problems, in order. */
export async function* parseJsonLines(
  stream: AsyncIterable<Buffer>,
  maxLineBytes: number,
  { tally, next }: { tally?: Tally | undefined; next?: LineStart } = {},
): AsyncGenerator<JsonLine> {
  for await (const { line, bytes, ended, characters } of splitLines(stream, maxLineBytes, next)) {
    const lineEnd = ended ? 1 : 0
    if (!bytes) {
      tally?.read(characters + lineEnd)
      tally?.skip('lines that are too long', characters)
      yield { line, problem: `line is larger than ${Math.floor(maxLineBytes / 1024 / 1024)} MB` }
      continue
    }
    const whole = bytes.toString('utf8')
    tally?.read(whole.length + lineEnd)
    const text = whole.replace(/^\ufeff/, '')
    if (text.trim() === '') continue
    try {
      yield { line, value: unwrapArchivedEvent(JSON.parse(text)) }
    } catch (error) {
      tally?.skip(ended ? 'lines that are not valid JSON' : 'last line that is still being written', text.length)
      if (!ended) yield { line, unfinished: true }
      else yield { line, problem: `line is not valid JSON: ${shorten(messageOf(error))}` }
    }
  }
}

/** Engine messages quote the input: keep the kind of fault, not somebody's words. */
function shorten(message: string): string {
  return message.replace(/,? ?(?:\.\.\.)?"[\s\S]*$/, '').slice(0, 80)
}

/** A file of JSON lines, open: its values, and the hash of its bytes once all have been read. */
export interface JsonLinesFile {
  lines: AsyncIterable<JsonLine>
  /** Where the line after the last ended one that was given begins. */
  next(): LineStart
  /** sha256 (hex) of the bytes before that line, worked out when it is called for. */
  hashBeforeNext(): () => string
  /** sha256 (hex) of the bytes that were read: as they are on disk, of a stored session its lines. */
  contentHash(): string
  /** What a stored session holds that could not be read, counted, once all has been read. */
  lost: ReadonlyArray<{ reason: string; count: number }>
  /** Its lines are packed: bytes that are added to it are no lines that are added. */
  isPacked: boolean
}

/** The beginning of a file that was read before: where its next line began, and what its bytes were. */
export interface FilePrefix extends LineStart {
  /** sha256 (hex). */
  hash: string
}

/**
 * Opens a JSONL file, or a session of a host's store that lists as one. What is packed with gzip or Zstandard is unpacked on the
 * way. Rejections carry SOURCE_UNREADABLE.
 */
export function openJsonLines(absolutePath: string, maxLineBytes: number, tally?: Tally): JsonLinesFile {
  return toJsonLines(openHashed(absolutePath), maxLineBytes, { line: 1, offset: 0 }, tally)
}

/** The same after a prefix that was read before, which is not read again but compared; undefined where it is another one now. */
export async function resumeJsonLines(
  absolutePath: string,
  maxLineBytes: number,
  prefix: FilePrefix,
): Promise<JsonLinesFile | undefined> {
  const file = openHashed(absolutePath)
  if (file.isPacked) return undefined
  const blocks = file.blocks[Symbol.asyncIterator]()
  let end = 0
  let rest: Buffer = Buffer.alloc(0)
  while (end < prefix.offset) {
    const { done, value } = await blocks.next()
    if (done) return undefined
    end += value.length
    rest = value.subarray(Math.max(0, value.length - (end - prefix.offset)))
  }
  if (end === prefix.offset) rest = Buffer.alloc(0)
  if (file.hash.before(prefix.offset)() !== prefix.hash) {
    await blocks.return?.()
    return undefined
  }
  async function* afterPrefix(): AsyncGenerator<Buffer> {
    if (rest.length > 0) yield rest
    yield* { [Symbol.asyncIterator]: () => blocks }
  }
  return toJsonLines({ ...file, blocks: afterPrefix() }, maxLineBytes, prefix)
}

interface HashedFile {
  blocks: AsyncIterable<Buffer>
  hash: ByteHash
  lost: Array<{ reason: string; count: number }>
  isPacked: boolean
}

function openHashed(absolutePath: string): HashedFile {
  const hash = createByteHash()
  const lost: Array<{ reason: string; count: number }> = []
  const blocks = openBlocks(
    absolutePath,
    (block) => hash.add(block),
    (reason, count) => lost.push({ reason, count }),
  )
  return { blocks, hash, lost, isPacked: GZIP_ENDING.test(absolutePath) || ZSTD_ENDING.test(absolutePath) }
}

function toJsonLines(
  { blocks, hash, lost, isPacked }: HashedFile,
  maxLineBytes: number,
  { line, offset }: LineStart,
  tally?: Tally,
): JsonLinesFile {
  const next = { line, offset }
  return {
    lines: parseJsonLines(blocks, maxLineBytes, { tally, next }),
    next: () => ({ ...next }),
    hashBeforeNext: () => (isPacked ? () => '' : hash.before(next.offset)),
    contentHash: () => hash.digest(),
    lost,
    isPacked,
  }
}

/** The bytes of a file, unpacked; `onRead` sees them as they are on disk, `onLost` what a stored session has that cannot be read. */
function openBlocks(
  absolutePath: string,
  onRead: (block: Buffer) => void,
  onLost: (reason: string, count: number) => void,
): AsyncIterable<Buffer> {
  async function* read(): AsyncGenerator<Buffer> {
    if (parseStoredSession(absolutePath)) {
      for await (const block of readStoredSession(absolutePath, onLost)) {
        onRead(block)
        yield block
      }
      return
    }
    try {
      for await (const block of createReadStream(absolutePath, { highWaterMark: 1 << 18 })) {
        onRead(block)
        yield block
      }
    } catch (cause) {
      throw new MadeleineError('SOURCE_UNREADABLE', `Cannot read ${absolutePath}: ${messageOf(cause)}`, {
        remedy: 'Make the file readable, or take its folder out of the configuration.',
        cause,
      })
    }
  }
  if (GZIP_ENDING.test(absolutePath)) return unpack(read(), createGunzip())
  const zstd = ZSTD_ENDING.test(absolutePath) ? loadZstd() : undefined
  return zstd ? unpack(read(), zstd.createUnpacker()) : read()
}

/** A packed file whose bytes cannot be unpacked beyond some point. */
export class DamagedFileError extends Error {
  constructor(cause: unknown) {
    super(messageOf(cause), { cause })
    this.name = 'DamagedFileError'
  }
}

async function* unpack(packed: AsyncIterable<Buffer>, unpacker: Duplex): AsyncGenerator<Buffer> {
  // The error reaches the reader of the unpacker, which the pipeline destroys with it.
  pipeline(Readable.from(packed), unpacker, () => undefined)
  try {
    yield* unpacker
  } catch (error) {
    throw error instanceof MadeleineError ? error : new DamagedFileError(error)
  }
}
