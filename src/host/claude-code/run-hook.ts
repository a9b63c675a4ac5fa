import { tmpdir } from 'node:os'
import type { Readable } from 'node:stream'
import { RECALL_DEADLINE_MS } from '../../options.ts'
import { HOOK_GRACE_MS, HOOK_MAX_EVENT_BYTES } from '../host-options.ts'
import { warmPlace } from '../warm/warm-place.ts'
import { answerEvent, type HookAnswer } from './answer-event.ts'
import { noteFailure } from './failure-log.ts'
import {
  fingerprintSettings,
  type HookSettings,
  keepSettings,
  recallSettings,
  type SettingsOrigin,
} from './hook-settings.ts'
import type { RecallBundle } from './load-recall.ts'
import { readHookEvent } from './read-event.ts'
import { openWarmDoor } from './warm-door.ts'

/** The process that a hook runs in. */
export interface HookProcess extends SettingsOrigin {
  platform: NodeJS.Platform
  stdin: Readable
  recallBundle: RecallBundle
  /** Where the user's data is; the log of failures is there too. */
  dataFolder: string
  /** Makes the settings out of flags, variables and configuration; throws what is wrong with them. */
  resolveSettings(): Promise<HookSettings>
  startProcess(args: readonly string[]): void
  /** Ends the process with what it has, nothing, so many ms from now; a later call replaces an earlier one. */
  endWithin(ms: number): void
  /** Told of what went wrong, beside the log. */
  debug?(event: string, reason: string): void
}

/**
 * Reads an event of Claude Code from stdin and gives what is to be printed, if anything. Never rejects: a hook that fails costs
 * its user a memory, not a turn. What went wrong is in the log.
 */
export async function runHook(hook: HookProcess): Promise<HookAnswer> {
  let name = 'event'
  const fail = (reason: string): HookAnswer => {
    hook.debug?.(name, reason)
    noteFailure(hook.dataFolder, { at: new Date().toISOString(), event: name, reason })
    return {}
  }
  try {
    hook.endWithin(RECALL_DEADLINE_MS + HOOK_GRACE_MS)
    const event = readHookEvent(await readEventText(hook.stdin))
    if (event === null) return {}
    name = event.name
    const fingerprint = fingerprintSettings(hook)
    const settings = recallSettings(hook.dataFolder, fingerprint) ?? (await makeOutSettings(hook, fingerprint))
    hook.endWithin((settings.recall.deadlineMs ?? RECALL_DEADLINE_MS) + HOOK_GRACE_MS)
    const { home, platform, dataFolder } = hook
    const place = warmPlace({ dataFolder, store: settings.store, home, platform, shortFolder: tmpdir() })
    const isOn = isSwitchedOn(hook.env.MADELEINE_WARM) ?? settings.warm
    const warm = openWarmDoor({ place, fingerprint, isOn, startProcess: hook.startProcess })
    const answer = await answerEvent(event, { settings, warm, now: () => new Date(), recallBundle: hook.recallBundle })
    if (answer.problem !== undefined) fail(answer.problem)
    return answer
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error))
  }
}

async function makeOutSettings(hook: HookProcess, fingerprint: string): Promise<HookSettings> {
  const settings = await hook.resolveSettings()
  try {
    keepSettings(hook.dataFolder, fingerprint, settings)
  } catch (error) {
    // They serve this once; the next hook makes them out again.
    hook.debug?.('settings', String(error))
  }
  return settings
}

/** Undefined where the variable does not say; a word that means nothing is for the settings to refuse. */
function isSwitchedOn(variable: string | undefined): boolean | undefined {
  if (variable === undefined || variable === '') return undefined
  return !/^(?:0|false|no|off)$/i.test(variable.trim())
}

/** The event, as soon as it is whole: a host need not close the pipe. Rejects when it is too long. */
function readEventText(stdin: Readable): Promise<string> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = []
    let size = 0
    const finish = (): void => resolve(Buffer.concat(pieces).toString('utf8'))
    stdin.on('error', reject)
    stdin.on('end', finish)
    stdin.on('data', (piece: Buffer) => {
      pieces.push(piece)
      size += piece.length
      if (size > HOOK_MAX_EVENT_BYTES) reject(new Error(`the event is longer than ${HOOK_MAX_EVENT_BYTES} bytes`))
      else if (endsObject(piece) && isJson(Buffer.concat(pieces).toString('utf8'))) finish()
      else return
      stdin.destroy()
    })
  })
}

const endsObject = (piece: Buffer): boolean => /\}\s*$/.test(piece.toString('latin1', Math.max(0, piece.length - 8)))

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    // More is to come.
    return false
  }
}
