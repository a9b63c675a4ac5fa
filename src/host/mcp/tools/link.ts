import { z } from 'zod'
import { chooseNamed } from '../../../index.ts'
import { relationshipTypeSchema } from '../schemas.ts'
import { defineTool } from '../tool.ts'

/** `memory_link`: the document of `madeleine link --json`. */
export const linkTool = defineTool({
  name: 'memory_link',
  title: 'Link memories',
  description:
    'State how one memory bears on another. The memories stay as they are; saying the same twice is one link. A name that several memories have is refused with the candidates.',
  input: z.strictObject({
    source: z.string().min(1).describe('id, path (path:12-20 names lines) or exact title'),
    target: z.string().min(1).describe('the same of the other memory'),
    relationship: relationshipTypeSchema.describe(
      'how source bears on target: derives_from is inferred from it, specializes is an instance of it',
    ),
    score: z.exactOptional(z.number().min(0).max(1)).describe('how strongly; 1 by default'),
    metadata: z.exactOptional(z.record(z.string(), z.unknown())).describe('whatever else is to be kept with it'),
  }),
  output: z.looseObject({
    relationship: z.exactOptional(
      z.looseObject({
        sourceId: z.string(),
        targetId: z.string(),
        relationshipType: relationshipTypeSchema,
        score: z.number(),
        origin: z.string(),
      }),
    ),
    disabled: z.exactOptional(z.boolean()),
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
  whenDisabled: {},
  async run({ source, target, relationship, ...rest }, { engine, scope }) {
    const from = chooseNamed('link', source, await engine.findNamed(source, scope))
    const to = chooseNamed('link', target, await engine.findNamed(target, scope))
    const stated = { sourceId: from.id, targetId: to.id, relationshipType: relationship, ...rest }
    return { document: { ...(await engine.addRelationship({ ...scope, ...stated })) } }
  },
})
