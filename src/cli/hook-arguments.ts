import { SETTING_NAMES, SETTINGS } from './settings.ts'

export interface HookArguments {
  /** The flags in the form of the variables that mean the same: a process that is started later has them too. */
  variables: Record<string, string>
  /** What cannot be understood. */
  problem?: string
}

/** Hosts whose events are understood. */
export const HOOK_HOSTS = ['claude-code'] as const

/** Reads what stands after `madeleine hook`: the host, and settings as flags. Lists have one value here. */
export function readHookArguments(args: readonly string[]): HookArguments {
  const variables: Record<string, string> = {}
  const hosts: string[] = []
  for (let at = 0; at < args.length; at++) {
    const [flag = '', joined] = splitOnce(args[at] ?? '')
    if (!flag.startsWith('--')) {
      hosts.push(flag)
      continue
    }
    const variable = flag === '--config' ? 'MADELEINE_CONFIG' : variableOf(flag)
    const value = joined ?? args[++at]
    if (variable === undefined || value === undefined)
      return { variables, problem: `${flag} is no setting with a value` }
    variables[variable] = value
  }
  const isKnown = hosts.length === 1 && HOOK_HOSTS.some((host) => host === hosts[0])
  if (isKnown) return { variables }
  return { variables, problem: `"${hosts.join(' ')}" is no host: known is ${HOOK_HOSTS.join(', ')}` }
}

function variableOf(flag: string): string | undefined {
  const name = SETTING_NAMES.find((one) => SETTINGS[one].flag === flag)
  return name && SETTINGS[name].variable
}

function splitOnce(argument: string): [string, string?] {
  const at = argument.startsWith('--') ? argument.indexOf('=') : -1
  return at === -1 ? [argument] : [argument.slice(0, at), argument.slice(at + 1)]
}
