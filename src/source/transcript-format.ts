import type { Turn } from '../model/document.ts'

export type TranscriptFormat = 'openclaw' | 'claude-code'

/** A JSON object of a transcript line. */
export type JsonObject = Record<string, unknown>

/** What a transcript held: its turns in file order, and what was left out by rule, counted by reason. */
export interface ParsedTranscript {
  sessionId?: string
  /** Working folder of the session, as written. */
  cwd?: string
  turns: Turn[]
  omitted: Record<string, number>
}

/** What a file says of itself: what its first records that say it say. */
export interface TranscriptFacts {
  sessionId?: string
  /** Working folder of the session, as written. */
  cwd?: string
}

/**
 * Reads the records of one file, in order. Whatever is still open (an answer that may have more parts, a result that may turn out
 * to be repeated) is decided within MAX_OPEN_BYTES, so that the turns before it can be given out of hand.
 */
export interface TranscriptParser {
  /** `offset`: where the line begins, in bytes. Default: nothing is decided because of its distance. */
  accept(record: JsonObject, line: number, offset?: number): void
  /** The records from here on say nothing about the file as a whole. */
  closeHead(): void
  facts(): TranscriptFacts
  /** First line of the earliest turn that is still open; Infinity when none is. */
  openSince(): number
  /** Decides all that is open: the file ends here. */
  close(): void
  /**
   * What a parser needs to go on from here, plain data without any text. When it does, turns that were open begin before it and
   * are not given again.
   */
  save(): unknown
  /** Decides all that is open and gives all turns in hand. */
  finish(): ParsedTranscript
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value where it is a text that says something, else undefined. */
export function textField(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Which host wrote a record: decided by its shape, not by its file's name. Undefined where the record could be anyone's. */
export function formatOf(record: JsonObject): TranscriptFormat | undefined {
  if (record.type === 'session' && textField(record.id)) return 'openclaw'
  const message = record.message
  if (record.type === 'message' && isObject(message) && textField(message.role)) return 'openclaw'
  const isTurn = record.type === 'user' || record.type === 'assistant'
  if (isTurn && isObject(message) && (textField(record.uuid) || textField(record.sessionId))) return 'claude-code'
  if (record.type === 'summary' && textField(record.leafUuid)) return 'claude-code'
  if (textField(record.uuid) && textField(record.sessionId) && 'parentUuid' in record) return 'claude-code'
  return undefined
}

/** ISO 8601 from an ISO text with offset or from milliseconds; undefined where it is no instant. */
export function instantOf(...values: unknown[]): string | undefined {
  for (const value of values) {
    if (typeof value === 'number' && Number.isFinite(value)) {
      const date = new Date(value)
      if (!Number.isNaN(date.getTime())) return date.toISOString()
    }
    if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}.*(?:Z|[+-]\d{2}:?\d{2})$/.test(value)) continue
    if (!Number.isNaN(Date.parse(value))) return value
  }
  return undefined
}
