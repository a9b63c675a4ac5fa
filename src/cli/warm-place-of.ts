import { tmpdir } from 'node:os'
import { dirname } from 'node:path'
import { fingerprintSettings } from '../host/claude-code/hook-settings.ts'
import { type WarmPlace, warmPlace } from '../host/warm/warm-place.ts'
import type { Invocation } from './invocation.ts'
import { defaultStoreFile } from './paths.ts'
import { readVersion } from './version.ts'

/** Where the user's data is: the log of failed hooks is there, and the warm process has its socket below it. */
export function dataFolderOf({ env, home, platform }: Invocation['surroundings']): string {
  return dirname(defaultStoreFile({ env, home, platform }))
}

/** Where the warm process of this invocation's store is found, and what it has to be of to be used. */
export function warmPlaceOf({ surroundings, settings, config }: Invocation): {
  place: WarmPlace
  version: string
  fingerprint: string
} {
  const { env, home, platform } = surroundings
  const version = readVersion()
  return {
    place: warmPlace({
      dataFolder: dataFolderOf(surroundings),
      store: settings.values.store,
      home,
      platform,
      shortFolder: tmpdir(),
    }),
    version,
    fingerprint: fingerprintSettings({ version, env, home, configFile: config.path }),
  }
}
