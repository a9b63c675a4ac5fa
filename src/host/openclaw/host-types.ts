/**
 * The part of OpenClaw's plugin interface that is used here, written down by shape: nothing of the host is needed to build, and what a
 * host of another age lacks is optional. Whether it is there is asked of the object, never of a version.
 */

/** Why the host calls `register`. Only `full` is a plugin at work. */
export type RegistrationMode =
  | 'full'
  | 'discovery'
  | 'tool-discovery'
  | 'setup-only'
  | 'setup-runtime'
  | 'cli-metadata'
  | (string & {})

export interface HostLogger {
  info(message: string): void
  warn(message: string): void
  error(message: string): void
  debug?(message: string): void
}

export interface PluginApi {
  registrationMode?: RegistrationMode
  config?: HostConfig
  pluginConfig?: unknown
  /** In some modes every field of it throws. */
  runtime?: HostRuntime
  logger: HostLogger
  on?(hook: string, handler: HookHandler, options?: HookOptions): void
  registerTool?(factory: (context: ToolContext) => AgentTool | null, options?: { names?: readonly string[] }): void
  registerService?(service: PluginService): void
  registerCli?(
    register: (context: CliContext) => void,
    options?: { descriptors?: readonly CliDescriptor[]; commands?: readonly string[] },
  ): void
  registerMemoryCapability?(capability: MemoryCapability): void
  registerMemoryPromptSection?(builder: PromptBuilder): void
  registerMemoryFlushPlan?(resolver: FlushPlanResolver): void
  registerMemoryRuntime?(runtime: MemoryRuntime): void
  registerMemoryCorpusSupplement?(supplement: CorpusSupplement): void
}

/** What is read of the host's configuration. Anything may be missing or of another form. */
export interface HostConfig {
  agents?: {
    defaults?: {
      workspace?: unknown
      userTimezone?: unknown
      compaction?: { memoryFlush?: FlushSettings; reserveTokensFloor?: unknown }
    }
    list?: unknown
    entries?: unknown
  }
  memory?: { citations?: unknown }
  plugins?: {
    slots?: { memory?: unknown }
    entries?: Record<
      string,
      { enabled?: unknown; hooks?: { allowConversationAccess?: unknown; allowPromptInjection?: unknown } } | undefined
    >
  }
}

export interface FlushSettings {
  enabled?: unknown
  softThresholdTokens?: unknown
  forceFlushTranscriptBytes?: unknown
  prompt?: unknown
  systemPrompt?: unknown
}

export interface HostRuntime {
  state?: { resolveStateDir?(environment?: NodeJS.ProcessEnv): string }
  agent?: { resolveAgentWorkspaceDir?(config: HostConfig, agentId: string): string }
}

export interface HookOptions {
  priority?: number
  timeoutMs?: number
  /** Hosts that know it run the hook once the turn's tools are settled, and tell them; others ignore it. */
  requiresToolAuthority?: true
}

export type HookHandler = (event: never, context: never) => unknown

/** What a hook is told of the turn at hand. */
export interface TurnContext {
  runId?: string
  agentId?: string
  sessionKey?: string
  sessionId?: string
  workspaceDir?: string
  trigger?: string
  inputProvenance?: { kind?: string }
  toolAuthority?: { allows(tool: string): boolean }
  hookInvocation?: { assertActive(): void }
}

export interface PromptEvent {
  prompt?: unknown
  currentUserMessage?: unknown
  messages?: unknown
}

export interface ToolContext {
  config?: HostConfig
  agentId?: string
  sessionKey?: string
  sessionId?: string
  workspaceDir?: string
}

export interface AgentTool {
  name: string
  label: string
  description: string
  parameters: object
  execute(callId: string, parameters: unknown, signal?: AbortSignal): Promise<ToolResult>
}

export interface ToolResult {
  content: Array<{ type: 'text'; text: string }>
  details: unknown
}

export interface PluginService {
  id: string
  start(context?: { stateDir?: string }): void | Promise<void>
  stop(): void | Promise<void>
}

export interface CliDescriptor {
  name: string
  description: string
  hasSubcommands: boolean
}

export interface CliContext {
  program: CliCommand
  config?: HostConfig
}

/** A command of the host's own copy of commander. */
export interface CliCommand {
  command(name: string): CliCommand
  description(text: string): CliCommand
  argument(name: string, description?: string): CliCommand
  option(flags: string, description?: string): CliCommand
  action(run: (...values: never[]) => Promise<void>): CliCommand
}

export type PromptBuilder = (request: { availableTools?: Iterable<string>; citationsMode?: string }) => string[]

export type FlushPlanResolver = (request?: {
  cfg?: HostConfig
  nowMs?: number
  contextWindowTokens?: number
}) => FlushPlan | null

export interface FlushPlan {
  softThresholdTokens: number
  forceFlushTranscriptBytes: number
  reserveTokensFloor: number
  prompt: string
  systemPrompt: string
  relativePath: string
}

export interface MemoryCapability {
  promptBuilder: PromptBuilder
  flushPlanResolver: FlushPlanResolver
  runtime: MemoryRuntime
}

export interface MemoryRuntime {
  getMemorySearchManager(request: { cfg?: HostConfig; agentId?: string }): Promise<{
    manager: MemorySearchManager | null
    error?: string
  }>
  resolveMemoryBackendConfig(): { backend: 'builtin' }
  authorizeSearchHits(request: { agentId?: string; requesterSessionKey?: string; hits: HostHit[] }): Promise<HostHit[]>
  closeAllMemorySearchManagers(): Promise<void>
}

/** The host's name for what searches the memory of one agent. */
export interface MemorySearchManager {
  search(query: string, options?: ManagerSearchOptions): Promise<HostHit[]>
  readFile(request: { relPath: string; from?: number; lines?: number }): Promise<ReadAnswer>
  status(): object
  sync(request?: { force?: boolean; progress?: (update: { completed: number; total: number }) => void }): Promise<void>
  probeEmbeddingAvailability(): Promise<{ ok: boolean; error?: string }>
  probeVectorAvailability(): Promise<boolean>
  close(): Promise<void>
}

export interface ManagerSearchOptions {
  maxResults?: number
  minScore?: number
  sessionKey?: string
  lexicalOnly?: boolean
  sources?: readonly string[]
}

/** A hit in the host's words, and its heading beside them. */
export interface HostHit {
  path: string
  startLine: number
  endLine: number
  score: number
  vectorScore?: number
  textScore?: number
  snippet: string
  source: 'memory' | 'sessions'
  corpus: string
  citation?: string
  header: string
  id: string
  role?: string
  tool?: string
  occurredAt?: string
}

export type ReadAnswer =
  | { status: 'ok'; text: string; path: string; truncated?: boolean; from: number; lines: number; nextFrom?: number }
  | { status: 'not_found'; text: ''; path: string }
  | { status: 'error'; text: ''; path: string; code: string; error: string }

export interface CorpusSupplement {
  search(request: {
    query: string
    maxResults?: number
    agentId?: string
    agentSessionKey?: string
  }): Promise<CorpusHit[]>
  get(request: {
    lookup: string
    fromLine?: number
    lineCount?: number
    agentId?: string
    agentSessionKey?: string
  }): Promise<CorpusText | null>
}

export interface CorpusHit {
  corpus: string
  path: string
  title: string
  kind: string
  score: number
  snippet: string
  id: string
  startLine: number
  endLine: number
  source: string
  updatedAt?: string
}

export interface CorpusText {
  corpus: string
  path: string
  content: string
  fromLine: number
  lineCount: number
}
