import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { text as readText } from 'node:stream/consumers'
import { hashedWords } from './fake-embedding-provider.ts'

/** A reply as it is; a text is sent as such, anything else as JSON. */
export interface PlainReply {
  status: number
  body?: unknown
  headers?: Record<string, string>
}

/**
 * What the server does with one request.
 * - an object: this status, body and headers
 * - `drop`: breaks the connection off in the middle of its answer
 * - `hang`: never answers
 * - `endless`: goes on answering until it is hung up on
 * - `garbage`: half of an answer, as of a proxy that gave up
 * - `nan`, `zeros`: one bad vector for each text
 * - `short`, `surplus`: one vector too few, too many
 */
export type ScriptedReply =
  | PlainReply
  | 'normal'
  | 'drop'
  | 'hang'
  | 'endless'
  | 'garbage'
  | 'nan'
  | 'zeros'
  | 'short'
  | 'surplus'

export interface FakeEmbeddingServerOptions {
  kind: 'ollama' | 'openai' | 'voyage'
  /** Default 64. May be changed between requests. */
  dimensions?: number
  /** Longer inputs are refused, in characters, prefix included; default 2,000. */
  maxInputChars?: number
  /** What the model cannot represent: inputs that hold this word. Each service fails its own way. */
  nanFor?: string
  /** With it, other keys are refused. */
  apiKey?: string
}

export interface RecordedRequest {
  path: string
  headers: IncomingMessage['headers']
  body: { model?: string; input: string[]; [field: string]: unknown }
}

export interface FakeEmbeddingServer {
  /** As a user configures it: with `/v1` where the service has it. */
  readonly baseUrl: string
  readonly requests: readonly RecordedRequest[]
  /** Replies to the next requests, first come first served; then it behaves. */
  readonly script: ScriptedReply[]
  close(): Promise<void>
}

/** Starts a server on a free local port that answers like Ollama, OpenAI or Voyage, with vectors as of the fake provider. */
export async function startFakeEmbeddingServer(options: FakeEmbeddingServerOptions): Promise<FakeEmbeddingServer> {
  const requests: RecordedRequest[] = []
  const script: ScriptedReply[] = []
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await readText(request)) as RecordedRequest['body']
    requests.push({ path: request.url ?? '', headers: request.headers, body })
    reply(request, response, { body, options, scripted: script.shift() ?? 'normal' })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const suffix = options.kind === 'ollama' ? '' : '/v1'
  return { baseUrl: `http://127.0.0.1:${port}${suffix}`, requests, script, close: () => stop(server) }
}

interface Exchange {
  body: RecordedRequest['body']
  options: FakeEmbeddingServerOptions
  scripted: ScriptedReply
}

function reply(request: IncomingMessage, response: ServerResponse, { body, options, scripted }: Exchange): void {
  if (scripted === 'hang') return
  if (scripted === 'endless') {
    response.writeHead(200, { 'content-type': 'application/json' })
    Readable.from(endless())
      .on('error', () => response.destroy())
      .pipe(response)
    return
  }
  const refusal = typeof scripted === 'object' ? scripted : refuse(request, body, options)
  if (refusal) {
    send(response, refusal)
    return
  }
  const vectors = body.input.map((text) => spoil(embed(text, options), scripted))
  if (scripted === 'short') vectors.pop()
  if (scripted === 'surplus') vectors.push(vectors[0] ?? [])
  const answer = JSON.stringify(SHAPES[options.kind].answer(vectors, body.model ?? ''))
  if (scripted === 'drop') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': String(answer.length) })
    response.write(answer.slice(0, answer.length / 2), () => response.destroy())
    return
  }
  send(response, { status: 200, body: scripted === 'garbage' ? answer.slice(0, answer.length / 2) : answer })
}

function refuse(
  { url, headers }: IncomingMessage,
  { input }: RecordedRequest['body'],
  { kind, apiKey, maxInputChars = 2000, nanFor }: FakeEmbeddingServerOptions,
): PlainReply | undefined {
  const { path, error } = SHAPES[kind]
  if (url?.split('?')[0] !== path) return { status: 404, body: '404 page not found' }
  if (apiKey && headers.authorization !== `Bearer ${apiKey}`) {
    const sent = headers.authorization?.replace('Bearer ', '') ?? ''
    return { status: 401, body: error(`Incorrect API key provided: ${sent}.`, 'invalid_api_key') }
  }
  if (input.some((text) => text === '')) return { status: 400, body: error('input cannot be an empty string', null) }
  if (input.some((text) => text.length > maxInputChars)) {
    return { status: 400, body: error('the input length exceeds the context length', null) }
  }
  if (kind === 'ollama' && nanFor && input.some((text) => text.includes(nanFor))) {
    return { status: 500, body: error('failed to encode response: json: unsupported value: NaN', null) }
  }
  return undefined
}

function spoil(vector: Array<number | null>, scripted: ScriptedReply): Array<number | null> {
  if (scripted === 'nan') return vector.map(() => null)
  return scripted === 'zeros' ? vector.map(() => 0) : vector
}

function* endless(): Generator<string> {
  for (;;) yield ' '.repeat(65_536)
}

/** Not of unit length, as many services answer; NaN as the null that JSON makes of it. */
function embed(text: string, { dimensions = 64, nanFor }: FakeEmbeddingServerOptions): Array<number | null> {
  const vector = Array.from(hashedWords(text, dimensions), (value) => value * 3)
  return nanFor && text.includes(nanFor) ? vector.map(() => null) : vector
}

const SHAPES = {
  ollama: {
    path: '/api/embed',
    answer: (vectors: unknown[], model: string) => ({
      model,
      embeddings: vectors,
      total_duration: 14_143_917,
      load_duration: 1_019_500,
      prompt_eval_count: 8,
    }),
    error: (message: string, _code: string | null): unknown => ({ error: message }),
  },
  openai: {
    path: '/v1/embeddings',
    answer: (vectors: unknown[], model: string) => ({
      object: 'list',
      data: vectors.map((embedding, index) => ({ object: 'embedding', index, embedding })),
      model,
      usage: { prompt_tokens: 8, total_tokens: 8 },
    }),
    error: (message: string, code: string | null): unknown => ({
      error: { message, type: 'invalid_request_error', param: null, code },
    }),
  },
  voyage: {
    path: '/v1/embeddings',
    // Rows in another order than asked: only their index says which text they belong to.
    answer: (vectors: unknown[], model: string) => ({
      object: 'list',
      data: vectors.map((embedding, index) => ({ object: 'embedding', embedding, index })).reverse(),
      model,
      usage: { total_tokens: 8 },
    }),
    error: (message: string, _code: string | null): unknown => ({ detail: message }),
  },
} as const

function send(response: ServerResponse, { status, body = '', headers = {} }: PlainReply): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(typeof body === 'string' ? body : JSON.stringify(body))
}

async function stop(server: Server): Promise<void> {
  server.closeAllConnections()
  await new Promise<void>((resolve) => server.close(() => resolve()))
}
