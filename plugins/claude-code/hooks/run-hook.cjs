'use strict'
// Runs the hook of the installed package in this very process: a second one would double what every prompt waits for. A plugin is
// copied to a folder of the host's, so the package is looked for beside it (a clone, or the package's own folder) and then where
// the command `madeleine` is. Without the package there is nothing to run, and a hook must not get in the way.
const { existsSync, realpathSync } = require('node:fs')
const { delimiter, dirname, join } = require('node:path')

const BUNDLE = join('dist', 'cli', 'hook.cjs')

/** Where the package may be, going by a folder of PATH: what the command links to, and where npm puts packages beside it. */
function packagesNear(folder) {
  const command = join(folder, 'madeleine')
  return [
    ...(existsSync(command) ? [join(dirname(realpathSync(command)), '..', '..')] : []),
    join(folder, 'node_modules', 'madeleine'),
    join(folder, '..', 'lib', 'node_modules', 'madeleine'),
    join(folder, '..', 'madeleine'),
  ]
}

function findBundle() {
  const beside = join(__dirname, '..', '..', '..', BUNDLE)
  if (existsSync(beside)) return beside
  for (const folder of (process.env.PATH ?? '').split(delimiter).filter(Boolean)) {
    const found = packagesNear(folder).find((path) => existsSync(join(path, BUNDLE)))
    if (found) return join(found, BUNDLE)
  }
  return undefined
}

/** An exit code or a word on stderr would stand in the user's way; what goes wrong later is in the package's own log. */
process.on('uncaughtException', () => process.exit(0))

const bundle = process.env.MADELEINE_CHILD && process.env.MADELEINE_CHILD !== '0' ? undefined : findBundle()
if (bundle) require(bundle).runHookEntry(['claude-code'])
