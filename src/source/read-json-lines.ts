import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { MadeleineError, messageOf } from '../errors.ts'

/** A line of a JSONL file, `line` 1-based and physical. Blank lines are not among them. */
export type JsonLine =
  | { line: number; value: unknown }
  | { line: number; problem: string }
  /** The last line, not ended and not yet valid: somebody is still writing it. */
  | { line: number; unfinished: true }

const NEWLINE = 0x0a
const GZIP_ENDING = /\.gz$/i

/** Bytes of a line, put together from the blocks of a stream; undefined bytes where it is too long to hold. */
interface RawLine {
  line: number
  bytes: Buffer | undefined
  ended: boolean
}

/**
 * Splits a stream of bytes at 0x0A and nowhere else: U+2028 and its like are legal inside JSON. Holds one line at a time;
 * of a line above `maxLineBytes` nothing is held.
 */
export async function* splitLines(stream: AsyncIterable<Buffer>, maxLineBytes: number): AsyncGenerator<RawLine> {
  let parts: Buffer[] = []
  let size = 0
  let line = 1
  const take = (ended: boolean): RawLine => {
    const bytes = size > maxLineBytes ? undefined : parts.length === 1 ? parts[0] : Buffer.concat(parts)
    parts = []
    size = 0
    return { line: line++, bytes, ended }
  }
  const add = (part: Buffer): void => {
    size += part.length
    if (size <= maxLineBytes) parts.push(part)
    else parts = []
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

/** The lines of a stream as JSON values; bad ones come as problems, in order. */
export async function* parseJsonLines(stream: AsyncIterable<Buffer>, maxLineBytes: number): AsyncGenerator<JsonLine> {
  for await (const { line, bytes, ended } of splitLines(stream, maxLineBytes)) {
    if (!bytes) {
      yield { line, problem: `line is larger than ${Math.floor(maxLineBytes / 1024 / 1024)} MB` }
      continue
    }
    const text = bytes.toString('utf8').replace(/^\ufeff/, '')
    if (text.trim() === '') continue
    try {
      yield { line, value: JSON.parse(text) }
    } catch (error) {
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
  /** sha256 (hex) of the bytes on disk that were read. */
  contentHash(): string
}

/** Opens a JSONL file; one whose name ends with `.gz` is unpacked on the way. Rejections carry SOURCE_UNREADABLE. */
export function openJsonLines(absolutePath: string, maxLineBytes: number): JsonLinesFile {
  const hash = createHash('sha256')
  async function* hashed(): AsyncGenerator<Buffer> {
    try {
      for await (const block of createReadStream(absolutePath, { highWaterMark: 1 << 18 })) {
        hash.update(block)
        yield block
      }
    } catch (cause) {
      throw new MadeleineError('SOURCE_UNREADABLE', `Cannot read ${absolutePath}: ${messageOf(cause)}`, {
        remedy: 'Make the file readable, or take its folder out of the configuration.',
        cause,
      })
    }
  }
  const stream = GZIP_ENDING.test(absolutePath) ? unpack(hashed()) : hashed()
  return { lines: parseJsonLines(stream, maxLineBytes), contentHash: () => hash.digest('hex') }
}

function unpack(packed: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  const gunzip = createGunzip()
  // The error reaches the reader of `gunzip`, which the pipeline destroys with it.
  pipeline(Readable.from(packed), gunzip, () => undefined)
  return gunzip
}
