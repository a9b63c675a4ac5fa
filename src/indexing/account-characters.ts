import { MadeleineError } from '../errors.ts'
import type { LedgerEntry } from '../model/ledger.ts'
import { createTally, type OpenTally } from '../normalize/index.ts'
import type { Source, SourceEntry } from '../source/source.ts'
import type { DocumentWrite, MemoryStore } from '../store/memory-store.ts'
import { toDocumentWrite } from './to-document-write.ts'
import { toPartWrite } from './to-part-write.ts'

/** What is known while the sources are gone through. */
interface Accounting {
  timeZone: string
  /** Ids of the memories met so far: what comes again is a duplicate. */
  seen: Set<string>
  forgottenMemories: ReadonlySet<string>
  forgottenDocuments: ReadonlySet<string>
}

/**
 * Reads every document of the sources again, through the functions that index it, and accounts for each character: what became
 * text, what was taken out by which rule, what was left out and why. Writes nothing. A root or file that cannot be read is
 * left out: the problems of the last run tell of it.
 */
export async function accountCharacters(
  store: MemoryStore,
  { sources, timeZone }: { sources: readonly Source[]; timeZone: string },
): Promise<LedgerEntry[]> {
  const tombstones = await store.listTombstones()
  const keysOf = (kind: string): Set<string> =>
    new Set(tombstones.filter((tombstone) => tombstone.kind === kind).map(({ key }) => key))
  const accounting: Accounting = {
    timeZone,
    seen: new Set(),
    forgottenMemories: keysOf('memory'),
    forgottenDocuments: keysOf('document'),
  }
  const ledger: LedgerEntry[] = []
  const done = new Set<string>()
  for (const source of sources) {
    const accountSource = async (): Promise<void> => {
      for await (const entry of source.list(() => undefined)) {
        const key = `${source.root}\0${entry.path}`
        if (done.has(key)) continue
        done.add(key)
        const account = await whereReadable(accountDocument(source, entry, accounting))
        if (account) ledger.push(account)
      }
    }
    await whereReadable(accountSource())
  }
  return ledger
}

async function whereReadable<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if (error instanceof MadeleineError) return undefined
    throw error
  }
}

async function accountDocument(source: Source, entry: SourceEntry, accounting: Accounting): Promise<LedgerEntry> {
  const { root } = source
  const { path } = entry
  const tally = createTally()
  const isForgotten = accounting.forgottenDocuments.has(`${root}\0${path}`)
  let [duplicates, forgotten] = [0, 0]
  for await (const write of readMemories(source, entry, { timeZone: accounting.timeZone, tally })) {
    const kept = tally.takeKept()
    write.memories.forEach(({ content: { id } }, index) => {
      const characters = kept[index] ?? 0
      if (isForgotten || accounting.forgottenMemories.has(id)) forgotten += characters
      else if (accounting.seen.has(id)) duplicates += characters
      else accounting.seen.add(id)
    })
  }
  return { root, path, ...tally.close({ duplicates, forgotten }) }
}

/** What a file gives to write, part by part; nothing where it is left out as a whole. */
async function* readMemories(
  source: Source,
  entry: SourceEntry,
  { timeZone, tally }: { timeZone: string; tally: OpenTally },
): AsyncGenerator<DocumentWrite> {
  const facts = { fingerprint: '', timeZone, tally }
  if (!source.readParts) {
    const result = await source.read(entry, tally)
    if (!('skipped' in result)) yield toDocumentWrite(result.document, facts)
    return
  }
  let after: string | undefined
  for await (const part of source.readParts(entry, { tally })) {
    if ('skipped' in part) return
    const write = toPartWrite(part, { ...facts, after })
    after = write.part?.cursor
    yield write
  }
}
