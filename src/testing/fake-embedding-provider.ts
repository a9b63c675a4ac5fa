import { setTimeout as wait } from 'node:timers/promises'
import type { EmbeddingProvider } from '../embedding/embedding-provider.ts'
import { MadeleineError } from '../errors.ts'
import { toUnitVector } from '../model/unit-vector.ts'
import { splitWindows } from '../text/split-windows.ts'
import { tokenize } from '../text/tokenize.ts'

export interface FakeProviderOptions {
  /** Default 64. */
  dimensions?: number
  /** Default tells fakes apart that give different vectors. */
  identity?: string
  /** Default 8. */
  batchSize?: number
  /** Longer documents are embedded in windows, longer queries cut; default 1,000 characters. */
  windowChars?: number
  /** Real time that each call takes, ms, for tests of deadlines and aborts; default 0. */
  delayMs?: number
  /** What every call rejects with, or a function that decides for each call by its texts; undefined lets it pass. */
  failWith?: Error | ((texts: readonly string[]) => Error | undefined)
  /** Texts that hold this word get a zero vector from the model, which the contract turns into an empty list: a failed attempt. */
  zeroFor?: string
  /** The same with a NaN in the vector. */
  nanFor?: string
}

/** A provider without a model that counts what it is asked. `failWith` may be changed between calls. */
export interface FakeProvider extends EmbeddingProvider {
  failWith: FakeProviderOptions['failWith']
  readonly queryCalls: number
  readonly documentCalls: number
  /** Every text it was given, in order, those of failed calls included. */
  readonly texts: readonly string[]
  readonly isClosed: boolean
}

/**
 * A deterministic provider for tests: the vector of a text is the sum of its words, each hashed to one place with a
 * sign. Texts that share words are near; there is no other meaning in it. It fulfils the contract of EmbeddingProvider.
 *
 * @example
 * const provider = createFakeProvider({ zeroFor: 'unspeakable' })
 * await provider.embedDocuments(['the heron nests', 'unspeakable']) // → [[Float32Array(64)], []]
 */
export function createFakeProvider(options: FakeProviderOptions = {}): FakeProvider {
  const { dimensions = 64, batchSize = 8, windowChars = 1000, delayMs = 0, zeroFor, nanFor } = options
  const given: string[] = []
  let queryCalls = 0
  let documentCalls = 0
  let isClosed = false

  const embed = (text: string): Float32Array[] => {
    const vector = hashedWords(text, dimensions)
    if (zeroFor && text.includes(zeroFor)) vector.fill(0)
    if (nanFor && text.includes(nanFor)) vector[0] = Number.NaN
    const unit = toUnitVector(vector)
    return unit ? [unit] : []
  }

  const begin = async (texts: readonly string[], signal: AbortSignal | undefined): Promise<void> => {
    if (signal?.aborted) throw interrupted()
    if (isClosed) throw unavailable('it is closed')
    given.push(...texts)
    // Ends early when the signal is aborted; without a delay it still gives the caller a turn to do so.
    await (delayMs > 0 ? wait(delayMs, undefined, signal ? { signal } : {}).catch(() => undefined) : undefined)
    if (signal?.aborted) throw interrupted()
    const failure = typeof fake.failWith === 'function' ? fake.failWith(texts) : fake.failWith
    if (failure) throw failure
  }

  const fake: FakeProvider = {
    identity: options.identity ?? `fake:${dimensions}x${windowChars}`,
    dimensions,
    batchSize,
    failWith: options.failWith,
    texts: given,
    get queryCalls() {
      return queryCalls
    },
    get documentCalls() {
      return documentCalls
    },
    get isClosed() {
      return isClosed
    },
    async embedDocuments(texts, { signal } = {}) {
      documentCalls += 1
      await begin(texts, signal)
      return texts.map((text) => splitWindows(text, windowChars).flatMap(embed))
    },
    async embedQueries(texts, { signal } = {}) {
      queryCalls += 1
      await begin(texts, signal)
      return texts.map((text) => embed(splitWindows(text, windowChars)[0] ?? '')[0] ?? new Float32Array(0))
    },
    async close() {
      isClosed = true
    },
  }
  return fake
}

/**
 * The words of a text as a vector that is not yet of unit length: function words count nothing where there are others.
 * Zero for a text without words.
 */
export function hashedWords(text: string, dimensions: number): Float32Array {
  const vector = new Float32Array(dimensions)
  const tokens = tokenize(text)
  const words = tokens.filter(({ kind }) => kind === 'word')
  for (const { term } of words.length > 0 ? words : tokens) {
    const hash = hashTerm(term)
    const place = (hash >>> 1) % dimensions
    vector[place] = (vector[place] ?? 0) + (hash & 1 ? 1 : -1)
  }
  return vector
}

/** FNV-1a over UTF-16 units, 32 bits, with a final mix so that low bits depend on all of the term. */
function hashTerm(term: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < term.length; i++) hash = Math.imul(hash ^ term.charCodeAt(i), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return (hash ^ (hash >>> 13)) >>> 0
}

function unavailable(reason: string): MadeleineError {
  return new MadeleineError('EMBEDDING_UNAVAILABLE', `Cannot embed with the fake provider: ${reason}`, {
    remedy: 'Open a new one',
  })
}

function interrupted(): MadeleineError {
  return new MadeleineError('INTERRUPTED', 'Cannot go on embedding: the caller ended it', { remedy: 'Call again' })
}
