import { MadeleineError, messageOf } from '../../errors.ts'
import type { Madeleine, SearchOptions } from '../../index.ts'
import type { AgentTool, HostHit, ReadAnswer, ToolContext, ToolResult } from './host-types.ts'
import type { PluginConfig } from './read-plugin-config.ts'
import { isSharedSession } from './session-kind.ts'
import type { SharedEngine } from './shared-engine.ts'
import { citationsOf, cite, toHostHit } from './show-hits.ts'

export interface ToolParts {
  engine: SharedEngine
  config: PluginConfig
  /** An agent's workspace, for a call that does not name its own. */
  workspaceOf: (agentId: string) => string | undefined
}

/** Whose memory a call sees: its agent's, in its project. */
export interface Asker {
  agentId: string
  project?: string
  sessionKey?: string
}

const SEARCH_PARAMETERS = {
  type: 'object',
  properties: {
    query: { type: 'string', description: 'What to look for, in plain words; names, paths and dates help.' },
    maxResults: { type: 'integer', minimum: 1, description: 'How many results at most.' },
    minScore: { type: 'number', minimum: 0, maximum: 1, description: 'Leave out what scores below it.' },
    corpus: {
      type: 'string',
      enum: ['memory', 'sessions', 'all', 'wiki'],
      description: 'Notes, past sessions, or both; default both.',
    },
  },
  required: ['query'],
  additionalProperties: false,
} as const

const GET_PARAMETERS = {
  type: 'object',
  properties: {
    path: { type: 'string', description: 'A path or id from search results.' },
    from: { type: 'integer', minimum: 1, description: 'First line.' },
    lines: { type: 'integer', minimum: 1, description: 'How many lines.' },
    corpus: { type: 'string', enum: ['memory', 'wiki', 'all'] },
  },
  required: ['path'],
  additionalProperties: false,
} as const

/** Who asks, as the host tells it. */
export function askerOf({ workspaceOf }: Pick<ToolParts, 'workspaceOf'>, context: ToolContext): Asker {
  const agentId = context.agentId ?? 'main'
  const project = context.workspaceDir ?? workspaceOf(agentId)
  return {
    agentId,
    ...(project !== undefined && { project }),
    ...(context.sessionKey !== undefined && { sessionKey: context.sessionKey }),
  }
}

/** Searches notes and sessions; named `memory_search` where this plugin owns the host's memory. */
export function createSearchTool(parts: ToolParts, name: string, context: ToolContext): AgentTool {
  return {
    name,
    label: 'Memory Search',
    description:
      'Search memory: notes, past sessions, and what tools returned in them. Use it before answering about prior work, decisions, dates, people, preferences or todos; gives snippets with path and lines.',
    parameters: SEARCH_PARAMETERS,
    execute: async (_callId, parameters) => toToolResult(await searchForTool(parts, context, parameters)),
  }
}

/** Reads lines of what a search found; named `memory_get` where this plugin owns the host's memory. */
export function createGetTool(parts: ToolParts, name: string, context: ToolContext): AgentTool {
  return {
    name,
    label: 'Memory Get',
    description: 'Read memory: lines of a note or a past session by the path that a search gave.',
    parameters: GET_PARAMETERS,
    execute: async (_callId, parameters) => {
      const { path, from, lines } = fieldsOf(parameters)
      const asker = askerOf(parts, context)
      const read = { path: String(path ?? ''), ...countIn({ from }), ...countIn({ lines }) }
      return toToolResult(await parts.engine.use((engine) => readForHost(engine, asker, read)).catch(toReadError(read)))
    },
  }
}

async function searchForTool(parts: ToolParts, context: ToolContext, parameters: unknown): Promise<object> {
  const { query, maxResults, minScore, corpus } = fieldsOf(parameters)
  const startedAt = performance.now()
  try {
    if (typeof query !== 'string' || query.trim() === '') {
      throw new MadeleineError('INVALID_OPTION', 'Cannot search memory: query is empty', { remedy: 'Give a query' })
    }
    const asker = askerOf(parts, context)
    const { mode, isOn } = citationsOf(context.config, context.sessionKey)
    const { hits, answer } = await parts.engine.use((engine) =>
      searchForHost(engine, asker, {
        query,
        source: corpus === 'memory' || corpus === 'sessions' ? corpus : 'all',
        allProjects: parts.config.recall.allProjects,
        ...countIn({ maxResults }),
        ...(typeof minScore === 'number' && { minScore }),
      }),
    )
    const lacking = answer.degraded.map(({ part, reason }) => `${part}: ${reason}`)
    return {
      results: isOn ? hits.map(cite) : hits,
      provider: 'madeleine',
      model: parts.config.embedding ?? 'bundled',
      citations: mode,
      mode: lacking.some((reason) => reason.startsWith('vector')) ? 'keyword' : 'hybrid',
      ...(lacking.length > 0 && { warning: lacking.join('; '), partial: true }),
      debug: { searchMs: Math.round(performance.now() - startedAt) },
    }
  } catch (error) {
    return toFailure(error)
  }
}

/** What the host shows when memory cannot be searched. */
function toFailure(error: unknown): object {
  const remedy = error instanceof MadeleineError ? error.remedy : 'Run "openclaw madeleine doctor"'
  const reason = messageOf(error)
  return { results: [], disabled: true, unavailable: true, error: reason, warning: reason, action: remedy }
}

/** One search on behalf of an agent of the host. In a session that others read, past sessions are left out. */
export async function searchForHost(
  engine: Madeleine,
  asker: Asker,
  request: { query: string; maxResults?: number; minScore?: number; allProjects?: boolean } & Pick<
    SearchOptions,
    'source' | 'mode'
  >,
): Promise<{ hits: HostHit[]; answer: Awaited<ReturnType<Madeleine['search']>> }> {
  const { query, maxResults, minScore, allProjects, mode } = request
  const source = isSharedSession(asker.sessionKey) ? 'memory' : request.source
  const isNothing = isSharedSession(asker.sessionKey) && request.source === 'sessions'
  const answer = await engine.search(isNothing ? '' : query, {
    agentId: asker.agentId,
    explain: true,
    ...(source !== undefined && { source }),
    ...(mode !== undefined && { mode }),
    ...(maxResults !== undefined && { limit: Math.min(maxResults, 100) }),
    ...(minScore !== undefined && { minScore: Math.min(1, Math.max(0, minScore)) }),
    ...(allProjects ? { allProjects: true } : asker.project !== undefined && { project: asker.project }),
  })
  return { hits: isNothing ? [] : answer.results.map(toHostHit), answer }
}

/** Lines of a document in the host's form. Rejects only for what the engine cannot do at all. */
export async function readForHost(
  engine: Madeleine,
  asker: Asker,
  { path, from, lines }: { path: string; from?: number; lines?: number },
): Promise<ReadAnswer> {
  if (isSharedSession(asker.sessionKey) && path.startsWith('sessions/')) return { status: 'not_found', text: '', path }
  try {
    const found = await engine.get(path, {
      agentId: asker.agentId,
      ...(from !== undefined && { from }),
      ...(lines !== undefined && { lines }),
    })
    const read = found.endLine - found.startLine + 1
    return {
      status: 'ok',
      text: found.text,
      path: found.path,
      from: found.startLine,
      lines: read,
      ...(found.truncated && { truncated: true, nextFrom: found.endLine + 1 }),
    }
  } catch (error) {
    if (error instanceof MadeleineError && error.code === 'NOT_FOUND') return { status: 'not_found', text: '', path }
    return toReadError({ path })(error)
  }
}

function toReadError({ path }: { path: string }): (error: unknown) => ReadAnswer {
  return (error) => ({
    status: 'error',
    text: '',
    path,
    code: error instanceof MadeleineError ? error.code : 'UNEXPECTED',
    error: messageOf(error),
  })
}

function toToolResult(answer: object): ToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(answer, null, 2) }], details: answer }
}

function fieldsOf(parameters: unknown): Record<string, unknown> {
  return typeof parameters === 'object' && parameters !== null ? (parameters as Record<string, unknown>) : {}
}

/** The field where it is a count; a host passes on what a model made up. */
function countIn<Name extends string>(field: { [Key in Name]: unknown }): { [Key in Name]?: number } {
  return Object.fromEntries(
    Object.entries(field).filter(([, value]) => Number.isInteger(value) && Number(value) >= 1),
  ) as { [Key in Name]?: number }
}
