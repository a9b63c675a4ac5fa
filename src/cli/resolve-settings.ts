import { delimiter } from 'node:path'
import { MadeleineError } from '../index.ts'
import { hidePassword } from '../model/hide-password.ts'
import { nearestName } from './nearest.ts'
import { defaultStoreFile, type PathContext, shortenPath } from './paths.ts'
import {
  KNOWN_VARIABLES,
  SETTING_NAMES,
  SETTINGS,
  type SettingName,
  type SettingRule,
  type Settings,
} from './settings.ts'

/** Which layer a value comes from, strongest first. */
export type Layer = 'flag' | 'environment' | 'file' | 'default'

export interface Origin {
  layer: Layer
  /** The flag, variable or file itself. */
  name: string
}

/** The configuration file as parsed, before its keys are checked. */
export interface ConfigFile {
  path: string
  values: Readonly<Record<string, unknown>>
}

export interface SettingLayers {
  /** Values of flags, absent where the flag was not given. */
  flags: Partial<Record<SettingName, unknown>>
  env: NodeJS.ProcessEnv
  file: ConfigFile | undefined
  home: string
  cwd: string
  /** Folder of the configuration file: its relative paths start here. */
  configFolder: string
  platform: NodeJS.Platform
  /** The zone that the machine keeps. */
  systemZone: string
}

export interface ResolvedSettings {
  values: Settings
  origins: Record<SettingName, Origin>
}

/**
 * Puts the layers together: flags before environment before file before defaults, each setting by itself.
 * Throws INVALID_OPTION for the first unknown key or bad value, naming it, its value, what is allowed and the nearest name.
 */
export function resolveSettings(given: SettingLayers): ResolvedSettings {
  const layers = { ...given, file: given.file && { ...given.file, values: flattenGroups(given.file.values) } }
  refuseUnknownKeys(layers)
  refuseUnknownVariables(layers.env)
  const origins = {} as Record<SettingName, Origin>
  const values = defaultSettings(layers)
  for (const name of SETTING_NAMES) origins[name] = settle(name, values, layers)
  return { values, origins }
}

/** Names the settings of a group by group and name, as the table does. */
function flattenGroups(values: ConfigFile['values']): ConfigFile['values'] {
  const groups = new Set(SETTING_NAMES.flatMap((name) => (name.includes('.') ? [name.split('.')[0]] : [])))
  return Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) =>
      groups.has(key) && typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.entries(value).map(([name, inner]) => [`${key}.${name}`, inner])
        : [[key, value]],
    ),
  )
}

function defaultSettings({ env, home, platform, systemZone }: SettingLayers): Settings {
  return {
    workspaces: [],
    extraPaths: [],
    transcripts: [],
    store: defaultStoreFile({ env, home, platform }),
    readStore: undefined,
    embedding: 'bundled',
    embeddingBaseUrl: undefined,
    cacheDir: undefined,
    tenant: 'local',
    agent: undefined,
    team: [],
    project: undefined,
    timeZone: systemZone,
    newestTranscripts: undefined,
    archives: ['reset'],
    noNative: false,
    warm: true,
    'recall.threshold': undefined,
    'recall.tokenBudget': undefined,
    'recall.deadlineMs': undefined,
    'correlation.enabled': undefined,
    'correlation.minScore': undefined,
    'correlation.maxLinks': undefined,
    'correlation.autoDiscover': undefined,
    'correlation.consensus': undefined,
    'heartbeat.autonomy': undefined,
    'heartbeat.quietHours': undefined,
    'heartbeat.everyMinutes': undefined,
    languageModel: undefined,
    languageModelBaseUrl: undefined,
  }
}

/** Puts the value of the strongest layer that has one in place, and says which layer that was. */
function settle<Name extends SettingName>(
  name: Name,
  values: Pick<Settings, Name>,
  { flags, env, file, home, cwd, configFolder, platform }: SettingLayers,
): Origin {
  const { flag, separator, ...rule } = SETTINGS[name]
  const fromCwd = { home, base: cwd, platform }
  const variable = rule.plainVariable !== undefined && !env[rule.variable] ? rule.plainVariable : rule.variable
  const written = env[variable]
  if (flags[name] !== undefined) {
    const origin: Origin = { layer: 'flag', name: flag ?? name }
    values[name] = readSetting(name, flags[name], origin, fromCwd)
    return origin
  }
  if (written !== undefined && written !== '') {
    const origin: Origin = { layer: 'environment', name: variable }
    const raw = separator ? splitList(written, separator === 'path' ? delimiter : separator) : written
    values[name] = readSetting(name, raw, origin, fromCwd)
    return origin
  }
  const inFile = file && Object.hasOwn(file.values, name) ? file.values[name] : undefined
  if (file && inFile !== undefined) {
    const origin: Origin = { layer: 'file', name: file.path }
    values[name] = readSetting(name, inFile, origin, { home, base: configFolder, platform })
    return origin
  }
  return { layer: 'default', name: 'default' }
}

function readSetting<Name extends SettingName>(
  name: Name,
  raw: unknown,
  origin: Origin,
  context: PathContext,
): Settings[Name] {
  const rule = SETTINGS[name]
  const reading = rule.read(raw, context)
  if ('value' in reading) return reading.value
  const nearest = typeof raw === 'string' && rule.choices ? nearestName(raw, rule.choices) : undefined
  const where = origin.layer === 'file' ? `${name} in ${shortenPath(origin.name, context.home)}` : origin.name
  const shown = typeof raw === 'string' ? hidePassword(raw) : raw
  throw new MadeleineError('INVALID_OPTION', `Cannot use ${JSON.stringify(shown)} for ${where}: ${reading.problem}`, {
    remedy: `Allowed: ${rule.allowed}.${nearest ? ` Did you mean ${nearest}?` : ''}${yieldingTo(origin, rule)}`,
  })
}

/** A variable without our prefix may be meant for another program: how to make it count for that one alone. */
function yieldingTo({ name }: Origin, { plainVariable, variable }: SettingRule<unknown>): string {
  return name === plainVariable ? ` Where ${name} is meant for another program, set ${variable}: it goes before.` : ''
}

function splitList(written: string, separator: string): string[] {
  return written
    .split(separator)
    .map((part) => part.trim())
    .filter(Boolean)
}

/** Values of unknown keys are not shown: a key that does not belong in the file may be a secret. */
function refuseUnknownKeys({ file, home }: SettingLayers): void {
  const unknown = Object.keys(file?.values ?? {}).find((key) => !Object.hasOwn(SETTINGS, key))
  if (!file || unknown === undefined) return
  const isSecret = /key|token|secret|password/i.test(unknown)
  const remedy = isSecret
    ? 'Keys of services come from the environment: MADELEINE_EMBEDDING_KEY, OPENAI_API_KEY or VOYAGE_API_KEY.'
    : suggest(unknown, SETTING_NAMES)
  throw new MadeleineError(
    'INVALID_OPTION',
    `Cannot use the key ${JSON.stringify(unknown)} in ${shortenPath(file.path, home)}: no such setting`,
    { remedy },
  )
}

function refuseUnknownVariables(env: NodeJS.ProcessEnv): void {
  const unknown = Object.keys(env).find((name) => name.startsWith('MADELEINE_') && !KNOWN_VARIABLES.includes(name))
  if (unknown === undefined) return
  throw new MadeleineError('INVALID_OPTION', `Cannot use the environment variable ${unknown}: no such setting`, {
    remedy: suggest(unknown, KNOWN_VARIABLES),
  })
}

function suggest(unknown: string, names: readonly string[]): string {
  const nearest = nearestName(unknown, names)
  return nearest ? `Did you mean ${nearest}?` : `Allowed: ${names.join(', ')}.`
}
