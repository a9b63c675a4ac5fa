import { existsSync } from 'node:fs'
import { posix, win32 } from 'node:path'
import type { WirePlaces } from './wirable-host.ts'

/** A path under the user's home folder. */
export function inHome({ home, platform }: WirePlaces, ...parts: string[]): string {
  return rulesOf(platform).join(home, ...parts)
}

/** The folder that a variable names, else the other one. `~` is the home folder, the rest is relative to the current one. */
export function folderFrom(places: WirePlaces, variable: string, otherwise: string): string {
  const given = places.env[variable]?.trim()
  return given ? resolveFrom(places, given) : otherwise
}

export function resolveFrom({ home, cwd, platform }: WirePlaces, given: string): string {
  const rules = rulesOf(platform)
  return rules.resolve(cwd, /^~(?=$|[\\/])/.test(given) ? rules.join(home, given.slice(1)) : given)
}

export function joinPath({ platform }: WirePlaces, ...parts: string[]): string {
  return rulesOf(platform).join(...parts)
}

/** The user's configuration folder of the XDG rules; a relative variable is void, as they say. */
export function xdgConfig(places: WirePlaces): string {
  const given = places.env.XDG_CONFIG_HOME
  return given && rulesOf(places.platform).isAbsolute(given) ? given : inHome(places, '.config')
}

/** The folder in which desktop programs keep what belongs to a user. */
export function appData(places: WirePlaces): string {
  if (places.platform === 'darwin') return inHome(places, 'Library', 'Application Support')
  if (places.platform === 'win32') return places.env.APPDATA || inHome(places, 'AppData', 'Roaming')
  return xdgConfig(places)
}

/** The first of some paths that exists, else the last of them. */
export function firstExisting(paths: readonly [string, ...string[]]): string {
  return paths.find((path) => existsSync(path)) ?? paths.at(-1) ?? paths[0]
}

function rulesOf(platform: NodeJS.Platform) {
  return platform === 'win32' ? win32 : posix
}
