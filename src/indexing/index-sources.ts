import { MadeleineError, messageOf } from '../errors.ts'
import { CHUNKER_VERSION, FRESH_FILE_MS, WRITE_BATCH_MEMORIES } from '../options.ts'
import type { OnSkip, Source } from '../source/source.ts'
import type { DocumentWrite, MemoryStore, StoredDocument, Tombstone } from '../store/memory-store.ts'
import { contextMark, noteSkipped, readWrites, type Work } from './read-writes.ts'
import type { WritePassOptions, WritePassReport } from './write-pass.ts'

function keyOf(document: { root: string; path: string }): string {
  return `${document.root}\0${document.path}`
}

/**
 * The write pass without vectors:
 * 1 list the sources · 2 compare with the store · 3 read and clean · 4 chunk · 5 store, batch by batch · 6 remove what is gone.
 * Idempotent; interrupted, it keeps what it committed, and goes on in the middle of a long transcript. A root that cannot be
 * listed loses nothing.
 */
export async function indexSources(store: MemoryStore, options: WritePassOptions): Promise<WritePassReport> {
  const report: WritePassReport = {
    documents: { total: 0, added: 0, changed: 0, removed: 0, skipped: 0 },
    memories: { added: 0, removed: 0, duplicates: 0 },
    problems: [],
    unchanged: new Set(),
    continued: new Set(),
    ...(options.only && { looked: new Set() }),
  }
  const stored = new Map((await store.listDocuments()).map((document) => [keyOf(document), document]))
  assertSameTenant(stored.values(), options.sources)
  const tombstones = await store.listTombstones()
  const forgotten = keysOf(tombstones, 'document')
  const { work, unlisted, hidden } = await listWork(options, { stored, forgotten }, report)
  const gone = options.only ? [] : findGone(stored, work, { unlisted, hidden, sources: options.sources })
  const dropped = await writeChanged(store, options, { work, report, forgotten: keysOf(tombstones, 'memory') })
  const removed = await store.removeDocuments([...gone, ...dropped])
  report.documents.removed = gone.length
  report.memories.removed += removed.removed.length
  // What only moved stood in two places for the time of the run, and does not any more.
  const kept = gone.reduce((sum, { memoryCount }) => sum + memoryCount, 0) - removed.removed.length
  report.memories.duplicates = Math.max(0, report.memories.duplicates - Math.max(0, kept))
  report.documents.total = (await store.listDocuments()).length
  return report
}

/** Steps 1 and 2. `unlisted` are the roots whose files are unknown now, `hidden` the beginnings of keys that are. */
async function listWork(
  { sources, timeZone, onProgress, signal, only }: WritePassOptions,
  { stored, forgotten }: { stored: ReadonlyMap<string, StoredDocument>; forgotten: ReadonlySet<string> },
  report: WritePassReport,
): Promise<{ work: Work[]; unlisted: Set<string>; hidden: string[] }> {
  const work: Work[] = []
  const unlisted = new Set<string>()
  const hidden: string[] = []
  const seen = new Set<string>()
  const wanted = only && new Set(only)
  for (const source of wanted ? sources.filter(({ root }) => holdsAny(root, wanted)) : sources) {
    const mark = contextMark(source, timeZone)
    const onSkip: OnSkip = (problem, hides) => {
      if (wanted) return
      noteSkipped(report, problem)
      if (hides !== undefined) hidden.push(keyOf({ root: source.root, path: hides }))
    }
    try {
      for await (const listed of source.list(onSkip)) {
        throwIfAborted(signal)
        if (wanted && !wanted.has(listed.absolutePath)) continue
        report.looked?.add(listed.path)
        const entry = { ...listed, fingerprint: listed.fingerprint + mark }
        const key = keyOf({ root: source.root, path: entry.path })
        if (seen.has(key)) continue
        seen.add(key)
        if (forgotten.has(key)) {
          noteSkipped(report, { path: entry.path, reason: 'forgotten by its owner' })
          continue
        }
        work.push({ source, entry, mark, known: stored.get(key) })
        onProgress?.({ phase: 'scan', done: work.length, total: work.length })
      }
    } catch (error) {
      if (error instanceof MadeleineError && error.code === 'INTERRUPTED') throw error
      unlisted.add(source.root)
      report.problems.push({ path: source.root, reason: reasonOf(error), failed: true })
    }
  }
  return { work, unlisted, hidden }
}

function holdsAny(root: string, paths: Iterable<string>): boolean {
  return [...paths].some((path) => path.startsWith(root) && /^[\\/]/.test(path.slice(root.length)))
}

function reasonOf(error: unknown): string {
  return error instanceof MadeleineError ? `${error.message}. ${error.remedy}` : messageOf(error)
}

/** A document has one owner: what one tenant has indexed is not taken away by another who indexes the same files. */
function assertSameTenant(stored: Iterable<StoredDocument>, sources: readonly Source[]): void {
  const tenants = new Map(sources.map(({ root, owner }) => [root, owner?.tenant]))
  for (const { root, tenant } of stored) {
    const asked = tenants.get(root)
    if (asked === undefined || asked === tenant) continue
    throw new MadeleineError(
      'INVALID_OPTION',
      `Cannot index ${root} for tenant "${asked}": this store holds its documents for tenant "${tenant}"`,
      { remedy: 'Give each tenant a store of its own with --store' },
    )
  }
}

/** Keys of what was forgotten: such documents are not read again, and no words of such memories go from one turn to the next. */
function keysOf(tombstones: readonly Tombstone[], wanted: Tombstone['kind']): Set<string> {
  return new Set(tombstones.filter(({ kind }) => kind === wanted).map(({ key }) => key))
}

/** Documents of the listed roots that are no longer there. Roots that are not configured now are left alone. */
function findGone(
  stored: ReadonlyMap<string, StoredDocument>,
  work: readonly Work[],
  {
    unlisted,
    hidden,
    sources,
  }: { unlisted: ReadonlySet<string>; hidden: readonly string[]; sources: readonly Source[] },
): StoredDocument[] {
  const present = new Set(work.map(({ source, entry }) => keyOf({ root: source.root, path: entry.path })))
  const listed = new Set(sources.map(({ root }) => root).filter((root) => !unlisted.has(root)))
  const isHidden = (key: string): boolean => hidden.some((prefix) => key.startsWith(prefix))
  return [...stored.values()].filter((document) => {
    const key = keyOf(document)
    return listed.has(document.root) && !present.has(key) && !isHidden(key)
  })
}

/** Steps 3 to 5. Returns documents that were indexed before and are none any more. */
async function writeChanged(
  store: MemoryStore,
  options: WritePassOptions,
  { work, report, forgotten }: { work: readonly Work[]; report: WritePassReport; forgotten: ReadonlySet<string> },
): Promise<Array<{ root: string; path: string }>> {
  const dropped: Array<{ root: string; path: string }> = []
  const batch = new WriteBatch(store, report)
  const changed = work.filter((one) => !isUnchanged(one, options))
  for (const one of work) if (isUnchanged(one, options)) report.unchanged.add(one.entry.path)
  for (const [index, one] of changed.entries()) {
    const { path, bytes: total } = one.entry
    const progress = { phase: 'index' as const, done: index, total: changed.length, path }
    options.onProgress?.(progress)
    try {
      await batch.stopIfAborted(options.signal)
      for await (const step of readWrites(store, one, { report, options, forgotten })) {
        if (step === 'gone') dropped.push({ root: one.source.root, path })
        else await batch.add(step.write)
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

function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) {
    throw new MadeleineError('INTERRUPTED', 'Indexing was interrupted: what was committed is kept', {
      remedy: 'Run "madeleine index" again: it goes on where it stopped',
    })
  }
}
