import { z } from 'zod'
import type { Madeleine, StatusReport } from '../../../index.ts'
import { takeItems } from '../answer-budget.ts'
import { nextOffsetSchema, offsetSchema } from '../schemas.ts'
import { defineTool } from '../tool.ts'

const statusSchema = z.looseObject({
  roots: z.array(
    z.looseObject({ path: z.string(), kind: z.string(), documents: z.int(), problem: z.exactOptional(z.string()) }),
  ),
  documents: z.int(),
  partial: z.exactOptional(z.int()),
  memories: z.int(),
  pending: z.int(),
  vectors: z.looseObject({ backend: z.string(), identity: z.nullable(z.string()), wanted: z.nullable(z.string()) }),
  skipped: z.array(z.looseObject({ path: z.string(), reason: z.string() })),
  store: z.string(),
  skippedTotal: z.exactOptional(z.int()).describe('how much was skipped, where not all of it is listed'),
  truncated: z.exactOptional(z.boolean()),
  nextOffset: nextOffsetSchema,
})

/** `memory_status`: the document of `madeleine status --json`; a long list of what was skipped comes in parts. */
export const statusTool = defineTool({
  name: 'memory_status',
  title: 'Status of the memory',
  description: 'Show what is indexed, with which model, and what was skipped and why.',
  input: z.strictObject({ offset: offsetSchema }),
  output: statusSchema,
  annotations: { readOnlyHint: true },
  run: async ({ offset = 0 }, { engine }) => ({ document: await readStatus(engine, offset) }),
})

/** Which part of the list of what was skipped it is, where that is not all of it. */
interface StatusPage {
  skippedTotal?: number
  truncated?: boolean
  nextOffset?: number
}

/** The status report within the budget of an answer. */
export async function readStatus(engine: Madeleine, offset = 0): Promise<StatusReport & StatusPage> {
  const report = await engine.status()
  const skipped = takeItems(report.skipped.slice(offset), { ...report, skipped: [] })
  const skippedTotal = report.skipped.length
  if (skipped.length === skippedTotal) return report
  const nextOffset = offset + skipped.length
  const truncated = nextOffset < skippedTotal
  return { ...report, skipped, skippedTotal, truncated, ...(truncated && { nextOffset }) }
}
