import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { MadeleineError } from '../../index.ts'
import { detectSources, type FoundKind, type FoundSource } from '../detect-sources.ts'
import { EXIT } from '../exit-codes.ts'
import type { AddCommand, Invocation } from '../invocation.ts'
import { resolvePath, shortenPath } from '../paths.ts'
import { SETTING_NAMES } from '../settings.ts'
import { alignColumns, cleanLine } from '../terminal-text.ts'
import { formatCount } from '../words.ts'
import { type ConfigAdditions, extendConfig, writeConfig } from '../write-config.ts'

interface InitFlags {
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

const EXAMPLES = `
Examples:
  $ madeleine init --dry-run                  only show what is found and what would be written
  $ madeleine init --workspace ~/notes        add a folder of your own
  $ madeleine init --force                    add what is new to a configuration that is there`

/** `madeleine init`: finds what there is to remember from, and writes it down as the configuration. */
export const addInitCommand: AddCommand = (program, run) => {
  program
    .command('init')
    .description('find OpenClaw, Claude Code and Markdown workspaces, and write the configuration')
    .option('--dry-run', 'show what would be written, and write nothing')
    .option('--force', 'extend a configuration that is there; the old file is kept beside it')
    .addHelpText('after', EXAMPLES)
    .action((flags: InitFlags) => run((invocation) => runInit(invocation, flags), { configMayBeMissing: true }))
}

async function runInit(invocation: Invocation, { force = false, dryRun = false }: InitFlags): Promise<number> {
  const { config, output, surroundings } = invocation
  const sources = detectSources(surroundings)
  printSources(invocation, sources)
  const additions = planAdditions(invocation, sources)
  if (Object.keys(additions).length === 0) {
    output.document({ sources, config: null, written: false, wired: [] })
    output.print('Nothing to write down. Name a folder of notes: madeleine init --workspace DIR')
    return EXIT.done
  }
  const shown = shortenPath(config.path, surroundings.home)
  const existing = config.file && readFileSync(config.path, 'utf8')
  const { text, isChanged } = extendConfig(existing, additions, isSamePath(invocation))
  if (isChanged && existing !== undefined && !force && !dryRun) throw refuseOverwriting(shown)
  const isWritten = isChanged && !dryRun
  const { backup } = isWritten ? writeConfig(config.path, text) : { backup: undefined }
  output.document({ sources, config: config.path, written: isWritten, ...(backup && { backup }), wired: [] })
  if (!isChanged) output.print(`${shown} holds all of it already.`)
  else if (dryRun) output.print(`Would write ${shown}:\n\n${text.trimEnd()}`)
  else output.print(`Wrote ${shown}${backup ? `; the old one is ${shortenPath(backup, surroundings.home)}` : ''}.`)
  if (!dryRun) output.print('Next: madeleine index')
  return EXIT.done
}

function refuseOverwriting(shown: string): MadeleineError {
  return new MadeleineError('ALREADY_EXISTS', `Cannot write ${shown}: it is there, and does not hold all of this`, {
    remedy: 'Run `madeleine init --force` to add what is missing (the old file is kept), or edit it yourself.',
  })
}

function printSources({ output, surroundings }: Invocation, sources: readonly FoundSource[]): void {
  if (sources.length === 0) {
    output.print('No OpenClaw or Claude Code data was found, and no notes in the current folder.')
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
