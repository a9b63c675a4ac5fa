import { checkHosts } from '../host/wire/check-hosts.ts'
import { findHosts, type NamedHost, WIRABLE_HOSTS } from '../host/wire/hosts.ts'
import { showChange } from '../host/wire/show-change.ts'
import {
  carryOut,
  planUnwiring,
  planWiring,
  reportOf,
  type WirePlan,
  type WireReport,
} from '../host/wire/wire-hosts.ts'
import { type Finding, MadeleineError } from '../index.ts'
import { findLaunch } from './find-launch.ts'
import type { Invocation } from './invocation.ts'
import { shortenPath } from './paths.ts'
import { alignColumns, cleanForTerminal, cleanLine } from './terminal-text.ts'

/** What `--wire` and `--unwire` were given: names, or `true` for all hosts that are found. */
export interface WireFlags {
  wire?: readonly string[] | true
  unwire?: readonly string[] | true
}

/** What is to be done to hosts, thought out and not begun. */
export interface Wiring {
  plans: WirePlan[]
  hosts: readonly NamedHost[]
}

/** The hosts of this machine by name, for those who have not wired any. */
export function foundHosts({ surroundings }: Invocation): string[] {
  return WIRABLE_HOSTS.filter((host) => host.detect(surroundings)).map(({ id }) => id)
}

/** What is wrong with hosts that were wired. */
export function findWireTroubles(invocation: Invocation): Finding[] {
  return checkHosts(invocation.surroundings, findLaunch(invocation))
}

/** Thinks out what the flags ask for. Throws INVALID_OPTION for unknown hosts, both flags at once, and files that cannot be changed. */
export function planFlags(invocation: Invocation, { wire, unwire }: WireFlags): Wiring {
  if (wire !== undefined && unwire !== undefined) {
    throw new MadeleineError('INVALID_OPTION', 'Cannot wire and unwire at once', {
      remedy: 'Give one of the two flags',
    })
  }
  const named = [wire ?? unwire].flat().flatMap((name) => (typeof name === 'string' ? name.split(',') : []))
  const hosts = findHosts(named.length > 0 ? named : WIRABLE_HOSTS.map(({ id }) => id))
  const options = { places: invocation.surroundings, launch: findLaunch(invocation), isNamed: named.length > 0 }
  if (wire === undefined && unwire === undefined) return { plans: [], hosts: [] }
  return { plans: wire === undefined ? planUnwiring(hosts, options) : planWiring(hosts, options), hosts }
}

/** Does it, or only says what it would be, and tells the user. The answer is what goes into the document. */
export function finishWiring(invocation: Invocation, { plans, hosts }: Wiring, dryRun: boolean): WireReport[] {
  if (plans.length === 0) return []
  const { output, surroundings } = invocation
  const reports = dryRun ? plans.map(reportOf) : carryOut(plans)
  const rows = reports.map(({ host, file, action, backup }) => [
    `  ${host}`,
    dryRun ? `would be ${action}` : action,
    cleanLine(shortenPath(file, surroundings.home)) +
      (backup ? ` (before: ${cleanLine(shortenPath(backup, surroundings.home))})` : ''),
  ])
  output.print(output.colors.bold('Hosts'))
  for (const line of alignColumns(rows)) output.print(line)
  if (dryRun) for (const line of plans.flatMap((plan) => describeChange(plan, invocation))) output.print(line)
  else for (const line of describeNext(reports, hosts)) output.print(line)
  output.print('')
  return reports
}

function describeChange({ file, action, before = '', after = '' }: WirePlan, invocation: Invocation): string[] {
  if (action !== 'wired' && action !== 'unwired') return []
  const { colors } = invocation.output
  const paint = (line: string): string =>
    line.startsWith('+') ? colors.green(line) : line.startsWith('-') ? colors.red(line) : colors.dim(line)
  const title = cleanLine(shortenPath(file, invocation.surroundings.home))
  return ['', title, ...showChange(before, after).map((line) => paint(cleanForTerminal(line)))]
}

function describeNext(reports: readonly WireReport[], hosts: readonly NamedHost[]): string[] {
  const wired = new Set(reports.filter(({ action }) => action === 'wired').map(({ host }) => host))
  return hosts.flatMap(({ host }) => (wired.has(host.id) ? [`${host.name}: ${host.next}`] : []))
}
