import { homedir } from 'node:os'
import { join, resolve, sep } from 'node:path'
import { answerFromReplica } from './answer-from-replica.ts'
import type { EmbeddingProvider } from './embedding/embedding-provider.ts'
import { createBundledProvider, parseRemoteSpec } from './embedding/index.ts'
import { createEngine } from './engine.ts'
import { MadeleineError } from './errors.ts'
import { completeSettings } from './heartbeat/active-hours.ts'
import type { LanguageModel } from './language-model/language-model.ts'
import type { Clock } from './model/clock.ts'
import type { CorrelatorSettings } from './model/correlation.ts'
import type { Madeleine, StoreMend } from './model/engine.ts'
import type { HeartbeatSettings } from './model/heartbeat.ts'
import { hidePassword } from './model/hide-password.ts'
import type { Visibility } from './model/memory.ts'
import { createReadAhead } from './read-ahead/read-ahead.ts'
import type { ArchiveKind } from './source/archive-policy.ts'
import { findClaudeMemoryDirs } from './source/claude-memory-dirs.ts'
import { createMarkdownSource } from './source/markdown-source.ts'
import { locateNotes } from './source/path-pattern.ts'
import { findProject } from './source/project-root.ts'
import type { Source } from './source/source.ts'
import { createTranscriptSource } from './source/transcript-source.ts'
import type { StoreArchive } from './store/archive/archive-record.ts'
import type { MemoryStore } from './store/memory-store.ts'
import type { ReadStore } from './store/read-store.ts'
import { mendStore as mendFile } from './store/sqlite/mend/mend-store.ts'
import { openSqliteStore } from './store/sqlite/open-sqlite-store.ts'
import { isPostgresUrl } from './store/store-location.ts'

/** A folder of notes whose agent its name does not tell. */
export interface WorkspaceOption {
  /** `~` is the user's home. */
  path: string
  agent: string
  /** Default private. */
  visibility?: Visibility
}

export interface OpenOptions {
  /** Folders of Markdown notes; `~` is the user's home. The agent of a plain path is the engine's, else `workspace-<agent>`, else main. */
  workspaces?: readonly (string | WorkspaceOption)[]
  /**
   * Markdown notes beside the workspaces, seen by every agent and in every project: folders, files, or patterns such as
   * `~/notes/**\/*.md`; `~` is the user's home.
   */
  extraPaths?: readonly string[]
  /** Folders of transcripts of any supported agent; `~` is the user's home. */
  transcripts?: readonly string[]
  /** Sources of the caller's own, beside those. */
  sources?: readonly Source[]
  /**
   * File of the store, `postgres://user@host:5432/database` (with `?schema=name`, else madeleine) for one in PostgreSQL, or a store;
   * default one file in the user's data directory. A store in PostgreSQL is opened for the engine's tenant alone.
   */
  store?: string | MemoryStore
  /**
   * `postgres://…` of a hot standby of the store's server, which searches and recalls ask in its place; what is written goes to the store.
   * Where the standby is away the store answers, and `degraded` and `doctor` say so.
   */
  readStore?: string
  /** 'bundled' (default), 'none', 'ollama:MODEL', 'openai:MODEL', 'voyage:MODEL', or a provider. */
  embedding?: string | EmbeddingProvider
  /** Where the prepared model is kept; default the user's cache directory. */
  cacheDir?: string
  /** Base URL and key of a remote embedding service. */
  embeddingEndpoint?: { baseUrl?: string; apiKey?: string }
  /** Default 'local'. */
  tenant?: string
  agentId?: string
  /** Agents that share their `team` memories. */
  team?: readonly string[]
  project?: string
  /** Archives of transcripts that are read: reset, deleted, backup, checkpoint. Default reset alone. */
  archives?: readonly ArchiveKind[]
  /** Read at most this many transcripts of each folder, newest first. Default all. */
  newestTranscripts?: number
  now?: Clock
  /** IANA zone; default the system's. */
  timeZone?: string
  /** Plain JavaScript instead of WebAssembly for the vector scan. */
  noNative?: boolean
  /** Read everything in this thread: for hosts that want no others. By default a large index run reads in a thread of its own. */
  noThreads?: boolean
  /** Recall before a turn: least score [0,1], tokens of the block, deadline in ms. Defaults in options.ts. */
  recall?: { threshold?: number; tokenBudget?: number; deadlineMs?: number }
  /** Relationships between memories. Defaults in correlation/correlation-options.ts. */
  correlation?: CorrelatorSettings
  /** When and how eagerly it speaks up between turns. Defaults in heartbeat/decision-options.ts. */
  heartbeat?: HeartbeatSettings
  /** Asked where a heartbeat is to be analysed, and by nothing else: 'openai:MODEL', 'anthropic:MODEL', 'ollama:MODEL', or a model. Default none. */
  languageModel?: string | LanguageModel
  /** Base URL and key of its service. */
  languageModelEndpoint?: { baseUrl?: string; apiKey?: string }
}

/**
 * Opens the store and wires the engine. Nothing is read from the sources until `index`, and no model is loaded until
 * something is to be embedded.
 */
export async function openMadeleine(options: OpenOptions = {}): Promise<Madeleine> {
  const timeZone = options.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
  const clock = options.now ?? (() => new Date())
  const tenant = options.tenant ?? 'local'
  const heartbeat = completeSettings(options.heartbeat)
  const languageModel = await openLanguageModel(options)
  const embedding = await openEmbedding(options)
  const { store, readStore } = await openStores(options, { clock, timeZone })
  const engine = createEngine({
    store,
    ...(readStore && { readStore: readStore.store }),
    sources: await openSources(options, tenant),
    embedding,
    clock,
    timeZone,
    ...(!options.noThreads && { openReader: createReadAhead }),
    viewer: {
      tenant,
      ...(options.agentId !== undefined && { agentId: options.agentId }),
      ...(options.team && { team: options.team }),
      ...(options.project !== undefined && { project: expandHome(options.project) }),
      findProject,
    },
    ...(options.recall && { recall: options.recall }),
    ...(options.correlation && { correlation: options.correlation }),
    heartbeat,
    ...(languageModel && { languageModel }),
  })
  return readStore ? answerFromReplica(engine, readStore) : engine
}

/**
 * Mends the damaged store that these options name, while no engine has it open: saves what can be read of what cannot be rebuilt
 * into a file beside it, sets the damaged file aside and makes a new store of it; `index` brings the documents back. Rejects with
 * STORE_UNUSABLE what is no store of ours, with STORE_BUSY while another process has it open, and changes nothing then.
 */
export async function mendStore(options: Pick<OpenOptions, 'store' | 'now'> = {}): Promise<StoreMend> {
  const { store, now: clock = () => new Date() } = options
  if (store !== undefined && typeof store !== 'string') {
    throw new MadeleineError('INVALID_OPTION', `Cannot mend the store ${store.location}: it is no file`, {
      remedy: 'Give the path of a file',
    })
  }
  if (store !== undefined && isPostgresUrl(store)) {
    throw new MadeleineError(
      'STORE_DAMAGED',
      `Cannot mend the store ${hidePassword(store)}: its files are the server's`,
      {
        remedy: 'Restore a backup of the database, or run "madeleine index" into a new one',
      },
    )
  }
  return mendFile({ file: storeFile(store), clock })
}

async function openSources(options: OpenOptions, tenant: string): Promise<Source[]> {
  const workspaces = (options.workspaces ?? []).map(toWorkspace)
  const transcripts = (options.transcripts ?? []).map(expandHome)
  const agent = options.agentId
  // Claude Code keeps notes of its own beside its transcripts: they are memory like any other.
  const hostNotes = (await Promise.all(transcripts.map(findClaudeMemoryDirs))).flat()
  const isListed = (folder: string): boolean =>
    workspaces.some(({ path }) => `${folder}${sep}`.startsWith(`${path}${sep}`))
  const notes = [...workspaces, ...hostNotes.filter((folder) => !isListed(folder)).map(toWorkspace)]
  return [
    ...notes.map(({ path, ...own }) => openNotes(path, { tenant, agent: agent ?? agentOfWorkspace(path), ...own })),
    ...(options.extraPaths ?? []).map((path) =>
      openNotes(expandHome(path), { tenant, agent: agent ?? 'main', visibility: 'global' }),
    ),
    ...transcripts.map((root) =>
      createTranscriptSource({
        root,
        tenant,
        ...(agent !== undefined && { agent }),
        ...(workspaces[0] !== undefined && { workspace: workspaces[0].path }),
        ...(options.newestTranscripts !== undefined && { newest: options.newestTranscripts }),
        ...(options.archives && { archives: options.archives }),
      }),
    ),
    ...(options.sources ?? []),
  ]
}

function toWorkspace(workspace: string | WorkspaceOption): { path: string } & Partial<WorkspaceOption> {
  return typeof workspace === 'string'
    ? { path: expandHome(workspace) }
    : { ...workspace, path: expandHome(workspace.path) }
}

function openNotes(path: string, scope: { tenant: string; agent: string; visibility?: Visibility }): Source {
  const { folder: root, ...only } = locateNotes(path)
  return createMarkdownSource({ root, ...only, ...scope })
}

/** OpenClaw keeps an agent's workspace in `workspace-<agent>`; any other folder is the main agent's. */
function agentOfWorkspace(root: string): string {
  return /[\\/]workspace-([^\\/]+)[\\/]?$/.exec(root)?.[1] ?? 'main'
}

async function openEmbedding(options: OpenOptions): Promise<EmbeddingProvider | null> {
  const wanted = options.embedding ?? 'bundled'
  if (typeof wanted !== 'string') return wanted
  if (wanted === 'none') return null
  if (wanted === 'bundled') return createBundledProvider({ cacheDir: options.cacheDir ?? defaultCacheDir() })
  const spec = parseRemoteSpec(wanted)
  if (!spec) {
    throw new MadeleineError('INVALID_OPTION', `Cannot embed with "${wanted}": no such provider is known`, {
      remedy: 'Use bundled, none, ollama:MODEL, openai:MODEL or voyage:MODEL',
    })
  }
  // Loaded only when chosen: nobody else should wait for it at start.
  const { createRemoteProvider } = await import('./embedding/remote/create-remote-provider.ts')
  return createRemoteProvider(spec, options.embeddingEndpoint ?? {})
}

async function openLanguageModel({
  languageModel: wanted,
  languageModelEndpoint = {},
}: OpenOptions): Promise<LanguageModel | undefined> {
  if (typeof wanted !== 'string') return wanted
  // Loaded only when chosen, as above.
  const { createLanguageModel } = await import('./language-model/create-language-model.ts')
  return createLanguageModel(wanted, languageModelEndpoint)
}

async function openStores(
  { store, readStore, noNative, tenant = 'local' }: OpenOptions,
  { clock, timeZone }: { clock: Clock; timeZone: string },
): Promise<{ store: MemoryStore; readStore?: ReadStore }> {
  const how = { clock, timeZone, tenants: [tenant], ...(noNative && { noNative }) }
  if (readStore !== undefined) return openReplicated({ store, readStore }, how)
  return { store: store === undefined || typeof store === 'string' ? await openNamedStore(store, how) : store }
}

async function openReplicated(
  { store, readStore }: { store: OpenOptions['store']; readStore: string },
  how: { clock: Clock; timeZone: string; tenants: readonly string[]; noNative?: boolean },
): Promise<{ store: MemoryStore; readStore: ReadStore }> {
  const problem = !isPostgresUrl(readStore)
    ? 'it is not in PostgreSQL'
    : typeof store !== 'string' || !isPostgresUrl(store)
      ? 'the store is not in PostgreSQL'
      : null
  if (problem !== null) {
    throw new MadeleineError('INVALID_OPTION', `Cannot read from "${hidePassword(readStore)}": ${problem}`, {
      remedy: 'Give postgres://… of a hot standby of the server that the store is on, or leave the read store out',
    })
  }
  // Loaded only when chosen, as above.
  const { openWithReplica } = await import('./store/postgres/replica/open-with-replica.ts')
  return openWithReplica({ url: String(store), readUrl: readStore, ...how })
}

/** Opens the store of a location (default: the user's own file), for these tenants where it is in PostgreSQL. */
export async function openNamedStore(
  store: string | undefined,
  { tenants, ...how }: { clock?: Clock; timeZone: string; tenants: readonly string[]; noNative?: boolean },
): Promise<MemoryStore & { archive(): StoreArchive }> {
  if (store === undefined || !isPostgresUrl(store)) return openSqliteStore({ file: storeFile(store), ...how })
  // Loaded only when chosen, as above.
  const { openPostgresStore } = await import('./store/postgres/open-postgres-store.ts')
  return openPostgresStore({ url: store, tenants, ...how })
}

function storeFile(store: string | undefined): string {
  if (store !== undefined && /^[a-z][a-z0-9+.-]+:\/\//i.test(store)) {
    throw new MadeleineError('INVALID_OPTION', `Cannot open the store "${hidePassword(store)}": it is no file`, {
      remedy: 'Give the path of a file, or postgres://user@host/database',
    })
  }
  return resolve(store === undefined ? join(dataDir(), 'store.sqlite') : expandHome(store))
}

function expandHome(path: string): string {
  return resolve(path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(1)) : path)
}

function dataDir(): string {
  return join(process.env.XDG_DATA_HOME ?? join(homedir(), '.local', 'share'), 'madeleine')
}

function defaultCacheDir(): string {
  return join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'madeleine')
}
