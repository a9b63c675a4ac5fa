import { z } from 'zod'
import { findRelated } from '../../related-memories.ts'
import { takeItems } from '../answer-budget.ts'
import { degradedSchema, nextOffsetSchema, offsetSchema, relationshipTypeSchema, tierSchema } from '../schemas.ts'
import { defineTool } from '../tool.ts'

const DEFAULT_LIMIT = 10
/** As many as `madeleine correlate` shows at most. */
const MAX_RESULTS = 1000

const correlationSchema = z.looseObject({
  targetId: z.string(),
  targetType: tierSchema,
  relationshipType: relationshipTypeSchema,
  score: z.number(),
  reason: z.string(),
  direction: z.enum(['out', 'in']),
  origin: z.string(),
  path: z.exactOptional(z.string()),
  header: z.exactOptional(z.string()),
})

/** `memory_related`: the document of `madeleine correlate --json` with the place of each memory, a page at a time. */
export const relatedTool = defineTool({
  name: 'memory_related',
  title: 'Related memories',
  description:
    'Find how other memories bear on one: what it refers to, contradicts, rests on, follows or caused. Read them with memory_get.',
  input: z.strictObject({
    id: z.string().min(1).describe('id, path (path:12-20 names lines) or exact title of a memory'),
    relationshipTypes: z.exactOptional(z.array(relationshipTypeSchema)).describe('these relationships only'),
    minScore: z.exactOptional(z.number().min(0).max(1)).describe('leave out what is weaker'),
    limit: z.exactOptional(z.int().min(1).max(MAX_RESULTS)).describe(`how many at most, ${DEFAULT_LIMIT} by default`),
    offset: offsetSchema,
    explain: z.exactOptional(z.boolean()).describe('also what each score is made of, and the words that show it'),
  }),
  output: z.looseObject({
    memoryId: z.string(),
    path: z.string(),
    correlations: z.array(correlationSchema),
    totalFound: z.int(),
    truncated: z.boolean(),
    degraded: degradedSchema,
    nextOffset: nextOffsetSchema,
  }),
  annotations: { readOnlyHint: true },
  whenDisabled: { memoryId: '', path: '', correlations: [], totalFound: 0, truncated: false, degraded: [] },
  async run({ id, limit = DEFAULT_LIMIT, offset = 0, ...options }, { engine, scope }) {
    const maxResults = Math.min(MAX_RESULTS, offset + limit)
    const found = await findRelated(engine, scope, { name: id, ...options, maxResults })
    const correlations = takeItems(found.correlations.slice(offset), { ...found, correlations: [] })
    const nextOffset = offset + correlations.length
    const hasMore = correlations.length > 0 && nextOffset < Math.min(found.totalFound, MAX_RESULTS)
    return {
      document: {
        ...found,
        correlations,
        truncated: nextOffset < found.totalFound,
        ...(hasMore && { nextOffset }),
      },
    }
  },
})
