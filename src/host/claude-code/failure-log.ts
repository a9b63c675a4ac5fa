import { appendFileSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from '../../files/make-folder.ts'
import { cutGraphemes } from '../../model/cut-graphemes.ts'
import { HOOK_LOG_BYTES } from '../host-options.ts'

/** A hook that gave nothing because something was wrong. */
export interface HookFailure {
  /** ISO instant. */
  at: string
  /** The event, or what else was going on. */
  event: string
  reason: string
}

const MAX_REASON = 500
const fileIn = (dataFolder: string): string => join(dataFolder, 'hook.log')

/** Adds a line to the log of failures, whose size is bounded. Never throws: there is nobody left to tell. */
export function noteFailure(dataFolder: string, failure: HookFailure): void {
  try {
    makeFolder(dataFolder)
    const file = fileIn(dataFolder)
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > HOOK_LOG_BYTES) dropOlderHalf(file)
    const line = { ...failure, reason: cutGraphemes(failure.reason, MAX_REASON) }
    appendFileSync(file, `${JSON.stringify(line)}\n`, { mode: 0o600 })
  } catch {
    // A folder that cannot be written to is what doctor tells of the store as well.
  }
}

function dropOlderHalf(file: string): void {
  const bytes = readFileSync(file)
  const half = bytes.subarray(bytes.length - HOOK_LOG_BYTES / 2)
  const part = `${file}.${process.pid}`
  writeFileSync(part, half.subarray(half.indexOf(10) + 1), { mode: 0o600 })
  renameSync(part, file)
}

/** The last failure that was noted; null when there is none. */
export function readLastFailure(dataFolder: string): HookFailure | null {
  try {
    const lines = readFileSync(fileIn(dataFolder), 'utf8').trimEnd().split('\n')
    const { at, event, reason } = JSON.parse(lines.at(-1) ?? '') as Record<string, unknown>
    return { at: String(at), event: String(event), reason: String(reason) }
  } catch {
    // No log, or a line that another process is writing.
    return null
  }
}
