import { MadeleineError } from '../../errors.ts'
import { ARCHIVE_BATCH } from '../../options.ts'
import type { DocumentWrite, MemoryStore } from '../memory-store.ts'
import {
  ARCHIVE_PARTS,
  type ArchivePart,
  type ArchiveRecord,
  type DocumentRecord,
  type PlaceRecord,
  type RememberedRecord,
  type RowRecord,
  type StoreArchive,
  unpackContent,
  unpackVectors,
  type VectorsRecord,
} from './archive-record.ts'

/** Of each part how many records were given, and how many of them are new in the store. */
export type ImportCounts = Record<ArchivePart, { records: number; added: number }>

/** Writes records into a store, in the order of the parts. What the store holds already stays as it is. */
export async function importRecords(
  store: MemoryStore,
  archive: StoreArchive,
  records: AsyncIterable<ArchiveRecord>,
): Promise<ImportCounts> {
  const writer = new RecordWriter(store, archive, await listKnown(store))
  for await (const record of records) await writer.write(record)
  await writer.end()
  return writer.counts
}

async function listKnown(store: MemoryStore): Promise<Set<string>> {
  return new Set((await store.listDocuments()).map(nameOf))
}

function nameOf({ tenant, root, path }: { tenant: string; root: string; path: string }): string {
  return [tenant, root, path].join('\0')
}

/** A document that is being read, and what of it is not written yet. */
interface OpenDocument {
  record: DocumentRecord
  places: PlaceRecord[]
  /** Places that are written, as parts. */
  written: number
}

class RecordWriter {
  readonly counts = Object.fromEntries(
    ARCHIVE_PARTS.map((part) => [part, { records: 0, added: 0 }]),
  ) as unknown as ImportCounts
  readonly #store: MemoryStore
  readonly #archive: StoreArchive
  readonly #known: ReadonlySet<string>
  #document: OpenDocument | null = null
  /** The document at hand is there already. */
  #isSkipping = false
  #whole: DocumentWrite[] = []
  #read: DocumentRecord[] = []
  #size = 0
  #vectors: VectorsRecord[] = []
  #rows: RowRecord[] = []

  constructor(store: MemoryStore, archive: StoreArchive, known: ReadonlySet<string>) {
    this.#store = store
    this.#archive = archive
    this.#known = known
  }

  async write(record: ArchiveRecord): Promise<void> {
    this.counts[record.part].records += 1
    if (record.part === 'remembered') await this.#remember(record)
    else if (record.part === 'document') await this.#beginDocument(record)
    else if (record.part === 'place') await this.#addPlace(record)
    else if (record.part === 'vectors') await this.#addVectors(record)
    else await this.#addRow(record)
  }

  async end(): Promise<void> {
    await this.#endDocuments()
    await this.#writeVectors()
    await this.#writeRows()
  }

  async #remember({ content, place }: RememberedRecord): Promise<void> {
    try {
      await this.#store.addRemembered(unpackContent(content), place)
      this.counts.remembered.added += 1
    } catch (error) {
      // What the store holds under this id stays.
      if (!(error instanceof MadeleineError) || error.code !== 'ALREADY_EXISTS') throw error
    }
  }

  async #beginDocument(record: DocumentRecord): Promise<void> {
    await this.#endDocument()
    this.#isSkipping = this.#known.has(nameOf(record))
    if (this.#isSkipping) return
    this.counts.document.added += 1
    this.#document = { record, places: [], written: 0 }
  }

  async #addPlace(place: PlaceRecord): Promise<void> {
    if (this.#isSkipping || !this.#document) return
    this.counts.place.added += 1
    this.#document.places.push(place)
    if (this.#document.places.length < ARCHIVE_BATCH.memories) return
    await this.#writeWhole()
    await this.#store.putDocuments([toPart(this.#document, false)])
    this.#document.written += this.#document.places.length
    this.#document.places = []
  }

  async #endDocument(): Promise<void> {
    const document = this.#document
    if (!document) return
    this.#document = null
    this.#whole.push(document.written > 0 ? toPart(document, true) : toWrite(document))
    this.#read.push(document.record)
    this.#size += document.places.length + 1
    if (this.#size >= ARCHIVE_BATCH.memories) await this.#writeWhole()
  }

  async #endDocuments(): Promise<void> {
    await this.#endDocument()
    await this.#writeWhole()
  }

  async #writeWhole(): Promise<void> {
    if (this.#whole.length === 0) return
    await this.#store.putDocuments(this.#whole)
    await this.#archive.noteReadings(this.#read)
    this.#whole = []
    this.#read = []
    this.#size = 0
  }

  async #addVectors(record: VectorsRecord): Promise<void> {
    if (this.#vectors.length === 0) await this.#endDocuments()
    this.#vectors.push(record)
    if (this.#vectors.length >= ARCHIVE_BATCH.records) await this.#writeVectors()
  }

  async #writeVectors(): Promise<void> {
    if (this.#vectors.length === 0) return
    const records = this.#vectors
    this.#vectors = []
    const memories = await this.#store.getMemories(records.map(({ id }) => id))
    const texts = new Map(memories.map(({ id, embedText }) => [id, embedText]))
    for (const identity of new Set(records.map((record) => record.identity))) {
      const given = records
        .filter((record) => record.identity === identity && texts.has(record.id))
        .map((record) => ({ id: record.id, embedText: texts.get(record.id) ?? '', ...unpackVectors(record) }))
      await this.#store.putVectors(identity, given)
      this.counts.vectors.added += given.length
    }
  }

  async #addRow(record: RowRecord): Promise<void> {
    if (this.#rows.length === 0) {
      await this.#endDocuments()
      await this.#writeVectors()
    }
    this.#rows.push(record)
    const isOther = this.#rows[0]?.part !== record.part
    if (isOther || this.#rows.length >= ARCHIVE_BATCH.records) await this.#writeRows(isOther ? record : undefined)
  }

  /** `next`: the first of another part, which is left for the next write. */
  async #writeRows(next?: RowRecord): Promise<void> {
    const rows = next ? this.#rows.slice(0, -1) : this.#rows
    const [first] = rows
    this.#rows = next ? [next] : []
    if (first) this.counts[first.part].added += await this.#archive.addRows(rows)
  }
}

function toWrite({ record, places }: OpenDocument): DocumentWrite {
  const { tenant, root, path, contentHash, fingerprint, chunkerVersion } = record
  const [first] = places
  const scope = first?.content.scope ?? { tenant, agent: 'main', project: '', visibility: 'private' as const }
  return {
    head: { root, path, category: first?.content.category ?? 'memory', scope: { ...scope, tenant }, contentHash },
    ...{ fingerprint, chunkerVersion },
    memories: places.map(({ content, place: { root: _, path: __, position: ___, ...place } }) => ({
      content: unpackContent(content),
      place,
    })),
  }
}

/** A part of a document that is too long for one write. */
function toPart(document: OpenDocument, isLast: boolean): DocumentWrite {
  const { written, places } = document
  return {
    ...toWrite(document),
    part: {
      ...(written > 0 && { after: `import ${written}` }),
      settled: places.length,
      cursor: `import ${written + places.length}`,
      isLast,
    },
  }
}
