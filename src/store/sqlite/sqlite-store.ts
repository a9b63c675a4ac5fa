import { MadeleineError } from '../../errors.ts'
import type { Clock } from '../../model/clock.ts'
import type { NotedCue } from '../../model/cue.ts'
import type { Memory, MemoryContent, Place } from '../../model/memory.ts'
import type { MemoryFilter, Viewer } from '../../model/search.ts'
import type { StoreArchive } from '../archive/archive-record.ts'
import { Layout } from '../keyword-index/layout.ts'
import type {
  CandidateQuery,
  CandidateSet,
  CueQuery,
  DocumentWrite,
  GivenVectors,
  MemoryStore,
  Neighbour,
  NeighbourSearch,
  PendingEmbedding,
  StoreCounts,
  StoredDocument,
  StoreFinding,
  TermCounts,
  TermKey,
  Tombstone,
  Vital,
  VitalQuery,
  WordQuery,
  WordsMet,
  WriteResult,
} from '../memory-store.ts'
import type { RelationshipStore } from '../relationship-store.ts'
import { assertStorable, closedError } from '../store-errors.ts'
import { hasNativeScan } from '../vector-scan/scan-kernel.ts'
import { createTokenScan, type TokenScan } from '../vector-scan/token-scan.ts'
import { CandidateSearch } from './candidate-search.ts'
import { type CheckedParts, checkStore } from './check-store.ts'
import type { Connection } from './connection.ts'
import { listCues } from './cues.ts'
import { DocumentNames } from './document-names.ts'
import {
  addRemembered,
  countExcess,
  type DocumentEnd,
  endsOfWrites,
  putDocuments,
  removeDocuments,
  trimDocument,
} from './documents.ts'
import { forget, forgetLast, scrubLog } from './forget.ts'
import { createLayoutSource, dropKeptLayout, keepLayout } from './layout-source.ts'
import { MemoryReader } from './memory-reader.ts'
import { NeighbourFinder } from './neighbour-finder.ts'
import { PendingQueue } from './pending-queue.ts'
import { PostingIndex } from './posting-index.ts'
import { getCursor } from './readings.ts'
import { SqliteRelationships } from './relationships/sqlite-relationships.ts'
import { repairStore } from './repair-store.ts'
import type { Names } from './rows.ts'
import { Scopes } from './scopes.ts'
import { SqliteArchive } from './sqlite-archive.ts'
import { claimState, getState, listStates, setState } from './states.ts'
import { compareWords } from './token-vectors.ts'
import { listTombstones } from './tombstones.ts'
import { getVectors, putVectors, removeVectors } from './vectors.ts'
import { VisibleParts } from './visible.ts'
import { findStateChanges, listVitals, writeStates } from './vitals.ts'
import { WriteSession } from './write-session.ts'

/** A SQLite store; made by openSqliteStore. Every method is one transaction. */
export class SqliteStore implements MemoryStore {
  readonly location: string
  /** What compares vectors: WebAssembly, or plain JavaScript with the same results. */
  readonly vectorBackend: 'wasm' | 'js'
  readonly relationships: RelationshipStore
  readonly #connection: Connection
  readonly #clock: Clock | undefined
  readonly #names: Names
  readonly #postings: PostingIndex
  readonly #layout: Layout
  readonly #visible: VisibleParts
  readonly #scanTokens: TokenScan
  readonly #reader: MemoryReader
  readonly #search: CandidateSearch
  readonly #neighbours: NeighbourFinder
  readonly #pending: PendingQueue

  constructor(
    connection: Connection,
    options: { clock?: Clock; timeZone?: string; noNative: boolean; mayUseKept?: boolean },
  ) {
    this.location = connection.location
    this.vectorBackend = !options.noNative && hasNativeScan() ? 'wasm' : 'js'
    this.#connection = connection
    this.#clock = options.clock
    const scopes = new Scopes(connection)
    const { timeZone } = options
    this.#names = { scopes, documents: new DocumentNames(connection), ...(timeZone !== undefined && { timeZone }) }
    this.#postings = new PostingIndex(connection)
    this.#layout = new Layout(createLayoutSource(connection, scopes, options))
    this.#visible = new VisibleParts(connection, scopes)
    this.#scanTokens = createTokenScan({ noNative: options.noNative })
    this.#reader = new MemoryReader(connection, this.#names)
    this.#search = new CandidateSearch({
      connection,
      layout: this.#layout,
      postings: this.#postings,
      reader: this.#reader,
      noNative: options.noNative,
    })
    this.#neighbours = new NeighbourFinder({
      layout: this.#layout,
      postings: this.#postings,
      reader: this.#reader,
      search: this.#search,
    })
    this.#pending = new PendingQueue(connection)
    this.relationships = new SqliteRelationships({ connection, names: this.#names, layout: this.#layout })
  }

  async listDocuments(viewer?: Viewer): Promise<StoredDocument[]> {
    return this.#connection.read(() => this.#visible.listDocuments(viewer))
  }

  async getCursor(key: { root: string; path: string }): Promise<string | null> {
    return this.#connection.read(() => getCursor(this.#connection, key))
  }

  async putDocuments(writes: readonly DocumentWrite[]): Promise<WriteResult> {
    const indexedAtMs = this.#clock?.().getTime() ?? 0
    for (const write of writes) assertStorable(write)
    const trimmed = await this.#trim(() => endsOfWrites(this.#connection, writes))
    const result = await this.#writeMemories((session) =>
      putDocuments(this.#connection, session, { writes, indexedAtMs }),
    )
    return { ...result, removed: [...trimmed, ...result.removed] }
  }

  async touchDocument(key: { root: string; path: string }, fingerprint: string, indexedAtMs: number): Promise<void> {
    const sql =
      'UPDATE document SET fingerprint = ?, indexed_at_ms = ? WHERE root = ? AND path = ? AND is_remembered = 0'
    await this.#connection.write(() => {
      this.#connection.sql(sql).run(fingerprint, indexedAtMs, key.root, key.path)
    })
  }

  async removeDocuments(keys: ReadonlyArray<{ root: string; path: string }>): Promise<WriteResult> {
    const trimmed = await this.#trim(() => keys.map((key) => ({ key, end: 0 })))
    const result = await this.#writeMemories((session) => removeDocuments(this.#connection, session, keys))
    return { ...result, removed: [...trimmed, ...result.removed] }
  }

  async addRemembered(content: MemoryContent, place: Pick<Place, 'occurredAt' | 'sessionId'>): Promise<void> {
    await this.#writeMemories((session) => addRemembered(this.#connection, session, { content, place }), {
      isTruth: true,
    })
  }

  async forget(
    target: { ids?: readonly string[]; documents?: ReadonlyArray<{ root: string; path: string }> },
    now: Date,
  ): Promise<string[]> {
    const ends = (target.documents ?? []).map((key) => ({ key, end: 0 }))
    const before = await this.#trim(
      () => ends,
      (session, { key }) => forgetLast(this.#connection, session, { key, now }),
      { isTruth: true },
    )
    const forgetRest = (session: WriteSession): string[] => {
      dropKeptLayout(this.#connection)
      return forget(this.#connection, session, { target, now })
    }
    const rest = await this.#writeMemories(forgetRest, { isTruth: true })
    await scrubLog(this.#connection)
    return [...before, ...rest]
  }

  async listTombstones(): Promise<Tombstone[]> {
    return this.#connection.read(() => listTombstones(this.#connection))
  }

  async getMemories(ids: readonly string[]): Promise<Memory[]> {
    return this.#connection.read(() => this.#reader.readByIds(ids))
  }

  async listPlaces(id: string): Promise<Place[]> {
    return this.#connection.read(() => this.#reader.readPlaces(id))
  }

  async listDocumentMemories(
    key: { root?: string; path: string },
    filter: MemoryFilter,
  ): Promise<Array<{ memory: Memory; place: Place }>> {
    return this.#connection.read(() => this.#reader.readDocument(key, this.#layout, filter))
  }

  async listMemories(filter: MemoryFilter, options: { limit?: number } = {}): Promise<Memory[]> {
    return this.#connection.read(() => this.#reader.readAll(this.#layout, filter, options.limit))
  }

  async countMemories(filter: MemoryFilter): Promise<number> {
    return this.#connection.read(() => this.#layout.count(filter))
  }

  async listCues(query: CueQuery): Promise<NotedCue[]> {
    return this.#connection.read(() => listCues(this.#connection, this.#layout, query))
  }

  async findCandidates(query: CandidateQuery): Promise<CandidateSet> {
    return this.#connection.read(() => this.#search.find(query))
  }

  async expectVectors(identity: string, lists: ReadonlyArray<readonly Float32Array[]>): Promise<void> {
    return this.#connection.read(() => this.#search.expect(identity, lists))
  }

  async countHolders(terms: readonly TermKey[], tenant: string): Promise<TermCounts> {
    return this.#connection.read(() => this.#search.countHolders(terms, tenant))
  }

  async findNeighbours(search: NeighbourSearch): Promise<Map<string, Neighbour[]>> {
    return this.#connection.read(() => this.#neighbours.find(search))
  }

  async recordAccess(ids: readonly string[], at: Date): Promise<void> {
    const sql = `INSERT INTO access (id, count, last) SELECT id, 1, ? FROM memory WHERE id = ?
      ON CONFLICT (id) DO UPDATE SET count = count + 1, last = excluded.last`
    await this.#connection.write(() => {
      for (const id of ids) this.#connection.sql(sql).run(at.toISOString(), id)
      this.#search.forgetAccess(ids)
    })
  }

  async ageMemories(at: Date): Promise<number> {
    const atMs = at.getTime()
    let changed = 0
    for (let after: number | null = 0; after !== null; ) {
      const from: number = after
      const { changes, last } = await this.#connection.read(() =>
        findStateChanges(this.#connection, this.#names, { after: from, atMs }),
      )
      if (changes.length > 0) changed += await this.#connection.write(() => writeStates(this.#connection, changes))
      after = last
    }
    return changed
  }

  async listVitals(query: VitalQuery): Promise<Vital[]> {
    return this.#connection.read(() => listVitals(this.#connection, this.#names, this.#layout, query))
  }

  async listPendingEmbeddings(identity: string, limit: number): Promise<PendingEmbedding[]> {
    return this.#connection.read(() => this.#pending.list(identity, limit))
  }

  async putVectors(identity: string, vectors: readonly GivenVectors[]): Promise<void> {
    await this.#connection.write(() => putVectors(this.#connection, identity, vectors))
  }

  async getVectors(identity: string, ids: readonly string[]): Promise<Map<string, Float32Array[]>> {
    return this.#connection.read(() => getVectors(this.#connection, identity, ids))
  }

  async compareWords(
    query: WordQuery,
    ids: readonly string[],
    nearby: { before: number; after: number } = { before: 0, after: 0 },
  ): Promise<Map<string, WordsMet[]>> {
    return this.#connection.read(() => compareWords(this.#connection, this.#scanTokens, { query, ids, nearby }))
  }

  async removeVectors(identity: string): Promise<number> {
    return this.#connection.write(() => removeVectors(this.#connection, identity))
  }

  async counts(wantedIdentity?: string, viewer?: Viewer): Promise<StoreCounts> {
    return this.#connection.read(() => this.#visible.count(wantedIdentity, viewer))
  }

  async check(): Promise<StoreFinding[]> {
    return this.#connection.read(() => checkStore(this.#checkedParts()))
  }

  async repair(findings: readonly StoreFinding[], now: Date): Promise<Record<string, string>> {
    return repairStore(this.#checkedParts(), findings, now)
  }

  async getState(key: string): Promise<string | null> {
    return this.#connection.read(() => getState(this.#connection, key))
  }

  async setState(key: string, value: string | null): Promise<void> {
    await this.#connection.write(() => setState(this.#connection, key, value))
  }

  async claimState(key: string, expected: string | null, next: string): Promise<boolean> {
    return this.#connection.write(() => claimState(this.#connection, key, { expected, next }))
  }

  async listStates(prefix: string): Promise<Array<{ key: string; value: string }>> {
    return this.#connection.read(() => listStates(this.#connection, prefix))
  }

  /** Keeps what this process learnt of the memories for those that live for one answer, where it had to read so many documents. */
  async keepLayout(minDocuments: number): Promise<void> {
    if (this.#layout.documentsRead < minDocuments) return
    await this.#connection.write(() => keepLayout(this.#connection, this.#layout.keep()), { waitMs: 0 })
  }

  /** All that it holds, for moving it into another store. */
  archive(): StoreArchive {
    return new SqliteArchive(this.#connection, this.#names)
  }

  async close(): Promise<void> {
    if (!this.#connection.isClosed) this.#connection.close()
  }

  #checkedParts(): CheckedParts {
    return { connection: this.#connection, names: this.#names, postings: this.#postings }
  }

  async #writeMemories<T>(write: (session: WriteSession) => T, options: { isTruth?: boolean } = {}): Promise<T> {
    const result = await this.#connection.write(() => {
      if (this.#connection.isClosed) throw closedError(this.location)
      return write(new WriteSession(this.#connection, this.#names, this.#postings))
    }, options)
    await this.#mergeSegments()
    return result
  }

  /** Takes what a document has very many of out of it, some at a time, so that the write that follows is a small one. */
  async #trim(
    findEnds: () => DocumentEnd[],
    trim = (session: WriteSession, end: DocumentEnd) => trimDocument(this.#connection, session, end),
    options: { isTruth?: boolean } = {},
  ): Promise<string[]> {
    const isLong = (end: DocumentEnd): boolean => countExcess(this.#connection, end) > 0
    const long = await this.#connection.read(() => findEnds().filter(isLong))
    const removed: string[] = []
    for (const end of long) {
      while (await this.#connection.read(() => isLong(end))) {
        const more = await this.#writeMemories((session) => trim(session, end), options)
        for (const id of more) removed.push(id)
      }
    }
    return removed
  }

  /** Each merge by itself, so that others get their turn between them. */
  async #mergeSegments(): Promise<void> {
    try {
      const isDue = (): Promise<boolean> => this.#connection.read(() => this.#postings.isMergeDue())
      while (await isDue()) await this.#connection.write(() => this.#postings.mergeNext(), { waitMs: 0 })
    } catch (error) {
      // What was written stays written; what could not be merged now is due again with the next write.
      if (!(error instanceof MadeleineError)) throw error
    }
  }
}
