import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { REMOTE_TRIES } from '../../options.ts'
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

async function failureOf(call: Promise<unknown>): Promise<Error & { remedy: string; code: string }> {
  return await call.then(
    () => {
      throw new Error('It did not reject')
    },
    (error) => error,
  )
}

describe('texts that a service refuses', () => {
  it('finds one refused text, spares its neighbours, and says so with an empty list', async () => {
    const texts = numbered(20)
    texts[7] = 'unspeakable'
    await open({ kind: 'ollama', nanFor: 'unspeakable' }, 'ollama:m')
    const lists = await provider.embedDocuments(texts)
    expect(lists.map((list) => list.length)).toEqual(texts.map((_, i) => (i === 7 ? 0 : 1)))
    expect(server.requests.length).toBeLessThan(texts.length)
    expect(inputs().filter(([text]) => text === 'memory')).toHaveLength(1)
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

  it('cuts a query that is too long and sends nothing of its tail again', async () => {
    await open({ kind: 'ollama', maxInputChars: 600 }, 'ollama:m')
    const long = numbered(80).join('. ')
    const [vector] = await provider.embedQueries([long])
    expect(vector).toHaveLength(64)
    for (const text of inputs().flat()) if (text !== 'memory') expect(long.startsWith(text)).toBe(true)
  })

  it('sends no piece that is only white space', async () => {
    await open({ kind: 'ollama', maxInputChars: 600 }, 'ollama:m')
    const [list] = await provider.embedDocuments([`heron${' '.repeat(2000)}`])
    expect(list).toHaveLength(1)
    for (const text of inputs().flat()) expect(text.trim()).not.toBe('')
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
    expect((await failureOf(provider.embedDocuments(['a', 'b']))).message).toContain('holds no embeddings')
  })

  it('refuses vectors that are not lists of numbers', async () => {
    const body = { data: [{ index: 0, embedding: ['0.1', '0.2'] }] }
    server.script.push(...Array.from({ length: REMOTE_TRIES }, () => ({ status: 200, body })))
    await expect(provider.embedDocuments(['heron'])).rejects.toMatchObject(UNAVAILABLE)
  })

  it('refuses vectors of another length than before', async () => {
    await provider.embedDocuments(['heron'])
    server.script.push({ status: 200, body: { data: [{ index: 0, embedding: [1, 0] }] } })
    expect((await failureOf(provider.embedDocuments(['pier']))).message).toContain('2 numbers, 64 were expected')
  })
})
