import { MadeleineError, messageOf } from '../errors.ts'
import { CHUNKER_VERSION, FRESH_FILE_MS, WRITE_BATCH_MEMORIES } from '../options.ts'
import type { DocumentWrite, MemoryStore } from '../store/memory-store.ts'
import { type DocumentReader, readHere } from './document-reader.ts'
import type { ReadJob } from './read-document.ts'
import { readWrites, toReadJob, type Work } from './read-writes.ts'
import { spreadKinds } from './spread-kinds.ts'
import type { WritePassOptions, WritePassReport } from './write-pass.ts'

/** Steps 3 to 5. Returns documents that were indexed before and are none any more. */
export async function writeChanged(
  store: MemoryStore,
  options: WritePassOptions,
  { work, report, forgotten }: { work: readonly Work[]; report: WritePassReport; forgotten: ReadonlySet<string> },
): Promise<Array<{ root: string; path: string }>> {
  const found: Work[] = []
  for (const one of work) {
    if (isUnchanged(one, options)) report.unchanged.add(one.entry.path)
    else found.push(one)
  }
  const changed = spreadKinds(found)
  const reader = (options.openReader ?? readHere)({
    sources: options.sources,
    facts: { timeZone: options.timeZone, forgotten },
    jobs: listJobs(store, changed, options),
    bytes: changed.reduce((sum, { entry }) => sum + entry.bytes, 0),
  })
  try {
    return await writeAll(changed, { store, options, report, reader })
  } finally {
    await reader.close()
  }
}

interface Writing {
  store: MemoryStore
  options: WritePassOptions
  report: WritePassReport
  reader: DocumentReader
}

async function* listJobs(
  store: MemoryStore,
  changed: readonly Work[],
  options: WritePassOptions,
): AsyncGenerator<ReadJob> {
  for (const work of changed) yield await toReadJob(store, work, options)
}

async function writeAll(
  changed: readonly Work[],
  { store, options, report, reader }: Writing,
): Promise<Array<{ root: string; path: string }>> {
  const dropped: Array<{ root: string; path: string }> = []
  const batch = new WriteBatch(store, report)
  for (const [index, one] of changed.entries()) {
    const { path, bytes: total } = one.entry
    const progress = { phase: 'index' as const, done: index, total: changed.length, path }
    options.onProgress?.(progress)
    try {
      await batch.stopIfAborted(options.signal)
      for await (const step of readWrites(reader.next(), one, { store, report, options })) {
        if (step === 'gone') dropped.push({ root: one.source.root, path })
        else await batch.add({ ...step.write, agedAtMs: options.clock().getTime() })
        if (step !== 'gone' && step.write.part?.isLast === false) {
          options.onProgress?.({ ...progress, bytes: { done: Math.min(step.bytes, total), total } })
        }
        await batch.stopIfAborted(options.signal)
      }
    } catch (error) {
      if (error instanceof MadeleineError) throw error
      // One file that the program fails at keeps no other from being indexed.
      report.problems.push({ path, reason: `unexpected error: ${messageOf(error)}`, failed: true })
      report.failure ??= new Error(`Unexpected error while indexing ${path}: ${messageOf(error)}`, { cause: error })
    }
  }
  await batch.flush()
  options.onProgress?.({ phase: 'index', done: changed.length, total: changed.length })
  return dropped
}

/** Writes on their way to the store, many at a time. */
class WriteBatch {
  readonly #store: MemoryStore
  readonly #report: WritePassReport
  #writes: DocumentWrite[] = []
  #size = 0

  constructor(store: MemoryStore, report: WritePassReport) {
    this.#store = store
    this.#report = report
  }

  async add(write: DocumentWrite): Promise<void> {
    this.#writes.push(write)
    this.#size += write.memories.length
    if (this.#size >= WRITE_BATCH_MEMORIES || write.part?.isLast === false) await this.flush()
  }

  async flush(): Promise<void> {
    if (this.#writes.length === 0) return
    const result = await this.#store.putDocuments(this.#writes)
    this.#report.memories.added += result.added.length
    this.#report.memories.removed += result.removed.length
    this.#report.memories.duplicates += result.duplicates
    this.#writes = []
    this.#size = 0
  }

  async stopIfAborted(signal: AbortSignal | undefined): Promise<void> {
    if (signal?.aborted) await this.flush()
    throwIfAborted(signal)
  }
}

/** Equal fingerprints mean equal bytes, unless the file was so fresh when it was read that its clock could not tell. */
function isUnchanged({ entry, known }: Work, { full }: WritePassOptions): boolean {
  if (!known || full || known.isPartial || known.chunkerVersion !== CHUNKER_VERSION) return false
  return known.fingerprint === entry.fingerprint && known.indexedAtMs - entry.modifiedMs >= FRESH_FILE_MS
}

/** Throws INTERRUPTED once the caller wants no more. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) {
    throw new MadeleineError('INTERRUPTED', 'Indexing was interrupted: what was committed is kept', {
      remedy: 'Run "madeleine index" again: it goes on where it stopped',
    })
  }
}
