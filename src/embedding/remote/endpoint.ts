import { MadeleineError } from '../../errors.ts'
import { REMOTE_BACKOFF_MS, REMOTE_MAX_ANSWER_BYTES } from '../../options.ts'
import {
  type Answer,
  classifyAnswer,
  classifyThrown,
  type Failure,
  notAnAnswer,
  timedOut,
  tooLong,
  wrongCount,
} from './classify-failure.ts'
import type { RemoteSpec } from './remote-spec.ts'
import { type EmbeddingCall, WIRE_FORMATS } from './wire-format.ts'

/** Where requests go and with what. */
export interface EndpointOptions {
  baseUrl?: string
  apiKey?: string
  fetch: typeof globalThis.fetch
  /** Waits; rejects, or comes back early, when the signal is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

/** How long to try. */
export interface Patience {
  /** Attempts, the first included. */
  tries: number
  /** Longest pause between two of them, ms. */
  maxWaitMs: number
  /** Time for each, ms; of a query for all of them together. */
  timeoutMs: number
}

/** Vectors, one for each text, or why the service will not take these texts. */
export type EndpointResult = { vectors: unknown[][] } | { refused: Failure }

/** One embedding endpoint: sends texts, tries again where that can help, and says in one error why it gave up. */
export class Endpoint {
  readonly #spec: RemoteSpec
  readonly #options: EndpointOptions
  readonly #url: URL
  readonly #apiKey: string | undefined

  /** Throws INVALID_OPTION for a base URL or key that cannot be used; neither value is repeated in the message. */
  constructor(spec: RemoteSpec, options: EndpointOptions) {
    this.#spec = spec
    this.#options = options
    this.#url = requestUrl(spec, options.baseUrl)
    this.#apiKey = checkedKey(spec, options.apiKey)
  }

  /** Rejects with EMBEDDING_UNAVAILABLE, or with whatever the runtime throws once the signal is aborted. */
  async embed(call: EmbeddingCall, patience: Patience, signal: AbortSignal): Promise<EndpointResult> {
    if (!this.#apiKey && !this.#options.baseUrl && WIRE_FORMATS[this.#spec.kind].needsKey) {
      const remedy = 'Configure the API key of the embedding service'
      throw this.unavailable({ kind: 'fatal', reason: 'it wants an API key and none is configured', remedy })
    }
    for (let attempt = 1; ; attempt++) {
      const result = await this.#attempt(call, patience.timeoutMs, signal)
      if ('vectors' in result) return result
      if (result.kind === 'refused') return { refused: result }
      if (result.kind === 'fatal') throw this.unavailable(result)
      if (attempt >= patience.tries) {
        throw this.unavailable({ ...result, reason: `${result.reason} (${attempt} tries)` })
      }
      const asked = result.waitMs
      if (asked !== undefined && asked > patience.maxWaitMs) {
        throw this.unavailable({ ...result, reason: `${result.reason}; it asks to wait ${Math.ceil(asked / 1000)} s` })
      }
      await this.#options.sleep(asked ?? Math.min(REMOTE_BACKOFF_MS * 2 ** (attempt - 1), patience.maxWaitMs), signal)
    }
  }

  unavailable({ reason, remedy, cause }: Failure): MadeleineError {
    const { kind, model } = this.#spec
    const place = `${this.#url.origin}${this.#url.pathname}`
    return new MadeleineError('EMBEDDING_UNAVAILABLE', `Cannot embed with ${kind}:${model} at ${place}: ${reason}`, {
      remedy,
      cause,
    })
  }

  async #attempt(
    call: EmbeddingCall,
    timeoutMs: number,
    signal: AbortSignal,
  ): Promise<{ vectors: unknown[][] } | Failure> {
    const answer = await this.#post(call, timeoutMs, signal)
    if ('kind' in answer) return answer
    if (answer.status < 200 || answer.status > 299) return classifyAnswer(answer, this.#spec, this.#apiKey)
    const vectors = WIRE_FORMATS[this.#spec.kind].readVectors(parseAnswer(answer.body), call.input.length)
    if (!vectors) return notAnAnswer(answer.body, this.#apiKey)
    return vectors.length === call.input.length ? { vectors } : wrongCount(vectors.length, call.input.length)
  }

  async #post(call: EmbeddingCall, timeoutMs: number, signal: AbortSignal): Promise<Answer | Failure> {
    signal.throwIfAborted()
    const request = new AbortController()
    const abort = (): void => request.abort()
    const timer = setTimeout(abort, timeoutMs)
    signal.addEventListener('abort', abort, { once: true })
    try {
      const response = await this.#options.fetch(this.#url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(this.#apiKey ? { authorization: `Bearer ${this.#apiKey}` } : {}),
        },
        body: JSON.stringify(WIRE_FORMATS[this.#spec.kind].body(call)),
        signal: request.signal,
        // A redirect could carry texts to a host that nobody configured.
        redirect: 'manual',
      })
      const body = await readBody(response)
      if (body !== null) return { status: response.status, headers: response.headers, body }
      abort()
      return tooLong()
    } catch (error) {
      signal.throwIfAborted()
      return request.signal.aborted ? timedOut(timeoutMs) : classifyThrown(error, this.#spec)
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
    }
  }
}

/** The body as text, or null where it is longer than any list of vectors is. */
async function readBody(response: Response): Promise<string | null> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of response.body ?? []) {
    bytes += part.byteLength
    if (bytes > REMOTE_MAX_ANSWER_BYTES) return null
    parts.push(part)
  }
  return new TextDecoder().decode(Buffer.concat(parts))
}

/** Some servers write NaN and Infinity as such, which is no JSON; one bad vector must not cost its neighbours theirs. */
function parseAnswer(body: string): unknown {
  for (const text of [body, body.replace(/-?\b(NaN|Infinity)\b/g, 'null')]) {
    try {
      return JSON.parse(text)
    } catch {
      // The next form, else no answer.
    }
  }
  return undefined
}

function requestUrl(spec: RemoteSpec, baseUrl: string | undefined): URL {
  const format = WIRE_FORMATS[spec.kind]
  const text = baseUrl ?? format.defaultBaseUrl
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw new MadeleineError(
      'INVALID_OPTION',
      `Cannot use the base URL of ${spec.kind}:${spec.model}: it is not usable`,
      {
        remedy: `Write http:// or https://, host and path, without name or password; default ${format.defaultBaseUrl}`,
      },
    )
  }
  // What stands behind a question mark (an API version) stays behind it.
  url.pathname = url.pathname.replace(/\/+$/, '') + format.path
  return url
}

function checkedKey(spec: RemoteSpec, apiKey: string | undefined): string | undefined {
  const key = apiKey?.trim()
  if (!key) return undefined
  // The runtime refuses other characters with an error that repeats the whole header.
  if (/^[\x21-\x7e]+$/.test(key)) return key
  throw new MadeleineError(
    'INVALID_OPTION',
    `Cannot use the API key of ${spec.kind}:${spec.model}: it holds a character that no key has`,
    {
      remedy: 'Copy the key again, without quotes, spaces and line breaks',
    },
  )
}
