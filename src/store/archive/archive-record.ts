import type { MemoryContent, MemoryState, Place } from '../../model/memory.ts'
import { packEmbedText, unpackEmbedText } from '../content-codec.ts'
import type { StoredDocument, Tombstone } from '../memory-store.ts'
import type { Anchor, KeptRelationship, KeptReview } from '../relationships/kept.ts'

/** What a store holds, in the order in which it is written into another one: each kind of record needs those before it. */
export const ARCHIVE_PARTS = [
  'remembered',
  'document',
  'place',
  'vectors',
  'relationship',
  'review',
  'anchor',
  'status',
  'access',
  'tombstone',
  'state',
] as const
export type ArchivePart = (typeof ARCHIVE_PARTS)[number]

/** A content with its embed text as what stands around the text. */
type PackedContent = Omit<MemoryContent, 'embedText'> & { embed?: string }

export interface RememberedRecord {
  part: 'remembered'
  content: PackedContent
  place: Pick<Place, 'occurredAt' | 'sessionId'>
}

/** A document; its places follow it, in order. */
export interface DocumentRecord
  extends Pick<
    StoredDocument,
    'tenant' | 'root' | 'path' | 'contentHash' | 'fingerprint' | 'chunkerVersion' | 'indexedAtMs'
  > {
  part: 'document'
  /** How far it was read in parts. */
  reading?: DocumentReading
}

export interface DocumentReading {
  /** How many of its places are settled. */
  settled: number
  isPartial: boolean
  /** Empty where it has to be read from its beginning. */
  cursor: string
}

/** A memory as a document words it. Positions count from 0 without gaps, such as what was forgotten leaves. */
export interface PlaceRecord {
  part: 'place'
  place: Place
  content: PackedContent
}

export interface VectorsRecord {
  part: 'vectors'
  id: string
  identity: string
  /** 32-bit floats, little endian, each window in base64. Empty: the text cannot be represented. */
  windows: string[]
  /** Vectors of its words, 8 bits a number, in base64. */
  tokens?: string
}

export interface RelationshipRecord extends KeptRelationship {
  part: 'relationship'
}

export interface ReviewRecord extends KeptReview {
  part: 'review'
}

export interface AnchorRecord extends Omit<Anchor, 'sketch'> {
  part: 'anchor'
  sketch: number[]
}

/** What a memory has come to, where it is not active or waits no more to be linked. */
export interface StatusRecord {
  part: 'status'
  id: string
  state: MemoryState
  isLinked: boolean
}

export interface AccessRecord {
  part: 'access'
  id: string
  count: number
  last: string
}

export interface TombstoneRecord extends Tombstone {
  part: 'tombstone'
}

export interface StateRecord {
  part: 'state'
  key: string
  value: string
}

export type ArchiveRecord =
  | RememberedRecord
  | DocumentRecord
  | PlaceRecord
  | VectorsRecord
  | RelationshipRecord
  | ReviewRecord
  | AnchorRecord
  | StatusRecord
  | AccessRecord
  | TombstoneRecord
  | StateRecord

/** Records that a store takes as rows, not as what its other methods write. */
export type RowRecord = Exclude<ArchiveRecord, RememberedRecord | DocumentRecord | PlaceRecord | VectorsRecord>

export interface ReadOptions {
  /** Leave vectors out: they can be made again from the texts. */
  withoutVectors?: boolean
}

/** All that a store holds, record by record, and what its other methods cannot write. */
export interface StoreArchive {
  /** Gives all records of one state of the store, part by part; `visit` is waited for. Nothing else may be done with the store meanwhile. */
  read(visit: (records: ArchiveRecord[]) => Promise<void>, options?: ReadOptions): Promise<void>
  /** Whose memories it holds. */
  listTenants(): Promise<string[]>
  /** Whether it holds nothing that a record would tell of. */
  isEmpty(): Promise<boolean>
  /** Adds what is not there yet; what is there stays as it is. Returns how many were added. */
  addRows(records: readonly RowRecord[]): Promise<number>
  /** Notes when documents were indexed, and how far they were read. */
  noteReadings(documents: readonly DocumentRecord[]): Promise<void>
}

/** Every field in one order, so that equal contents are equal lines. */
export function packContent(content: MemoryContent): PackedContent {
  const { id, scope, category, tier, type, trust, importance, text, headerPath, role, speaker, tool } = content
  const { tenant, agent, project, visibility } = scope
  const embed = packEmbedText(content)
  return {
    id,
    scope: { tenant, agent, project, visibility },
    ...{ category, tier, type, trust, importance, text, headerPath },
    ...(embed !== null && { embed }),
    ...(role !== undefined && { role }),
    ...(speaker !== undefined && { speaker }),
    ...(tool !== undefined && { tool }),
  }
}

export function unpackContent({ embed, ...content }: PackedContent): MemoryContent {
  return { ...content, embedText: unpackEmbedText(embed, content.text) }
}

export function packPlaceRecord(content: MemoryContent, place: Place): PlaceRecord {
  const { root, path, position, startLine, endLine, occurredAt, dateOrigin, sessionId, turnId } = place
  return {
    part: 'place',
    place: {
      ...{ root, path, position, startLine, endLine },
      ...(occurredAt !== undefined && { occurredAt }),
      ...(dateOrigin !== undefined && { dateOrigin }),
      ...(sessionId !== undefined && { sessionId }),
      ...(turnId !== undefined && { turnId }),
    },
    content: packContent(content),
  }
}

export function packRemembered(content: MemoryContent, { occurredAt, sessionId }: Place): RememberedRecord {
  const place = { ...(occurredAt !== undefined && { occurredAt }), ...(sessionId !== undefined && { sessionId }) }
  return { part: 'remembered', content: packContent(content), place }
}

export function packAnchorRecord({ id, scope, root, path, position, turnId, sketch, successor }: Anchor): AnchorRecord {
  const { tenant, agent, project, visibility } = scope
  return {
    ...{ part: 'anchor' as const, id, scope: { tenant, agent, project, visibility }, root, path, position },
    ...(turnId !== undefined && { turnId }),
    sketch: [...sketch],
    ...(successor && { successor: { id: successor.id, likeness: successor.likeness } }),
  }
}

export function unpackAnchorRecord({ part: _, sketch, ...anchor }: AnchorRecord): Anchor {
  return { ...anchor, sketch: Uint16Array.from(sketch) }
}

export function packVectors(given: {
  id: string
  identity: string
  windows: readonly Float32Array[]
  tokens?: Uint8Array
}): VectorsRecord {
  const { id, identity, windows, tokens } = given
  return {
    ...{ part: 'vectors' as const, id, identity, windows: windows.map(floatsToBase64) },
    ...(tokens && { tokens: Buffer.from(tokens).toString('base64') }),
  }
}

export function unpackVectors({ windows, tokens }: VectorsRecord): { windows: Float32Array[]; tokens?: Int8Array } {
  return {
    windows: windows.map(base64ToFloats),
    ...(tokens !== undefined && { tokens: new Int8Array(Buffer.from(tokens, 'base64')) }),
  }
}

function floatsToBase64(floats: Float32Array): string {
  const bytes = Buffer.alloc(floats.length * 4)
  floats.forEach((value, index) => {
    bytes.writeFloatLE(value, index * 4)
  })
  return bytes.toString('base64')
}

function base64ToFloats(text: string): Float32Array {
  const bytes = Buffer.from(text, 'base64')
  return Float32Array.from({ length: bytes.length >> 2 }, (_, index) => bytes.readFloatLE(index * 4))
}

/** A document as both stores name its columns. */
export function packDocument(
  row: Readonly<Record<string, unknown>>,
  reading: DocumentReading | undefined,
): DocumentRecord {
  return {
    part: 'document',
    tenant: String(row.tenant),
    root: String(row.root),
    path: String(row.path),
    contentHash: String(row.content_hash),
    fingerprint: String(row.fingerprint),
    chunkerVersion: Number(row.chunker_version),
    indexedAtMs: Number(row.indexed_at_ms),
    ...(reading && { reading }),
  }
}
