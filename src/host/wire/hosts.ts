import { MadeleineError } from '../../errors.ts'
import { claudeCode } from './hosts/claude-code.ts'
import { codex } from './hosts/codex.ts'
import { cursor } from './hosts/cursor.ts'
import { gemini } from './hosts/gemini.ts'
import { openclaw } from './hosts/openclaw.ts'
import { opencode } from './hosts/opencode.ts'
import { vscode } from './hosts/vscode.ts'
import { windsurf } from './hosts/windsurf.ts'
import type { WirableHost } from './wirable-host.ts'

/** All hosts that can be wired, in the order in which they are listed. */
export const WIRABLE_HOSTS: readonly WirableHost[] = [
  claudeCode,
  openclaw,
  codex,
  cursor,
  gemini,
  opencode,
  vscode,
  windsurf,
]

/** A host that was named, and how it is to be wired. */
export interface NamedHost {
  host: WirableHost
  variant?: string
}

/** All names that are understood, those of variants behind their host's. */
export function hostNames(): string[] {
  return WIRABLE_HOSTS.flatMap(({ id, variants = [] }) => [id, ...variants.map((variant) => `${id}:${variant}`)])
}

/** The hosts that are meant, each once. Throws INVALID_OPTION for a name that none has, and for one host in two ways. */
export function findHosts(names: readonly string[]): NamedHost[] {
  const found = new Map<string, NamedHost>()
  for (const name of names) {
    const [id = '', variant] = name.split(':')
    const host = WIRABLE_HOSTS.find((one) => one.id === id)
    if (host === undefined || !hostNames().includes(name)) throw unknownHost(name)
    const earlier = found.get(id)
    if (earlier && earlier.variant !== variant) throw twoWays(id)
    found.set(id, { host, ...(variant !== undefined && { variant }) })
  }
  return [...found.values()]
}

function unknownHost(name: string): MadeleineError {
  return new MadeleineError('INVALID_OPTION', `Cannot wire ${JSON.stringify(name)}: no host is called so`, {
    remedy: `Known are ${hostNames().join(', ')}`,
  })
}

function twoWays(id: string): MadeleineError {
  return new MadeleineError('INVALID_OPTION', `Cannot wire ${id} in two ways at once`, { remedy: `Name ${id} once` })
}
