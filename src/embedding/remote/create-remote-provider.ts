import { setTimeout as wait } from 'node:timers/promises'
import { MadeleineError } from '../../errors.ts'
import { toUnitVector } from '../../model/unit-vector.ts'
import {
  REMOTE_EMBEDDING_BATCH,
  REMOTE_MAX_WAIT_MS,
  REMOTE_MIN_WINDOW_CHARS,
  REMOTE_QUERY_MAX_WAIT_MS,
  REMOTE_QUERY_TIMEOUT_MS,
  REMOTE_QUERY_TRIES,
  REMOTE_TIMEOUT_MS,
  REMOTE_TRIES,
} from '../../options.ts'
import { shortHash } from '../../text/hash.ts'
import { splitWindows } from '../../text/split-windows.ts'
import type { EmbeddingProvider } from '../embedding-provider.ts'
import { timedOut } from './classify-failure.ts'
import { Endpoint, type Patience } from './endpoint.ts'
import { type ModelProfile, modelProfile } from './model-profile.ts'
import { parseRemoteSpec, type RemoteSpec } from './remote-spec.ts'
import type { Purpose } from './wire-format.ts'

export interface RemoteProviderOptions {
  /** Where the service is, with version path (`https://host/v1`); default the kind's usual address. */
  baseUrl?: string
  apiKey?: string
  /** Length of the vectors to ask for, from models that offer several; default the model's own. */
  dimensions?: number
  fetch?: typeof globalThis.fetch
  /** Waits between attempts; must come back soon after the signal is aborted. Tests pass their own. */
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>
  /** Time for one request, ms; default REMOTE_TIMEOUT_MS, and for all of a query at most REMOTE_QUERY_TIMEOUT_MS. */
  timeoutMs?: number
}

/** A provider whose model runs in another process or house. */
export interface RemoteEmbeddingProvider extends EmbeddingProvider {
  /** 0 until the first answer, unless the options name it: nothing is sent before somebody asks for vectors. */
  readonly dimensions: number
  /** Sends one word to find out whether the service answers; returns `dimensions`. Rejects with EMBEDDING_UNAVAILABLE. */
  probe(options?: { signal?: AbortSignal }): Promise<number>
}

/**
 * A provider for `ollama:MODEL`, `openai:MODEL` (every compatible endpoint) or `voyage:MODEL`.
 *
 * - Texts the service refuses are found by halving the batch; a refused text is halved into windows, a query cut. What is
 *   refused even so has no vector (an empty list), if the service takes other text at that moment; else the call rejects.
 *   The same holds for a vector without a direction (zeros, NaN): of a text either all windows have vectors, or it has none.
 * - Rate limits and faults are retried as the service asks; a spent quota, a refused key or a missing model reject at once.
 * - The identity holds kind, model, asked dimensions, prefixes and window, not the address: a model is the same behind
 *   another door. Vectors of another length than before reject.
 *
 * It speaks HTTP itself: the three requests are one small object each, while the libraries looked at (AI SDK 6 with
 * its OpenAI-compatible, Voyage and Ollama providers, 18 MB) retry a spent quota, ignore pauses over a minute, cannot be
 * given a clock, fail a whole batch for one NaN, and do not compare the number of vectors with the number of texts.
 *
 * Throws INVALID_OPTION for another kind of spec, a base URL, a key or dimensions that cannot be used.
 */
export function createRemoteProvider(
  spec: string | RemoteSpec,
  options: RemoteProviderOptions = {},
): RemoteEmbeddingProvider {
  const parsed = typeof spec === 'string' ? parseRemoteSpec(spec) : spec
  if (!parsed) {
    throw new MadeleineError('INVALID_OPTION', `Cannot use the embedding "${spec}": it is no remote model`, {
      remedy: 'Write ollama:MODEL, openai:MODEL or voyage:MODEL',
    })
  }
  const { dimensions } = options
  if (dimensions !== undefined && !(Number.isInteger(dimensions) && dimensions > 0)) {
    throw new MadeleineError('INVALID_OPTION', `Cannot ask for ${dimensions} dimensions: not a whole number above 0`, {
      remedy: 'Leave the dimensions out, or give a length that the model offers',
    })
  }
  return new RemoteProvider(parsed, options)
}

/** One public call: who may end it, how long it tries, and whether the service was seen to work meanwhile. */
interface Call {
  purpose: Purpose
  patience: Patience
  signal: AbortSignal
  proof?: Promise<void>
}

const PROBE_TEXT = 'memory'

class RemoteProvider implements RemoteEmbeddingProvider {
  readonly identity: string
  readonly batchSize = REMOTE_EMBEDDING_BATCH
  readonly #spec: RemoteSpec
  readonly #profile: ModelProfile
  readonly #endpoint: Endpoint
  readonly #askedDimensions: number | undefined
  readonly #patience: Record<Purpose, Patience>
  readonly #running = new Set<AbortController>()
  #dimensions: number
  #isClosed = false

  constructor(spec: RemoteSpec, options: RemoteProviderOptions) {
    this.#spec = spec
    this.#profile = modelProfile(spec.model)
    this.#askedDimensions = options.dimensions
    this.#dimensions = options.dimensions ?? 0
    this.identity = identityOf(spec, this.#profile, options.dimensions)
    this.#patience = patienceFor(options.timeoutMs ?? REMOTE_TIMEOUT_MS)
    this.#endpoint = new Endpoint(spec, {
      ...(options.baseUrl === undefined ? {} : { baseUrl: options.baseUrl }),
      ...(options.apiKey === undefined ? {} : { apiKey: options.apiKey }),
      fetch: options.fetch ?? globalThis.fetch,
      sleep: options.sleep ?? ((ms, signal) => wait(ms, undefined, { signal })),
    })
  }

  get dimensions(): number {
    return this.#dimensions
  }

  embedDocuments(texts: readonly string[], options?: { signal?: AbortSignal }): Promise<Float32Array[][]> {
    return this.#run('document', options?.signal, async (call) => {
      const lists: Float32Array[][] = texts.map(() => [])
      const windows = texts.flatMap((text, index) =>
        splitWindows(toSendable(text), this.#profile.windowChars).map((window) => ({ index, window })),
      )
      const vectors = await this.#embedAll(
        windows.map(({ window }) => window),
        call,
      )
      const failed = new Set<number>()
      for (const [position, { index, window }] of windows.entries()) {
        const list = vectors[position] ?? []
        if (list.length === 0 && window.trim() !== '') failed.add(index)
        lists[index]?.push(...list)
      }
      // Half of a text would pass for the whole of it, and nobody would ask for the rest.
      return lists.map((list, index) => (failed.has(index) ? [] : list))
    })
  }

  embedQueries(texts: readonly string[], options?: { signal?: AbortSignal }): Promise<Float32Array[]> {
    return this.#run('query', options?.signal, async (call) => {
      const cut = texts.map((text) => splitWindows(toSendable(text), this.#profile.windowChars)[0] ?? '')
      const vectors = await this.#embedAll(cut, call)
      return vectors.map(([first]) => first ?? new Float32Array(0))
    })
  }

  probe(options?: { signal?: AbortSignal }): Promise<number> {
    return this.#run('document', options?.signal, async (call) => {
      await this.#prove(call)
      return this.#dimensions
    })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const running of this.#running) running.abort()
  }

  /** The vectors of each text, in order. Blank texts are not sent: most services refuse them. */
  async #embedAll(texts: readonly string[], call: Call): Promise<Float32Array[][]> {
    const vectors: Float32Array[][] = texts.map(() => [])
    const worth = [...texts.keys()].filter((index) => texts[index]?.trim() !== '')
    for (let start = 0; start < worth.length; start += this.batchSize) {
      const batch = worth.slice(start, start + this.batchSize)
      const results = await this.#embedBatch(
        batch.map((index) => texts[index] ?? ''),
        call,
      )
      for (const [position, index] of batch.entries()) vectors[index] = results[position] ?? []
    }
    return vectors
  }

  async #embedBatch(texts: readonly string[], call: Call): Promise<Float32Array[][]> {
    const result = await this.#send(texts, call)
    if ('vectors' in result) return result.vectors.map((vector) => this.#accept(vector))
    call.proof ??= this.#prove(call)
    await call.proof
    if (texts.length > 1) {
      const middle = Math.ceil(texts.length / 2)
      const first = await this.#embedBatch(texts.slice(0, middle), call)
      return [...first, ...(await this.#embedBatch(texts.slice(middle), call))]
    }
    return [await this.#embedPieces(texts[0] ?? '', call)]
  }

  /** A text that was refused as a whole: in halves, or the first half of a query; none where one of them has none. */
  async #embedPieces(text: string, call: Call): Promise<Float32Array[]> {
    if (text.length <= REMOTE_MIN_WINDOW_CHARS) return []
    const halves = splitWindows(text, Math.ceil(text.length / 2))
    const vectors: Float32Array[] = []
    for (const half of call.purpose === 'query' ? halves.slice(0, 1) : halves) {
      if (half.trim() === '') continue
      const list = (await this.#embedBatch([half], call)).flat()
      if (list.length === 0) return []
      vectors.push(...list)
    }
    return vectors
  }

  /** Rejects unless the service embeds a plain word now: only then is a refusal about the text. */
  async #prove(call: Call): Promise<void> {
    const result = await this.#send([PROBE_TEXT], call)
    if ('refused' in result) throw this.#endpoint.unavailable(result.refused)
    const vectors = result.vectors.flatMap((vector) => this.#accept(vector))
    if (vectors.length === 0) {
      const remedy = 'Check that the model is an embedding model'
      throw this.#endpoint.unavailable({ kind: 'fatal', reason: 'its vector of a plain word is empty', remedy })
    }
  }

  #send(texts: readonly string[], { purpose, patience, signal }: Call): ReturnType<Endpoint['embed']> {
    const prefix = purpose === 'query' ? this.#profile.queryPrefix : this.#profile.documentPrefix
    const input = texts.map((text) => prefix + text)
    const dimensions = this.#askedDimensions
    const call = { model: this.#spec.model, input, purpose, ...(dimensions === undefined ? {} : { dimensions }) }
    return this.#endpoint.embed(call, patience, signal)
  }

  /** The vector at unit length, or nothing where the model found no representation. */
  #accept(raw: readonly unknown[]): Float32Array[] {
    const vector = toUnitVector(raw)
    if (!vector) return []
    if (this.#dimensions === 0) this.#dimensions = vector.length
    if (vector.length === this.#dimensions) return [vector]
    throw this.#endpoint.unavailable({
      kind: 'fatal',
      reason: `its vectors have ${vector.length} numbers, ${this.#dimensions} were expected`,
      remedy: 'Check whether the model behind this name changed, or the configured dimensions; then index again',
    })
  }

  async #run<T>(purpose: Purpose, signal: AbortSignal | undefined, work: (call: Call) => Promise<T>): Promise<T> {
    if (signal?.aborted) throw interrupted(signal.reason)
    if (this.#isClosed) throw this.#closed()
    const running = new AbortController()
    const abort = (): void => running.abort()
    signal?.addEventListener('abort', abort, { once: true })
    this.#running.add(running)
    const patience = this.#patience[purpose]
    let isLate = false
    // Whoever waits for a query waits for all that it takes: halving, pauses and further attempts.
    const timer =
      purpose === 'query'
        ? setTimeout(() => {
            isLate = true
            running.abort()
          }, patience.timeoutMs)
        : undefined
    try {
      return await work({ purpose, patience, signal: running.signal })
    } catch (error) {
      if (signal?.aborted) throw interrupted(error)
      if (this.#isClosed) throw this.#closed()
      if (isLate) throw this.#endpoint.unavailable(timedOut(patience.timeoutMs))
      throw error
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
      this.#running.delete(running)
    }
  }

  #closed(): MadeleineError {
    const remedy = 'Open the memory again'
    return this.#endpoint.unavailable({ kind: 'fatal', reason: 'the provider is closed', remedy })
  }
}

function patienceFor(timeoutMs: number): Record<Purpose, Patience> {
  return {
    document: { tries: REMOTE_TRIES, maxWaitMs: REMOTE_MAX_WAIT_MS, timeoutMs },
    query: {
      tries: REMOTE_QUERY_TRIES,
      maxWaitMs: REMOTE_QUERY_MAX_WAIT_MS,
      timeoutMs: Math.min(timeoutMs, REMOTE_QUERY_TIMEOUT_MS),
    },
  }
}

/** Raise the number when vectors of the same model would come out differently. */
const REMOTE_VERSION = 1

function identityOf({ kind, model }: RemoteSpec, profile: ModelProfile, dimensions: number | undefined): string {
  // Ollama takes both names for the same model.
  const name = kind === 'ollama' ? model.replace(/:latest$/, '') : model
  const { documentPrefix, queryPrefix, windowChars } = profile
  const handling = shortHash(documentPrefix, queryPrefix, String(windowChars), String(REMOTE_VERSION)).slice(0, 8)
  return `${kind}:${name}${dimensions === undefined ? '' : `@${dimensions}`}#${handling}`
}

/** Half surrogate pairs are no text: as JSON escapes they make servers fail. */
function toSendable(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd')
}

function interrupted(cause: unknown): MadeleineError {
  return new MadeleineError('INTERRUPTED', 'Cannot go on embedding: the caller ended it', {
    remedy: 'Call again; what is embedded so far is kept',
    cause,
  })
}
