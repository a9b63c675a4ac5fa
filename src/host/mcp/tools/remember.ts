import { z } from 'zod'
import { VISIBILITIES } from '../../../index.ts'
import { memoryTypeSchema, tierSchema } from '../schemas.ts'
import { defineTool } from '../tool.ts'

/** `memory_remember`: the document of `madeleine remember --json`. */
export const rememberTool = defineTool({
  name: 'memory_remember',
  title: 'Remember',
  description:
    'Remember a fact, decision or preference for later sessions. One thing a call, in a sentence that stands alone; secrets are taken out of it.',
  input: z.strictObject({
    text: z.string().min(1).describe('what to remember'),
    id: z.exactOptional(z.string()).describe('an id of your own; a taken one is an error'),
    tier: z
      .exactOptional(tierSchema)
      .describe('what happened (episodic), what is so (semantic, the default) or how to (procedural)'),
    type: z.exactOptional(memoryTypeSchema).describe('what it is about'),
    occurredAt: z.exactOptional(z.string()).describe('ISO date or instant when it happened; now by default'),
    sessionId: z.exactOptional(z.string()).describe('the session that it belongs to'),
    visibility: z
      .exactOptional(z.enum(VISIBILITIES))
      .describe('who may see it: this agent (private, the default), its team, or every agent (global)'),
  }),
  output: z.looseObject({
    id: z.string(),
    redacted: z.exactOptional(z.int()).describe('secrets that were taken out'),
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
  async run({ text, ...options }, { engine }) {
    return { document: { ...(await engine.remember(text, options)) } }
  },
})
