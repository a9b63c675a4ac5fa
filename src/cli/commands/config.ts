import {
  CORRELATOR_DEFAULTS,
  HEARTBEAT_DEFAULTS,
  RECALL_DEADLINE_MS,
  RECALL_THRESHOLD,
  RECALL_TOKEN_BUDGET,
} from '../../index.ts'
import { hidePassword } from '../../model/hide-password.ts'
import { EXIT } from '../exit-codes.ts'
import type { AddCommand, Invocation } from '../invocation.ts'
import { shortenPath } from '../paths.ts'
import { KEY_VARIABLES, SETTING_NAMES, type SettingName, type Settings } from '../settings.ts'
import { alignColumns, cleanLine } from '../terminal-text.ts'

const EXAMPLES = `
Examples:
  $ madeleine config
  $ MADELEINE_EMBEDDING=none madeleine config --json`

/** `madeleine config`: which settings are in force, and where each comes from. Keys of services are never shown. */
export const addConfigCommand: AddCommand = (program, run) => {
  program
    .command('config')
    .description('which settings are in force, and where each comes from')
    .addHelpText('after', EXAMPLES)
    .action(() =>
      run(async (invocation) => {
        invocation.output.document(listSettings(invocation))
        for (const line of describeSettings(invocation)) invocation.output.print(line)
        return EXIT.done
      }),
    )
}

function listSettings({ config, settings, surroundings }: Invocation) {
  const entries = SETTING_NAMES.map((name) => {
    const { layer, name: origin } = settings.origins[name]
    return [name, { value: showable(inForce(name, settings.values)) ?? null, from: layer, origin }]
  })
  return {
    file: config.path,
    exists: config.file !== undefined,
    settings: Object.fromEntries(entries),
    keys: Object.fromEntries(KEY_VARIABLES.map((variable) => [variable, Boolean(surroundings.env[variable])])),
  }
}

function describeSettings({ config, settings, surroundings, output }: Invocation): string[] {
  const { home, env } = surroundings
  const { colors } = output
  const rows = SETTING_NAMES.flatMap((name) => {
    const { layer, name: origin } = settings.origins[name]
    const shown = showable(inForce(name, settings.values))
    const parts = Array.isArray(shown) && shown.length > 0 ? shown : [shown]
    return parts.map((part, index) => [
      index === 0 ? name : '',
      part === undefined || Array.isArray(part) ? '–' : cleanLine(shortenPath(String(part), home)),
      index === 0 ? colors.dim(layer === 'file' ? 'file' : origin) : '',
    ])
  })
  const keys = KEY_VARIABLES.filter((variable) => env[variable])
  const presence = config.file ? '' : colors.dim(' (not there; `madeleine init` writes it)')
  return [
    `${colors.bold('Configuration')} ${cleanLine(shortenPath(config.path, home))}${presence}`,
    ...alignColumns(rows).map((line) => `  ${line}`),
    `  keys in the environment: ${keys.length > 0 ? keys.join(', ') : 'none'}`,
  ]
}

/** What the library does where nothing is set. */
const DEFAULTS: Partial<Record<SettingName, unknown>> = {
  'recall.threshold': RECALL_THRESHOLD,
  'recall.tokenBudget': RECALL_TOKEN_BUDGET,
  'recall.deadlineMs': RECALL_DEADLINE_MS,
  'correlation.enabled': CORRELATOR_DEFAULTS.enabled,
  'correlation.minScore': CORRELATOR_DEFAULTS.minScore,
  'correlation.maxLinks': CORRELATOR_DEFAULTS.maxLinks,
  'correlation.autoDiscover': CORRELATOR_DEFAULTS.autoDiscover,
  'correlation.consensus': CORRELATOR_DEFAULTS.consensus,
  'heartbeat.autonomy': HEARTBEAT_DEFAULTS.autonomy,
  'heartbeat.quietHours': `${HEARTBEAT_DEFAULTS.quietHours.from}-${HEARTBEAT_DEFAULTS.quietHours.to}`,
  'heartbeat.everyMinutes': HEARTBEAT_DEFAULTS.everyMinutes,
}

function inForce(name: SettingName, values: Settings): unknown {
  return values[name] ?? DEFAULTS[name]
}

/** A value as it may be shown: a password in a URL may not. */
function showable(value: unknown): unknown {
  if (typeof value !== 'string') return value
  if (!/^https?:\/\//.test(value) || !URL.canParse(value)) return hidePassword(value)
  const url = new URL(value)
  if (url.password === '' && url.username === '') return value
  url.username = '***'
  url.password = ''
  return url.href
}
