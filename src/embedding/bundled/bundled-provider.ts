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
} from '../../options.ts'
import type { EmbeddingProvider } from '../embedding-provider.ts'
import type { EncodeReply, EncodeRequest } from './encode-worker.ts'
import { HIDDEN, MAX_TOKENS } from './model-shape.ts'
import { type RunOptions, WorkerPool } from './worker-pool.ts'

export interface BundledProviderOptions {
  /** Folder for the converted model (23 MB); it is made when missing. Without write access the model is converted at each start. */
  cacheDir: string
  /** Worker threads at most, 1 or more. Default: the cores, at most four. */
  threads?: number
}

/** Version of tokenising, windowing and quantising: raise it when the same text gives another vector. */
const ENCODING_VERSION = 1

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
  return {
    identity: `all-MiniLM-L6-v2/int8/w${MAX_TOKENS}/${ENCODING_VERSION}`,
    dimensions: HIDDEN,
    batchSize: BUNDLED_EMBEDDING_BATCH,
    emptyIsFinal: true,
    embedDocuments: (texts, { signal } = {}) => askTogether(pool, { signal }, (ask) => embedDocuments(ask, texts)),
    embedQueries: (texts, { signal } = {}) =>
      askTogether(pool, { signal, isUrgent: true }, (ask) => embedQueries(ask, texts)),
    close: () => pool.close(),
  }
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

async function embedQueries(ask: Ask, texts: readonly string[]): Promise<Float32Array[]> {
  const replies = await Promise.all(texts.map((text) => ask({ kind: 'query', text })))
  return replies.map((reply) => reply.vectors)
}

async function embedDocuments(ask: Ask, texts: readonly string[]): Promise<Float32Array[][]> {
  const portions = groupBySize(texts, (text) => text.length, BUNDLED_UNIT_CHARS)
  const cuts = await Promise.all(portions.map((portion) => ask({ kind: 'cut', texts: portion })))
  const windows = cuts.flatMap((reply) => reply.windows)
  const units = groupBySize(windows.flat(), (window) => window.length, BUNDLED_UNIT_TOKENS)
  const replies = await Promise.all(units.map((unit) => ask({ kind: 'encode', windows: unit })))
  const vectors = replies.flatMap((reply) => splitVectors(reply.vectors))
  let next = 0
  return windows.map(({ length }) => {
    next += length
    return vectors.slice(next - length, next)
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
function splitVectors(joined: Float32Array): Float32Array[] {
  return Array.from({ length: joined.length / HIDDEN }, (_, index) =>
    joined.slice(index * HIDDEN, (index + 1) * HIDDEN),
  )
}
