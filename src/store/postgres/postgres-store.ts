import type { Clock } from '../../model/clock.ts'
import type { NotedCue } from '../../model/cue.ts'
import type { Memory, MemoryContent, Place } from '../../model/memory.ts'
import type { MemoryFilter, Viewer } from '../../model/search.ts'
import type { StoreArchive } from '../archive/archive-record.ts'
import { compareText } from '../canonical-place.ts'
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
import { assertStorable } from '../store-errors.ts'
import { hasNativeScan } from '../vector-scan/scan-kernel.ts'
import { createTokenScan, type TokenScan } from '../vector-scan/token-scan.ts'
import { recordAccess } from './access.ts'
import { ageMemories } from './age-memories.ts'
import type { ApplyFilter } from './apply-filter.ts'
import { CandidateSearch } from './candidate-search.ts'
import { checkStore } from './check-store.ts'
import { countAll } from './count-all.ts'
import { listCues } from './cues.ts'
import {
  addRemembered,
  type DocumentEnd,
  type DocumentKey,
  endsOfWrites,
  getCursor,
  listDocuments,
  putDocuments,
  removeDocuments,
  touchDocument,
  trimDocument,
} from './documents.ts'
import { type ForgetTarget, forget, forgetLast } from './forget.ts'
import { countMemories, readAll, readByIds, readDocument, readPlaces } from './memory-reader.ts'
import { MemoryWrites } from './memory-writes.ts'
import { PostgresArchive } from './postgres-archive.ts'
import type { PostgresConnection, Transaction } from './postgres-connection.ts'
import { PostgresRelationships } from './relationships/postgres-relationships.ts'
import { repairStore } from './repair/repair-store.ts'
import { claimState, getState, listStates, setState } from './states.ts'
import { TableStatistics } from './table-statistics.ts'
import { TenantIndexes } from './tenant-indexes.ts'
import { listTombstones } from './tombstones.ts'
import { findNeighbours } from './vectors/find-neighbours.ts'
import { PendingEmbeddings } from './vectors/pending-embeddings.ts'
import { PostgresVectors } from './vectors/postgres-vectors.ts'
import { getVectors, putVectors, removeVectors } from './vectors/stored-vectors.ts'
import { compareWords } from './vectors/word-vectors.ts'
import { listVitals } from './vitals.ts'

/** What is written without a lock: single statements of which each may be the last. */
const UNLOCKED = { tenants: [] as string[] }
const NOTHING: WriteResult = { added: [], removed: [], duplicates: 0, forgotten: 0 }

/** A store in a PostgreSQL database; made by openPostgresStore. Every method is one transaction. */
export class PostgresStore implements MemoryStore {
  readonly location: string
  /** What compares vectors where the server does not: WebAssembly, or plain JavaScript with the same results. */
  readonly vectorBackend: 'wasm' | 'js'
  readonly relationships: RelationshipStore
  readonly #connection: PostgresConnection
  readonly #tenants: readonly string[]
  readonly #clock: Clock | undefined
  readonly #indexes: TenantIndexes
  readonly #writes: MemoryWrites
  readonly #statistics: TableStatistics
  readonly #vectors: PostgresVectors
  readonly #search: CandidateSearch
  readonly #pending: PendingEmbeddings
  readonly #scanTokens: TokenScan
  readonly #applyFilter: ApplyFilter

  constructor(connection: PostgresConnection, options: { clock?: Clock; timeZone: string; noNative: boolean }) {
    this.location = connection.location
    this.vectorBackend = !options.noNative && hasNativeScan() ? 'wasm' : 'js'
    this.#connection = connection
    this.#tenants = connection.tenants
    this.#clock = options.clock
    this.#indexes = new TenantIndexes(connection)
    this.#writes = new MemoryWrites(connection, options.timeZone)
    this.#statistics = new TableStatistics(connection)
    this.#vectors = new PostgresVectors({ noNative: options.noNative })
    this.#search = new CandidateSearch({ connection, indexes: this.#indexes, vectors: this.#vectors })
    this.#pending = new PendingEmbeddings(this.#tenants)
    connection.onLost(() => this.#pending.forget())
    this.#scanTokens = createTokenScan({ noNative: options.noNative })
    this.#applyFilter = (tx, filter) =>
      this.#indexes.use(tx, filter.viewer.tenant, ({ layout }) => layout.applyFilter(filter))
    this.relationships = new PostgresRelationships(connection, this.#applyFilter)
  }

  async listDocuments(viewer?: Viewer): Promise<StoredDocument[]> {
    return this.#read((tx) => listDocuments(tx, this.#tenants, viewer))
  }

  async getCursor(key: DocumentKey): Promise<string | null> {
    return this.#read((tx) => getCursor(tx, this.#tenants, key))
  }

  async putDocuments(writes: readonly DocumentWrite[]): Promise<WriteResult> {
    const indexedAtMs = this.#clock?.().getTime() ?? 0
    for (const write of writes) assertStorable(write)
    const tenants = [...new Set(writes.map(({ head }) => head.scope.tenant))].sort(compareText)
    for (const tenant of tenants) this.#connection.assertOpened(tenant)
    const ofTenant = (tenant: string): DocumentWrite[] => writes.filter(({ head }) => head.scope.tenant === tenant)
    const findEnds = (tx: Transaction, tenant: string): Promise<DocumentEnd[]> =>
      endsOfWrites(tx, tenant, ofTenant(tenant))
    const trimmed = await this.#writes.trim(findEnds, trimDocument, tenants)
    const results = await this.#writes.write(
      (session) => putDocuments(session, { writes: ofTenant(session.tenant), indexedAtMs }),
      { tenants },
    )
    const result = joinResults(trimmed, results)
    await this.#statistics.note(result.added.length)
    return result
  }

  async touchDocument(key: DocumentKey, fingerprint: string, indexedAtMs: number): Promise<void> {
    const change = { key, fingerprint, indexedAtMs }
    await this.#connection.write((tx) => touchDocument(tx, this.#tenants, change), { isRepeatable: true })
  }

  async removeDocuments(keys: readonly DocumentKey[]): Promise<WriteResult> {
    const trimmed = await this.#writes.trim(() => keys.map((key) => ({ key, end: 0 })), trimDocument)
    const results = await this.#writes.write((session) => removeDocuments(session, keys), { isRepeatable: true })
    return joinResults(trimmed, results)
  }

  async addRemembered(content: MemoryContent, place: Pick<Place, 'occurredAt' | 'sessionId'>): Promise<void> {
    const { tenant } = content.scope
    await this.#writes.write((session) => addRemembered(session, { content, place }), { tenants: [tenant] })
  }

  async forget(target: ForgetTarget, now: Date): Promise<string[]> {
    const ends = (target.documents ?? []).map((key) => ({ key, end: 0 }))
    const trim = (session: Parameters<typeof forgetLast>[0], { key }: DocumentEnd): Promise<string[]> =>
      forgetLast(session, { key, now })
    const before = await this.#writes.trim(() => ends, trim)
    const rest = await this.#writes.write((session) => forget(session, { target, now }), { isRepeatable: true })
    return [...before, ...rest.flat().sort(compareText)]
  }

  async listTombstones(): Promise<Tombstone[]> {
    return this.#read((tx) => listTombstones(tx, this.#tenants))
  }

  async getMemories(ids: readonly string[]): Promise<Memory[]> {
    return this.#read((tx) => readByIds(tx, this.#tenants, ids))
  }

  async listPlaces(id: string): Promise<Place[]> {
    return this.#read((tx) => readPlaces(tx, this.#tenants, id))
  }

  async listDocumentMemories(
    key: { root?: string; path: string },
    filter: MemoryFilter,
  ): Promise<Array<{ memory: Memory; place: Place }>> {
    return this.#read((tx) => readDocument(tx, this.#indexes, key, filter))
  }

  async listMemories(filter: MemoryFilter, options: { limit?: number } = {}): Promise<Memory[]> {
    return this.#read((tx) => readAll(tx, this.#indexes, filter, options.limit))
  }

  async countMemories(filter: MemoryFilter): Promise<number> {
    return this.#read((tx) => countMemories(tx, this.#indexes, filter))
  }

  async listCues(query: CueQuery): Promise<NotedCue[]> {
    return this.#read((tx) => listCues(tx, this.#applyFilter, query))
  }

  async findCandidates(query: CandidateQuery): Promise<CandidateSet> {
    return this.#search.find(query)
  }

  async countHolders(terms: readonly TermKey[], tenant: string): Promise<TermCounts> {
    return this.#search.countHolders(terms, tenant)
  }

  async findNeighbours(search: NeighbourSearch): Promise<Map<string, Neighbour[]>> {
    const vectors = this.#vectors
    return this.#read((tx) =>
      this.#indexes.use(tx, search.filter.viewer.tenant, (index) => findNeighbours(tx, { index, vectors }, search)),
    )
  }

  async recordAccess(ids: readonly string[], at: Date): Promise<void> {
    await this.#connection.write((tx) => recordAccess(tx, this.#tenants, ids, at), UNLOCKED)
  }

  async ageMemories(at: Date): Promise<number> {
    return ageMemories(this.#connection, at)
  }

  async listVitals(query: VitalQuery): Promise<Vital[]> {
    return this.#read((tx) => listVitals(tx, this.#applyFilter, query))
  }

  async listPendingEmbeddings(identity: string, limit: number): Promise<PendingEmbedding[]> {
    return this.#read((tx) => this.#pending.list(tx, identity, limit))
  }

  async putVectors(identity: string, vectors: readonly GivenVectors[]): Promise<void> {
    await this.#connection.write((tx) => putVectors(tx, this.#tenants, identity, vectors), { isRepeatable: true })
  }

  async getVectors(identity: string, ids: readonly string[]): Promise<Map<string, Float32Array[]>> {
    return this.#read((tx) => getVectors(tx, this.#tenants, identity, ids))
  }

  async compareWords(
    query: WordQuery,
    ids: readonly string[],
    nearby: { before: number; after: number } = { before: 0, after: 0 },
  ): Promise<Map<string, WordsMet[]>> {
    return this.#read((tx) => compareWords(tx, this.#scanTokens, this.#tenants, { query, ids, nearby }))
  }

  async removeVectors(identity: string): Promise<number> {
    return this.#connection.write((tx) => removeVectors(tx, this.#tenants, identity))
  }

  async counts(wantedIdentity?: string, viewer?: Viewer): Promise<StoreCounts> {
    return this.#read((tx) => countAll(tx, this.#tenants, { wantedIdentity, viewer }))
  }

  async check(): Promise<StoreFinding[]> {
    return checkStore(this.#connection)
  }

  async repair(findings: readonly StoreFinding[], now: Date): Promise<Record<string, string>> {
    return repairStore({ connection: this.#connection, writes: this.#writes }, findings, now)
  }

  async getState(key: string): Promise<string | null> {
    return getState(this.#connection, this.#owner(), key)
  }

  async setState(key: string, value: string | null): Promise<void> {
    await setState(this.#connection, this.#owner(), key, value)
  }

  async claimState(key: string, expected: string | null, next: string): Promise<boolean> {
    return this.#connection.write((tx) => claimState(tx, this.#owner(), { key, expected, next }), UNLOCKED)
  }

  async listStates(prefix: string): Promise<Array<{ key: string; value: string }>> {
    return listStates(this.#connection, this.#owner(), prefix)
  }

  /** All that it holds of its tenants, for moving it into another store. */
  archive(): StoreArchive {
    return new PostgresArchive(this.#connection)
  }

  async close(): Promise<void> {
    await this.#connection.close()
  }

  #read<T>(body: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#connection.read(body)
  }

  /** The tenant that named values belong to. */
  #owner(): string {
    return this.#tenants[0] ?? ''
  }
}

function joinResults(trimmed: readonly string[], results: readonly WriteResult[]): WriteResult {
  const all = [NOTHING, ...results]
  return {
    added: all.flatMap(({ added }) => added).sort(compareText),
    removed: [...trimmed, ...all.flatMap(({ removed }) => removed).sort(compareText)],
    duplicates: all.reduce((sum, { duplicates }) => sum + duplicates, 0),
    forgotten: all.reduce((sum, { forgotten }) => sum + forgotten, 0),
  }
}
