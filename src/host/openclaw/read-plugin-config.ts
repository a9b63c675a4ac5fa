import { MadeleineError } from '../../errors.ts'
import type { Autonomy } from '../../model/heartbeat.ts'

/** What can be set in the host's configuration for this plugin. What is not set has the engine's default. */
export interface PluginConfig {
  store?: string
  embedding?: string
  embeddingBaseUrl?: string
  cacheDir?: string
  tenant?: string
  team?: string[]
  timeZone?: string
  extraPaths?: string[]
  transcripts?: string[]
  archives?: Array<(typeof ARCHIVES)[number]>
  newestTranscripts?: number
  noNative?: boolean
  indexAfterTurn: boolean
  correlation?: { enabled?: boolean; minScore?: number; autoDiscover?: boolean }
  heartbeat: {
    enabled: boolean
    autonomy?: Autonomy
    /** `HH:MM-HH:MM` or none. */
    quietHours?: string
  }
  recall: {
    enabled: boolean
    threshold?: number
    tokenBudget?: number
    deadlineMs?: number
    inGroups: boolean
    allProjects: boolean
  }
}

/** One setting: the schema that the manifest shows the host, what is allowed in words, and the rule behind both. */
export interface SettingRule {
  schema: Readonly<Record<string, unknown>>
  allowed: string
  isAllowed(value: unknown): boolean
}

/** As the engine has them, whose code is loaded only when it is opened. */
const AUTONOMIES: readonly Autonomy[] = ['observe', 'suggest', 'act']
const ARCHIVES = ['reset', 'deleted', 'backup', 'checkpoint'] as const
/** Settings that stand in an object of their own. */
const GROUPS = ['recall', 'correlation', 'heartbeat'] as const
/** Two local times of a clock, or none. */
const QUIET_HOURS = /^(?:none|((?:[01]\d|2[0-3]):[0-5]\d)-(?!\1$)(?:[01]\d|2[0-3]):[0-5]\d)$/
const EMBEDDING = /^(?:bundled|none|(?:ollama|openai|voyage):\S+)$/

const text: SettingRule = {
  schema: { type: 'string', minLength: 1 },
  allowed: 'a text',
  isAllowed: (value) => typeof value === 'string' && value.trim() !== '',
}
const path: SettingRule = { ...text, allowed: 'a path' }
const texts: SettingRule = {
  schema: { type: 'array', items: { type: 'string', minLength: 1 } },
  allowed: 'a list of texts',
  isAllowed: (value) => Array.isArray(value) && value.every(text.isAllowed),
}
const onOff: SettingRule = {
  schema: { type: 'boolean' },
  allowed: 'true or false',
  isAllowed: (value) => typeof value === 'boolean',
}
const count: SettingRule = {
  schema: { type: 'integer', minimum: 1 },
  allowed: 'a whole number from 1',
  isAllowed: (value) => Number.isInteger(value) && Number(value) >= 1,
}
const share: SettingRule = {
  schema: { type: 'number', minimum: 0, maximum: 1 },
  allowed: 'a number from 0 to 1',
  isAllowed: (value) => typeof value === 'number' && value >= 0 && value <= 1,
}

/** The one table of settings; the manifests' `configSchema` says the same. A dot stands between a group and its setting. */
export const PLUGIN_SETTINGS: Readonly<Record<string, SettingRule>> = {
  store: path,
  embedding: {
    schema: { type: 'string', pattern: EMBEDDING.source },
    allowed: 'bundled, none, ollama:MODEL, openai:MODEL or voyage:MODEL',
    isAllowed: (value) => typeof value === 'string' && EMBEDDING.test(value),
  },
  embeddingBaseUrl: {
    schema: { type: 'string', pattern: '^https?://' },
    allowed: 'an http or https URL',
    isAllowed: (value) => typeof value === 'string' && /^https?:\/\//.test(value) && URL.canParse(value),
  },
  cacheDir: path,
  tenant: text,
  team: { ...texts, allowed: 'a list of agent ids' },
  timeZone: { ...text, allowed: 'a time zone such as Europe/Zurich or UTC', isAllowed: isTimeZone },
  extraPaths: { ...texts, allowed: 'a list of folders, files or patterns such as ~/notes/**/*.md' },
  transcripts: { ...texts, allowed: 'a list of folders of transcripts' },
  archives: {
    schema: { type: 'array', items: { type: 'string', enum: ARCHIVES } },
    allowed: `a list of ${ARCHIVES.join(', ')}`,
    isAllowed: (value) => Array.isArray(value) && value.every((kind) => ARCHIVES.includes(kind)),
  },
  newestTranscripts: count,
  noNative: onOff,
  indexAfterTurn: onOff,
  'correlation.enabled': onOff,
  'correlation.minScore': share,
  'correlation.autoDiscover': onOff,
  'heartbeat.enabled': onOff,
  'heartbeat.autonomy': {
    schema: { type: 'string', enum: AUTONOMIES },
    allowed: AUTONOMIES.join(', '),
    isAllowed: (value) => AUTONOMIES.some((known) => known === value),
  },
  'heartbeat.quietHours': {
    schema: { type: 'string', pattern: QUIET_HOURS.source },
    allowed: 'two local times such as 23:00-07:00, or none',
    isAllowed: (value) => typeof value === 'string' && QUIET_HOURS.test(value),
  },
  'recall.enabled': onOff,
  'recall.threshold': share,
  'recall.tokenBudget': count,
  'recall.deadlineMs': { ...count, allowed: 'milliseconds, from 1' },
  'recall.inGroups': onOff,
  'recall.allProjects': onOff,
}

/**
 * The plugin's settings as the host gives them, with our own defaults: hosts do not apply those of the schema reliably.
 * Throws INVALID_OPTION for the first unknown key or bad value; the message names the key, the value and what is allowed.
 */
export function readPluginConfig(raw: unknown, pluginId: string): PluginConfig {
  const where = `plugins.entries.${pluginId}.config`
  if (raw !== undefined && raw !== null && !isPlainObject(raw)) throw refuse(where, raw, 'an object of settings')
  const values = new Map<string, unknown>()
  for (const [key, value] of Object.entries(raw ?? {})) {
    if (isGroup(key)) for (const setting of readGroup(key, value, where)) values.set(...setting)
    else values.set(key, value)
  }
  for (const [key, value] of values) {
    const rule = Object.hasOwn(PLUGIN_SETTINGS, key) ? PLUGIN_SETTINGS[key] : undefined
    if (!rule) throw refuse(`${where}.${key}`, value, `one of these keys: ${Object.keys(PLUGIN_SETTINGS).join(', ')}`)
    if (value !== undefined && !rule.isAllowed(value)) throw refuse(`${where}.${key}`, value, rule.allowed)
  }
  return toConfig(values)
}

const isGroup = (key: string): key is (typeof GROUPS)[number] => GROUPS.some((group) => group === key)

function readGroup(group: string, value: unknown, where: string): Array<[string, unknown]> {
  if (!isPlainObject(value)) throw refuse(`${where}.${group}`, value, 'an object of settings')
  return Object.entries(value).map(([key, inner]) => [`${group}.${key}`, inner])
}

/** Every value has passed its rule here. */
function toConfig(values: ReadonlyMap<string, unknown>): PluginConfig {
  const plain: Record<string, unknown> = {}
  const groups: Partial<Record<(typeof GROUPS)[number], Record<string, unknown>>> = {}
  for (const [key, value] of values) {
    if (value === undefined) continue
    const [group = '', name] = key.split('.')
    if (name !== undefined && isGroup(group)) groups[group] = { ...groups[group], [name]: value }
    else plain[key] = value
  }
  return {
    indexAfterTurn: true,
    ...plain,
    ...groups,
    heartbeat: { enabled: true, ...groups.heartbeat },
    recall: { enabled: true, inGroups: false, allProjects: false, ...groups.recall },
  }
}

function refuse(where: string, value: unknown, allowed: string): MadeleineError {
  const shown = JSON.stringify(value) ?? String(value)
  return new MadeleineError('INVALID_OPTION', `Cannot use ${where}: ${shown} is not allowed. Allowed: ${allowed}`, {
    remedy: `Change ${where} in openclaw.json`,
  })
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isTimeZone(value: unknown): boolean {
  if (!text.isAllowed(value)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: String(value) })
    return true
  } catch {
    // That is how the runtime says that it knows no such zone.
    return false
  }
}
