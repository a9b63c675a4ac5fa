import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A message as an OpenAI-compatible client sends it. */
export interface SentMessage {
  role: string
  content: unknown
}

/** A model that answers every turn alike, and runs the command of a turn that says `RUN: …` before it does. */
export interface MockModel {
  baseUrl: string
  /** The messages of every request so far, oldest first. */
  requests: SentMessage[][]
  close(): Promise<void>
}

export const REPLY = 'Very well.'

/** Starts the model on a free port of this machine. */
export async function startMockModel(): Promise<MockModel> {
  const requests: SentMessage[][] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (data) => {
      body += data
    })
    request.on('end', () => {
      const { messages = [] } = parseBody(body)
      requests.push(messages)
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      for (const chunk of answer(messages)) response.write(`data: ${JSON.stringify(toChunk(chunk))}\n\n`)
      response.end('data: [DONE]\n\n')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

function parseBody(body: string): { messages?: SentMessage[] } {
  return body === '' ? {} : (JSON.parse(body) as { messages?: SentMessage[] })
}

interface Chunk {
  delta: object
  finish: string | null
}

function answer(messages: readonly SentMessage[]): Chunk[] {
  const command = commandToRun(messages)
  if (command === undefined) {
    return [
      { delta: { role: 'assistant', content: REPLY }, finish: null },
      { delta: {}, finish: 'stop' },
    ]
  }
  const call = { name: 'exec', arguments: JSON.stringify({ command }) }
  const tool_calls = [{ index: 0, id: `call_${messages.length}`, type: 'function', function: call }]
  return [
    { delta: { role: 'assistant', content: 'Let me look.', tool_calls }, finish: null },
    { delta: {}, finish: 'tool_calls' },
  ]
}

/** The command of the last turn that the user began, unless a tool has answered since. */
function commandToRun(messages: readonly SentMessage[]): string | undefined {
  const texts = messages.map(({ content }) => textOf(content))
  const asked = texts.findLastIndex((text, index) => messages[index]?.role === 'user' && /RUN: /.test(text))
  const lastUser = messages.findLastIndex(({ role }, index) => role === 'user' && isSaid(texts[index] ?? ''))
  if (asked === -1 || asked < lastUser || messages.slice(asked).some(({ role }) => role === 'tool')) return undefined
  return /RUN: (.*)/.exec(texts[asked] ?? '')?.[1]?.trim()
}

/** Newer hosts add what is going on as a message of the user's; the user said none of it. */
function isSaid(text: string): boolean {
  return !text.includes('BEGIN_OPENCLAW_INTERNAL_CONTEXT')
}

/** The text of a message's content, whatever form it has. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map((part: { text?: unknown }) => (typeof part.text === 'string' ? part.text : '')).join('\n')
}

function toChunk({ delta, finish }: Chunk): object {
  return {
    id: 'chatcmpl-mock',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'mock-1',
    choices: [{ index: 0, delta, finish_reason: finish }],
    ...(finish && { usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 } }),
  }
}
