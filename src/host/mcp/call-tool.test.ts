import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Madeleine } from '../../index.ts'
import { type CallContext, callTool } from './call-tool.ts'
import { createEngineDoor } from './engine-door.ts'
import { defineTool, type Tool } from './tool.ts'

const noEngine = {} as Madeleine

function context(signal = new AbortController().signal): CallContext & { logged: string[] } {
  const logged: string[] = []
  const door = createEngineDoor(async () => noEngine)
  return { door, scope: {}, signal, logged, log: (line) => logged.push(line) }
}

function toolThat(run: () => Promise<object>): Tool {
  return defineTool({
    ...{ name: 'try', title: 'Try', description: 'Try it', annotations: { readOnlyHint: true } },
    input: z.strictObject({
      n: z.exactOptional(z.int().max(3)),
      deep: z.exactOptional(z.strictObject({ x: z.string() })),
    }),
    output: z.looseObject({}),
    run: async () => ({ document: await run() }),
  })
}

async function refusal(tool: Tool, args: Record<string, unknown>, given = context()): Promise<unknown> {
  const { content, isError, structuredContent } = await callTool(tool, args, given)
  expect([isError, structuredContent, content.length]).toEqual([true, undefined, 1])
  return JSON.parse((content[0] as { text: string }).text).error
}

describe('callTool', () => {
  it('answers with the document, as structure and as the same text', async () => {
    const answer = await callTool(
      toolThat(async () => ({ a: [1] })),
      { n: null },
      context(),
    )
    expect(answer).toEqual({ content: [{ type: 'text', text: '{"a":[1]}' }], structuredContent: { a: [1] } })
  })

  it('names every argument that is wrong, and what there is', async () => {
    const tool = toolThat(async () => ({}))
    expect(await refusal(tool, { n: 4, m: 1, deep: { y: 2 } })).toEqual({
      code: 'INVALID_OPTION',
      message: expect.stringMatching(
        /^Cannot call try: .*n: .*<=3.*deep\.x is missing.*no argument deep\.y.*no argument m$/,
      ),
      remedy: 'Its arguments are n, deep',
    })
  })

  it('makes an answer of what should not happen, and logs it', async () => {
    const given = context()
    const failing = toolThat(() => Promise.reject(new TypeError('undefined is not a function')))
    expect(await refusal(failing, {}, given)).toEqual({
      code: 'UNEXPECTED',
      message: 'undefined is not a function',
      remedy: expect.stringContaining('madeleine doctor'),
    })
    expect(given.logged).toEqual([expect.stringContaining('TypeError')])
  })

  it('does not wait for work whose answer nobody wants any more', async () => {
    const cancel = new AbortController()
    const endless = toolThat(() => new Promise(() => undefined))
    const refused = refusal(endless, {}, context(cancel.signal))
    cancel.abort()
    expect(await refused).toMatchObject({ code: 'INTERRUPTED' })
    expect(await refusal(endless, {}, context(AbortSignal.abort()))).toMatchObject({ code: 'INTERRUPTED' })
  })
})
