import { z } from 'zod'
import { MEMORY_TYPES, RELATIONSHIP_TYPES, TIERS } from '../../index.ts'

// Answers are open to more fields, so that an engine that says more breaks no client.

export const tierSchema = z.enum(TIERS)
export const memoryTypeSchema = z.enum(MEMORY_TYPES)
export const relationshipTypeSchema = z.enum(RELATIONSHIP_TYPES)

/** Part of the work that could not be done in full, and why. */
export const degradedSchema = z.array(z.looseObject({ part: z.string(), reason: z.string() }))

/** Where a memory stands: the fields that search results and recall items share. */
export const placedSchema = z.looseObject({
  id: z.string(),
  path: z.string(),
  root: z.exactOptional(z.string()),
  startLine: z.int(),
  endLine: z.int(),
  score: z.number(),
  header: z.string(),
  role: z.exactOptional(z.string()),
  speaker: z.exactOptional(z.string()),
  tool: z.exactOptional(z.string()),
  sessionId: z.exactOptional(z.string()),
  occurredAt: z.exactOptional(z.string()),
})

/** Where a list goes on. */
export const offsetSchema = z
  .exactOptional(z.int().min(0))
  .describe('skip so many: the nextOffset of the answer before, to read on')
export const nextOffsetSchema = z.exactOptional(z.int())
