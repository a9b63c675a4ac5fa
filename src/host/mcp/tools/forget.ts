import { z } from 'zod'
import { takeItems } from '../answer-budget.ts'
import { defineTool } from '../tool.ts'

/** `memory_forget`: the document of `madeleine forget --json`. */
export const forgetTool = defineTool({
  name: 'memory_forget',
  title: 'Forget',
  description:
    'Forget one memory, or a whole document, for good. It leaves every index and does not come back; files stay untouched. Only when the user asks for it.',
  input: z.strictObject({
    id: z.string().min(1).describe('id of a memory, or path of a document'),
  }),
  output: z.looseObject({
    forgotten: z.array(z.string()),
    total: z.exactOptional(z.int()).describe('how many were forgotten, where not all their ids are listed'),
    truncated: z.exactOptional(z.boolean()),
  }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  async run({ id }, { engine, scope }) {
    const { forgotten: all } = await engine.forget(id, scope)
    const forgotten = takeItems(all, {})
    return { document: { forgotten, ...(forgotten.length < all.length && { total: all.length, truncated: true }) } }
  },
})
