import { existsSync, realpathSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Launch } from '../host/wire/wirable-host.ts'
import { dropPassword } from '../model/hide-password.ts'
import type { Invocation } from './invocation.ts'
import { defaultConfigFile, defaultStoreFile } from './paths.ts'

/** How a host starts this very installation with these settings: it has neither the user's PATH nor the user's variables. */
export function findLaunch({ surroundings, settings, config }: Invocation): Launch {
  const { env, home, platform } = surroundings
  const packageFolder = fileURLToPath(new URL('../..', import.meta.url))
  const bare = { env: {}, home, platform }
  const { embedding, readStore } = settings.values
  // Files of hosts, and lists of processes, are read by others.
  const store = dropPassword(settings.values.store)
  const options = [
    ...(config.path === defaultConfigFile(bare) ? [] : ['--config', config.path]),
    // What the file says the host reads there; flags and variables it would not see.
    ...(settings.origins.store.layer === 'file' || store === defaultStoreFile(bare) ? [] : ['--store', store]),
    ...(readStore === undefined || settings.origins.readStore.layer === 'file'
      ? []
      : ['--read-store', dropPassword(readStore)]),
    ...(['flag', 'environment'].includes(settings.origins.embedding.layer) ? ['--embedding', embedding] : []),
  ]
  const pluginConfig = {
    ...(store !== defaultStoreFile(bare) && { store }),
    ...(settings.origins.embedding.layer !== 'default' && { embedding }),
  }
  return {
    command: steadyRuntime(env),
    script: join(packageFolder, 'dist', 'cli', 'main.js'),
    options,
    packageFolder: packageFolder.replace(/[\\/]$/, ''),
    pluginConfig,
  }
}

/** The runtime by the path on PATH that leads to it, if one does: it outlives upgrades, which the real one often does not. */
function steadyRuntime(env: NodeJS.ProcessEnv): string {
  const real = realpathSync(process.execPath)
  const name = process.platform === 'win32' ? 'node.exe' : 'node'
  const onPath = (env.PATH ?? '').split(delimiter).map((folder) => join(folder, name))
  return (
    onPath.find((path) => /^(?:\/|[A-Za-z]:)/.test(path) && existsSync(path) && realpathSync(path) === real) ??
    process.execPath
  )
}
