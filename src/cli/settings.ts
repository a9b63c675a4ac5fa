import type { Autonomy } from '../index.ts'
import { type PathContext, pathProblem, resolvePath } from './paths.ts'

/** Everything that can be configured. Paths are absolute. A name with a dot stands in a group of the file: `recall: {threshold: …}`. */
export interface Settings {
  workspaces: readonly string[]
  extraPaths: readonly string[]
  transcripts: readonly string[]
  store: string
  readStore: string | undefined
  embedding: string
  embeddingBaseUrl: string | undefined
  cacheDir: string | undefined
  tenant: string
  agent: string | undefined
  team: readonly string[]
  project: string | undefined
  timeZone: string
  newestTranscripts: number | undefined
  archives: ReadonlyArray<(typeof ARCHIVES)[number]>
  noNative: boolean
  warm: boolean
  'recall.threshold': number | undefined
  'recall.tokenBudget': number | undefined
  'recall.deadlineMs': number | undefined
  'correlation.enabled': boolean | undefined
  'correlation.minScore': number | undefined
  'correlation.maxLinks': number | undefined
  'correlation.autoDiscover': boolean | undefined
  'correlation.consensus': number | undefined
  'heartbeat.autonomy': Autonomy | undefined
  /** `HH:MM-HH:MM` or none. */
  'heartbeat.quietHours': string | undefined
  'heartbeat.everyMinutes': number | undefined
  languageModel: string | undefined
  languageModelBaseUrl: string | undefined
}
export type SettingName = keyof Settings

/** A value as read, or what is wrong with it in words that follow the value. */
export type Reading<T> = { value: T } | { problem: string }

/** How one setting is read, from the file (any YAML value) or from a variable or flag (text). */
export interface SettingRule<T> {
  /** The environment variable that sets it. */
  variable: string
  /** A name without our prefix that sets it too, where ours does not. */
  plainVariable?: string
  /** The flag that sets it, if there is one. */
  flag?: string
  /** What values are allowed, as an error says it. */
  allowed: string
  /** Words to choose from, for suggestions. */
  choices?: readonly string[]
  /** A list is written in one variable with this between its parts: `path` is the system's path delimiter. */
  separator?: 'path' | ','
  read(raw: unknown, context: PathContext): Reading<T>
}

const NOT_ALLOWED = { problem: 'it is not allowed' }
/** The bundled model by its own name. */
const BUNDLED_MODEL = 'all-MiniLM-L6-v2'
const EMBEDDING_CHOICES = ['bundled', 'none', 'ollama:MODEL', 'openai:MODEL', 'voyage:MODEL']
const TRUE_WORDS = new Set(['true', '1', 'yes', 'on'])
const FALSE_WORDS = new Set(['false', '0', 'no', 'off'])

/** Most links of a memory, and most reviewers, that the library takes. */
const MAX_LINKS = 10_000
const MAX_CONSENSUS = 100
/** How eagerly it speaks up between turns. */
const AUTONOMIES: readonly Autonomy[] = ['observe', 'suggest', 'act']
/** Most minutes between two heartbeats that the library takes: a week. */
const MAX_EVERY_MINUTES = 10_080

/** Kinds of archives that hosts leave beside their transcripts. */
const ARCHIVES = ['reset', 'deleted', 'backup', 'checkpoint'] as const

/** The one table of settings. */
export const SETTINGS: { readonly [Name in SettingName]: SettingRule<Settings[Name]> } = {
  workspaces: {
    variable: 'MADELEINE_WORKSPACES',
    flag: '--workspace',
    allowed: 'a list of folders of Markdown notes',
    separator: 'path',
    read: readPaths,
  },
  extraPaths: {
    variable: 'MADELEINE_EXTRA_PATHS',
    flag: '--extra-path',
    allowed: 'a list of folders, files or patterns such as ~/notes/**/*.md',
    separator: 'path',
    read: readPaths,
  },
  transcripts: {
    variable: 'MADELEINE_TRANSCRIPTS',
    flag: '--transcripts',
    allowed: 'a list of folders of transcripts',
    separator: 'path',
    read: readPaths,
  },
  store: {
    variable: 'MADELEINE_STORE',
    flag: '--store',
    allowed: 'a file, or postgres://user@host/database',
    read: readStore,
  },
  readStore: {
    variable: 'MADELEINE_READ_STORE',
    flag: '--read-store',
    allowed: 'postgres://user@host/database of a hot standby of the store',
    read: readReadStore,
  },
  embedding: {
    variable: 'MADELEINE_EMBEDDING',
    plainVariable: 'EMBEDDING_MODEL',
    flag: '--embedding',
    allowed: `${EMBEDDING_CHOICES.join(', ')}, or ${BUNDLED_MODEL}, which is the bundled one`,
    choices: EMBEDDING_CHOICES,
    read: readEmbedding,
  },
  embeddingBaseUrl: { variable: 'MADELEINE_EMBEDDING_BASE_URL', allowed: 'an http or https URL', read: readUrl },
  cacheDir: { variable: 'MADELEINE_CACHE_DIR', allowed: 'a folder', read: readPath },
  tenant: { variable: 'MADELEINE_TENANT', flag: '--tenant', allowed: 'a name', read: readName },
  agent: { variable: 'MADELEINE_AGENT', flag: '--agent', allowed: 'a name', read: readName },
  team: { variable: 'MADELEINE_TEAM', allowed: 'a list of agent names', separator: ',', read: readNames },
  project: { variable: 'MADELEINE_PROJECT', flag: '--project', allowed: 'a folder', read: readPath },
  timeZone: {
    variable: 'MADELEINE_TIME_ZONE',
    flag: '--tz',
    allowed: 'a time zone such as Europe/Zurich or UTC',
    read: readZone,
  },
  newestTranscripts: { variable: 'MADELEINE_NEWEST_TRANSCRIPTS', allowed: 'a whole number from 1', read: readCount },
  archives: {
    variable: 'MADELEINE_ARCHIVES',
    allowed: `a list of ${ARCHIVES.join(', ')}`,
    choices: ARCHIVES,
    separator: ',',
    read: readArchives,
  },
  noNative: { variable: 'MADELEINE_NO_NATIVE', allowed: 'true or false', read: readSwitch },
  warm: { variable: 'MADELEINE_WARM', allowed: 'true or false', read: readSwitch },
  'recall.threshold': { variable: 'MADELEINE_RECALL_THRESHOLD', allowed: 'a number from 0 to 1', read: readShare },
  'recall.tokenBudget': {
    variable: 'MADELEINE_RECALL_TOKEN_BUDGET',
    allowed: 'a whole number from 1',
    read: readCount,
  },
  'recall.deadlineMs': { variable: 'MADELEINE_RECALL_DEADLINE_MS', allowed: 'milliseconds, from 1', read: readCount },
  'correlation.enabled': {
    variable: 'MADELEINE_CORRELATION_ENABLED',
    plainVariable: 'CORRELATOR_ENABLED',
    allowed: 'true or false',
    read: readSwitch,
  },
  'correlation.minScore': {
    variable: 'MADELEINE_CORRELATION_MIN_SCORE',
    plainVariable: 'MIN_CORRELATION_SCORE',
    allowed: 'a number from 0 to 1',
    read: readShare,
  },
  'correlation.maxLinks': {
    variable: 'MADELEINE_CORRELATION_MAX_LINKS',
    plainVariable: 'MAX_LINKS_PER_MEMORY',
    allowed: `a whole number from 1 to ${MAX_LINKS}`,
    read: (raw) => readCountTo(raw, MAX_LINKS),
  },
  'correlation.autoDiscover': {
    variable: 'MADELEINE_CORRELATION_AUTO_DISCOVER',
    plainVariable: 'AUTO_DISCOVER_ENABLED',
    allowed: 'true or false',
    read: readSwitch,
  },
  'correlation.consensus': {
    variable: 'MADELEINE_CORRELATION_CONSENSUS',
    allowed: `a whole number from 1 to ${MAX_CONSENSUS}`,
    read: (raw) => readCountTo(raw, MAX_CONSENSUS),
  },
  'heartbeat.autonomy': {
    variable: 'MADELEINE_HEARTBEAT_AUTONOMY',
    allowed: AUTONOMIES.join(', '),
    choices: AUTONOMIES,
    read: readAutonomy,
  },
  'heartbeat.quietHours': {
    variable: 'MADELEINE_HEARTBEAT_QUIET_HOURS',
    allowed: 'two local times such as 23:00-07:00, or none',
    read: readQuietHours,
  },
  'heartbeat.everyMinutes': {
    variable: 'MADELEINE_HEARTBEAT_EVERY_MINUTES',
    allowed: `a whole number of minutes from 1 to ${MAX_EVERY_MINUTES}`,
    read: (raw) => readCountTo(raw, MAX_EVERY_MINUTES),
  },
  languageModel: {
    variable: 'MADELEINE_LANGUAGE_MODEL',
    allowed: 'openai:MODEL, anthropic:MODEL or ollama:MODEL',
    read: readLanguageModel,
  },
  languageModelBaseUrl: {
    variable: 'MADELEINE_LANGUAGE_MODEL_BASE_URL',
    allowed: 'an http or https URL',
    read: readUrl,
  },
}

export const SETTING_NAMES = Object.keys(SETTINGS) as SettingName[]

/** Keys of services come from the environment alone, so that no file and no output holds one. */
export const KEY_VARIABLES = [
  'MADELEINE_EMBEDDING_KEY',
  'MADELEINE_LANGUAGE_MODEL_KEY',
  'OPENAI_API_KEY',
  'VOYAGE_API_KEY',
  'ANTHROPIC_API_KEY',
] as const

/** Every variable of ours that the program knows. */
export const KNOWN_VARIABLES: readonly string[] = [
  ...SETTING_NAMES.map((name) => SETTINGS[name].variable),
  'MADELEINE_CONFIG',
  'MADELEINE_EMBEDDING_KEY',
  'MADELEINE_LANGUAGE_MODEL_KEY',
  'MADELEINE_CHILD',
  'MADELEINE_DEBUG',
]

function readText(raw: unknown): string | undefined {
  return typeof raw === 'string' && raw.trim() !== '' ? raw : undefined
}

function readName(raw: unknown): Reading<string> {
  const text = readText(raw)
  return text === undefined || /[\u0000-\u001f\u007f]/.test(text) ? NOT_ALLOWED : { value: text }
}

function readNames(raw: unknown): Reading<string[]> {
  return readEach(raw, readName)
}

function readPath(raw: unknown, context: PathContext): Reading<string> {
  if (typeof raw !== 'string') return NOT_ALLOWED
  const problem = pathProblem(raw, context.platform)
  return problem ? { problem } : { value: resolvePath(raw, context) }
}

function readPaths(raw: unknown, context: PathContext): Reading<string[]> {
  return readEach(raw, (part) => readPath(part, context))
}

/** One value stands for a list of one. */
function readEach(raw: unknown, readPart: (part: unknown) => Reading<string>): Reading<string[]> {
  const values: string[] = []
  for (const part of Array.isArray(raw) ? raw : [raw]) {
    const reading = readPart(part)
    if ('problem' in reading) return reading
    if (!values.includes(reading.value)) values.push(reading.value)
  }
  return { value: values }
}

function readArchives(raw: unknown): Reading<Settings['archives']> {
  const reading = readEach(raw, readName)
  if ('problem' in reading) return reading
  const known = ARCHIVES.filter((kind) => reading.value.includes(kind))
  return known.length === reading.value.length ? { value: known } : NOT_ALLOWED
}

function readStore(raw: unknown, context: PathContext): Reading<string> {
  if (typeof raw !== 'string' || !/^[a-z][a-z0-9+.-]+:\/\//i.test(raw)) return readPath(raw, context)
  if (!/^postgres(?:ql)?:/i.test(raw)) return { problem: 'a store is a file or in PostgreSQL' }
  return URL.canParse(raw) ? { value: raw } : { problem: 'it is no URL; in a password some characters have to be %XX' }
}

function readReadStore(raw: unknown, context: PathContext): Reading<string> {
  return typeof raw === 'string' && /^postgres(?:ql)?:\/\//i.test(raw) ? readStore(raw, context) : NOT_ALLOWED
}

function readEmbedding(raw: unknown): Reading<string> {
  if (raw === BUNDLED_MODEL) return { value: 'bundled' }
  const isKnown = typeof raw === 'string' && /^(?:bundled|none|(?:ollama|openai|voyage):\S+)$/.test(raw)
  return isKnown ? { value: raw } : NOT_ALLOWED
}

function readLanguageModel(raw: unknown): Reading<string> {
  const isKnown = typeof raw === 'string' && /^(?:openai|anthropic|ollama):\S+$/.test(raw)
  return isKnown ? { value: raw } : NOT_ALLOWED
}

function readUrl(raw: unknown): Reading<string> {
  const text = readText(raw)
  return text && URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) ? { value: text } : NOT_ALLOWED
}

function readZone(raw: unknown): Reading<string> {
  const text = readText(raw)
  if (text === undefined) return NOT_ALLOWED
  try {
    new Intl.DateTimeFormat('en', { timeZone: text })
    return { value: text }
  } catch {
    return { problem: 'no such time zone is known' }
  }
}

function readCount(raw: unknown): Reading<number> {
  const count = typeof raw === 'string' && /^\d{1,9}$/.test(raw.trim()) ? Number(raw) : raw
  return typeof count === 'number' && Number.isInteger(count) && count >= 1 ? { value: count } : NOT_ALLOWED
}

function readCountTo(raw: unknown, max: number): Reading<number> {
  const reading = readCount(raw)
  return 'value' in reading && reading.value > max ? NOT_ALLOWED : reading
}

function readShare(raw: unknown): Reading<number> {
  const share = typeof raw === 'string' && /^\d*\.?\d+$/.test(raw.trim()) ? Number(raw) : raw
  return typeof share === 'number' && share >= 0 && share <= 1 ? { value: share } : NOT_ALLOWED
}

function readAutonomy(raw: unknown): Reading<Autonomy> {
  const known = AUTONOMIES.find((autonomy) => autonomy === raw)
  return known ? { value: known } : NOT_ALLOWED
}

function readQuietHours(raw: unknown): Reading<string> {
  const text = typeof raw === 'string' ? raw.replace(/\s/g, '') : ''
  const time = '((?:[01]\\d|2[0-3]):[0-5]\\d)'
  const [, from, to] = new RegExp(`^${time}-${time}$`).exec(text) ?? []
  return text === 'none' || from !== to ? { value: text } : NOT_ALLOWED
}

function readSwitch(raw: unknown): Reading<boolean> {
  const word = String(raw).trim().toLowerCase()
  if (TRUE_WORDS.has(word)) return { value: true }
  return FALSE_WORDS.has(word) ? { value: false } : NOT_ALLOWED
}
