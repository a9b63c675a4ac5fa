import { existsSync, readdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import type { OpenOptions } from '../../index.ts'
import type { HostConfig, PluginApi } from './host-types.ts'

/** Where this host keeps what there is to remember. */
export interface HostSources {
  /** Each agent's workspace; one that several agents share stands once for each. */
  workspaces: Array<{ path: string; agent: string }>
  /** Each agent's folder of sessions, or of its database where it has no such folder. */
  transcripts: string[]
}

/** Reads the host's configuration and looks at its folders; opens no transcript. */
export function findSources(api: PluginApi): HostSources {
  const stateDir = stateDirOf(api)
  const config = api.config ?? {}
  const agents = [...new Set([...configuredAgents(config), ...foldersIn(join(stateDir, 'agents')), 'main'])].sort()
  return {
    workspaces: agents
      .map((agent) => ({ agent, path: workspaceOf(api, { config, agent, stateDir }) }))
      .filter(({ path }) => existsSync(path)),
    transcripts: agents.flatMap((agent) => {
      const folder = join(stateDir, 'agents', agent)
      return [join(folder, 'sessions'), join(folder, 'agent')].filter((path) => existsSync(path)).slice(0, 1)
    }),
  }
}

/** An agent's workspace, where it has one on disk. */
export function workspaceFor(api: PluginApi, agent: string): string | undefined {
  const path = workspaceOf(api, { config: api.config ?? {}, agent, stateDir: stateDirOf(api) })
  return existsSync(path) ? path : undefined
}

/** The host's folder of state: as the host says, else where it is by default. */
export function stateDirOf(api: PluginApi): string {
  const told = ask(() => api.runtime?.state?.resolveStateDir?.())
  if (told !== undefined) return told
  const { OPENCLAW_STATE_DIR: state, OPENCLAW_PROFILE: profile } = process.env
  if (state) return resolve(state)
  return join(homedir(), profile && profile !== 'default' ? `.openclaw-${profile}` : '.openclaw')
}

/** The agents of the configuration: a list with ids, or a table by id. */
function configuredAgents({ agents }: HostConfig): string[] {
  const listed = Array.isArray(agents?.list) ? agents.list.map((agent: unknown) => fieldOf(agent, 'id')) : []
  const entries = typeof agents?.entries === 'object' && agents.entries !== null ? Object.keys(agents.entries) : []
  return [...listed, ...entries].filter((id) => typeof id === 'string' && id !== '').map(String)
}

/** As the host says, else as its configuration and its defaults say. */
function workspaceOf(
  api: PluginApi,
  { config, agent, stateDir }: { config: HostConfig; agent: string; stateDir: string },
): string {
  const told = ask(() => api.runtime?.agent?.resolveAgentWorkspaceDir?.(config, agent))
  if (told !== undefined) return resolve(told)
  const list = Array.isArray(config.agents?.list) ? config.agents.list : []
  const own = fieldOf(
    list.find((entry: unknown) => fieldOf(entry, 'id') === agent),
    'workspace',
  )
  const shared = agent === 'main' ? config.agents?.defaults?.workspace : undefined
  const written = typeof own === 'string' ? own : typeof shared === 'string' ? shared : undefined
  if (written !== undefined) return resolve(written.replace(/^~(?=[\\/]|$)/, homedir()))
  return join(stateDir, agent === 'main' ? 'workspace' : `workspace-${agent}`)
}

/** The host's answer, or undefined where it has none: in some modes asking for anything throws. */
function ask(question: () => string | undefined): string | undefined {
  try {
    const answer = question()
    return typeof answer === 'string' && answer !== '' ? answer : undefined
  } catch {
    // The same as no answer: the defaults serve.
    return undefined
  }
}

function foldersIn(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => name)
}

function fieldOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined
}

/** Notes for the engine: a workspace of one agent is that agent's; one that several share is the team's of those agents. */
export function toWorkspaceOptions(workspaces: HostSources['workspaces']): Pick<OpenOptions, 'workspaces' | 'team'> {
  const byPath = new Map<string, string[]>()
  for (const { path, agent } of workspaces) byPath.set(path, [...(byPath.get(path) ?? []), agent])
  const shared = [...byPath.values()].filter((agents) => agents.length > 1)
  // One list of team mates is all there is: where several groups share folders, theirs stay with the first of each.
  const team = shared.length > 0 && shared.every((agents) => `${agents}` === `${shared[0]}`) ? shared[0] : undefined
  return {
    workspaces: [...byPath].map(([path, agents]) => ({
      path,
      agent: agents.includes('main') ? 'main' : (agents[0] ?? 'main'),
      ...(team && agents.length > 1 && { visibility: 'team' as const }),
    })),
    ...(team && { team }),
  }
}
