import { getEventListeners } from 'node:events'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { REMOTE_EMBEDDING_BATCH } from '../../options.ts'
import { testEmbeddingProvider } from '../../testing/embedding-provider-contract.ts'
import {
  type FakeEmbeddingServer,
  type FakeEmbeddingServerOptions,
  startFakeEmbeddingServer,
} from '../../testing/fake-embedding-server.ts'
import {
  createRemoteProvider,
  type RemoteEmbeddingProvider,
  type RemoteProviderOptions,
} from './create-remote-provider.ts'

const KEY = 'sk-test-0123456789abcdef'
const UNAVAILABLE = { code: 'EMBEDDING_UNAVAILABLE' }

describe.each([
  ['ollama', 'ollama:nomic-embed-text'],
  ['openai', 'openai:text-embedding-3-small'],
  ['voyage', 'voyage:voyage-3-large'],
] as const)('a service that speaks as %s does', (kind, spec) => {
  let server: FakeEmbeddingServer
  beforeAll(async () => {
    server = await startFakeEmbeddingServer({ kind, nanFor: 'unspeakable', apiKey: KEY })
  })
  afterAll(() => server.close())

  testEmbeddingProvider(spec, {
    create: () => createRemoteProvider(spec, { baseUrl: server.baseUrl, apiKey: KEY, sleep: noWait }),
    unrepresentable: 'something unspeakable happened',
  })
})

async function noWait(): Promise<void> {}

let server: FakeEmbeddingServer
let provider: RemoteEmbeddingProvider
let waits: number[]

async function open(
  service: FakeEmbeddingServerOptions,
  spec: string,
  options: RemoteProviderOptions = {},
): Promise<void> {
  await server?.close()
  await provider?.close()
  server = await startFakeEmbeddingServer(service)
  provider = createRemoteProvider(spec, {
    baseUrl: server.baseUrl,
    sleep: async (ms) => {
      waits.push(ms)
    },
    ...options,
  })
}

beforeEach(async () => {
  waits = []
  await open({ kind: 'openai' }, 'openai:text-embedding-3-small', { apiKey: KEY })
})
afterEach(() => server.close())

const inputs = (): string[][] => server.requests.map(({ body }) => body.input)
const numbered = (count: number): string[] => Array.from({ length: count }, (_, i) => `entry ${i} of the harbour log`)

describe('what is sent', () => {
  it('asks Ollama not to cut, with the prefixes that nomic wants', async () => {
    await open({ kind: 'ollama' }, 'ollama:nomic-embed-text:v1.5')
    await provider.embedDocuments(['the heron nests'])
    await provider.embedQueries(['where?', 'when?'])
    expect(server.requests.map(({ path, body }) => ({ path, ...body }))).toEqual([
      {
        path: '/api/embed',
        model: 'nomic-embed-text:v1.5',
        input: ['search_document: the heron nests'],
        truncate: false,
      },
      {
        path: '/api/embed',
        model: 'nomic-embed-text:v1.5',
        input: ['search_query: where?', 'search_query: when?'],
        truncate: false,
      },
    ])
    expect(server.requests[0]?.headers.authorization).toBeUndefined()
  })

  it('asks OpenAI for plain numbers, with the key', async () => {
    await provider.embedDocuments(['the heron nests'])
    expect(server.requests[0]).toMatchObject({
      path: '/v1/embeddings',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      body: { model: 'text-embedding-3-small', input: ['the heron nests'], encoding_format: 'float' },
    })
  })

  it('tells Voyage what the text is for', async () => {
    await open({ kind: 'voyage' }, 'voyage:voyage-3-large', { dimensions: 64 })
    await provider.embedDocuments(['the heron nests'])
    await provider.embedQueries(['where?'])
    expect(server.requests.map(({ body }) => body)).toMatchObject([
      { input_type: 'document', truncation: false, output_dimension: 64 },
      { input_type: 'query', truncation: false, output_dimension: 64 },
    ])
  })

  it('keeps what stands behind the path of the base URL', async () => {
    const spec = 'openai:text-embedding-3-small'
    const other = createRemoteProvider(spec, { baseUrl: `${server.baseUrl}/?api-version=2024-10-21` })
    await other.embedDocuments(['the heron nests'])
    expect(server.requests[0]?.path).toBe('/v1/embeddings?api-version=2024-10-21')
  })

  it('sends nothing before it is asked, and no blank text', async () => {
    expect(server.requests).toEqual([])
    expect(provider.dimensions).toBe(0)
    const lists = await provider.embedDocuments(['', ' \n', 'heron'])
    expect(lists.map((list) => list.length)).toEqual([0, 0, 1])
    expect(inputs()).toEqual([['heron']])
    expect(provider.dimensions).toBe(64)
  })

  it('sends full batches, one at a time', async () => {
    await provider.embedDocuments(numbered(REMOTE_EMBEDDING_BATCH * 2 + 1))
    expect(inputs().map((input) => input.length)).toEqual([REMOTE_EMBEDDING_BATCH, REMOTE_EMBEDDING_BATCH, 1])
    expect(inputs().flat()).toEqual(numbered(REMOTE_EMBEDDING_BATCH * 2 + 1))
  })

  it('replaces half surrogate pairs', async () => {
    await provider.embedDocuments(['heron \ud83e nest', 'whole 🦩'])
    expect(inputs()).toEqual([['heron \ufffd nest', 'whole 🦩']])
  })

  it('follows no redirect: it could lead to a house that nobody chose', async () => {
    const elsewhere = await startFakeEmbeddingServer({ kind: 'openai' })
    server.script.push({ status: 307, headers: { location: `${elsewhere.baseUrl}/embeddings` } })
    await expect(provider.embedDocuments(['heron'])).rejects.toMatchObject(UNAVAILABLE)
    expect(elsewhere.requests).toEqual([])
    await elsewhere.close()
  })
})

describe('ending', () => {
  it('ends a request that is under way when the caller gives up', async () => {
    server.script.push('hang')
    const caller = new AbortController()
    const call = provider.embedDocuments(['heron'], { signal: caller.signal })
    while (server.requests.length === 0) await new Promise((resolve) => setImmediate(resolve))
    caller.abort()
    await expect(call).rejects.toMatchObject({ code: 'INTERRUPTED' })
    expect(waits).toEqual([])
  })

  it('leaves nothing hanging on the signals it was given', async () => {
    const signals = [new AbortController().signal]
    await open({ kind: 'openai' }, 'openai:m', { sleep: async (_ms, signal) => void signals.push(signal) })
    server.script.push({ status: 503 })
    await provider.embedDocuments(numbered(50), { signal: signals[0] ?? AbortSignal.abort() })
    expect(signals.map((signal) => getEventListeners(signal, 'abort'))).toEqual([[], []])
  })

  it('ends a pause when the caller gives up, and does not try again', async () => {
    const caller = new AbortController()
    await open({ kind: 'openai' }, 'openai:m', { sleep: async () => caller.abort() })
    server.script.push({ status: 429, headers: { 'retry-after': '60' } })
    await expect(provider.embedDocuments(['heron'], { signal: caller.signal })).rejects.toMatchObject({
      code: 'INTERRUPTED',
    })
    expect(server.requests).toHaveLength(1)
  })

  it('pauses by the real clock unless told otherwise, and the pause can be ended', async () => {
    const real = createRemoteProvider('openai:m', { baseUrl: server.baseUrl })
    server.script.push({ status: 429, headers: { 'retry-after-ms': '5' } })
    expect(await real.embedDocuments(['heron'])).toHaveLength(1)
    server.script.push({ status: 429, headers: { 'retry-after': '100' } })
    const call = real.embedDocuments(['heron'])
    while (server.requests.length < 3) await new Promise((resolve) => setImmediate(resolve))
    await real.close()
    await expect(call).rejects.toMatchObject(UNAVAILABLE)
  })

  it('ends what is under way when it is closed', async () => {
    server.script.push('hang')
    const call = provider.embedDocuments(['heron'])
    while (server.requests.length === 0) await new Promise((resolve) => setImmediate(resolve))
    await provider.close()
    await expect(call).rejects.toMatchObject({ ...UNAVAILABLE, message: expect.stringContaining('closed') })
  })
})

describe('before indexing', () => {
  it('can be probed for its dimensions', async () => {
    expect(await provider.probe()).toBe(64)
    expect(inputs()).toEqual([['memory']])
  })

  it('says by the probe that the model embeds nothing', async () => {
    server.script.push({ status: 200, body: { data: [{ index: 0, embedding: [] }] } })
    await expect(provider.probe()).rejects.toMatchObject(UNAVAILABLE)
  })

  it('has an identity that changes with model, dimensions and handling, not with the address', () => {
    const identity = (spec: string, options: RemoteProviderOptions = {}): string =>
      createRemoteProvider(spec, options).identity
    expect(identity('ollama:nomic-embed-text')).toBe(
      identity('ollama:nomic-embed-text:latest', { baseUrl: 'http://h:1' }),
    )
    const different = [
      identity('ollama:nomic-embed-text'),
      identity('ollama:nomic-embed-text:v1.5'),
      identity('openai:nomic-embed-text'),
      identity('openai:text-embedding-3-small'),
      identity('openai:text-embedding-3-small', { dimensions: 256 }),
    ]
    expect(new Set(different).size).toBe(different.length)
    // Vectors in stores are found by it: it may only change together with them.
    expect(identity('ollama:nomic-embed-text')).toBe('ollama:nomic-embed-text#e58e54bc')
  })

  it.each([
    ['bundled', {}],
    ['openai:', {}],
    ['openai:m', { baseUrl: 'localhost:8080' }],
    ['openai:m', { baseUrl: 'file:///v1' }],
    ['openai:m', { dimensions: 0 }],
  ])('refuses what cannot be meant: %s %j', (spec, options) => {
    expect(() => createRemoteProvider(spec, options)).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }))
  })
})
