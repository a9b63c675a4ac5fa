import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from '../../files/make-folder.ts'
import { hidePassword } from '../../model/hide-password.ts'
import { shortSha256 } from '../../model/short-sha256.ts'
import { HOOK_KEPT_SETTINGS } from '../host-options.ts'

/** What a hook needs of the settings. Paths are absolute. */
export interface HookSettings {
  store: string
  tenant: string
  agent?: string
  team: readonly string[]
  timeZone: string
  recall: { threshold?: number; tokenBudget?: number; deadlineMs?: number }
  /** A warm process may be used and started. */
  warm: boolean
}

/** What settings depend on. */
export interface SettingsOrigin {
  version: string
  env: NodeJS.ProcessEnv
  home: string
  /** The configuration file, whether it exists or not. */
  configFile: string
}

/** Variables that say how a hook runs and not what it knows. */
const OF_THE_RUN = new Set(['MADELEINE_CHILD', 'MADELEINE_DEBUG', 'MADELEINE_WARM'])
const OTHERS_THAT_COUNT =
  /^(?:XDG_(?:DATA|CONFIG|CACHE)_HOME|TZ|OPENAI_API_KEY|VOYAGE_API_KEY|EMBEDDING_MODEL|CORRELATOR_ENABLED|MIN_CORRELATION_SCORE|MAX_LINKS_PER_MEMORY|AUTO_DISCOVER_ENABLED)$/

/**
 * Names the state of everything that settings are made of: while it is the same, they are. Holds no value of any of them.
 */
export function fingerprintSettings({ version, env, home, configFile }: SettingsOrigin): string {
  const variables = Object.keys(env)
    .filter((name) => env[name] !== '')
    .filter((name) => (name.startsWith('MADELEINE_') && !OF_THE_RUN.has(name)) || OTHERS_THAT_COUNT.test(name))
    .sort()
    .map((name) => [name, env[name]])
  const file = statSync(configFile, { bigint: true, throwIfNoEntry: false })
  const state = file ? [file.ino, file.size, file.mtimeNs, file.ctimeNs].map(String) : []
  return shortSha256(JSON.stringify([version, home, configFile, state, variables])).slice(0, 32)
}

const fileIn = (dataFolder: string): string => join(dataFolder, 'hook-settings.json')

interface Kept {
  of: string
  settings: HookSettings
}

/** The settings as they were when their origin had this fingerprint; null when they have to be made out anew. */
export function recallSettings(dataFolder: string, fingerprint: string): HookSettings | null {
  return readKept(dataFolder).find(({ of }) => of === fingerprint)?.settings ?? null
}

/**
 * Keeps settings for the hooks to come, which then need not parse the configuration; throws where nothing can be written. Those of the last
 * few origins stay: two terminals may differ in a variable. What names a password is not written down: it may have stood in a variable alone.
 */
export function keepSettings(dataFolder: string, fingerprint: string, settings: HookSettings): void {
  if (namesPassword(settings)) return
  makeFolder(dataFolder)
  const others = readKept(dataFolder).filter(({ of }) => of !== fingerprint)
  const kept = [{ of: fingerprint, settings }, ...others].slice(0, HOOK_KEPT_SETTINGS)
  const part = `${fileIn(dataFolder)}.${process.pid}`
  writeFileSync(part, JSON.stringify({ kept }), { mode: 0o600 })
  renameSync(part, fileIn(dataFolder))
}

function namesPassword({ store }: HookSettings): boolean {
  return hidePassword(store) !== store
}

function readKept(dataFolder: string): Kept[] {
  try {
    const { kept } = JSON.parse(readFileSync(fileIn(dataFolder), 'utf8')) as { kept?: unknown }
    return Array.isArray(kept)
      ? kept.filter((one: Partial<Kept> | null) => typeof one?.settings?.store === 'string')
      : []
  } catch {
    // Nothing kept yet, or half of it: what is kept next replaces it.
    return []
  }
}
