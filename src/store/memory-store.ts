import type { Cue, NotedCue } from '../model/cue.ts'
import type { DocumentHead } from '../model/document.ts'
import type { Memory, MemoryContent, Place } from '../model/memory.ts'
import type { MemoryFilter, Viewer } from '../model/search.ts'

import type { CueQuery } from './noted-cues.ts'
import type { RelationshipStore } from './relationship-store.ts'
import type { Vital, VitalQuery } from './vital-signs.ts'

export type { CueQuery } from './noted-cues.ts'
export type {
  AwaitingLink,
  Degree,
  LinkingResult,
  NeighbourQuery,
  RelationshipPage,
  RelationshipQuery,
  RelationshipStore,
  RelationshipTotals,
  ReviewOpening,
  ReviewQuery,
} from './relationship-store.ts'
export type { Vital, VitalQuery } from './vital-signs.ts'

/** A document's record: what the next run compares with. */
export interface StoredDocument {
  root: string
  path: string
  /** Whose document it is. */
  tenant: string
  contentHash: string
  /** SourceEntry.fingerprint at the time of reading, with what else decided the document. */
  fingerprint: string
  /** Version of normalize and chunk that made its memories. */
  chunkerVersion: number
  /** When it was indexed, ms. */
  indexedAtMs: number
  memoryCount: number
  /** Its last part has not been written yet. */
  isPartial?: true
}

/** A document with all its memories, in order; or a part of it. */
export interface DocumentWrite {
  head: DocumentHead
  fingerprint: string
  chunkerVersion: number
  memories: Array<{
    content: MemoryContent
    place: Omit<Place, 'root' | 'path' | 'position'>
    /** What it says that matters between turns, read in `cueZone` (`readCues`); where it is absent, a store reads it. */
    cues?: readonly Cue[]
  }>
  /** IANA zone of the days of the cues. */
  cueZone?: string
  /** What is new has the state of this time from the first, ms; otherwise it is active until `ageMemories`. */
  agedAtMs?: number
  part?: DocumentPart
}

/** Which part of a document a write is: of one that is too large for one write, or that may go on growing at its end. */
export interface DocumentPart {
  /** Cursor of the part that it follows: what that one settled stays, the rest gives way. Absent: the document begins anew. */
  after?: string
  /** How many of its memories, from the first, are settled: the part that follows leaves them as they are. */
  settled: number
  /** Whoever reads the document goes on from here after the settled memories. Opaque to the store, never empty. */
  cursor: string
  /** The document ends with this part. Before it, what the document held and holds no more stays at its end. */
  isLast: boolean
}

export interface WriteResult {
  /** Ids that the store did not hold before. */
  added: string[]
  /** Ids that no place holds any more. */
  removed: string[]
  /** How many of the given memories were already held elsewhere (another place of the same content), and not by this document. */
  duplicates: number
  /** How many were left out because their id was forgotten. */
  forgotten: number
}

/** A term, and which posting list: body text, headings, or words of the path. */
export interface TermKey {
  term: string
  field: 'text' | 'header' | 'path'
}

/** One term of a keyword query. */
export interface QueryTerm extends TermKey {
  /** Factor on the term's contribution; 1 for a plain term. */
  weight: number
}

export interface CandidateQuery {
  terms: readonly QueryTerm[]
  /** Query vectors; a memory's vector score is its best window against its best query vector. */
  vectors: readonly Float32Array[]
  /** Only vectors of this identity are compared. */
  identity?: string
  filter: MemoryFilter
  /**
   * How many of the best memories by keyword, and how many by vector, to return; beyond them the best of each category, up
   * to CATEGORY_CANDIDATE_SHARE of the limit, so that neither notes nor talk crowd the other out.
   */
  limit: number
}

/**
 * Evidence for one memory. The three BM25 scores share the formula (Robertson & Zaragoza 2009, Lucene idf
 * ln(1 + (N − df + 0.5)/(df + 0.5)), k1 and b from options.ts) and differ in what counts as the text:
 * `text` the memory; `window` the memory and WINDOW_RADIUS neighbours on each side of its canonical place; `document` the whole
 * document of that place, with document frequencies over documents. Terms of fields `header` and `path` add to none of the three.
 */
export interface Candidate {
  /** May be shared with the answers of other searches. */
  memory: Readonly<Memory>
  text: number
  window: number
  document: number
  /** Indexes into `CandidateQuery.terms` of the terms that the memory holds. */
  matched: number[]
  /** Best cosine, [-1,1]; absent when the memory has no vector yet or no query vector was given. */
  vector?: number
}

/** How common terms are. */
export interface TermCounts {
  /** For each term: how many visible-or-not memories of the tenant hold it. */
  documentFrequencies: number[]
  /** Memories of the tenant. */
  memoryCount: number
}

export interface CandidateSet extends TermCounts {
  candidates: Candidate[]
  /** How many memories pass the filter and hold at least one text term, or have a vector when vectors were given. */
  matchedCount: number
  /** Memories under the filter that wait for vectors of the wanted identity; 0 when none is wanted. */
  pendingCount: number
}

/** What is to be found near to memories. */
export interface NeighbourSearch {
  memories: readonly NeighbourSubject[]
  /** Of the vectors that are compared; without it, terms alone decide. */
  identity?: string
  filter: MemoryFilter
  /** How many of the nearest by vector, and how many by terms, of each memory. */
  limit: number
}

/** A memory, and by what it is recognised. */
export interface NeighbourSubject {
  id: string
  /** Posting keys (`termKey`): what it says, and what others would say of it. */
  keys: readonly string[]
  /** Ids that are in the answer in any case, as far as the filter shows them. */
  also?: readonly string[]
}

export interface Neighbour {
  id: string
  /** Of the windows of both that are nearest to each other, [-1,1]; the same from either side; absent where one has no vector. */
  cosine?: number
}

/** A text that waits for its vectors. */
export interface PendingEmbedding {
  id: string
  embedText: string
  /** From which character of it on the memory's own words stand; what is before is context. */
  ownFrom: number
}

/** Vectors for a memory's embed text. */
export interface GivenVectors {
  id: string
  embedText: string
  windows: readonly Float32Array[]
  /** The vectors of its words side by side, 8 bits a number, where the model gives them. */
  tokens?: Int8Array
}

/** How well a memory, or one beside it in the same document, meets the words of a query. */
export interface WordsMet {
  /** Places after the memory's own (negative: before); 0 for the memory itself. */
  offset: number
  /** For each word of the query the best cosine with one of its words, [-1,1]. */
  best: Float32Array
}

/** The words of a query, and the identity of the vectors that they are compared with. */
export interface WordQuery {
  identity: string
  /** Numbers of one word's vector. */
  dimensions: number
  /** Side by side: unit length times 127, rounded. */
  vectors: Int8Array
}

export interface StoreCounts {
  documents: number
  memories: number
  places: number
  /** Memories with at least one vector, by identity. */
  embedded: Record<string, number>
  /** Memories that wait for vectors of the wanted identity, as listPendingEmbeddings lists them; 0 when none is wanted. */
  pending: number
}

/** Something wrong in the store itself. */
export interface StoreFinding {
  id: string
  severity: 'error' | 'warning' | 'info'
  message: string
  remedy: string
}

/** Why a thing may not come back: it was forgotten by its owner. */
export interface Tombstone {
  kind: 'memory' | 'document'
  tenant: string
  /** Memory id, or `root` NUL `path`. */
  key: string
  forgottenAt: string
}

/**
 * What is kept: documents, memories, their terms and vectors, and what cannot be rebuilt.
 *
 * Contract:
 * - Every method is atomic: text, keyword and vector index change together or not at all; after it resolves, the
 *   change survives a crash.
 * - Several processes may use one store. A writer waits for another for a bounded time, then rejects with
 *   STORE_BUSY; readers never wait, and see every change that was acknowledged before their call began.
 * - Texts are kept as they are, except that NUL and halves of surrogate pairs become U+FFFD.
 * - Empty answers are empty arrays; an unknown id is left out, not an error.
 * - Filters are exact and apply before limits; order is deterministic (score, then id).
 * - After `close`, every method rejects with STORE_UNUSABLE; `close` may be called twice.
 */
export interface MemoryStore {
  /** Where it is, as a user would name it. */
  readonly location: string
  /** What compares vectors, for `status`: `wasm` or `js`. */
  readonly vectorBackend: string
  /** The relationships between the memories, and the reviews of contradictions. */
  readonly relationships: RelationshipStore

  /** With a viewer only those that hold a memory that they may see. */
  listDocuments(viewer?: Viewer): Promise<StoredDocument[]>
  /**
   * The document now consists of exactly these memories. Idempotent; vectors of unchanged embed texts are kept, and lent to
   * other memories of equal embed text. An id that several documents hold is one memory; it shows the content of its
   * canonical place: notes before talk, then the earliest, undated ones last, then by root, path and line. Rejects with
   * INVALID_OPTION when a document and a memory of it differ in tenant, or a document has no root; with STORE_BUSY when
   * the part that a part follows is not the document's last: another process has it in hand. Where a document loses very
   * many memories, they go before, some at a time, and the document is partial until the rest is done.
   */
  putDocuments(writes: readonly DocumentWrite[]): Promise<WriteResult>
  /**
   * The cursor of a document's last part; null when it was written as a whole, is not there, or has lost memories to
   * `forget`: then it has to be read from its beginning.
   */
  getCursor(key: { root: string; path: string }): Promise<string | null>
  /** Remembers that unchanged bytes have a new fingerprint (touched, moved by a tool). */
  touchDocument(key: { root: string; path: string }, fingerprint: string, indexedAtMs: number): Promise<void>
  /**
   * Removes documents, and the memories that stand nowhere else. Remembered memories stay. A very long document goes some
   * memories at a time, from its end, and is partial meanwhile.
   */
  removeDocuments(keys: ReadonlyArray<{ root: string; path: string }>): Promise<WriteResult>

  /** Adds one memory that has no source file, at `remembered/<id>` of no root; no tombstone of its id stands against it. Rejects with ALREADY_EXISTS when the id is taken. */
  addRemembered(content: MemoryContent, place: Pick<Place, 'occurredAt' | 'sessionId'>): Promise<void>
  /**
   * Removes memories from every index and the file, and keeps tombstones, so that indexing does not bring them back. Of a
   * document, what another document holds too stays there; what is gone keeps a tombstone of its own as well, so that
   * it does not come back under another path. A very long document goes some memories at a time, and is buried with the first
   * of them. Returns the ids that are gone.
   */
  forget(
    target: { ids?: readonly string[]; documents?: ReadonlyArray<{ root: string; path: string }> },
    now: Date,
  ): Promise<string[]>
  listTombstones(): Promise<Tombstone[]>

  /** In the order of the ids, each once. */
  getMemories(ids: readonly string[]): Promise<Memory[]>
  /** The canonical place first. */
  listPlaces(id: string): Promise<Place[]>
  /**
   * Memories of a document that the filter lets through, in order, each as that document words it; `root` may be left out
   * when it lets `path` be seen under one root only.
   */
  listDocumentMemories(
    key: { root?: string; path: string },
    filter: MemoryFilter,
  ): Promise<Array<{ memory: Memory; place: Place }>>
  /** Newest first, undated last. */
  listMemories(filter: MemoryFilter, options?: { limit?: number }): Promise<Memory[]>
  /** How many memories the filter lets through. */
  countMemories(filter: MemoryFilter): Promise<number>
  /**
   * What memories say that matters between turns, read from each as it is at its canonical place, in the same write. Its cost does not
   * grow with what is not of the asked kinds and times.
   */
  listCues(query: CueQuery): Promise<NotedCue[]>

  /** Rejects with INVALID_OPTION when a query vector is zero or not finite, or has other dimensions than its identity. */
  findCandidates(query: CandidateQuery): Promise<CandidateSet>
  /**
   * Says which vectors the next queries look for, each list in a query of its own, so that a store may compare them at once. Changes no answer.
   * Absent where nothing is gained.
   */
  expectVectors?(identity: string, lists: ReadonlyArray<readonly Float32Array[]>): Promise<void>
  /** What `findCandidates` says of terms, without looking for anything: how common each is among the memories of a tenant. */
  countHolders(terms: readonly TermKey[], tenant: string): Promise<TermCounts>
  /**
   * For each of the memories that are there, others that the filter shows and that are likely to have to do with it, by id: those
   * nearest by vector, those with the most weight of rare keys in common (Σ idf; the rarest keys, as far as at most NEIGHBOUR_SCAN.holders
   * memories hold them together), and those of `also`. Where very many memories are asked about in one of very many, a few of the
   * nearest may be missed.
   */
  findNeighbours(search: NeighbourSearch): Promise<Map<string, Neighbour[]>>
  recordAccess(ids: readonly string[], at: Date): Promise<void>
  /**
   * Sets the state of each memory to what its age, its importance and how it was read make of it at a time (`stateOf`): whatever changed
   * may change back. Not one transaction but several. Returns how many changed.
   */
  ageMemories(at: Date): Promise<number>
  /** What is known of memories besides their words: those first of which most is lost by how much they matter, then by id. */
  listVitals(query: VitalQuery): Promise<Vital[]>

  /** Next texts without a vector of this identity: important first, then newest. */
  listPendingEmbeddings(identity: string, limit: number): Promise<PendingEmbedding[]>
  /**
   * Vectors for a memory's present embed text, in place of those that it had; ignored when the text changed meanwhile. An
   * empty list marks it as not representable until the text changes. Rejects with INVALID_OPTION, changing nothing, when
   * a vector is zero or not finite, or has other dimensions than those of its identity that the store holds.
   */
  putVectors(identity: string, vectors: readonly GivenVectors[]): Promise<void>
  /** The unit vectors, one a window, that memories have of an identity, in full precision; those that have none are left out. */
  getVectors(identity: string, ids: readonly string[]): Promise<Map<string, Float32Array[]>>
  /**
   * Compares the words of memories, and of those from `before` places before to `after` places after in the document of their
   * canonical place, with those of a query. What has no word vectors of the identity is left out.
   */
  compareWords(
    query: WordQuery,
    ids: readonly string[],
    nearby?: { before: number; after: number },
  ): Promise<Map<string, WordsMet[]>>

  /** Drops all vectors of an identity: their memories wait for new ones. Returns how many memories had any. */
  removeVectors(identity: string): Promise<number>

  /** With a viewer of what they may see. */
  counts(wantedIdentity?: string, viewer?: Viewer): Promise<StoreCounts>
  /** Compares the indexes with each other and checks the file. Empty when all agree. */
  check(): Promise<StoreFinding[]>
  /**
   * Mends what `check` found, where it can without losing what cannot be rebuilt. Returns what was done, in words, by the id of the
   * finding; what is not named there is as it was. Absent where a store has nothing to mend.
   */
  repair?(findings: readonly StoreFinding[], now: Date): Promise<Record<string, string>>
  /** Small named values (state of a caller); null when absent. */
  getState(key: string): Promise<string | null>
  /** Null removes it. */
  setState(key: string, value: string | null): Promise<void>
  /**
   * Sets it where it is as `expected` (null: absent), in one step: of several callers that expect the same value one is told true, the
   * others false, having changed nothing.
   */
  claimState(key: string, expected: string | null, next: string): Promise<boolean>
  /** All named values whose key begins with the prefix, by key. */
  listStates(prefix: string): Promise<Array<{ key: string; value: string }>>
  close(): Promise<void>
}
