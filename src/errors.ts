/**
 * Why an operation was refused.
 * - `INVALID_OPTION`: an option, flag, configuration key or argument is wrong (exit 2)
 * - `NOT_FOUND`: an id or path that the caller named does not exist or may not be seen (exit 2)
 * - `ALREADY_EXISTS`: an id that the caller gave is taken (exit 2)
 * - `SOURCE_UNREADABLE`: a source root or file cannot be read (exit 3)
 * - `STORE_BUSY`: another process holds the store longer than the wait allows (exit 4)
 * - `STORE_UNUSABLE`: the store is foreign, newer than this program, closed, or the disk or its permissions stand against it (exit 5)
 * - `STORE_DAMAGED`: the file is a store and cannot be read as one; it can be mended (exit 5)
 * - `EMBEDDING_UNAVAILABLE`: the embedding provider failed or is not installed; keyword search still serves
 * - `MODEL_UNAVAILABLE`: the language model failed or cannot be reached; what does not need it still serves (exit 3)
 * - `DISABLED`: the part that was asked for is switched off by configuration; front ends answer `{disabled: true}` (exit 0)
 * - `INTERRUPTED`: the caller aborted (exit 130)
 */
export type ErrorCode =
  | 'INVALID_OPTION'
  | 'NOT_FOUND'
  | 'ALREADY_EXISTS'
  | 'SOURCE_UNREADABLE'
  | 'STORE_BUSY'
  | 'STORE_UNUSABLE'
  | 'STORE_DAMAGED'
  | 'EMBEDDING_UNAVAILABLE'
  | 'MODEL_UNAVAILABLE'
  | 'DISABLED'
  | 'INTERRUPTED'

/** The one error class of the library. The message names the action, the thing and its state; `remedy` says what to do. */
export class MadeleineError extends Error {
  readonly code: ErrorCode
  readonly remedy: string

  constructor(code: ErrorCode, message: string, options: { remedy: string; cause?: unknown }) {
    super(message, { cause: options.cause })
    this.name = 'MadeleineError'
    this.code = code
    this.remedy = options.remedy
  }
}

/** The text of anything thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
