import type { EmbeddingProvider, TextInContext } from '../embedding/embedding-provider.ts'
import { MadeleineError, messageOf } from '../errors.ts'
import type { IndexProgress } from '../model/engine.ts'
import { EMBED_ROUND } from '../options.ts'
import type { MemoryStore, PendingEmbedding } from '../store/memory-store.ts'
import { findMismatch } from './find-mismatch.ts'

export interface EmbedReport {
  /** Memories that are done: they have vectors, or hold nothing that could have one. */
  embedded: number
  /** Why not all was done. */
  problem?: string
}

/**
 * Gives vectors to memories that have none of the provider's kind, the important and the newest first. Every batch is
 * stored as soon as it is done, so that an interruption costs one batch. Each distinct text is embedded once. A text for
 * which the model had no usable vector stays pending, so that the next run tries it again. With `full`, vectors of other
 * dimensions than the model gives now are dropped first; without it they stay and the new ones are a problem.
 */
export async function embedPending(
  store: MemoryStore,
  provider: EmbeddingProvider,
  options: { full?: boolean; signal?: AbortSignal; onProgress?: (progress: IndexProgress) => void } = {},
): Promise<EmbedReport> {
  const { full, signal, onProgress } = options
  if (full) await dropIncomparable(store, provider, signal)
  const { pending: total } = await store.counts(provider.identity)
  const failed = new Set<string>()
  if (total > 0) onProgress?.({ phase: 'embed', done: 0, total })
  let embedded = 0
  for (;;) {
    if (signal?.aborted) return { embedded, problem: 'interrupted' }
    // Those that failed come first again: they must not hide the others.
    const listed = await store.listPendingEmbeddings(provider.identity, EMBED_ROUND + failed.size)
    const round = listed.filter(({ id }) => !failed.has(id))
    if (round.length === 0) return { embedded, ...(failed.size > 0 && { problem: describeFailed(failed.size) }) }
    for (const batch of splitBatches(round, provider.batchSize)) {
      if (signal?.aborted) return { embedded, problem: 'interrupted' }
      try {
        const without = await embedBatch(store, provider, batch, signal)
        for (const id of without) failed.add(id)
        embedded += batch.length - without.length
      } catch (error) {
        if (error instanceof MadeleineError && !isOfEmbedding(error)) throw error
        return { embedded, problem: describeFailure(error) }
      }
      onProgress?.({ phase: 'embed', done: embedded, total: Math.max(total, embedded + failed.size) })
    }
  }
}

/** Drops vectors of other dimensions than the model gives now. A model that does not answer drops nothing. */
async function dropIncomparable(
  store: MemoryStore,
  provider: EmbeddingProvider,
  signal: AbortSignal | undefined,
): Promise<void> {
  try {
    const mismatch = await findMismatch(store, provider, signal ? { signal } : {})
    if (mismatch !== null) await store.removeVectors(provider.identity)
  } catch (error) {
    const isOfModel =
      !(error instanceof MadeleineError) || ['EMBEDDING_UNAVAILABLE', 'INTERRUPTED'].includes(error.code)
    if (!isOfModel) throw error
  }
}

/** A vector that the store refuses is the model's fault, not the store's. */
function isOfEmbedding({ code }: MadeleineError): boolean {
  return code === 'EMBEDDING_UNAVAILABLE' || code === 'INVALID_OPTION'
}

function describeFailure(error: unknown): string {
  return error instanceof MadeleineError ? `${error.message}. ${error.remedy}` : messageOf(error)
}

function describeFailed(count: number): string {
  const texts = count === 1 ? '1 memory' : `${count} memories`
  return `the model gave no usable vector for ${texts}, found by keyword meanwhile: run "madeleine index" to try again`
}

/** Stores the vectors of a batch, and returns the ids of those whose text got none. */
async function embedBatch(
  store: MemoryStore,
  provider: EmbeddingProvider,
  batch: readonly PendingEmbedding[],
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const texts = [...new Map(batch.map(({ embedText, ownFrom }) => [embedText, { text: embedText, ownFrom }])).values()]
  const embedded = await embedTexts(provider, texts, signal ? { signal } : {})
  const byText = new Map(texts.map(({ text }, index) => [text, embedded[index]]))
  const isDone = ({ embedText }: PendingEmbedding): boolean =>
    isSettled(provider, embedText, byText.get(embedText)?.windows)
  await store.putVectors(
    provider.identity,
    batch.filter(isDone).map(({ id, embedText }) => ({ id, embedText, ...(byText.get(embedText) ?? { windows: [] }) })),
  )
  return batch.filter((one) => !isDone(one)).map(({ id }) => id)
}

/** Vectors of texts, with those of their words where the model gives them. */
export async function embedTexts(
  provider: EmbeddingProvider,
  texts: readonly TextInContext[],
  options: { signal?: AbortSignal },
): Promise<Array<{ windows: Float32Array[]; tokens?: Int8Array }>> {
  if (provider.tokens) return provider.tokens.embedDocuments(texts, options)
  const lists = await provider.embedDocuments(
    texts.map(({ text }) => text),
    options,
  )
  return lists.map((windows) => ({ windows }))
}

/** Whether an answer of the model for a text is worth storing: vectors, or the certainty that there can be none. */
export function isSettled(
  { emptyIsFinal = false }: Pick<EmbeddingProvider, 'emptyIsFinal'>,
  text: string,
  windows: readonly Float32Array[] = [],
): boolean {
  return windows.length > 0 || emptyIsFinal || text.trim() === ''
}

function splitBatches<T>(items: readonly T[], size: number): T[][] {
  const batches: T[][] = []
  for (let start = 0; start < items.length; start += size) batches.push(items.slice(start, start + size))
  return batches
}
