import { z } from 'zod'
import { takeItems } from '../answer-budget.ts'
import { degradedSchema, placedSchema } from '../schemas.ts'
import { defineTool } from '../tool.ts'

/** `memory_recall`: the document of `madeleine recall --json`. */
export const recallTool = defineTool({
  name: 'memory_recall',
  title: 'Recall before a turn',
  description:
    'Recall what bears on the present message, or nothing at all. For the beginning of a turn; to look something up, use memory_search.',
  input: z.strictObject({
    prompt: z.string().describe('what the user just said'),
    recentTurns: z
      .exactOptional(
        z.array(z.strictObject({ role: z.enum(['user', 'assistant', 'tool', 'system']), text: z.string() })),
      )
      .describe('the turns before it, oldest first'),
    sessionId: z.exactOptional(z.string()).describe('the running session: what it already shows does not come again'),
  }),
  output: z.looseObject({
    text: z.string(),
    items: z.array(placedSchema.extend({ text: z.string() })),
    skipped: z.boolean(),
    reason: z.exactOptional(z.string()),
    degraded: degradedSchema,
    elapsedMs: z.number(),
    truncated: z.exactOptional(z.boolean()).describe('the block is whole, but items are left out of the list'),
  }),
  annotations: { readOnlyHint: true },
  async run(request, { engine }) {
    const found = await engine.recall(request)
    const items = takeItems(found.items, { ...found, items: [] })
    return { document: { ...found, items, ...(items.length < found.items.length && { truncated: true }) } }
  },
})
