import { posix, win32 } from 'node:path'

/** What a path that a person wrote is read against. */
export interface PathContext {
  home: string
  /** Absolute folder that relative paths start from. */
  base: string
  platform: NodeJS.Platform
}

/** What is wrong with a path before anything is looked up on disk, or undefined when nothing is. */
export function pathProblem(given: string, platform: NodeJS.Platform): string | undefined {
  if (given.trim() === '') return 'it is empty'
  if (/[\u0000-\u001f\u007f]/.test(given)) return 'it contains a control character'
  // `"D:\data\" --name x` arrives as one argument: the backslash has escaped the closing quote.
  if (given.includes('"') && (platform === 'win32' || given.includes('\\'))) {
    return 'it contains a quotation mark: a backslash before the closing quote swallows what follows'
  }
  return undefined
}

/** The absolute path that a person means: `~` is the home folder, the rest is relative to the base. */
export function resolvePath(given: string, { home, base, platform }: PathContext): string {
  const rules = platform === 'win32' ? win32 : posix
  const isHome = given === '~' || given.startsWith('~/') || (platform === 'win32' && given.startsWith('~\\'))
  return rules.resolve(base, isHome ? rules.join(home, given.slice(1)) : given)
}

/** The path as a person would write it, with `~` for the home folder. */
export function shortenPath(path: string, home: string): string {
  if (path === home) return '~'
  const separator = home.includes('\\') ? '\\' : '/'
  return home !== separator && path.startsWith(home + separator) ? `~${path.slice(home.length)}` : path
}

interface BaseFolders {
  env: NodeJS.ProcessEnv
  home: string
  platform: NodeJS.Platform
}

/** Where the configuration is unless the user says otherwise. */
export function defaultConfigFile(folders: BaseFolders): string {
  return inBaseFolder('XDG_CONFIG_HOME', '.config', 'config.yaml', folders)
}

/** Where the store is unless the user says otherwise. */
export function defaultStoreFile(folders: BaseFolders): string {
  return inBaseFolder('XDG_DATA_HOME', '.local/share', 'store.sqlite', folders)
}

/** Where things are kept that can be made again. */
export function defaultCacheFolder(folders: BaseFolders): string {
  return inBaseFolder('XDG_CACHE_HOME', '.cache', '.', folders)
}

/** A file of ours in one of the user's base folders; a relative variable is void, as the XDG rules say. */
function inBaseFolder(variable: string, fallback: string, name: string, { env, home, platform }: BaseFolders): string {
  const rules = platform === 'win32' ? win32 : posix
  const given = env[variable]
  const folder = given && rules.isAbsolute(given) ? given : rules.join(home, fallback)
  return rules.join(folder, 'madeleine', name)
}
