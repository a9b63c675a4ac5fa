import type { EmbeddingProvider } from '../embedding/embedding-provider.ts'
import { MadeleineError, messageOf } from '../errors.ts'
import type { IndexProgress } from '../model/engine.ts'
import { EMBED_ROUND } from '../options.ts'
import type { MemoryStore, PendingEmbedding } from '../store/memory-store.ts'

export interface EmbedReport {
  embedded: number
  /** Why it stopped before all was done. */
  problem?: string
}

/**
 * Gives vectors to memories that have none of the provider's kind, the important and the newest first. Every batch is
 * stored as soon as it is done, so that an interruption costs one batch. Each distinct text is embedded once.
 */
export async function embedPending(
  store: MemoryStore,
  provider: EmbeddingProvider,
  options: { signal?: AbortSignal; onProgress?: (progress: IndexProgress) => void } = {},
): Promise<EmbedReport> {
  const { signal, onProgress } = options
  const { pending: total } = await store.counts(provider.identity)
  const tried = new Set<string>()
  if (total > 0) onProgress?.({ phase: 'embed', done: 0, total })
  let embedded = 0
  for (;;) {
    if (signal?.aborted) return { embedded, problem: 'interrupted' }
    const round = (await store.listPendingEmbeddings(provider.identity, EMBED_ROUND)).filter(({ id }) => !tried.has(id))
    if (round.length === 0) return { embedded }
    for (const batch of splitBatches(round, provider.batchSize)) {
      if (signal?.aborted) return { embedded, problem: 'interrupted' }
      try {
        await embedBatch(store, provider, batch, signal)
      } catch (error) {
        if (error instanceof MadeleineError && error.code !== 'EMBEDDING_UNAVAILABLE') throw error
        return { embedded, problem: messageOf(error) }
      }
      for (const { id } of batch) tried.add(id)
      embedded += batch.length
      onProgress?.({ phase: 'embed', done: embedded, total: Math.max(total, embedded) })
    }
  }
}

async function embedBatch(
  store: MemoryStore,
  provider: EmbeddingProvider,
  batch: readonly PendingEmbedding[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const texts = [...new Set(batch.map(({ embedText }) => embedText))]
  const vectors = await provider.embedDocuments(texts, signal ? { signal } : {})
  const windows = new Map(texts.map((text, index) => [text, vectors[index] ?? []]))
  await store.putVectors(
    provider.identity,
    batch.map(({ id, embedText }) => ({ id, embedText, windows: windows.get(embedText) ?? [] })),
  )
}

function splitBatches<T>(items: readonly T[], size: number): T[][] {
  const batches: T[][] = []
  for (let start = 0; start < items.length; start += size) batches.push(items.slice(start, start + size))
  return batches
}
