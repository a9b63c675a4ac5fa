// Finds the adapter: beside this folder, where it ships inside the package, else the package as a dependency, as after a copy
// install. Loaded without waiting, since a plugin registers at once; hosts run on a Node that can (22.12 or later).
const { existsSync, readFileSync } = require('node:fs')
const { join } = require('node:path')

/** Whether a folder is the package itself, built. */
function isOurPackage(folder) {
  const manifest = join(folder, 'package.json')
  return existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).name === 'madeleine'
}

/** The adapter's module. Throws, saying what to install, where there is none. */
exports.loadAdapter = function loadAdapter(pluginFolder) {
  const home = join(pluginFolder, '..', '..')
  const beside = join(home, 'dist', 'host', 'openclaw', 'index.js')
  if (isOurPackage(home) && existsSync(beside)) return require(beside)
  try {
    return require('madeleine/openclaw')
  } catch (cause) {
    throw new Error(
      `Cannot load the Madeleine plugin in ${pluginFolder}: the package "madeleine" is not installed there. Run "npm install madeleine" in that folder, or link the plugin from inside the package.`,
      { cause },
    )
  }
}
