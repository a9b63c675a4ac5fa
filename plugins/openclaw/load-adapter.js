import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Names of the package as a dependency. It is declared under the first: a host that copies what a plugin depends on would find the
 * second around the plugin, where that ships inside the package, and would take the plugin for a part of it.
 */
const PACKAGES = ['madeleine-engine', 'madeleine']

/**
 * The adapter: beside the plugin's folder, where that ships inside the package, else the package as a dependency, as after a copy
 * install. Newer hosts run a copy of the plugin's own files, so the folder is the one that the host names. Loaded without waiting,
 * since a plugin registers at once; hosts run on a Node that can (22.12 or later).
 * Throws, saying what to install, where there is none.
 */
export function loadAdapter(rootDir = dirname(fileURLToPath(import.meta.url))) {
  const require = createRequire(join(rootDir, 'package.json'))
  const home = join(rootDir, '..', '..')
  const beside = join(home, 'dist', 'host', 'openclaw', 'index.js')
  if (isOurPackage(home) && existsSync(beside)) return require(beside)
  for (const name of PACKAGES) {
    const entry = resolveFrom(require, `${name}/openclaw`)
    if (entry !== undefined) return require(entry)
  }
  throw new Error(
    `Cannot load the Madeleine plugin in ${rootDir}: the package "madeleine" is not installed there. Run "npm install madeleine" in that folder, or link the plugin from inside the package.`,
  )
}

function resolveFrom(require, specifier) {
  try {
    return require.resolve(specifier)
  } catch {
    // It is not installed under this name.
    return undefined
  }
}

function isOurPackage(folder) {
  const manifest = join(folder, 'package.json')
  return existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).name === 'madeleine'
}
