import { z } from 'zod'
import { DEFAULT_LIMIT } from '../../../index.ts'
import { takeItems } from '../answer-budget.ts'
import { degradedSchema, nextOffsetSchema, offsetSchema, placedSchema, tierSchema } from '../schemas.ts'
import { defineTool } from '../tool.ts'

/** As many as `madeleine search` shows at most. */
const MAX_RESULTS = 100

const resultSchema = placedSchema.extend({
  snippet: z.string(),
  source: z.string(),
  tier: z.string(),
  type: z.string(),
  turnId: z.exactOptional(z.string()),
})

/** `memory_search`: the document of `madeleine search --json`, a page at a time. */
export const searchTool = defineTool({
  name: 'memory_search',
  title: 'Search memory',
  description:
    'Search notes, past conversations and facts by meaning or words. Dates work too ("last week"). Gives ranked hits with path and lines; read one whole with memory_get.',
  input: z.strictObject({
    query: z.string().min(1).describe('a question or some words; a "quoted phrase" is found as it stands'),
    limit: z.exactOptional(z.int().min(1).max(MAX_RESULTS)).describe(`results at most, ${DEFAULT_LIMIT} by default`),
    offset: offsetSchema,
    source: z.exactOptional(z.enum(['memory', 'sessions', 'all'])).describe('notes and facts, or conversations'),
    tier: z
      .exactOptional(tierSchema)
      .describe('what happened (episodic), what is so (semantic) or how to (procedural)'),
    after: z.exactOptional(z.string()).describe('from this ISO date or instant on'),
    before: z.exactOptional(z.string()).describe('before this ISO date or instant'),
    minScore: z.exactOptional(z.number().min(0).max(1)).describe('leave out what scores less'),
    expand: z.exactOptional(z.boolean()).describe('also bring in what bears on the first results, and say how'),
    mode: z.exactOptional(z.enum(['hybrid', 'keyword', 'vector'])).describe('hybrid by default'),
  }),
  output: z.looseObject({
    results: z.array(resultSchema),
    total: z.int(),
    truncated: z.boolean(),
    degraded: degradedSchema,
    dateMatch: z.exactOptional(z.boolean()),
    nextOffset: nextOffsetSchema,
  }),
  annotations: { readOnlyHint: true },
  async run({ query, limit = DEFAULT_LIMIT, offset = 0, ...options }, { engine }) {
    const wanted = Math.min(MAX_RESULTS, offset + limit)
    const found = await engine.search(query, { ...options, limit: wanted })
    const results = takeItems(found.results.slice(offset), { ...found, results: [] })
    const nextOffset = offset + results.length
    const hasMore = results.length > 0 && nextOffset < Math.min(found.total, MAX_RESULTS)
    const document = { ...found, results, truncated: nextOffset < found.total, ...(hasMore && { nextOffset }) }
    if (found.results.length > 0 || (await engine.status()).memories > 0) return { document }
    return { document, hint: 'The memory is empty: its owner has to run `madeleine index` first.' }
  },
})
