import { MadeleineError, messageOf } from '../errors.ts'
import type { Clock } from '../model/clock.ts'
import type { Problem } from '../model/document.ts'
import type { IndexProgress } from '../model/engine.ts'
import { CHUNKER_VERSION, FRESH_FILE_MS, WRITE_BATCH_MEMORIES } from '../options.ts'
import type { OnSkip, Source, SourceEntry } from '../source/source.ts'
import type { DocumentWrite, MemoryStore, StoredDocument } from '../store/memory-store.ts'
import { toDocumentWrite } from './to-document-write.ts'

export interface WritePassOptions {
  sources: readonly Source[]
  clock: Clock
  /** IANA zone in which a date in a note is a day. */
  timeZone: string
  full?: boolean
  signal?: AbortSignal
  onProgress?: (progress: IndexProgress) => void
}

export interface WritePassReport {
  documents: { total: number; added: number; changed: number; removed: number; skipped: number }
  memories: { added: number; removed: number; duplicates: number }
  problems: Array<Problem & { failed?: boolean }>
}

/** One file to look at: where it comes from, how it looks now, and what the store knows of it. */
interface Work {
  source: Source
  entry: SourceEntry
  known: StoredDocument | undefined
}

function keyOf(document: { root: string; path: string }): string {
  return `${document.root}\0${document.path}`
}

/**
 * The write pass without vectors:
 * 1 list the sources · 2 compare with the store · 3 read and clean · 4 chunk · 5 store, batch by batch · 6 remove what is gone.
 * Idempotent; interrupted, it keeps what it committed. A root that cannot be listed loses nothing.
 */
export async function indexSources(store: MemoryStore, options: WritePassOptions): Promise<WritePassReport> {
  const report: WritePassReport = {
    documents: { total: 0, added: 0, changed: 0, removed: 0, skipped: 0 },
    memories: { added: 0, removed: 0, duplicates: 0 },
    problems: [],
  }
  const stored = new Map((await store.listDocuments()).map((document) => [keyOf(document), document]))
  assertSameTenant(stored.values(), options.sources)
  const forgotten = await listForgotten(store)
  const { work, unlisted, hidden } = await listWork(options, { stored, forgotten }, report)
  const gone = findGone(stored, work, { unlisted, hidden, sources: options.sources })
  const unreadable = await writeChanged(store, options, { work, report })
  const removed = await store.removeDocuments([...gone, ...unreadable])
  report.documents.removed = gone.length
  report.memories.removed += removed.removed.length
  report.documents.total = (await store.listDocuments()).length
  return report
}

/** Steps 1 and 2. `unlisted` are the roots whose files are unknown now, `hidden` the beginnings of keys that are. */
async function listWork(
  { sources, onProgress, signal }: WritePassOptions,
  { stored, forgotten }: { stored: ReadonlyMap<string, StoredDocument>; forgotten: ReadonlySet<string> },
  report: WritePassReport,
): Promise<{ work: Work[]; unlisted: Set<string>; hidden: string[] }> {
  const work: Work[] = []
  const unlisted = new Set<string>()
  const hidden: string[] = []
  const seen = new Set<string>()
  for (const source of sources) {
    const onSkip: OnSkip = (problem, hides) => {
      noteSkipped(report, problem)
      if (hides !== undefined) hidden.push(keyOf({ root: source.root, path: hides }))
    }
    try {
      for await (const listed of source.list(onSkip)) {
        throwIfAborted(signal)
        const entry = { ...listed, fingerprint: listed.fingerprint + ownerMark(source) }
        const key = keyOf({ root: source.root, path: entry.path })
        if (seen.has(key)) continue
        seen.add(key)
        if (forgotten.has(key)) {
          noteSkipped(report, { path: entry.path, reason: 'forgotten by its owner' })
          continue
        }
        work.push({ source, entry, known: stored.get(key) })
        onProgress?.({ phase: 'scan', done: work.length, total: work.length })
      }
    } catch (error) {
      if (error instanceof MadeleineError && error.code === 'INTERRUPTED') throw error
      unlisted.add(source.root)
      report.problems.push({ path: source.root, reason: messageOf(error), failed: true })
    }
  }
  return { work, unlisted, hidden }
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

/** What stands at the end of the fingerprints of a source's documents: when it changes, so do they. */
function ownerMark({ owner }: Source): string {
  return owner ? ` ${owner.mark}` : ''
}

/** Keys of documents that were forgotten: they are not read again. */
async function listForgotten(store: MemoryStore): Promise<Set<string>> {
  const tombstones = await store.listTombstones()
  return new Set(tombstones.filter(({ kind }) => kind === 'document').map(({ key }) => key))
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
  { work, report }: { work: readonly Work[]; report: WritePassReport },
): Promise<Array<{ root: string; path: string }>> {
  const dropped: Array<{ root: string; path: string }> = []
  let batch: DocumentWrite[] = []
  let size = 0
  const flush = async (): Promise<void> => {
    if (batch.length === 0) return
    const result = await store.putDocuments(batch)
    report.memories.added += result.added.length
    report.memories.removed += result.removed.length
    report.memories.duplicates += result.duplicates
    batch = []
    size = 0
  }
  const changed = work.filter((one) => !isUnchanged(one, options))
  for (const [index, one] of changed.entries()) {
    if (options.signal?.aborted) await flush()
    throwIfAborted(options.signal)
    options.onProgress?.({ phase: 'index', done: index, total: changed.length, path: one.entry.path })
    const write = await readDocument(store, one, { report, options })
    if (write === 'gone') dropped.push({ root: one.source.root, path: one.entry.path })
    else if (write !== 'same') {
      batch.push(write)
      size += write.memories.length
      if (size >= WRITE_BATCH_MEMORIES) await flush()
    }
  }
  await flush()
  options.onProgress?.({ phase: 'index', done: changed.length, total: changed.length })
  return dropped
}

/** Equal fingerprints mean equal bytes, unless the file was so fresh when it was read that its clock could not tell. */
function isUnchanged({ entry, known }: Work, { full }: WritePassOptions): boolean {
  if (!known || full || known.chunkerVersion !== CHUNKER_VERSION) return false
  return known.fingerprint === entry.fingerprint && known.indexedAtMs - entry.modifiedMs >= FRESH_FILE_MS
}

/** Reads one file: what to write, `same` when its bytes are the stored ones, `gone` when it holds nothing of its kind now. */
async function readDocument(
  store: MemoryStore,
  { source, entry, known }: Work,
  { report, options }: { report: WritePassReport; options: WritePassOptions },
): Promise<DocumentWrite | 'same' | 'gone'> {
  try {
    const result = await source.read(entry)
    if ('skipped' in result) {
      noteSkipped(report, { path: entry.path, reason: result.skipped })
      return known ? 'gone' : 'same'
    }
    for (const problem of result.problems) report.problems.push({ ...problem, failed: true })
    for (const [reason, count] of Object.entries(result.omitted ?? {})) {
      report.problems.push({ path: entry.path, reason: `left out: ${reason}`, count })
    }
    const { document } = result
    const isSame =
      known?.contentHash === document.contentHash &&
      known.chunkerVersion === CHUNKER_VERSION &&
      known.fingerprint.endsWith(ownerMark(source))
    if (isSame && !options.full) {
      await store.touchDocument(document, entry.fingerprint, options.clock().getTime())
      return 'same'
    }
    if (known) report.documents.changed += isSame ? 0 : 1
    else report.documents.added += 1
    return toDocumentWrite(document, { fingerprint: entry.fingerprint, timeZone: options.timeZone })
  } catch (error) {
    // What was known of the file stays: unreadable for the moment is not gone.
    report.problems.push({ path: entry.path, reason: messageOf(error), failed: true })
    return 'same'
  }
}

function noteSkipped(report: WritePassReport, problem: Problem & { failed?: boolean }): void {
  report.documents.skipped += 1
  report.problems.push(problem)
}

function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) {
    throw new MadeleineError('INTERRUPTED', 'Indexing was interrupted: what was committed is kept', {
      remedy: 'Run "madeleine index" again: it goes on where it stopped',
    })
  }
}
