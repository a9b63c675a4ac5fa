import { z } from 'zod'
import { type GetOptions, type GetResponse, type Madeleine, MadeleineError } from '../../../index.ts'
import { parsePlaceName } from '../../../model/place-name.ts'
import { takeText } from '../answer-budget.ts'
import { nextOffsetSchema } from '../schemas.ts'
import { defineTool } from '../tool.ts'

/** `memory_get`: the document of `madeleine get --json`; a long text comes in parts. */
export const getTool = defineTool({
  name: 'memory_get',
  title: 'Read a memory',
  description:
    'Read the text of one memory, or of lines of a document. Takes an id or path from memory_search or from recalled context; a long text comes in parts.',
  input: z.strictObject({
    id: z.string().min(1).describe('id of a memory, or path of a document; path:12-20 names lines'),
    from: z.exactOptional(z.int().min(1)).describe('first line'),
    lines: z.exactOptional(z.int().min(1)).describe('how many lines'),
    offset: z
      .exactOptional(z.int().min(0))
      .describe('skip so many characters: the nextOffset of the answer before, with the same id, from and lines'),
  }),
  output: z.looseObject({
    path: z.string(),
    root: z.exactOptional(z.string()),
    startLine: z.int(),
    endLine: z.int(),
    text: z.string(),
    truncated: z.boolean(),
    nextOffset: nextOffsetSchema,
    nextFrom: z.exactOptional(z.int()).describe('the line at which the next part begins'),
  }),
  annotations: { readOnlyHint: true },
  async run({ id, offset = 0, ...lines }, { engine, scope }) {
    const found = await getText(engine, id, { ...lines, ...scope })
    const page = takeText(found.text, offset, { ...found, text: '' })
    const isPart = page.nextOffset !== undefined
    return {
      document: {
        ...found,
        ...page,
        truncated: isPart || found.truncated,
        ...(!isPart && found.truncated && { nextFrom: found.endLine + 1 }),
      },
    }
  },
})

/** A name is tried as it stands first: a path may end like a range of lines. */
async function getText(engine: Madeleine, id: string, options: GetOptions): Promise<GetResponse> {
  try {
    return await engine.get(id, options)
  } catch (error) {
    const named = options.from === undefined && options.lines === undefined ? parsePlaceName(id) : undefined
    const isUnknown = error instanceof MadeleineError && error.code === 'NOT_FOUND'
    if (!isUnknown || !named) throw error
    return engine.get(named.path, { ...options, from: named.from, lines: named.to - named.from + 1 })
  }
}
