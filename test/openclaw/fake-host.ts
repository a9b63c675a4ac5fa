import type {
  AgentTool,
  CorpusSupplement,
  FlushPlanResolver,
  HookOptions,
  HostConfig,
  MemoryCapability,
  PluginApi,
  PluginService,
  PromptBuilder,
  RegistrationMode,
  ToolContext,
} from '../../src/host/openclaw/host-types.ts'

export type Generation = 'classic' | 'modern'

interface Hook {
  name: string
  handler: (event: unknown, context: unknown) => unknown
  options: HookOptions
}

/** A host of one process: what plugins registered with it, and turns played to them in the order in which the real ones do it. */
export interface FakeHost {
  /** A registration object as this host makes one: the fields that its generation has, and handlers where its mode takes them. */
  api(mode: RegistrationMode): PluginApi
  hooks: Hook[]
  services: PluginService[]
  tools: Map<string, (context: ToolContext) => AgentTool | null>
  commands: string[]
  memory: {
    capability?: MemoryCapability
    supplement?: CorpusSupplement
    prompt?: PromptBuilder
    flush?: FlushPlanResolver
  }
  log: string[]
  /** Plays one event to all who listen for it; answers what they answered. */
  fire(hook: string, event: object, context?: object): Promise<unknown[]>
}

export interface FakeHostOptions {
  generation: Generation
  stateDir: string
  config?: HostConfig
  pluginConfig?: unknown
  /** Whether the plugin's manifest says `kind: memory`: without it newer hosts refuse a capability. */
  isMemoryKind?: boolean
}

/** Modes in which each generation passes on hooks, tools and services; in the others its functions do nothing. */
const WORKING_MODES = {
  classic: new Set<string>(['full']),
  modern: new Set<string>(['full', 'discovery', 'tool-discovery']),
} as const

export function createFakeHost(options: FakeHostOptions): FakeHost {
  const { generation, stateDir, config = {}, isMemoryKind = false } = options
  const host: FakeHost = {
    hooks: [],
    services: [],
    tools: new Map(),
    commands: [],
    memory: {},
    log: [],
    api: (mode) => createApi(mode),
    async fire(name, event, context = {}) {
      const answers: unknown[] = []
      for (const hook of host.hooks.filter((one) => one.name === name)) answers.push(await hook.handler(event, context))
      return answers
    },
  }

  function createApi(registrationMode: RegistrationMode): PluginApi {
    const works = WORKING_MODES[generation].has(registrationMode)
    const when = <Args extends unknown[]>(act: (...args: Args) => void) => (works ? act : () => undefined)
    const note = (message: string): void => void host.log.push(message)
    const common: PluginApi = {
      registrationMode,
      config,
      pluginConfig: options.pluginConfig,
      runtime: runtimeFor(registrationMode),
      logger: { info: note, warn: note, error: note },
      on: when((name, handler, hookOptions = {}) => {
        host.hooks.push({ name, handler: handler as Hook['handler'], options: hookOptions })
      }),
      registerTool: when((factory, { names = [] } = {}) => {
        for (const name of names) host.tools.set(name, factory)
      }),
      registerService: when((service) => host.services.push(service)),
      registerCli: (_register, { descriptors = [] } = {}) => {
        for (const { name } of descriptors) host.commands.push(name)
      },
    }
    return { ...common, ...(generation === 'modern' ? modernMemory(when) : classicMemory(when)) }
  }

  function runtimeFor(mode: RegistrationMode): NonNullable<PluginApi['runtime']> {
    if (mode !== 'cli-metadata') return { state: { resolveStateDir: () => stateDir } }
    return {
      get state(): never {
        throw new Error('plugin runtime is unavailable in this mode')
      },
    }
  }

  type When = <Args extends unknown[]>(act: (...args: Args) => void) => (...args: Args) => void

  function modernMemory(when: When): Partial<PluginApi> {
    return {
      registerMemoryCapability: when((capability: MemoryCapability) => {
        if (!isMemoryKind) throw new Error('only memory plugins can register a memory capability')
        host.memory.capability = capability
      }),
      registerMemoryCorpusSupplement: when((supplement: CorpusSupplement) => {
        host.memory.supplement = supplement
      }),
    }
  }

  function classicMemory(when: When): Partial<PluginApi> {
    return {
      registerMemoryPromptSection: when((prompt: PromptBuilder) => {
        host.memory.prompt = prompt
      }),
      registerMemoryFlushPlan: when((flush: FlushPlanResolver) => {
        host.memory.flush = flush
      }),
      registerMemoryRuntime: when(() => undefined),
    }
  }

  return host
}
