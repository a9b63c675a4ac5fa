import { MadeleineError, messageOf } from '../../errors.ts'
import { type AskedBy, RELATIONSHIP_TYPES, type RelationshipType, TIERS, type Tier } from '../../index.ts'
import { type GraphPage, pageOfGraph } from '../graph-page.ts'
import { takeItems } from '../mcp/answer-budget.ts'
import { findRelated, idsOfNames } from '../related-memories.ts'
import type { AgentTool, ToolContext, ToolResult } from './host-types.ts'
import { askerOf, type ToolParts } from './memory-tools.ts'
import { isSharedSession } from './session-kind.ts'

const DEFAULT_RESULTS = 10
const MAX_RESULTS = 100
const MAX_DEPTH = 5

const RELATED_PARAMETERS = {
  type: 'object',
  properties: {
    id: { type: 'string', description: 'An id, path or exact title from search results.' },
    relationshipTypes: { type: 'array', items: { type: 'string', enum: RELATIONSHIP_TYPES } },
    maxResults: { type: 'integer', minimum: 1, description: 'How many at most.' },
    minScore: { type: 'number', minimum: 0, maximum: 1, description: 'Leave out what is weaker.' },
  },
  required: ['id'],
  additionalProperties: false,
} as const

const GRAPH_PARAMETERS = {
  type: 'object',
  properties: {
    ids: {
      type: 'array',
      items: { type: 'string' },
      description: 'Ids, paths or exact titles to begin with; none for the best connected.',
    },
    depth: { type: 'integer', minimum: 0, maximum: MAX_DEPTH, description: 'Steps from them; default 2.' },
    tiers: {
      type: 'array',
      items: { type: 'string', enum: TIERS },
      description: 'Reach these kinds of knowledge only.',
    },
    offset: { type: 'integer', minimum: 0, description: 'The nextOffset of the answer before, to read on.' },
  },
  additionalProperties: false,
} as const

/** How other memories bear on one; named `memory_related` where this plugin owns the host's memory. */
export function createRelatedTool(parts: ToolParts, name: string, context: ToolContext): AgentTool {
  return {
    name,
    label: 'Related Memories',
    description:
      'Find how other memories bear on one from search results: what it refers to, contradicts, rests on, follows or caused, with the reason. Use it to check whether something still holds, or what came of it.',
    parameters: RELATED_PARAMETERS,
    execute: async (_callId, parameters) =>
      answer({ correlations: [] }, () => findRelatedForTool(parts, context, fieldsOf(parameters))),
  }
}

/** Memories and how they bear on each other; named `memory_graph` where this plugin owns the host's memory. */
export function createGraphTool(parts: ToolParts, name: string, context: ToolContext): AgentTool {
  return {
    name,
    label: 'Memory Graph',
    description:
      'Show memories and how they bear on each other, some steps from given ones on, or around the best connected. A large graph comes in parts.',
    parameters: GRAPH_PARAMETERS,
    execute: async (_callId, parameters) =>
      answer({ nodes: [], edges: [] }, () => buildGraphForTool(parts, context, fieldsOf(parameters))),
  }
}

async function findRelatedForTool(
  parts: ToolParts,
  context: ToolContext,
  { id, relationshipTypes, maxResults, minScore }: Record<string, unknown>,
): Promise<object> {
  if (typeof id !== 'string' || id.trim() === '') {
    throw new MadeleineError('INVALID_OPTION', 'Cannot find related memories: id is empty', { remedy: 'Give an id' })
  }
  const { who, isShown } = scopeOf(parts, context)
  const types = oneOf<RelationshipType>(relationshipTypes, RELATIONSHIP_TYPES)
  const found = await parts.engine.use((engine) =>
    findRelated(engine, who, {
      name: id,
      isShown,
      maxResults: isCount(maxResults) ? Math.min(maxResults, MAX_RESULTS) : DEFAULT_RESULTS,
      ...(types && { relationshipTypes: types }),
      ...(typeof minScore === 'number' && { minScore: Math.min(1, Math.max(0, minScore)) }),
    }),
  )
  const correlations = takeItems(found.correlations, { ...found, correlations: [] })
  return { ...found, correlations, truncated: correlations.length < found.totalFound }
}

async function buildGraphForTool(
  parts: ToolParts,
  context: ToolContext,
  { ids, depth, tiers, offset }: Record<string, unknown>,
): Promise<GraphPage> {
  const { who, isShown } = scopeOf(parts, context)
  const names = Array.isArray(ids) ? ids.filter((name): name is string => typeof name === 'string') : []
  const types = oneOf<Tier>(tiers, TIERS)
  return parts.engine.use(async (engine) => {
    const graph = await engine.buildCorrelationGraph({
      ...who,
      memoryIds: await idsOfNames(engine, who, names),
      ...(Number.isInteger(depth) && { maxDepth: Math.min(MAX_DEPTH, Math.max(0, Number(depth))) }),
      ...(types && { includeTypes: types }),
    })
    const nodes = graph.nodes.filter(({ path }) => isShown(path))
    const shown = new Set(nodes.map(({ id }) => id))
    const edges = graph.edges.filter(({ sourceId, targetId }) => shown.has(sourceId) && shown.has(targetId))
    const orphans = graph.orphans.filter((id) => shown.has(id))
    const unresolved = graph.unresolved.filter(({ path }) => isShown(path))
    return pageOfGraph({ ...graph, nodes, edges, orphans, unresolved }, isCount(offset) ? offset : 0)
  })
}

/** Whose memories a call sees, and which of them may be shown: past sessions stay out of one that others read. */
function scopeOf(parts: ToolParts, context: ToolContext): { who: AskedBy; isShown: (path: string) => boolean } {
  const { agentId, project, sessionKey } = askerOf(parts, context)
  const isShared = isSharedSession(sessionKey)
  return {
    who: { agentId, ...(project !== undefined && !parts.config.recall.allProjects && { project }) },
    isShown: (path) => !isShared || !path.startsWith('sessions/'),
  }
}

/** The answer of the work; what goes wrong is one too, in the host's form, beside an `empty` one. */
async function answer(empty: object, work: () => Promise<object>): Promise<ToolResult> {
  try {
    return toToolResult(await work())
  } catch (error) {
    const reason = messageOf(error)
    if (error instanceof MadeleineError && error.code === 'DISABLED')
      return toToolResult({ ...empty, disabled: true, warning: reason, action: error.remedy })
    const isWrong = error instanceof MadeleineError && ['NOT_FOUND', 'INVALID_OPTION'].includes(error.code)
    const action = error instanceof MadeleineError ? error.remedy : 'Run "openclaw madeleine doctor"'
    return toToolResult({ ...empty, ...(!isWrong && { disabled: true, unavailable: true }), error: reason, action })
  }
}

function toToolResult(document: object): ToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(document, null, 2) }], details: document }
}

function fieldsOf(parameters: unknown): Record<string, unknown> {
  return typeof parameters === 'object' && parameters !== null ? (parameters as Record<string, unknown>) : {}
}

/** The words of a list that are known; a host passes on what a model made up. Undefined where none is. */
function oneOf<Word extends string>(given: unknown, known: readonly Word[]): Word[] | undefined {
  const words = known.filter((word) => Array.isArray(given) && given.includes(word))
  return words.length > 0 ? words : undefined
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 1
}
