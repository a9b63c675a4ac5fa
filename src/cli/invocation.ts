import { dirname } from 'node:path'
import type { Command } from 'commander'
import {
  type Clock,
  type HeartbeatSettings,
  type Madeleine,
  MadeleineError,
  type OpenOptions,
  openMadeleine,
} from '../index.ts'
import { locateConfigFile, readConfigFile } from './config-file.ts'
import { parseNow } from './instant.ts'
import { createOutput, type Output } from './output.ts'
import { shortenPath } from './paths.ts'
import { type ConfigFile, type ResolvedSettings, resolveSettings } from './resolve-settings.ts'
import type { SettingName, Settings } from './settings.ts'
import type { Surroundings } from './surroundings.ts'

/** The options that every command takes, before or after its name. */
export interface GlobalOptions {
  json?: boolean
  workspace?: string[]
  extraPath?: string[]
  transcripts?: string[]
  store?: string
  readStore?: string
  agent?: string
  project?: string
  tenant?: string
  embedding?: string
  now?: string
  tz?: string
  config?: string
}

/** One run of one command: what it was given and where it writes. */
export interface Invocation {
  readonly surroundings: Surroundings
  readonly output: Output
  readonly settings: ResolvedSettings
  readonly config: { path: string; file: ConfigFile | undefined }
  readonly now: Clock
  /** The user's zone. */
  readonly timeZone: string
}

/** What a command does. It answers with its exit code. */
export type Action = (invocation: Invocation) => Promise<number>

/** Adds one command to the program. `run` gives its action what every command needs, and keeps the exit code. */
export type AddCommand = (program: Command, run: (action: Action, options?: RunOptions) => Promise<void>) => void

export interface RunOptions {
  /** The command can do without the configuration file that was named. */
  configMayBeMissing?: boolean
  /** The configuration file of the user does not count. */
  withoutConfig?: boolean
}

/** Reads the configuration for one run. Throws INVALID_OPTION for anything in it that is wrong. */
export function beginInvocation(
  globals: GlobalOptions,
  surroundings: Surroundings,
  { configMayBeMissing = false, withoutConfig = false }: RunOptions = {},
): Invocation {
  const { env, home, cwd, platform } = surroundings
  const location = locateConfigFile(globals.config, surroundings)
  const mayBeMissing = configMayBeMissing || !location.isNamed
  const file = withoutConfig ? undefined : readConfigFile(location.path, { home, mayBeMissing })
  const settings = resolveSettings({
    flags: settingFlags(globals),
    env,
    file,
    home,
    cwd,
    configFolder: dirname(location.path),
    platform,
    systemZone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
  })
  const { timeZone } = settings.values
  const fixedNow = globals.now === undefined ? undefined : parseNow(globals.now, timeZone)
  return {
    surroundings,
    output: createOutput(surroundings, globals.json === true),
    settings,
    config: { path: location.path, file },
    now: () => (fixedNow ? new Date(fixedNow) : new Date()),
    timeZone,
  }
}

function settingFlags(globals: GlobalOptions): Partial<Record<SettingName, unknown>> {
  const { workspace, extraPath, transcripts, store, readStore, agent, project, tenant, embedding, tz } = globals
  return {
    workspaces: workspace,
    extraPaths: extraPath,
    transcripts,
    store,
    readStore,
    agent,
    project,
    tenant,
    embedding,
    timeZone: tz,
  }
}

/** Opens the engine that the settings describe, and closes it whatever happens. */
export async function withEngine<T>(invocation: Invocation, use: (engine: Madeleine) => Promise<T>): Promise<T> {
  const engine = await openMadeleine(openOptions(invocation))
  let answer: T
  try {
    answer = await use(engine)
  } catch (error) {
    // The first failure is the one to report.
    await engine.close().catch(() => undefined)
    throw error
  }
  await engine.close()
  return answer
}

/** Refuses to go on without sources: an index of nothing would look like success. Throws INVALID_OPTION. */
export function requireSources({ settings, config, surroundings }: Invocation): void {
  const { workspaces, extraPaths, transcripts } = settings.values
  if (workspaces.length + extraPaths.length + transcripts.length > 0) return
  const file = shortenPath(config.path, surroundings.home)
  throw new MadeleineError(
    'INVALID_OPTION',
    `Cannot index: no workspaces or transcripts are configured${config.file ? ` in ${file}` : ` (there is no ${file})`}`,
    { remedy: 'Run `madeleine init`, or name a folder with --workspace or --transcripts.' },
  )
}

/** The settings in the words of the library. */
export function openOptions({ settings, now, timeZone, surroundings }: Invocation): OpenOptions {
  const { values } = settings
  return {
    workspaces: values.workspaces,
    extraPaths: values.extraPaths,
    transcripts: values.transcripts,
    archives: values.archives,
    store: values.store,
    embedding: values.embedding,
    tenant: values.tenant,
    team: values.team,
    noNative: values.noNative,
    now,
    timeZone,
    recall: dropUndefined({
      threshold: values['recall.threshold'],
      tokenBudget: values['recall.tokenBudget'],
      deadlineMs: values['recall.deadlineMs'],
    }),
    correlation: dropUndefined({
      enabled: values['correlation.enabled'],
      minScore: values['correlation.minScore'],
      maxLinks: values['correlation.maxLinks'],
      autoDiscover: values['correlation.autoDiscover'],
      consensus: values['correlation.consensus'],
    }),
    heartbeat: dropUndefined({
      autonomy: values['heartbeat.autonomy'],
      quietHours: toQuietHours(values['heartbeat.quietHours']),
      everyMinutes: values['heartbeat.everyMinutes'],
    }),
    embeddingEndpoint: dropUndefined({
      baseUrl: values.embeddingBaseUrl,
      apiKey: embeddingKey(values, surroundings.env),
    }),
    languageModelEndpoint: dropUndefined({
      baseUrl: values.languageModelBaseUrl,
      apiKey: languageModelKey(values, surroundings.env),
    }),
    ...dropUndefined({
      readStore: values.readStore,
      cacheDir: values.cacheDir,
      agentId: values.agent,
      project: values.project,
      newestTranscripts: values.newestTranscripts,
      languageModel: values.languageModel,
    }),
  }
}

function toQuietHours(written: string | undefined): HeartbeatSettings['quietHours'] {
  if (written === undefined) return undefined
  if (written === 'none') return null
  const [from = '', to = ''] = written.split('-')
  return { from, to }
}

/** The key for the configured service: ours first, else the one that the service's own tools use. */
function embeddingKey({ embedding }: Settings, env: NodeJS.ProcessEnv): string | undefined {
  if (env.MADELEINE_EMBEDDING_KEY) return env.MADELEINE_EMBEDDING_KEY
  if (embedding.startsWith('openai:')) return env.OPENAI_API_KEY || undefined
  return embedding.startsWith('voyage:') ? env.VOYAGE_API_KEY || undefined : undefined
}

/** The same for the language model. */
function languageModelKey({ languageModel = '' }: Settings, env: NodeJS.ProcessEnv): string | undefined {
  if (env.MADELEINE_LANGUAGE_MODEL_KEY) return env.MADELEINE_LANGUAGE_MODEL_KEY
  if (languageModel.startsWith('openai:')) return env.OPENAI_API_KEY || undefined
  return languageModel.startsWith('anthropic:') ? env.ANTHROPIC_API_KEY || undefined : undefined
}

/** Leaves out what was not given, so that the receiver's defaults hold. */
export function dropUndefined<T extends object>(fields: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof T]?: Exclude<T[Name], undefined>
  }
}
