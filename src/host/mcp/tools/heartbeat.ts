import { z } from 'zod'
import { MCP_LIMITS } from '../../../index.ts'
import { toWire, type WireHeartbeat } from '../../to-wire.ts'
import { bytesOf } from '../answer-budget.ts'
import { degradedSchema } from '../schemas.ts'
import { defineTool } from '../tool.ts'

const itemSchema = z.looseObject({ id: z.string(), path: z.string(), summary: z.string() })
const itemsSchema = z.array(itemSchema)
/** How much of each list an answer takes, until it fits. */
const LENGTHS = [Number.POSITIVE_INFINITY, 20, 10, 5, 2, 1, 0]

/** `memory_heartbeat`: the document of `madeleine heartbeat --json`; where it is too long, the first of each list. */
export const heartbeatTool = defineTool({
  name: 'memory_heartbeat',
  title: 'Heartbeat',
  description:
    'Check what needs attention between turns: deadlines, open work, contradictions. Mostly nothing; what was told is not told again for a while.',
  input: z.strictObject({
    related: z.exactOptional(z.boolean()).describe('also past decisions that bear on it'),
    analyze: z.exactOptional(z.boolean()).describe('also ask the configured language model, when it speaks up'),
    dryRun: z.exactOptional(z.boolean()).describe('only look: nothing counts as told'),
  }),
  output: z.looseObject({
    should_act: z.boolean().describe('whether to tell the user; if not, stay silent'),
    decision_reason: z.string(),
    urgency: z.string(),
    next_due: z.string(),
    signals: z.array(
      z.looseObject({
        kind: z.string(),
        urgency: z.string(),
        signature: z.string(),
        summary: z.string(),
        memory_ids: z.array(z.string()),
        suppressed_by: z.exactOptional(z.string()).describe('why this one is held back'),
      }),
    ),
    left_out: z.record(z.string(), z.int()).describe('how many more were found, by kind; the next ticks have them'),
    scheduled: itemsSchema,
    deadlines: itemsSchema,
    pending_work: itemsSchema,
    conflicts: z.array(z.looseObject({ memory: itemSchema, reason: z.string() })),
    stale_monitors: itemsSchema,
    continuity: z.nullable(itemSchema),
    goal_progress: itemsSchema,
    knowledge_gaps: itemsSchema,
    positive_deltas: itemsSchema,
    related_context: z.array(z.looseObject({ signal: z.string(), id: z.string(), path: z.string() })),
    graph_context: z.array(z.string()),
    summary: z.string(),
    degraded: degradedSchema,
    truncated: z.exactOptional(z.boolean()).describe('lists are cut to their first items'),
  }),
  annotations: { readOnlyHint: false, destructiveHint: false },
  async run(options, { engine, scope }) {
    return { document: shorten(toWire(await engine.heartbeat({ ...options, ...scope }))) }
  },
})

function shorten(document: WireHeartbeat): WireHeartbeat & { truncated?: boolean } {
  let cut: WireHeartbeat = document
  for (const length of LENGTHS) {
    cut = cutLists(document, length)
    if (bytesOf(cut) <= MCP_LIMITS.answerBytes) break
  }
  return bytesOf(cut) === bytesOf(document) ? document : { ...cut, truncated: true }
}

function cutLists(document: WireHeartbeat, length: number): WireHeartbeat {
  return Object.fromEntries(
    Object.entries(document).map(([name, value]) => [name, Array.isArray(value) ? value.slice(0, length) : value]),
  ) as WireHeartbeat
}
