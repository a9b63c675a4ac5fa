import { type ErrorCode, MadeleineError } from '../index.ts'

/** What the process tells its caller; the same with and without `--json`. */
export const EXIT = {
  /** Done; also "no hits". */
  done: 0,
  /** Something that should not happen. */
  unexpected: 1,
  /** Wrong usage, configuration or id. */
  usage: 2,
  /** Done in part: a missing root, an unreadable file, an error that doctor found. */
  partly: 3,
  storeBusy: 4,
  storeUnusable: 5,
  /** The shell's own number for Ctrl-C. */
  interrupted: 130,
} as const

/** The one table from error code to exit code. */
export const EXIT_CODE_OF: Record<ErrorCode, number> = {
  INVALID_OPTION: EXIT.usage,
  NOT_FOUND: EXIT.usage,
  ALREADY_EXISTS: EXIT.usage,
  SOURCE_UNREADABLE: EXIT.partly,
  EMBEDDING_UNAVAILABLE: EXIT.partly,
  MODEL_UNAVAILABLE: EXIT.partly,
  STORE_BUSY: EXIT.storeBusy,
  STORE_UNUSABLE: EXIT.storeUnusable,
  STORE_DAMAGED: EXIT.storeUnusable,
  DISABLED: EXIT.done,
  INTERRUPTED: EXIT.interrupted,
}

/** The exit code for anything thrown. */
export function exitCodeOf(error: unknown): number {
  return error instanceof MadeleineError ? EXIT_CODE_OF[error.code] : EXIT.unexpected
}
