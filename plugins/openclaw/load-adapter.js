import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

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
  try {
    return require('madeleine/openclaw')
  } catch (cause) {
    throw new Error(
      `Cannot load the Madeleine plugin in ${rootDir}: the package "madeleine" is not installed there. Run "npm install madeleine" in that folder, or link the plugin from inside the package.`,
      { cause },
    )
  }
}

function isOurPackage(folder) {
  const manifest = join(folder, 'package.json')
  return existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).name === 'madeleine'
}
