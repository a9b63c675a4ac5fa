import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { text as readText } from 'node:stream/consumers'

/**
 * What the server does with one request.
 * - `{ text }`: answers it, after `delayMs` where one is given; with `isCut`, as an answer that reached its longest length
 * - `{ status }`: this status, with body and headers
 * - `hang`: never answers · `drop`: breaks off in the middle · `garbage`: half of an answer · `endless`: goes on until it is hung up on
 * - `empty`: an answer without text · `refuse`: the model declines, with no text
 */
export type ScriptedAnswer =
  | { text: string; delayMs?: number; isCut?: boolean; isWithoutUsage?: boolean }
  | { status: number; body?: unknown; headers?: Record<string, string> }
  | 'hang'
  | 'drop'
  | 'garbage'
  | 'endless'
  | 'empty'
  | 'refuse'

export interface RecordedQuestion {
  path: string
  headers: IncomingMessage['headers']
  body: Record<string, unknown>
}

export interface FakeLanguageServerOptions {
  kind: 'openai' | 'anthropic'
  /** With it, other keys are refused, and repeated in the refusal as some services do. */
  apiKey?: string
  /** What it answers when nothing is scripted. */
  otherwise?: string
}

export interface FakeLanguageServer {
  /** As a user configures it. */
  readonly baseUrl: string
  readonly requests: readonly RecordedQuestion[]
  /** Answers to the next requests, first come first served; then `otherwise`. */
  readonly script: ScriptedAnswer[]
  close(): Promise<void>
}

/** Starts a server on a free local port that answers as OpenAI's chat completions or Anthropic's messages. */
export async function startFakeLanguageServer(options: FakeLanguageServerOptions): Promise<FakeLanguageServer> {
  const requests: RecordedQuestion[] = []
  const script: ScriptedAnswer[] = []
  const timers = new Set<NodeJS.Timeout>()
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await readText(request)) as Record<string, unknown>
    requests.push({ path: request.url ?? '', headers: request.headers, body })
    const scripted = script.shift() ?? { text: options.otherwise ?? 'Yes.' }
    const refusal = refuseKey(request, options)
    if (refusal) send(response, refusal.status, refusal.body)
    else if (typeof scripted === 'object' && 'delayMs' in scripted) {
      timers.add(setTimeout(() => answer(response, scripted, options.kind), scripted.delayMs))
    } else answer(response, scripted, options.kind)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    script,
    async close() {
      for (const timer of timers) clearTimeout(timer)
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

function refuseKey(
  { headers }: IncomingMessage,
  { kind, apiKey }: FakeLanguageServerOptions,
): { status: number; body: unknown } | undefined {
  const sent = kind === 'openai' ? headers.authorization?.replace('Bearer ', '') : headers['x-api-key']
  if (apiKey === undefined || sent === apiKey) return undefined
  return {
    status: 401,
    body: { error: { type: 'authentication_error', message: `Incorrect API key provided: ${sent}` } },
  }
}

function answer(response: ServerResponse, scripted: ScriptedAnswer, kind: 'openai' | 'anthropic'): void {
  if (scripted === 'hang') return
  if (scripted === 'endless') {
    response.writeHead(200, { 'content-type': 'application/json' })
    Readable.from(spaces())
      .on('error', () => response.destroy())
      .pipe(response)
    return
  }
  if (typeof scripted === 'object' && 'status' in scripted) {
    send(response, scripted.status, scripted.body ?? '', scripted.headers)
    return
  }
  const text =
    typeof scripted === 'object' ? scripted.text : scripted === 'drop' || scripted === 'garbage' ? 'Yes.' : ''
  const shape = SHAPES[kind](text, {
    isCut: typeof scripted === 'object' && scripted.isCut === true,
    isRefusal: scripted === 'refuse',
    isWithoutUsage: typeof scripted === 'object' && scripted.isWithoutUsage === true,
  })
  const whole = JSON.stringify(shape)
  if (scripted === 'drop') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': String(whole.length) })
    response.write(whole.slice(0, whole.length / 2), () => response.destroy())
    return
  }
  send(response, 200, scripted === 'garbage' ? whole.slice(0, whole.length / 2) : whole)
}

interface Manner {
  isCut: boolean
  isRefusal: boolean
  isWithoutUsage: boolean
}

const SHAPES = {
  openai: (text: string, { isCut, isRefusal, isWithoutUsage }: Manner): unknown => ({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_700_000_000,
    model: 'fake',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: isRefusal ? null : text },
        finish_reason: isRefusal ? 'content_filter' : isCut ? 'length' : 'stop',
      },
    ],
    ...(!isWithoutUsage && { usage: { prompt_tokens: 120, completion_tokens: 30, total_tokens: 150 } }),
  }),
  anthropic: (text: string, { isCut, isRefusal }: Manner): unknown => ({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'fake',
    content: isRefusal || text === '' ? [] : [{ type: 'text', text }],
    stop_reason: isRefusal ? 'refusal' : isCut ? 'max_tokens' : 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 120, output_tokens: 30 },
  }),
} as const

function* spaces(): Generator<string> {
  for (;;) yield ' '.repeat(65_536)
}

function send(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(typeof body === 'string' ? body : JSON.stringify(body))
}
