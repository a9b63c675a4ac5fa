import { inspect } from 'node:util'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createFakeLanguageModel } from '../testing/fake-language-model.ts'
import {
  type FakeLanguageServer,
  type FakeLanguageServerOptions,
  type ScriptedAnswer,
  startFakeLanguageServer,
} from '../testing/fake-language-server.ts'
import { testLanguageModel } from '../testing/language-model-contract.ts'
import { createLanguageModel } from './create-language-model.ts'
import type { CompletionRequest } from './language-model.ts'

const KEY = ['sk', 'test', 'a1b2c3d4e5f6'].join('-')
const QUESTION: CompletionRequest = { system: 'Be brief.', prompt: 'What about the heron?', maxOutputTokens: 50 }
const KINDS = ['openai', 'anthropic'] as const

const servers: FakeLanguageServer[] = []
afterEach(async () => {
  vi.restoreAllMocks()
  for (const server of servers.splice(0)) await server.close()
})

async function start(options: FakeLanguageServerOptions, ...script: ScriptedAnswer[]): Promise<FakeLanguageServer> {
  const server = await startFakeLanguageServer(options)
  server.script.push(...script)
  servers.push(server)
  return server
}

testLanguageModel('the fake model', { create: () => createFakeLanguageModel('Yes.') })
for (const kind of KINDS) {
  const own: FakeLanguageServer[] = []
  testLanguageModel(`${kind}:test`, {
    create: async () => {
      own.push(await startFakeLanguageServer({ kind }))
      return createLanguageModel(`${kind}:test`, { baseUrl: own[0]?.baseUrl ?? '' })
    },
    createBroken: () => createLanguageModel(`${kind}:test`, { baseUrl: 'http://127.0.0.1:1/v1' }),
    close: async () => {
      for (const server of own) await server.close()
    },
  })
}

describe('a language model behind a service', () => {
  it.each(KINDS)('asks an %s endpoint once, with the key, and gives what it took', async (kind) => {
    const { baseUrl, requests } = await start({ kind, apiKey: KEY }, { text: 'It nests.' })
    const model = createLanguageModel(`${kind}:some/model`, { baseUrl, apiKey: KEY, price: { input: 2, output: 10 } })
    expect(await model.complete(QUESTION)).toEqual({
      text: 'It nests.',
      isCut: false,
      usage: { inputTokens: 120, outputTokens: 30, cost: (120 * 2 + 30 * 10) / 1e6 },
    })
    expect(requests).toHaveLength(1)
    expect(requests[0]?.path).toBe(kind === 'openai' ? '/v1/chat/completions' : '/v1/messages')
    expect(requests[0]?.body).toMatchObject({ model: 'some/model', max_tokens: 50 })
    expect(JSON.stringify(requests[0]?.body)).toContain('What about the heron?')
    expect(JSON.stringify(requests[0]?.body)).not.toContain(KEY)
  })

  it('asks Ollama by its own address, with nothing but the host given, and without a key', async () => {
    const { baseUrl, requests } = await start({ kind: 'openai' })
    const model = createLanguageModel('ollama:qwen3:8b', { baseUrl: new URL(baseUrl).origin })
    expect(model.name).toBe('ollama:qwen3:8b')
    await model.complete(QUESTION)
    expect(requests[0]).toMatchObject({ path: '/v1/chat/completions', body: { model: 'qwen3:8b' } })
    expect(requests[0]?.headers.authorization).toBeUndefined()
  })

  it.each(KINDS)('says that an %s answer was cut, and leaves the cost open where no price is known', async (kind) => {
    const { baseUrl } = await start({ kind }, { text: '{"shouldAct', isCut: true })
    const answer = await createLanguageModel(`${kind}:m`, { baseUrl }).complete(QUESTION)
    expect(answer).toMatchObject({ text: '{"shouldAct', isCut: true, usage: { cost: null } })
  })

  it('gives null for what the service does not say', async () => {
    const { baseUrl } = await start({ kind: 'openai' }, { text: 'Yes.', isWithoutUsage: true })
    const { usage } = await createLanguageModel('openai:m', { baseUrl, price: { input: 1, output: 1 } }).complete(
      QUESTION,
    )
    expect(usage).toEqual({ inputTokens: null, outputTokens: null, cost: null })
  })

  const failures: Array<[string, ScriptedAnswer, RegExp]> = [
    [
      'a rate limit',
      { status: 429, body: { error: { message: 'slow down' } }, headers: { 'retry-after': '60' } },
      /429: slow down/,
    ],
    ['a broken server', { status: 500, body: 'oops' }, /500: oops/],
    ['an unknown model', { status: 404, body: { error: { message: 'no such model' } } }, /404: no such model/],
    ['a redirect', { status: 302, headers: { location: 'http://127.0.0.1:1/elsewhere' } }, /302/],
    ['half an answer', 'garbage', /cannot be read/],
    ['a connection that breaks', 'drop', /failed|cannot be read/],
    ['an answer without end', 'endless', /longer than \d+ bytes/],
    ['an answer without text', 'empty', /gave no text/],
    ['a refusal', 'refuse', /gave no text/],
  ]
  for (const kind of KINDS) {
    it.each(failures)(`is unavailable after %s of ${kind}, and does not try again`, async (_, scripted, reason) => {
      const { baseUrl, requests } = await start({ kind }, scripted)
      const error: unknown = await createLanguageModel(`${kind}:m`, { baseUrl, apiKey: KEY })
        .complete(QUESTION)
        .catch((thrown: unknown) => thrown)
      expect(error).toMatchObject({ code: 'MODEL_UNAVAILABLE', message: expect.stringMatching(reason) })
      expect(inspect(error, { depth: 10 })).not.toMatch(/heron|sk-test/)
      expect(requests).toHaveLength(1)
    })
  }

  it.each(KINDS)('never repeats a key that %s refuses', async (kind) => {
    const { baseUrl } = await start({ kind, apiKey: 'another' })
    const error: unknown = await createLanguageModel(`${kind}:m`, { baseUrl, apiKey: KEY })
      .complete(QUESTION)
      .catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ message: expect.stringContaining('it refused the API key (401)') })
    expect(inspect(error, { depth: 10 })).not.toContain(KEY)
  })

  it.each(['local-pass/word+7', KEY])(
    'repeats nothing of the key %s to a server that sends back what it was sent',
    async (apiKey) => {
      const base64 = Buffer.from(apiKey).toString('base64')
      const forms = [apiKey, encodeURIComponent(apiKey), base64, `${apiKey.slice(0, 6)}\u200b${apiKey.slice(6)}`]
      const said = `authorization: Bearer ${forms.join(' and ')} in ${'a long answer '.repeat(100)}`
      for (const kind of KINDS) {
        const scripts: ScriptedAnswer[] = [
          { status: 500, body: said },
          { status: 400, body: { error: { message: said } } },
        ]
        const { baseUrl } = await start({ kind }, ...scripts, { text: `The key is ${apiKey}.` })
        const model = createLanguageModel(`${kind}:m`, { baseUrl, apiKey })
        for (let asked = 0; asked < scripts.length; asked++) {
          const error: unknown = await model.complete(QUESTION).catch((thrown: unknown) => thrown)
          const shown = inspect(error, { depth: 10 })
          for (const form of [...forms, apiKey.slice(6)]) expect(shown).not.toContain(form)
          expect(error instanceof Error ? error.message.length : 0).toBeLessThan(400)
        }
        expect((await model.complete(QUESTION)).text).toBe('The key is ***.')
      }
    },
  )

  it('leaves words alone that somebody set as a key where none is wanted', async () => {
    const { baseUrl } = await start({ kind: 'openai' }, { text: 'Restart ollama.' })
    const { text } = await createLanguageModel('ollama:m', { baseUrl, apiKey: 'ollama' }).complete(QUESTION)
    expect(text).toBe('Restart ollama.')
  })

  it('asks nobody without the key that the service wants, whatever the environment holds', async () => {
    const fetch = vi.fn<typeof globalThis.fetch>()
    vi.stubEnv('ANTHROPIC_API_KEY', KEY)
    vi.stubEnv('OPENAI_API_KEY', KEY)
    for (const kind of KINDS) {
      const asked = createLanguageModel(`${kind}:m`, { fetch }).complete(QUESTION)
      await expect(asked).rejects.toMatchObject({ message: expect.stringContaining('wants an API key') })
    }
    vi.unstubAllEnvs()
    expect(fetch).not.toHaveBeenCalled()
  })

  it.each(KINDS)('lets go of a hanging %s service when the caller gives up', async (kind) => {
    const { baseUrl, requests } = await start({ kind }, 'hang')
    const caller = new AbortController()
    const asked = createLanguageModel(`${kind}:m`, { baseUrl }).complete({ ...QUESTION, signal: caller.signal })
    await vi.waitFor(() => expect(requests).toHaveLength(1), { timeout: 20_000 })
    caller.abort()
    await expect(asked).rejects.toMatchObject({ code: 'INTERRUPTED' })
  })

  it('prints nothing', async () => {
    const printed = (['log', 'info', 'warn', 'error'] as const).map((name) => vi.spyOn(console, name))
    const { baseUrl } = await start({ kind: 'openai' }, { text: 'Yes.' }, { status: 500 })
    const model = createLanguageModel('openai:o3-mini', { baseUrl })
    await model.complete(QUESTION)
    await model.complete(QUESTION).catch(() => undefined)
    for (const spy of printed) expect(spy).not.toHaveBeenCalled()
  })

  it('refuses what names no service, no model, or no address, and repeats no secret', () => {
    for (const name of ['gpt-4', 'openai:', 'anthropic', 'voyage:x', '']) {
      expect(() => createLanguageModel(name)).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }))
    }
    for (const settings of [{ baseUrl: 'nowhere' }, { baseUrl: `http://me:${KEY}@host` }, { apiKey: `${KEY}\n x` }]) {
      const attempt = (): unknown => createLanguageModel('openai:m', settings)
      expect(attempt).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }))
      expect(attempt).not.toThrow(KEY)
    }
  })
})
