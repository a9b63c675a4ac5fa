import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  REMOTE_EMBEDDING_BATCH,
  REMOTE_MAX_WAIT_MS,
  REMOTE_QUERY_TIMEOUT_MS,
  REMOTE_QUERY_TRIES,
  REMOTE_TRIES,
} from '../../options.ts'
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
afterEach(async () => {
  vi.useRealTimers()
  await server.close()
})

const numbered = (count: number): string[] => Array.from({ length: count }, (_, i) => `entry ${i} of the harbour log`)

async function failureOf(call: Promise<unknown>): Promise<Error & { remedy: string; code: string }> {
  return await call.then(
    () => {
      throw new Error('It did not reject')
    },
    (error) => error,
  )
}

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

  it('gives a query less time than documents, and leaves no timer behind', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const fetch: typeof globalThis.fetch = (_url, init) =>
      new Promise((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(new Error('ended')))
      })
    const call = failureOf(createRemoteProvider('ollama:m', { fetch, sleep: noWait }).embedQueries(['heron']))
    await vi.advanceTimersByTimeAsync(REMOTE_QUERY_TIMEOUT_MS)
    expect((await call).message).toContain(`within ${REMOTE_QUERY_TIMEOUT_MS} ms`)
    await createRemoteProvider('ollama:m', { baseUrl: 'http://127.0.0.1:1', sleep: noWait })
      .probe()
      .catch(() => undefined)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('gives a query one time for all attempts and pauses together', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const fetch: typeof globalThis.fetch = async () => new Response('busy', { status: 503 })
    const sleep = (_ms: number, signal: AbortSignal): Promise<void> =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('ended')), { once: true })
      })
    const call = failureOf(createRemoteProvider('ollama:m', { fetch, sleep }).embedQueries(['heron']))
    await vi.advanceTimersByTimeAsync(REMOTE_QUERY_TIMEOUT_MS)
    expect(await call).toMatchObject({ code: 'EMBEDDING_UNAVAILABLE' })
    expect((await call).message).toContain(`within ${REMOTE_QUERY_TIMEOUT_MS} ms`)
    expect(REMOTE_QUERY_TIMEOUT_MS).toBeLessThanOrEqual(5000)
  })

  it('gives up an answer without an end, and hangs up', async () => {
    server.script.push('endless')
    const failure = await failureOf(provider.embedDocuments(['heron']))
    expect(failure).toMatchObject({ code: 'EMBEDDING_UNAVAILABLE', message: expect.stringContaining('32 MB') })
    expect(server.requests).toHaveLength(1)
    expect(await provider.embedDocuments(['heron'])).toHaveLength(1)
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
    for (const baseUrl of [`http://user:${KEY}@127.0.0.1:1/v1`, `http://${KEY}@127.0.0.1:1/v1`]) {
      const create = async (): Promise<unknown> => createRemoteProvider('openai:m', { baseUrl })
      failures.push(await failureOf(create()))
    }
    expect(failures.map(({ code }) => code)).toEqual([
      'EMBEDDING_UNAVAILABLE',
      'EMBEDDING_UNAVAILABLE',
      'INVALID_OPTION',
      'INVALID_OPTION',
      'INVALID_OPTION',
      'INVALID_OPTION',
    ])
    for (const failure of failures) {
      expect(`${failure.stack}${failure.remedy}${String(failure.cause)}`).not.toMatch(/0123456789abcdef|kéy/)
    }
  })
})
