import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { MadeleineError } from '../../index.ts'
import { detectSources, type FoundKind, type FoundSource } from '../detect-sources.ts'
import { EXIT } from '../exit-codes.ts'
import type { AddCommand, Invocation } from '../invocation.ts'
import { resolvePath, shortenPath } from '../paths.ts'
import { refuseOptions } from '../refuse-options.ts'
import { SETTING_NAMES } from '../settings.ts'
import { alignColumns, cleanLine } from '../terminal-text.ts'
import type { WireFlags, Wiring } from '../wire-flags.ts'
import { formatCount } from '../words.ts'
import { type ConfigAdditions, extendConfig, writeConfig } from '../write-config.ts'

interface InitFlags extends WireFlags {
  force?: boolean
  dryRun?: boolean
}

const KIND_NAMES: Record<FoundKind, string> = {
  'openclaw-workspace': 'OpenClaw workspace',
  'openclaw-transcripts': 'OpenClaw transcripts',
  'claude-code-transcripts': 'Claude Code transcripts',
  skills: 'skills',
  markdown: 'Markdown notes',
}

const HELP_END = `
Hosts: claude-code, openclaw (openclaw:memory, openclaw:companion), codex, cursor, gemini, opencode, vscode, windsurf
A host's file is copied beside it before the first change (.before-madeleine); nothing of it changes but our own entries.
Hosts start this installation by its absolute path: wire them again after moving it.

Examples:
  $ madeleine init --dry-run                  only show what is found and what would be written
  $ madeleine init --workspace ~/notes        add a folder of your own
  $ madeleine init --force                    add what is new to a configuration that is there
  $ madeleine init --wire                     and put Madeleine into all hosts of this machine
  $ madeleine init --wire claude-code codex   into these two
  $ madeleine init --wire openclaw:memory     in the place of OpenClaw's memory instead of beside it
  $ madeleine init --wire --dry-run           only show what would change in which file
  $ madeleine init --unwire cursor            take it out again`

/** `madeleine init`: finds what there is to remember from, and writes it down as the configuration. */
export const addInitCommand: AddCommand = (program, run) => {
  program
    .command('init')
    .description('find OpenClaw, Claude Code and Markdown workspaces, and write the configuration')
    .option('--dry-run', 'show what would be written, and write nothing')
    .option('--wire [host...]', 'put Madeleine into these hosts, or into all that are installed')
    .option('--unwire [host...]', 'take it out of these hosts, or of all')
    .option('--force', 'extend a configuration that is there; the old file is kept beside it')
    .addHelpText('after', HELP_END)
    .action((flags: InitFlags) => run((invocation) => runInit(invocation, flags), { configMayBeMissing: true }))
}

async function runInit(invocation: Invocation, flags: InitFlags): Promise<number> {
  const { force = false, dryRun = false } = flags
  const { config, output, surroundings } = invocation
  // Loaded only where it is wanted: no other command should wait for it at start.
  const { finishWiring, foundHosts, planFlags } = await import('../wire-flags.ts')
  // Before anything is written: where one file cannot be changed, nothing is.
  const wiring = planFlags(invocation, flags)
  if (flags.unwire !== undefined) refuseOptions('take Madeleine out of hosts', flags, ['force'])
  if (flags.unwire !== undefined) {
    const wired = finishWiring(invocation, wiring, dryRun)
    output.document({ sources: [], config: null, written: false, wired })
    return EXIT.done
  }
  const sources = detectSources(surroundings)
  printSources(invocation, sources)
  const additions = planAdditions(invocation, sources)
  if (Object.keys(additions).length === 0) {
    const wired = finishWiring(invocation, wiring, dryRun)
    output.document({ sources, config: null, written: false, wired })
    if (wired.length === 0)
      output.print('Nothing to write down. Name a folder of notes: madeleine init --workspace DIR')
    return EXIT.done
  }
  const shown = shortenPath(config.path, surroundings.home)
  const existing = config.file && readFileSync(config.path, 'utf8')
  const { text, isChanged } = extendConfig(existing, additions, isSamePath(invocation))
  const isRefused = isChanged && existing !== undefined && !force && !dryRun
  if (isRefused && flags.wire === undefined) throw refuseOverwriting(shown)
  const isWritten = isChanged && !dryRun && !isRefused
  const { backup } = isWritten ? writeConfig(config.path, text) : { backup: undefined }
  if (!isChanged) output.print(`${shown} holds all of it already.`)
  else if (isRefused) output.print(`${shown} stays as it is; madeleine init --force adds what is missing.`)
  else if (dryRun) output.print(`Would write ${shown}:\n\n${text.trimEnd()}`)
  else output.print(`Wrote ${shown}${backup ? `; the old one is ${shortenPath(backup, surroundings.home)}` : ''}.`)
  const wired = finishWiring(invocation, wiring, dryRun)
  output.document({ sources, config: config.path, written: isWritten, ...(backup && { backup }), wired })
  if (!dryRun) printNext(invocation, wiring, isWritten ? foundHosts(invocation) : [])
  return EXIT.done
}

function printNext({ output }: Invocation, { plans }: Wiring, hosts: readonly string[]): void {
  output.print('Next: madeleine index')
  if (plans.length === 0 && hosts.length > 0) output.print(`Then: madeleine init --wire   (${hosts.join(', ')})`)
}

function refuseOverwriting(shown: string): MadeleineError {
  return new MadeleineError('ALREADY_EXISTS', `Cannot write ${shown}: it is there, and does not hold all of this`, {
    remedy: 'Run `madeleine init --force` to add what is missing (the old file is kept), or edit it yourself.',
  })
}

function printSources({ output, surroundings, settings }: Invocation, sources: readonly FoundSource[]): void {
  if (sources.length === 0) {
    const { workspaces, extraPaths, transcripts } = settings.values
    const isNamed = [workspaces, extraPaths, transcripts].some((list) => list.length > 0)
    const besides = isNamed ? ', besides what you have named yourself' : ''
    output.print(`No OpenClaw or Claude Code data was found, and no notes in the current folder${besides}.`)
    return
  }
  output.print(output.colors.bold('Found'))
  const rows = sources.map(({ kind, setting, path, files, note }) => [
    `  ${KIND_NAMES[kind]}`,
    cleanLine(shortenPath(path, surroundings.home)),
    formatCount(files, setting === 'transcripts' ? 'file' : 'note') + (note ? `, ${note}` : ''),
  ])
  for (const line of alignColumns(rows)) output.print(line)
  output.print('')
}

/** What was found, and what flags say besides. */
function planAdditions({ settings, surroundings }: Invocation, sources: readonly FoundSource[]): ConfigAdditions {
  const additions: Record<string, string | readonly string[]> = {}
  for (const name of SETTING_NAMES) {
    const given = settings.origins[name].layer === 'flag' ? settings.values[name] : undefined
    const found = sources.filter(({ setting }) => setting === name).map(({ path }) => path)
    const listed = [...found, ...(Array.isArray(given) ? given : [])]
    if (listed.length > 0) {
      additions[name] = [...new Set(listed)].map((path) => shortenPath(path, surroundings.home))
    } else if (typeof given === 'string') additions[name] = given
  }
  return additions
}

function isSamePath({ config, surroundings: { home, platform } }: Invocation) {
  const context = { home, base: dirname(config.path), platform }
  return (written: string, added: string) => resolvePath(written, context) === resolvePath(added, context)
}
