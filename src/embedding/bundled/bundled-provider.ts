import { setMaxListeners } from 'node:events'
import { availableParallelism } from 'node:os'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { MadeleineError } from '../../errors.ts'
import {
  BUNDLED_EMBEDDING_BATCH,
  BUNDLED_EMBEDDING_THREADS,
  BUNDLED_UNIT_CHARS,
  BUNDLED_UNIT_TOKENS,
  MAX_TOKEN_VECTORS,
} from '../../options.ts'
import type { EmbeddedQuery, EmbeddedText, EmbeddingProvider, TextInContext } from '../embedding-provider.ts'
import type { EncodeReply, EncodeRequest } from './encode-worker.ts'
import { HIDDEN, MAX_TOKENS, TOKEN_DIMENSIONS } from './model-shape.ts'
import { poolTokens } from './token-reader.ts'
import { type RunOptions, WorkerPool } from './worker-pool.ts'

export interface BundledProviderOptions {
  /** Folder for the converted model (23 MB); it is made when missing. Without write access the model is converted at each start. */
  cacheDir: string
  /** Worker threads at most, 1 or more. Default: the cores, at most four. */
  threads?: number
}

/** Version of tokenising, windowing and quantising: raise it when the same text gives another vector. */
const ENCODING_VERSION = 2

/**
 * all-MiniLM-L6-v2 in this process: no network, no native code. Texts are embedded in worker threads that start at the
 * first call, so the caller's event loop never waits for a matrix. Queries overtake documents.
 *
 * Texts longer than 256 tokens are embedded in overlapping windows. A document without any piece that the model knows
 * (blank, or symbols alone) has no vector, and a query of that kind a vector of length 0.
 */
export function createBundledProvider(options: BundledProviderOptions): EmbeddingProvider {
  const size = options.threads ?? Math.min(availableParallelism(), BUNDLED_EMBEDDING_THREADS)
  if (!Number.isInteger(size) || size < 1) {
    throw new MadeleineError('INVALID_OPTION', `Cannot embed with ${size} threads.`, {
      remedy: 'Give a whole number of threads, 1 or more.',
    })
  }
  const entry = new URL(`./encode-worker${extname(fileURLToPath(import.meta.url))}`, import.meta.url)
  const pool: Pool = new WorkerPool({ entry, size, data: { cacheDir: options.cacheDir } })
  const documents = (texts: readonly TextInContext[], { signal }: { signal?: AbortSignal } = {}) =>
    askTogether(pool, { signal }, (ask) => embedDocuments(ask, texts))
  const queries = (texts: readonly string[], { signal }: { signal?: AbortSignal } = {}) =>
    askTogether(pool, { signal, isUrgent: true }, (ask) => embedQueries(ask, texts))
  return {
    identity: `all-MiniLM-L6-v2/int8/w${MAX_TOKENS}/${ENCODING_VERSION}`,
    dimensions: HIDDEN,
    batchSize: BUNDLED_EMBEDDING_BATCH,
    emptyIsFinal: true,
    reads: isMostlyLatin,
    embedDocuments: async (texts, options) =>
      (
        await documents(
          texts.map((text) => ({ text, ownFrom: 0 })),
          options,
        )
      ).map(({ windows }) => windows),
    embedQueries: async (texts, options) => (await queries(texts, options)).map(({ vector }) => vector),
    tokens: { dimensions: TOKEN_DIMENSIONS, embedDocuments: documents, embedQueries: queries },
    close: () => pool.close(),
  }
}

/**
 * The model was trained on English alone: other languages in Latin letters it reads in part, other scripts as letters without a
 * meaning, by which wrong texts come first. A text without letters counts as read.
 */
function isMostlyLatin(text: string): boolean {
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  const latin = text.match(/\p{Script=Latin}/gu)?.length ?? 0
  return 2 * latin >= letters
}

type Pool = WorkerPool<SharedArrayBuffer | undefined, EncodeRequest, EncodeReply>

/** Asks the pool, until the caller aborts or another request of the same call has failed. */
type Ask = (request: EncodeRequest) => Promise<EncodeReply>

/** The first failure of one piece stops the others: their result would be thrown away. */
async function askTogether<Result>(
  pool: Pool,
  options: RunOptions,
  collect: (ask: Ask) => Promise<Result>,
): Promise<Result> {
  const { signal, isUrgent = false } = options
  const stop = new AbortController()
  const onAbort = (): void => stop.abort()
  // Each waiting request listens, and there may be thousands.
  setMaxListeners(0, stop.signal)
  if (signal?.aborted) stop.abort()
  signal?.addEventListener('abort', onAbort, { once: true })
  try {
    return await collect((request) => pool.run(request, { isUrgent, signal: stop.signal }))
  } finally {
    signal?.removeEventListener('abort', onAbort)
    stop.abort()
  }
}

async function embedQueries(ask: Ask, texts: readonly string[]): Promise<EmbeddedQuery[]> {
  const replies = await Promise.all(texts.map((text) => ask({ kind: 'query', text })))
  return replies.map(({ vectors, tokens, weights }) => ({ vector: vectors, tokens, weights }))
}

async function embedDocuments(ask: Ask, texts: readonly TextInContext[]): Promise<EmbeddedText[]> {
  const portions = groupBySize(texts, ({ text }) => text.length, BUNDLED_UNIT_CHARS)
  const cuts = await Promise.all(portions.map((portion) => ask({ kind: 'cut', texts: portion })))
  const windows = cuts.flatMap((reply) => reply.windows)
  const units = groupBySize(windows.flat(), ({ ids }) => ids.length, BUNDLED_UNIT_TOKENS)
  const replies = await Promise.all(units.map((unit) => ask({ kind: 'encode', windows: unit })))
  const encoded = replies.flatMap(splitWindows)
  let next = 0
  return windows.map(({ length }) => {
    next += length
    const own = encoded.slice(next - length, next)
    return {
      windows: own.map(({ vector }) => vector),
      tokens: poolTokens(joinTokens(own.map(({ tokens }) => tokens)), MAX_TOKEN_VECTORS),
    }
  })
}

/** Neighbours together as long as their sizes stay within `limit`; a larger one stands alone. */
function groupBySize<Item>(items: readonly Item[], sizeOf: (item: Item) => number, limit: number): Item[][] {
  const groups: Item[][] = []
  let group: Item[] = []
  let filled = 0
  for (const item of items) {
    const size = sizeOf(item)
    if (group.length > 0 && filled + size > limit) {
      groups.push(group)
      group = []
      filled = 0
    }
    group.push(item)
    filled += size
  }
  if (group.length > 0) groups.push(group)
  return groups
}

/** Copies, so that keeping one vector does not keep its neighbours. */
function splitWindows({ vectors, tokens, counts }: EncodeReply): Array<{ vector: Float32Array; tokens: Int8Array }> {
  let next = 0
  return counts.map((count, index) => {
    const start = next
    next += count * TOKEN_DIMENSIONS
    return { vector: vectors.slice(index * HIDDEN, (index + 1) * HIDDEN), tokens: tokens.slice(start, next) }
  })
}

function joinTokens(parts: readonly Int8Array[]): Int8Array {
  const joined = new Int8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    joined.set(part, at)
    at += part.length
  }
  return joined
}
