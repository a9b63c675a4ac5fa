import { z } from 'zod'
import { pageOfGraph } from '../../graph-page.ts'
import { idsOfNames } from '../../related-memories.ts'
import { nextOffsetSchema, offsetSchema, relationshipTypeSchema, tierSchema } from '../schemas.ts'
import { defineTool } from '../tool.ts'

const MAX_DEPTH = 100

/** `memory_graph`: the document of `madeleine graph --json`, a part at a time. */
export const graphTool = defineTool({
  name: 'memory_graph',
  title: 'Graph of memories',
  description:
    'Show memories and how they bear on each other, some steps from the given ones on, or around the best connected. A large graph comes in parts.',
  input: z.strictObject({
    ids: z
      .exactOptional(z.array(z.string().min(1)))
      .describe('ids, paths (all of a document) or exact titles to begin with; none: the best connected'),
    depth: z.exactOptional(z.int().min(0).max(MAX_DEPTH)).describe('steps from them, 2 by default'),
    tiers: z.exactOptional(z.array(tierSchema)).describe('reach these kinds of knowledge only'),
    minScore: z.exactOptional(z.number().min(0).max(1)).describe('leave out weaker relationships'),
    offset: offsetSchema,
  }),
  output: z.looseObject({
    nodes: z.array(
      z.looseObject({ id: z.string(), type: tierSchema, path: z.string(), header: z.string(), depth: z.int() }),
    ),
    edges: z.array(
      z.looseObject({
        sourceId: z.string(),
        targetId: z.string(),
        relationshipType: relationshipTypeSchema,
        score: z.number(),
        origin: z.string(),
        reason: z.string(),
      }),
    ),
    orphans: z.array(z.string()).describe('memories that were asked for and bear on nothing'),
    unresolved: z
      .array(z.looseObject({ path: z.string(), target: z.string(), candidates: z.array(z.string()) }))
      .describe('links in texts that name nothing, or several things'),
    tiers: z.array(z.looseObject({ tier: tierSchema, count: z.int(), averageScore: z.nullable(z.number()) })),
    totalNodes: z.int(),
    totalEdges: z.int(),
    truncated: z.boolean(),
    nextOffset: nextOffsetSchema,
  }),
  annotations: { readOnlyHint: true },
  whenDisabled: {
    ...{ nodes: [], edges: [], orphans: [], unresolved: [], tiers: [] },
    ...{ totalNodes: 0, totalEdges: 0, truncated: false },
  },
  async run({ ids = [], depth, tiers, minScore, offset = 0 }, { engine, scope }) {
    const graph = await engine.buildCorrelationGraph({
      ...scope,
      memoryIds: await idsOfNames(engine, scope, ids),
      ...(depth !== undefined && { maxDepth: depth }),
      ...(tiers && { includeTypes: tiers }),
      ...(minScore !== undefined && { minScore }),
    })
    return { document: pageOfGraph(graph, offset) }
  },
})
