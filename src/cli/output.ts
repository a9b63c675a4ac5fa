import pc from 'picocolors'
import { MadeleineError } from '../index.ts'
import type { Degraded } from '../model/search.ts'
import type { Surroundings } from './surroundings.ts'
import { cleanForTerminal, stringifySafely } from './terminal-text.ts'

export type Colors = ReturnType<typeof pc.createColors>

/** Widest text that is comfortable to read; a terminal may be narrower. */
const MAX_WIDTH = 100
const MIN_WIDTH = 40

/**
 * The two streams of a command. With `json`, stdout carries exactly one JSON document and words are left out;
 * progress, notes and errors go to stderr always.
 */
export interface Output {
  readonly json: boolean
  /** Colours for stdout: plain text unless it is a terminal, and NO_COLOR is not set. */
  readonly colors: Colors
  /** Columns that text may take. */
  readonly width: number
  /** Words for a person on stdout; nothing with `json`. */
  print(text: string): void
  /** The one JSON document on stdout; nothing without `json`. */
  document(value: unknown): void
  /** One of several JSON documents on stdout, each on a line of its own; nothing without `json`. */
  record(value: unknown): void
  /** A side remark on stderr; nothing with `json`, which carries the same in its document. */
  note(text: string): void
}

export function createOutput({ stdout, stderr, env }: Surroundings, json: boolean): Output {
  const noteColors = colorsFor(stderr, env)
  return {
    json,
    colors: colorsFor(stdout, env),
    width: Math.max(MIN_WIDTH, Math.min(MAX_WIDTH, stdout.columns || MAX_WIDTH)),
    print(text) {
      if (!json) stdout.write(`${text}\n`)
    },
    document(value) {
      if (json) stdout.write(`${stringifySafely(value)}\n`)
    },
    record(value) {
      if (json) stdout.write(`${stringifySafely(value, 0)}\n`)
    },
    note(text) {
      if (!json) stderr.write(`${noteColors.dim(text)}\n`)
    },
  }
}

function colorsFor(stream: { isTTY?: boolean }, env: NodeJS.ProcessEnv): Colors {
  const isOn = stream.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb'
  return pc.createColors(isOn)
}

/** Writes what went wrong to stderr: as `{"error":{code,message,remedy}}` with `json`, else in words. */
export function printError(error: unknown, surroundings: Surroundings, json: boolean): void {
  const { stderr, env } = surroundings
  const { code, message, remedy } = describeError(error)
  if (json) {
    stderr.write(`${stringifySafely({ error: { code, message, remedy } }, 0)}\n`)
    return
  }
  const colors = colorsFor(stderr, env)
  stderr.write(`${colors.red('madeleine:')} ${cleanForTerminal(message)}\n  ${cleanForTerminal(remedy)}\n`)
}

/** What to say where words could not be written to stdout. */
export function outputError({ code, message }: NodeJS.ErrnoException): Error & { remedy: string } {
  return Object.assign(new Error(`Cannot write the output: ${message}`), {
    remedy:
      code === 'ENOSPC' || code === 'EDQUOT'
        ? 'Free some space, or send the output elsewhere; the command itself was carried out'
        : 'Send the output elsewhere; the command itself was carried out',
  })
}

function describeError(error: unknown): { code: string; message: string; remedy: string } {
  if (error instanceof MadeleineError) return error
  return {
    code: 'UNEXPECTED',
    message: error instanceof Error ? error.message : String(error),
    remedy:
      error instanceof Error && 'remedy' in error
        ? String(error.remedy)
        : 'This should not happen. Please report it with the command you ran; `madeleine doctor` may say more.',
  }
}

/** Says on stderr which part of an answer could not be done in full. */
export function noteDegraded(output: Output, degraded: readonly Degraded[]): void {
  for (const { part, reason } of degraded) output.note(`(without ${part}: ${cleanForTerminal(reason)})`)
}
