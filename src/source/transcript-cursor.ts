import type { FilePrefix } from './read-json-lines.ts'
import { isObject, type TranscriptFacts, type TranscriptFormat } from './transcript-format.ts'
import type { TranscriptHead } from './transcript-head.ts'

/** Where reading goes on in a transcript, and what it has to know. Holds no words of anybody. */
export interface TranscriptCursor extends FilePrefix {
  format: TranscriptFormat
  head: TranscriptHead
  facts: TranscriptFacts
  /** Of the parser, of its collector. */
  parser: unknown
  ids: string
}

/** Version of the form below; a cursor of another one is none. */
const VERSION = 1

/** The cursor of a document of which nothing is settled: it is read from its beginning. */
export const BEGINNING = JSON.stringify({ version: VERSION, offset: 0 })

export function packCursor(cursor: TranscriptCursor): string {
  return JSON.stringify({ version: VERSION, ...cursor })
}

/** Undefined where the text stands for the beginning, or is none of this version. */
export function unpackCursor(text: string): TranscriptCursor | undefined {
  try {
    const value: unknown = JSON.parse(text)
    if (!isObject(value) || value.version !== VERSION || !Number(value.offset) || !isObject(value.head))
      return undefined
    return value as unknown as TranscriptCursor
  } catch {
    // Whatever it is, it does not say where to go on.
    return undefined
  }
}
