import { MadeleineError, messageOf } from '../errors.ts'
import type { OnSkip, Source } from '../source/source.ts'
import type { MemoryStore, StoredDocument, Tombstone } from '../store/memory-store.ts'
import { contextMark, noteSkipped, type Work } from './read-writes.ts'
import { throwIfAborted, writeChanged } from './write-changed.ts'
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
    documents: { added: 0, changed: 0, removed: 0, skipped: 0 },
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
  const leaving = [...gone, ...dropped]
  const removed = leaving.length > 0 ? (await store.removeDocuments(leaving)).removed.length : 0
  report.documents.removed = gone.length
  report.memories.removed += removed
  // What only moved stood in two places for the time of the run, and does not any more.
  const kept = gone.reduce((sum, { memoryCount }) => sum + memoryCount, 0) - removed
  report.memories.duplicates = Math.max(0, report.memories.duplicates - Math.max(0, kept))
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
