import type { Clock } from '../../model/clock.ts'
import type { NotedCue } from '../../model/cue.ts'
import type { Memory, MemoryContent, MemoryState, Place } from '../../model/memory.ts'
import type { MemoryFilter, Viewer } from '../../model/search.ts'
import { compareNewestFirst, compareText, occurredMs, withContent } from '../canonical-place.ts'
import { findQuoting, withoutContext } from '../context-in-embed-text.ts'
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
  WriteResult,
} from '../memory-store.ts'
import type { RelationshipStore } from '../relationship-store.ts'
import { findLost, followChange, forgetMemories } from '../relationships/follow-edits.ts'
import { placeRemembered } from '../remembered.ts'
import { toStorableContent } from '../storable-text.ts'
import { ambiguousPathError, assertStorable, closedError, idTakenError } from '../store-errors.ts'
import { compareNearby } from './compare-nearby.ts'
import { type AccessRecord, type Corpus, deriveCorpus, documentKey, type HeldDocument } from './corpus.ts'
import { describeChange } from './describe-change.ts'
import { countHoldersByBruteForce, findByBruteForce, passesFilter } from './find-by-brute-force.ts'
import { findCuesByBruteForce } from './find-cues-by-brute-force.ts'
import { findNeighbours } from './find-neighbours.ts'
import { holdDocument } from './hold-document.ts'
import { InMemoryRelationships } from './in-memory-relationships.ts'
import { listPending } from './list-pending.ts'
import { RelationshipShelf } from './relationship-shelf.ts'
import { tombstoneKey } from './tombstone-key.ts'
import { VectorShelf } from './vector-shelf.ts'
import { countVisible, listVisibleDocuments } from './visible.ts'
import { findNewStates, findStateChanges, listVitals } from './vitals.ts'

/**
 * A store that lives as long as the process: for trials and tests, and the plain statement of what every store does.
 * It keeps documents and derives the rest from them; a search looks at every memory. `clock` dates the indexing of
 * documents; without it they count as indexed at 0. `timeZone`: in which days that texts name are counted, default UTC.
 */
export function createInMemoryStore(options: { clock?: Clock; timeZone?: string } = {}): MemoryStore {
  return new InMemoryStore(options.clock, options.timeZone)
}

class InMemoryStore implements MemoryStore {
  readonly location = 'memory'
  readonly vectorBackend = 'js'
  readonly relationships: RelationshipStore
  readonly #clock: Clock | undefined
  readonly #timeZone: string
  readonly #links = new RelationshipShelf(() => this.#read())
  readonly #documents = new Map<string, HeldDocument>()
  readonly #vectors = new VectorShelf()
  readonly #tombstones = new Map<string, Tombstone>()
  readonly #accesses = new Map<string, AccessRecord>()
  readonly #state = new Map<string, string>()
  readonly #memoryStates = new Map<string, MemoryState>()
  #corpus: Corpus | null = null
  #isClosed = false

  constructor(clock: Clock | undefined, timeZone = 'UTC') {
    this.#clock = clock
    this.#timeZone = timeZone
    this.relationships = new InMemoryRelationships(this.#links, {
      corpus: () => this.#read(),
      assertOpen: () => this.#assertOpen(),
    })
  }

  async listDocuments(viewer?: Viewer): Promise<StoredDocument[]> {
    this.#assertOpen()
    return listVisibleDocuments({ corpus: this.#read(), documents: this.#documents.values(), viewer })
  }

  async putDocuments(writes: readonly DocumentWrite[]): Promise<WriteResult> {
    this.#assertOpen()
    for (const write of writes) assertStorable(write)
    const tally = { duplicates: 0, forgotten: 0 }
    const before = new Map(this.#documents)
    try {
      const change = this.#change(() => {
        for (const write of writes) this.#putDocument(write, tally)
      })
      for (const [id, state] of findNewStates(this.#read(), writes, change.added)) this.#memoryStates.set(id, state)
      this.#corpus = null
      return { ...change, ...tally }
    } catch (error) {
      this.#documents.clear()
      for (const [key, document] of before) this.#documents.set(key, document)
      throw error
    }
  }

  #putDocument(write: DocumentWrite, tally: { duplicates: number; forgotten: number }): void {
    const isForgotten = (kind: Tombstone['kind'], key: string): boolean =>
      this.#tombstones.has(tombstoneKey(kind, write.head.scope.tenant, key))
    const held = holdDocument(write, { documents: this.#documents, isForgotten, now: this.#clock?.() }, tally)
    if (held) this.#documents.set(documentKey(write.head), held)
  }

  async getCursor(key: { root: string; path: string }): Promise<string | null> {
    this.#assertOpen()
    return this.#documents.get(documentKey(key))?.reading?.cursor ?? null
  }

  async touchDocument(key: { root: string; path: string }, fingerprint: string, indexedAtMs: number): Promise<void> {
    this.#assertOpen()
    const document = this.#documents.get(documentKey(key))
    if (document && !document.isRemembered) Object.assign(document.record, { fingerprint, indexedAtMs })
  }

  async removeDocuments(keys: ReadonlyArray<{ root: string; path: string }>): Promise<WriteResult> {
    this.#assertOpen()
    const change = this.#change(() => {
      for (const key of keys.map(documentKey)) {
        if (this.#documents.get(key)?.isRemembered === false) this.#documents.delete(key)
      }
    })
    return { ...change, duplicates: 0, forgotten: 0 }
  }

  async addRemembered(content: MemoryContent, place: Pick<Place, 'occurredAt' | 'sessionId'>): Promise<void> {
    this.#assertOpen()
    if (this.#read().memories.has(content.id)) throw idTakenError(content.id)
    this.#change(() => {
      this.#tombstones.delete(tombstoneKey('memory', content.scope.tenant, content.id))
      const held = placeRemembered(toStorableContent(content), place)
      const { root, path } = held.place
      const record = {
        root,
        path,
        tenant: content.scope.tenant,
        contentHash: '',
        fingerprint: '',
        chunkerVersion: 0,
        indexedAtMs: 0,
        memoryCount: 1,
      }
      this.#documents.set(documentKey(held.place), {
        record,
        tenant: content.scope.tenant,
        occurrences: [held],
        isRemembered: true,
      })
    })
  }

  async forget(
    target: { ids?: readonly string[]; documents?: ReadonlyArray<{ root: string; path: string }> },
    now: Date,
  ): Promise<string[]> {
    this.#assertOpen()
    const { memories } = this.#read()
    const tenants = new Map([...memories].map(([id, { memory }]) => [id, memory.scope.tenant]))
    const ids = new Set((target.ids ?? []).filter((id) => memories.has(id)))
    const forgottenAt = now.toISOString()
    const bury = (kind: Tombstone['kind'], tenant: string, key: string): void => {
      this.#tombstones.set(tombstoneKey(kind, tenant, key), { kind, tenant, key, forgottenAt })
    }
    const { removed } = this.#change(() => {
      for (const key of (target.documents ?? []).map(documentKey)) {
        const document = this.#documents.get(key)
        if (document && !document.isRemembered) bury('document', document.tenant, key)
        this.#documents.delete(key)
      }
      for (const [key, document] of this.#documents) {
        const quoting = findQuoting(document.occurrences, (id) => ids.has(id))
        const left = document.occurrences
          .map((one, index) => (quoting.has(index) ? { ...one, content: withoutContext(one.content) } : one))
          .filter(({ content }) => !ids.has(content.id))
        if (left.length === document.occurrences.length) continue
        if (document.isRemembered) this.#documents.delete(key)
        document.occurrences = left
        // It may repeat words of what is forgotten.
        delete document.reading
        document.record.memoryCount = left.length
      }
    }, true)
    const lost = (target.documents ?? []).flatMap((document) => findLost(this.#links, document))
    forgetMemories(this.#links, [
      ...removed,
      ...(target.ids ?? []).filter((id) => !this.#read().memories.has(id)),
      ...lost,
    ])
    for (const id of removed) {
      bury('memory', tenants.get(id) ?? '', id)
      this.#accesses.delete(id)
    }
    return removed
  }

  async listTombstones(): Promise<Tombstone[]> {
    this.#assertOpen()
    return [...this.#tombstones.values()]
      .map((tombstone) => ({ ...tombstone }))
      .sort((a, b) => compareText(a.kind, b.kind) || compareText(a.tenant, b.tenant) || compareText(a.key, b.key))
  }

  async getMemories(ids: readonly string[]): Promise<Memory[]> {
    this.#assertOpen()
    return structuredClone([...new Set(ids)].flatMap((id) => this.#read().memories.get(id)?.memory ?? []))
  }

  async listPlaces(id: string): Promise<Place[]> {
    this.#assertOpen()
    return structuredClone((this.#read().memories.get(id)?.occurrences ?? []).map(({ place }) => place))
  }

  async listDocumentMemories(
    key: { root?: string; path: string },
    filter: MemoryFilter,
  ): Promise<Array<{ memory: Memory; place: Place }>> {
    this.#assertOpen()
    const { memories } = this.#read()
    const found = [...this.#documents.values()]
      .filter(({ record }) => record.path === key.path && (key.root === undefined || record.root === key.root))
      .map(({ record, occurrences }) => ({
        root: record.root,
        list: occurrences.flatMap(({ content, place }) => {
          const held = memories.get(content.id)
          return held && passesFilter(held, filter) ? [{ memory: withContent(held.memory, content), place }] : []
        }),
      }))
      .filter(({ list }) => list.length > 0)
    if (found.length > 1) throw ambiguousPathError(key.path, found.map(({ root }) => root).sort(compareText))
    return structuredClone(found[0]?.list ?? [])
  }

  async listMemories(filter: MemoryFilter, options: { limit?: number } = {}): Promise<Memory[]> {
    this.#assertOpen()
    const memories = [...this.#read().memories.values()]
      .filter((held) => passesFilter(held, filter))
      .map(({ memory }) => memory)
      .sort((a, b) => compareNewestFirst(occurredMs(a.place), occurredMs(b.place)) || compareText(a.id, b.id))
    return structuredClone(memories.slice(0, options.limit))
  }

  async countMemories(filter: MemoryFilter): Promise<number> {
    return (await this.listMemories(filter)).length
  }

  async listCues(query: CueQuery): Promise<NotedCue[]> {
    this.#assertOpen()
    return structuredClone(findCuesByBruteForce(this.#read(), query, this.#timeZone))
  }

  async findCandidates(query: CandidateQuery): Promise<CandidateSet> {
    this.#assertOpen()
    this.#vectors.assertComparable(query.vectors, query.identity)
    return structuredClone(findByBruteForce(this.#read(), this.#vectors.byId, query))
  }

  async countHolders(terms: readonly TermKey[], tenant: string): Promise<TermCounts> {
    this.#assertOpen()
    return countHoldersByBruteForce(this.#read(), terms, tenant)
  }

  async recordAccess(ids: readonly string[], at: Date): Promise<void> {
    this.#assertOpen()
    const { memories } = this.#read()
    for (const id of ids) {
      if (!memories.has(id)) continue
      this.#accesses.set(id, { count: (this.#accesses.get(id)?.count ?? 0) + 1, last: at.toISOString() })
    }
    this.#corpus = null
  }

  async ageMemories(at: Date): Promise<number> {
    this.#assertOpen()
    const changes = findStateChanges(this.#read(), this.#links, at)
    for (const [id, state] of changes) this.#memoryStates.set(id, state)
    this.#corpus = null
    return changes.size
  }

  async listVitals(query: VitalQuery): Promise<Vital[]> {
    this.#assertOpen()
    return listVitals(this.#read(), this.#links, query)
  }

  async listPendingEmbeddings(identity: string, limit: number): Promise<PendingEmbedding[]> {
    this.#assertOpen()
    return listPending(this.#read(), this.#vectors, identity).slice(0, limit)
  }

  async putVectors(identity: string, vectors: readonly GivenVectors[]): Promise<void> {
    this.#assertOpen()
    const { memories } = this.#read()
    this.#vectors.put(identity, vectors, (id) => memories.get(id)?.memory.embedText)
  }

  async getVectors(identity: string, ids: readonly string[]): Promise<Map<string, Float32Array[]>> {
    this.#assertOpen()
    return this.#vectors.get(identity, ids)
  }

  async findNeighbours(search: NeighbourSearch): Promise<Map<string, Neighbour[]>> {
    this.#assertOpen()
    return findNeighbours(this.#read(), this.#vectors.byId, search)
  }

  async compareWords(query: WordQuery, ids: readonly string[], nearby = { before: 0, after: 0 }) {
    this.#assertOpen()
    const parts = { corpus: this.#read(), documents: this.#documents, vectors: this.#vectors }
    return compareNearby(parts, { query, ids, ...nearby })
  }

  async counts(wantedIdentity?: string, viewer?: Viewer): Promise<StoreCounts> {
    this.#assertOpen()
    const seen = { corpus: this.#read(), documents: this.#documents.values(), viewer }
    return countVisible(seen, this.#vectors, wantedIdentity)
  }

  async removeVectors(identity: string): Promise<number> {
    this.#assertOpen()
    return this.#vectors.remove(identity)
  }

  async check(): Promise<StoreFinding[]> {
    this.#assertOpen()
    return []
  }

  async getState(key: string): Promise<string | null> {
    this.#assertOpen()
    return this.#state.get(key) ?? null
  }

  async setState(key: string, value: string | null): Promise<void> {
    this.#assertOpen()
    if (value === null) this.#state.delete(key)
    else this.#state.set(key, value)
  }

  async claimState(key: string, expected: string | null, next: string): Promise<boolean> {
    this.#assertOpen()
    if ((this.#state.get(key) ?? null) !== expected) return false
    this.#state.set(key, next)
    return true
  }

  async listStates(prefix: string): Promise<Array<{ key: string; value: string }>> {
    this.#assertOpen()
    return [...this.#state]
      .filter(([key]) => key.startsWith(prefix))
      .map(([key, value]) => ({ key, value }))
      .sort((a, b) => compareText(a.key, b.key))
  }

  async close(): Promise<void> {
    this.#isClosed = true
  }

  #assertOpen(): void {
    if (this.#isClosed) throw closedError(this.location)
  }

  #read(): Corpus {
    this.#corpus ??= deriveCorpus(this.#documents.values(), this.#accesses, this.#memoryStates)
    return this.#corpus
  }

  /** Changes documents, lets vectors and relationships follow, and says which memories came and went. */
  #change(change: () => void, isForgetting = false): { added: string[]; removed: string[] } {
    const before = this.#read()
    const documents = new Map(this.#documents)
    change()
    this.#corpus = null
    const after = this.#read()
    for (const id of this.#memoryStates.keys()) if (!after.memories.has(id)) this.#memoryStates.delete(id)
    this.#vectors.follow(
      [...after.memories.values()].map(({ memory }) => memory),
      new Map([...before.memories].map(([id, { memory }]) => [id, memory.embedText])),
    )
    const described = describeChange(before, after, { before: documents, after: this.#documents })
    followChange(this.#links, { ...described, isForgetting })
    return { added: [...described.added], removed: [...described.removed] }
  }
}
