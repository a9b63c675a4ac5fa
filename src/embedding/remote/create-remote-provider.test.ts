import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { REMOTE_EMBEDDING_BATCH, REMOTE_MAX_WAIT_MS, REMOTE_QUERY_TRIES, REMOTE_TRIES } from '../../options.ts'
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
  server_: FakeEmbeddingServerOptions,
  spec: string,
  options: RemoteProviderOptions = {},
): Promise<void> {
  await server?.close()
  await provider?.close()
  server = await startFakeEmbeddingServer(server_)
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

async function failureOf(call: Promise<unknown>): Promise<Error & { remedy: string; code: string }> {
  return await call.then(
    () => {
      throw new Error('It did not reject')
    },
    (error) => error,
  )
}

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

describe('a service in trouble', () => {
  it('waits as long as a rate limit asks and embeds nothing twice', async () => {
    server.script.push('normal', 'normal', { status: 429, headers: { 'retry-after': '2' } })
    const lists = await provider.embedDocuments(numbered(REMOTE_EMBEDDING_BATCH * 4))
    expect(lists.every((list) => list.length === 1)).toBe(true)
    expect(waits).toEqual([2000])
    expect(server.requests).toHaveLength(5)
  })

  it('takes a date to wait for by the clock of the service', async () => {
    const date = 'Wed, 21 Oct 2026 07:28:00 GMT'
    server.script.push({ status: 503, headers: { date, 'retry-after': 'Wed, 21 Oct 2026 07:28:30 GMT' } })
    await provider.embedDocuments(['heron'])
    expect(waits).toEqual([30_000])
  })

  it('pauses longer and longer where nothing is asked, and gives up in the end', async () => {
    server.script.push(...Array.from({ length: REMOTE_TRIES }, () => ({ status: 503, body: 'upstream is down' })))
    const failure = await failureOf(provider.embedDocuments(['heron']))
    expect(failure.code).toBe('EMBEDDING_UNAVAILABLE')
    expect(failure.message).toContain('503: upstream is down')
    expect(waits).toEqual([1000, 2000, 4000, 8000])
    expect(server.requests).toHaveLength(REMOTE_TRIES)
    expect(await provider.embedDocuments(['heron'])).toHaveLength(1)
  })

  it('does not wait for hours, and says how long it would be', async () => {
    server.script.push({ status: 429, headers: { 'retry-after': String(REMOTE_MAX_WAIT_MS / 1000 + 1) } })
    const failure = await failureOf(provider.embedDocuments(['heron']))
    expect(failure.message).toContain('asks to wait 121 s')
    expect(waits).toEqual([])
  })

  it('lets a query wait little: keyword search can answer', async () => {
    server.script.push({ status: 429, headers: { 'retry-after': '20' } })
    await expect(provider.embedQueries(['heron'])).rejects.toMatchObject(UNAVAILABLE)
    expect(waits).toEqual([])
    server.script.push(...Array.from({ length: REMOTE_QUERY_TRIES }, () => 'drop' as const))
    await expect(provider.embedQueries(['heron'])).rejects.toMatchObject(UNAVAILABLE)
    expect(waits).toEqual([1000])
  })

  it.each(['drop', 'garbage'] as const)('tries again after a broken answer: %s', async (reply) => {
    server.script.push(reply)
    expect(await provider.embedDocuments(['heron'])).toHaveLength(1)
    expect(waits).toHaveLength(1)
  })

  it('tries again when no answer comes in time', async () => {
    await open({ kind: 'openai' }, 'openai:m', { timeoutMs: 200 })
    server.script.push('hang')
    expect(await provider.embedDocuments(['heron'])).toHaveLength(1)
    await open({ kind: 'openai' }, 'openai:m', { timeoutMs: 20 })
    server.script.push(...Array.from({ length: REMOTE_TRIES }, () => 'hang' as const))
    expect((await failureOf(provider.embedDocuments(['heron']))).message).toContain('within 20 ms')
  })

  it('says at once that nobody is there', async () => {
    await open({ kind: 'ollama' }, 'ollama:nomic-embed-text')
    await server.close()
    const failure = await failureOf(provider.embedDocuments(['heron']))
    expect(failure).toMatchObject({ code: 'EMBEDDING_UNAVAILABLE', remedy: expect.stringContaining('Start Ollama') })
    expect(failure.message).toContain(server.baseUrl)
    expect(waits).toEqual([])
  })
})

describe('a service that needs its owner', () => {
  const spent = { message: 'You exceeded your current quota', type: 'insufficient_quota', param: null, code: null }

  it.each([
    ['a spent quota', { status: 429, body: { error: spent }, headers: { 'retry-after': '1' } }, /quota is exhausted/],
    ['no credit', { status: 402, body: { error: 'Payment required' } }, /quota is exhausted/],
    ['a refused key', { status: 401 }, /refused the API key/],
    ['a forbidden model', { status: 403 }, /refused the API key/],
    ['an unknown model', { status: 404, body: { error: { message: 'The model does not exist' } } }, /does not exist/],
  ])('fails at once: %s', async (_name, reply, message) => {
    server.script.push(reply)
    const failure = await failureOf(provider.embedDocuments(numbered(30)))
    expect(failure).toMatchObject({ code: 'EMBEDDING_UNAVAILABLE', message: expect.stringMatching(message) })
    expect(failure.remedy).not.toBe('')
    expect(server.requests).toHaveLength(1)
    expect(waits).toEqual([])
  })

  it('does not take the rate limit of an account without a payment method for a spent quota', async () => {
    await open({ kind: 'voyage' }, 'voyage:voyage-3-large', { apiKey: KEY })
    const detail = 'You have not yet added your payment method in the billing page: reduced rate limits of 3 RPM.'
    server.script.push({ status: 429, body: { detail }, headers: { 'retry-after': '20' } })
    expect(await provider.embedDocuments(['heron'])).toHaveLength(1)
    expect(waits).toEqual([20_000])
  })

  it('names the command that fetches a missing Ollama model', async () => {
    await open({ kind: 'ollama' }, 'ollama:nomic-embed-text')
    server.script.push({ status: 404, body: { error: 'model "nomic-embed-text" not found, try pulling it first' } })
    expect((await failureOf(provider.embedDocuments(['heron']))).remedy).toContain('ollama pull nomic-embed-text')
  })

  it('asks for a key without sending anything to a service that wants one', async () => {
    const sent: unknown[] = []
    const fetch: typeof globalThis.fetch = async (url) => {
      sent.push(url)
      return new Response('{}')
    }
    for (const spec of ['openai:text-embedding-3-small', 'voyage:voyage-3-large']) {
      const failure = await failureOf(createRemoteProvider(spec, { fetch }).embedQueries(['heron']))
      expect(failure).toMatchObject({ code: 'EMBEDDING_UNAVAILABLE', message: expect.stringContaining('API key') })
    }
    expect(sent).toEqual([])
  })

  it('never repeats a key, whatever the service does with it', async () => {
    await open({ kind: 'openai', apiKey: 'another-key' }, 'openai:m', { apiKey: KEY })
    const failures = [await failureOf(provider.embedDocuments(['heron']))]
    server.script.push({ status: 404, body: { error: { message: `${KEY} may not use this model` } } })
    failures.push(await failureOf(provider.embedDocuments(['heron'])))
    for (const apiKey of [`${KEY}\n${KEY}`, 'kéy-with-accent']) {
      const create = async (): Promise<unknown> => createRemoteProvider('openai:m', { apiKey })
      failures.push(await failureOf(create()))
    }
    const baseUrl = `http://user:${KEY}@127.0.0.1:1/v1`
    failures.push(await failureOf((async () => createRemoteProvider('openai:m', { baseUrl }))()))
    expect(failures.map(({ code }) => code)).toEqual([
      'EMBEDDING_UNAVAILABLE',
      'EMBEDDING_UNAVAILABLE',
      'INVALID_OPTION',
      'INVALID_OPTION',
      'INVALID_OPTION',
    ])
    for (const failure of failures) {
      expect(`${failure.stack}${failure.remedy}${String(failure.cause)}`).not.toMatch(/0123456789abcdef|kéy/)
    }
  })
})

describe('texts that a service refuses', () => {
  it('finds one refused text, spares its neighbours, and says so with an empty list', async () => {
    const texts = numbered(20)
    texts[7] = 'unspeakable'
    await open({ kind: 'ollama', nanFor: 'unspeakable' }, 'ollama:m')
    const lists = await provider.embedDocuments(texts)
    expect(lists.map((list) => list.length)).toEqual(texts.map((_, i) => (i === 7 ? 0 : 1)))
    expect(server.requests.length).toBeLessThan(texts.length)
    expect(waits).toEqual([])
  })

  it.each([
    [413, 'Payload Too Large'],
    [422, { detail: [{ msg: 'inputs must have less than 512 tokens' }] }],
    [
      500,
      { error: { code: 500, message: 'input (992 tokens) is too large to process. increase the physical batch size' } },
    ],
    [500, { error: 'do embedding request: Post "http://127.0.0.1:34567/embedding": EOF' }],
  ])('knows a refused batch by its answer, and asks for less at once: %i %j', async (status, body) => {
    server.script.push({ status, body })
    expect(await provider.embedDocuments(numbered(4))).toHaveLength(4)
    expect(inputs().map((input) => input.length)).toEqual([4, 1, 2, 2])
    expect(waits).toEqual([])
  })

  it('embeds a text that is too long in pieces that hold every character', async () => {
    await open({ kind: 'ollama', maxInputChars: 600 }, 'ollama:m')
    const long = numbered(80).join('. ')
    const [list] = await provider.embedDocuments([long])
    const accepted = inputs()
      .flat()
      .filter((text) => text.length <= 600 && text !== 'memory')
    expect(accepted.join('')).toBe(long)
    expect(list).toHaveLength(accepted.length)
  })

  it('sends a model of a known short window no more than it reads', async () => {
    await open({ kind: 'openai', maxInputChars: 100_000 }, 'openai:sentence-transformers/all-MiniLM-L6-v2')
    const long = numbered(80).join('. ')
    await provider.embedDocuments([long])
    expect(inputs().flat().join('')).toBe(long)
    for (const text of inputs().flat()) expect(text.length).toBeLessThanOrEqual(768)
  })

  it('takes no refusal for an empty vector when the service refuses everything', async () => {
    server.script.push(
      ...Array.from({ length: 9 }, () => ({ status: 400, body: { error: { message: 'API key not valid' } } })),
    )
    const failure = await failureOf(provider.embedDocuments(numbered(20)))
    expect(failure).toMatchObject({ code: 'EMBEDDING_UNAVAILABLE', message: expect.stringContaining('not valid') })
    expect(server.requests).toHaveLength(2)
  })

  it('recovers from an answer with a vector too few', async () => {
    server.script.push('short')
    const texts = numbered(5)
    const lists = await provider.embedDocuments(texts)
    expect(lists.map((list) => list.length)).toEqual([1, 1, 1, 1, 1])
    const [alone] = await provider.embedDocuments([texts[4] ?? ''])
    expect(lists[4]).toEqual(alone)
  })

  it('rejects when every answer is a vector short, or one has a vector too many', async () => {
    server.script.push('short', 'short')
    expect((await failureOf(provider.embedDocuments(numbered(5)))).message).toContain('0 vectors for 1 texts')
    server.script.push('surplus')
    expect((await failureOf(provider.embedDocuments(numbered(5)))).message).toContain('6 vectors for 5 texts')
  })

  it('reads an answer that spells NaN out, for the sake of the other texts', async () => {
    const body = '{"data":[{"index":0,"embedding":[NaN,-Infinity]},{"index":1,"embedding":[1,0]}]}'
    server.script.push({ status: 200, body })
    expect(await provider.embedDocuments(['a', 'b'])).toEqual([[], [Float32Array.of(1, 0)]])
  })

  it.each([
    ['repeat', [0, 0]],
    ['leave the range', [0, 2]],
    ['are missing in part', [0, undefined]],
  ])('refuses rows whose indexes %s: a wrong pairing would never be noticed', async (_name, indexes) => {
    const data = indexes.map((index) => ({ index, embedding: [1, 0] }))
    server.script.push(...Array.from({ length: REMOTE_TRIES }, () => ({ status: 200, body: { data } })))
    await expect(provider.embedDocuments(['a', 'b'])).rejects.toMatchObject(UNAVAILABLE)
  })

  it('refuses vectors of another length than before', async () => {
    await provider.embedDocuments(['heron'])
    server.script.push({ status: 200, body: { data: [{ index: 0, embedding: [1, 0] }] } })
    expect((await failureOf(provider.embedDocuments(['pier']))).message).toContain('2 numbers, 64 were expected')
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
