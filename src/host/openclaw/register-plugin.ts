import { BackgroundIndex, type StartIndexRun } from './background-index.ts'
import { createCorpusSupplement } from './corpus-supplement.ts'
import { findHostTroubles } from './find-host-troubles.ts'
import { stateDirOf, workspaceFor } from './find-sources.ts'
import { planFlush } from './flush-plan.ts'
import { createHeartbeatHook, isHeartbeatTurn } from './heartbeat-hook.ts'
import { addHostCommands, CLI_DESCRIPTOR } from './host-cli.ts'
import type { AgentTool, HookHandler, PluginApi, PromptEvent, ToolContext, TurnContext } from './host-types.ts'
import { buildMemoryPrompt, createMemoryRuntime } from './memory-capability.ts'
import { createGetTool, createSearchTool, type ToolParts } from './memory-tools.ts'
import { addEmbeddingKey, toOpenOptions } from './open-options.ts'
import { processState } from './process-state.ts'
import { type PluginConfig, readPluginConfig } from './read-plugin-config.ts'
import { createRecallHook } from './recall-hook.ts'
import { createGraphTool, createRelatedTool } from './relationship-tools.ts'
import { type OpenEngine, SharedEngine } from './shared-engine.ts'

/** Companion: beside the plugin that owns the host's memory. Owner: as that plugin. */
export type PluginMode = 'companion' | 'owner'

export interface PluginIdentity {
  id: string
  mode: PluginMode
}

/** What stands in for the engine and the indexing process; for tests. */
export interface PluginSeams {
  openEngine?: OpenEngine
  startIndexRun?: StartIndexRun
}

/** Tools of each mode. The manifests' `contracts.tools` name the same. */
export const TOOL_NAMES = {
  companion: {
    search: 'madeleine_search',
    get: 'madeleine_get',
    related: 'madeleine_related',
    graph: 'madeleine_graph',
  },
  owner: { search: 'memory_search', get: 'memory_get', related: 'memory_related', graph: 'memory_graph' },
} as const

type Parts = ToolParts & { index: BackgroundIndex }

/** Modes whose hooks the host may call: the newest ones run a turn without a gateway on what was registered for `discovery`. */
const LIVE_MODES: ReadonlySet<string> = new Set(['full', 'discovery'])

/**
 * Adds the plugin to the host. Opens nothing, starts nothing and may be called any number of times: a registration object gets its
 * hooks once, and of several that hear of the same turn one answers. Tools are there wherever the host collects them, the command
 * everywhere, the service in `full` mode.
 * Throws INVALID_OPTION, in `full` mode alone, for settings that cannot be used; in the others the plugin keeps still then.
 */
export function registerPlugin(api: PluginApi, identity: PluginIdentity, seams: PluginSeams = {}): void {
  const mode = api.registrationMode ?? 'full'
  if (mode === 'setup-only' || mode === 'setup-runtime') return
  const isLive = LIVE_MODES.has(mode)
  const { registered } = processState()
  if (isLive && registered.has(api)) return
  const config = readConfig(api, identity.id, mode)
  if (config === undefined) return
  if (isLive) registered.add(api)
  registerCommands(api, identity, { config, seams })
  if (mode === 'cli-metadata') return
  const parts = createParts(api, config, seams)
  registerTools(api, identity.mode, parts)
  registerMemory(api, identity.mode, parts)
  if (isLive) registerHooks(api, identity.mode, parts)
  if (mode === 'full') registerLifecycle(api, identity.id, parts)
}

function readConfig(api: PluginApi, id: string, mode: string): PluginConfig | undefined {
  try {
    return readPluginConfig(api.pluginConfig, id)
  } catch (error) {
    if (mode === 'full') throw error
    return undefined
  }
}

/** The engine and the index of these settings: one of each in a process. */
function createParts(api: PluginApi, config: PluginConfig, seams: PluginSeams): Parts {
  const state = processState()
  const options = () => toOpenOptions(api, config)
  const key = JSON.stringify([stateDirOf(api), config])
  const engine =
    state.engines.get(key) ?? new SharedEngine(() => addEmbeddingKey(options(), process.env), seams.openEngine)
  const index =
    state.indexes.get(key) ??
    new BackgroundIndex({ options, logger: api.logger, ...(seams.startIndexRun && { start: seams.startIndexRun }) })
  state.engines.set(key, engine)
  state.indexes.set(key, index)
  return { engine, index, config, workspaceOf: (agentId) => workspaceFor(api, agentId) }
}

function registerTools(api: PluginApi, mode: PluginMode, parts: Parts): void {
  const { search, get, related, graph } = TOOL_NAMES[mode]
  const add = (name: string, create: (context: ToolContext) => AgentTool): void =>
    api.registerTool?.((context) => create(context ?? {}), { names: [name] })
  add(search, (context) => createSearchTool(parts, search, context))
  add(get, (context) => createGetTool(parts, get, context))
  add(related, (context) => createRelatedTool(parts, related, context))
  add(graph, (context) => createGraphTool(parts, graph, context))
}

/** The host's memory itself, or what is added to it. Hosts without a capability take its parts one by one. */
function registerMemory(api: PluginApi, mode: PluginMode, parts: Parts): void {
  if (mode === 'companion') {
    api.registerMemoryCorpusSupplement?.(createCorpusSupplement(parts))
    return
  }
  const runtime = createMemoryRuntime(parts)
  if (api.registerMemoryCapability) {
    try {
      api.registerMemoryCapability({ promptBuilder: buildMemoryPrompt, flushPlanResolver: planFlush, runtime })
    } catch (error) {
      // The host gives the slot to another plugin: recall and tools serve all the same.
      api.logger.warn(`madeleine: the host's memory belongs to another plugin: ${String(error)}`)
    }
    return
  }
  api.registerMemoryPromptSection?.(buildMemoryPrompt)
  api.registerMemoryFlushPlan?.(planFlush)
  api.registerMemoryRuntime?.(runtime)
}

function registerHooks(api: PluginApi, mode: PluginMode, parts: Parts): void {
  const { claimed } = processState()
  const { config, engine, index, workspaceOf } = parts
  const claim = (event: object): boolean => {
    const isFirst = !claimed.has(event)
    claimed.add(event)
    return isFirst
  }
  const shared = { engine, config, workspaceOf, claim, logger: api.logger }
  const heartbeat = createHeartbeatHook(shared)
  const recall = createRecallHook({
    ...shared,
    tool: TOOL_NAMES[mode].search,
    // The same age of hosts that keeps injected text in its transcripts registers a memory part by part.
    injectionPersists: typeof api.registerMemoryPromptSection === 'function',
  })
  const on = (hook: string, handler: HookHandler, options?: { requiresToolAuthority: true }): void =>
    api.on?.(hook, handler, options)
  const beforePrompt = (event: PromptEvent = {}, context: TurnContext = {}) =>
    isHeartbeatTurn(event ?? {}, context ?? {}) ? heartbeat.beforePrompt(event, context) : recall(event, context)
  on('before_prompt_build', beforePrompt as HookHandler, { requiresToolAuthority: true })
  on('heartbeat_prompt_contribution', heartbeat.contribute as HookHandler)
  // Hosts call these some time before the recall: a run of one turn has no other chance to load store and model ahead.
  for (const hook of ['session_start', 'before_model_resolve']) on(hook, () => void warmUp(api, engine))
  if (config.indexAfterTurn) {
    // A session's transcript is read on from where it was: what was said, and what tools returned, is taken once, with the ids that
    // any other reading of it gives.
    for (const hook of ['agent_end', 'session_end', 'after_compaction']) on(hook, () => index.request())
  }
  on('gateway_stop', () => closeAll(parts))
}

function registerLifecycle(api: PluginApi, id: string, parts: Parts): void {
  api.registerService?.({
    id,
    async start() {
      if (parts.config.indexAfterTurn) parts.index.request()
      await warmUp(api, parts.engine)
    },
    stop: () => closeAll(parts),
  })
}

/** Opens the engine and loads its model, so that no turn waits for them. Never rejects. */
async function warmUp(api: PluginApi, engine: SharedEngine): Promise<void> {
  if (engine.isOpen) return
  try {
    await engine.use((opened) => opened.warm())
  } catch (error) {
    api.logger.warn(`madeleine: cannot open the store yet: ${String(error)}`)
  }
}

async function closeAll({ engine, index }: Parts): Promise<void> {
  await index.stop()
  await engine.close()
}

function registerCommands(
  api: PluginApi,
  identity: PluginIdentity,
  { config, seams }: { config: PluginConfig; seams: PluginSeams },
): void {
  const options = () => addEmbeddingKey(toOpenOptions(api, config), process.env)
  const commands = {
    createEngine: () => new SharedEngine(options, seams.openEngine),
    findHostTroubles: () => findHostTroubles(api, identity),
  }
  api.registerCli?.((context) => addHostCommands(context, commands), { descriptors: [CLI_DESCRIPTOR] })
}
