import type { Scope } from '../../model/memory.ts'
import type { MemoryFilter } from '../../model/search.ts'
import { WINDOW_RADIUS } from '../../options.ts'
import { isInRange, maySee } from '../memory-filter.ts'
import { packLayout, type TenantTotals, unpackLayout } from './kept-layout.ts'
import { allowedKinds, scanRoster } from './roster.ts'

/** Documents whose rosters changed after a sequence number, each with all its parts in order. */
export interface RosterChanges {
  /** The sequence number that the store stands at. */
  sequence: number
  documents: Array<{ document: number; parts: Uint8Array[] }>
}

/** Where a layout learns of memories. */
export interface LayoutSource {
  /** What changed after a sequence number; null when nothing did. */
  readChanges(after: number): RosterChanges | null
  /** What `keep` gave to an earlier process of the same store; null where there is none. */
  readKept?(): Uint8Array | null
  /** The scope of a number that a roster names. */
  getScope(number: number): Readonly<Scope>
}

/** Results of filters that are kept. */
const MAX_FILTERED = 8

/** No memory. */
export const NONE = -1

/**
 * What a process keeps in memory of every memory, by ordinal: where it stands, how long it is, who may see it. Loaded
 * from the rosters on first use; later only the rosters that changed since, whoever changed them.
 */
export class Layout {
  readonly #source: LayoutSource
  readonly #members = new Map<number, Int32Array>()
  /** As they were kept, while no document has changed. */
  #keptMembers: Int32Array | null = null
  readonly #scopeNumbers = new Set<number>()
  /** What filters gave since the last change: one search asks with the same filter several times. */
  readonly #filtered = new Map<string, Uint8Array>()
  readonly #manyTimes = new Map<number, number[]>()
  readonly #totals = new Map<string, TenantTotals>()
  #sequence = -1
  #capacity = 0
  #documentCapacity = 0

  isLive = new Uint8Array(0)
  document = new Int32Array(0)
  previous = new Int32Array(0)
  next = new Int32Array(0)
  length = new Int32Array(0)
  windowLength = new Int32Array(0)
  kind = new Uint8Array(0)
  scope = new Int32Array(0)
  time = new Float64Array(0)
  /** By number of document. */
  documentLength = new Int32Array(0)
  /** Ordinals that ceased to be, in the order in which this process learnt of it. */
  readonly deaths: number[] = []
  /** Documents whose rosters were read. */
  documentsRead = 0

  constructor(source: LayoutSource) {
    this.#source = source
  }

  /** The sequence number of the store that it is up to date with. */
  get sequence(): number {
    return this.#sequence
  }

  /** Above every ordinal. */
  get capacity(): number {
    return this.#capacity
  }

  get documentCapacity(): number {
    return this.#documentCapacity
  }

  /** Catches up with the store; within a transaction. Returns the sequence number it stands at. */
  refresh(): number {
    if (this.#sequence === -1) this.#takeKept(this.#source.readKept?.() ?? null)
    const changes = this.#source.readChanges(this.#sequence)
    if (!changes) return this.#sequence
    this.#filtered.clear()
    this.documentsRead += changes.documents.length
    const cleared = changes.documents.map(({ document }) => this.#clearDocument(document))
    for (const { document, parts } of changes.documents) this.#setDocument(document, parts)
    for (const ordinals of cleared) {
      for (const ordinal of ordinals) if (this.isLive[ordinal] === 0) this.deaths.push(ordinal)
    }
    this.#sequence = changes.sequence
    return changes.sequence
  }

  /** All of it, for processes to come. */
  keep(): Uint8Array {
    const { isLive, document, previous, next, length, windowLength, kind, scope, time, documentLength } = this
    const members = [...this.#listMembers()].flatMap(([number, ordinals]) => [number, ordinals.length, ...ordinals])
    return packLayout({
      ...{ isLive, document, previous, next, length, windowLength, kind, scope, time, documentLength },
      sequence: this.#sequence,
      members: Int32Array.from(members),
      scopeNumbers: [...this.#scopeNumbers],
      manyTimes: [...this.#manyTimes],
      totals: [...this.#totals],
    })
  }

  totals(tenant: string): TenantTotals {
    return this.#totals.get(tenant) ?? { memories: 0, words: 0, windowWords: 0, documents: 0 }
  }

  hasOneTenant(): boolean {
    return this.#totals.size <= 1
  }

  /** For each number of a scope, 1 when `test` holds for it. */
  mapScopes(test: (scope: Readonly<Scope>) => boolean): Uint8Array {
    const numbers = this.#scopeNumbers
    const result = new Uint8Array(Math.max(0, ...numbers) + 1)
    for (const number of numbers) result[number] = test(this.#source.getScope(number)) ? 1 : 0
    return result
  }

  /** For each ordinal, 1 when the filter lets its memory through. Valid until the next refresh. */
  applyFilter(filter: MemoryFilter): Uint8Array {
    const key = JSON.stringify(filter)
    const known = this.#filtered.get(key)
    if (known) {
      // Put in again, so that the map's order is the order of use: a heartbeat asks with many a range of time between two searches.
      this.#filtered.delete(key)
      this.#filtered.set(key, known)
      return known
    }
    const scopes = this.mapScopes((scope) => maySee(filter.viewer, scope))
    const kinds = allowedKinds(filter)
    const hasRange = filter.afterMs !== undefined || filter.beforeMs !== undefined
    const allowed = new Uint8Array(this.#capacity)
    // Of their own: a process that lives for one answer runs this loop uncompiled, in which each look into an object counts.
    const { isLive, scope, kind } = this
    for (let ordinal = 0; ordinal < allowed.length; ordinal++) {
      if (isLive[ordinal] === 1 && kinds[kind[ordinal] as number] === 1 && scopes[scope[ordinal] as number] === 1)
        allowed[ordinal] = 1
    }
    if (hasRange) {
      for (let ordinal = 0; ordinal < allowed.length; ordinal++)
        if (allowed[ordinal] === 1 && !isInRange(this.#timesOf(ordinal), filter)) allowed[ordinal] = 0
    }
    const [oldest] = this.#filtered.keys()
    if (oldest !== undefined && this.#filtered.size >= MAX_FILTERED) this.#filtered.delete(oldest)
    this.#filtered.set(key, allowed)
    return allowed
  }

  /** How many memories the filter lets through; within a transaction. */
  count(filter: MemoryFilter): number {
    this.refresh()
    let count = 0
    for (const isAllowed of this.applyFilter(filter)) count += isAllowed
    return count
  }

  /** Instants of all places of a memory; empty when undated. */
  #timesOf(ordinal: number): readonly number[] {
    const many = this.#manyTimes.get(ordinal)
    if (many) return many
    const time = this.time[ordinal] ?? Number.NaN
    return Number.isNaN(time) ? [] : [time]
  }

  #takeKept(packed: Uint8Array | null): void {
    const kept = packed && unpackLayout(packed)
    if (!kept) return
    const { sequence, members, scopeNumbers, manyTimes, totals, ...arrays } = kept
    Object.assign(this, arrays satisfies Pick<Layout, keyof typeof arrays>)
    this.#sequence = sequence
    this.#capacity = kept.isLive.length
    this.#documentCapacity = kept.documentLength.length
    this.#keptMembers = members
    for (const number of scopeNumbers) this.#scopeNumbers.add(number)
    for (const [ordinal, times] of manyTimes) this.#manyTimes.set(ordinal, times)
    for (const [tenant, sums] of totals) this.#totals.set(tenant, sums)
  }

  /** Of each document the ordinals. Taken apart when a document changes: most processes that read them kept live for one answer. */
  #listMembers(): Map<number, Int32Array> {
    const kept = this.#keptMembers ?? new Int32Array(0)
    this.#keptMembers = null
    for (let at = 0; at < kept.length; ) {
      const [document = 0, count = 0] = kept.subarray(at, at + 2)
      this.#members.set(document, kept.subarray(at + 2, at + 2 + count))
      at += 2 + count
    }
    return this.#members
  }

  /** Returns the ordinals that stood in the document. */
  #clearDocument(document: number): Int32Array {
    const members = this.#listMembers().get(document)
    if (!members) return new Int32Array(0)
    const totals = this.#totalsOf(this.scope[members[0] ?? 0] ?? 0)
    totals.documents -= 1
    for (const ordinal of members) {
      totals.memories -= 1
      totals.words -= this.length[ordinal] ?? 0
      totals.windowWords -= this.windowLength[ordinal] ?? 0
      this.isLive[ordinal] = 0
      this.#manyTimes.delete(ordinal)
    }
    this.documentLength[document] = 0
    this.#members.delete(document)
    return members
  }

  #setDocument(document: number, parts: readonly Uint8Array[]): void {
    const ordinals: number[] = []
    const add = (ordinal: number, length: number, kind: number, scope: number, times: readonly number[]): void => {
      if (ordinal >= this.#capacity) this.#grow(Math.max(1024, ordinal + 1, Math.ceil(this.#capacity * 1.5)))
      ordinals.push(ordinal)
      this.isLive[ordinal] = 1
      this.document[ordinal] = document
      this.length[ordinal] = length
      this.kind[ordinal] = kind
      this.scope[ordinal] = scope
      this.#scopeNumbers.add(scope)
      this.time[ordinal] = times[0] ?? Number.NaN
      if (times.length > 1) this.#manyTimes.set(ordinal, [...times])
    }
    for (const members of parts) scanRoster(members, add)
    if (ordinals.length === 0) return
    this.#listMembers().set(document, Int32Array.from(ordinals))
    this.#linkMembers(document, ordinals)
  }

  /** Sets what follows from the order of a document's memories: neighbours, lengths of windows, totals. */
  #linkMembers(document: number, ordinals: readonly number[]): void {
    if (document >= this.#documentCapacity) {
      this.#documentCapacity = Math.max(256, document + 1, Math.ceil(this.#documentCapacity * 1.5))
      this.documentLength = grow(this.documentLength, new Int32Array(this.#documentCapacity))
    }
    const totals = this.#totalsOf(this.scope[ordinals[0] ?? 0] ?? 0)
    let words = 0
    for (let at = 0; at < ordinals.length; at++) {
      const ordinal = ordinals[at] ?? 0
      this.previous[ordinal] = ordinals[at - 1] ?? NONE
      this.next[ordinal] = ordinals[at + 1] ?? NONE
      let windowWords = 0
      const end = Math.min(ordinals.length - 1, at + WINDOW_RADIUS)
      for (let near = Math.max(0, at - WINDOW_RADIUS); near <= end; near++) {
        windowWords += this.length[ordinals[near] ?? 0] ?? 0
      }
      this.windowLength[ordinal] = windowWords
      totals.windowWords += windowWords
      words += this.length[ordinal] ?? 0
    }
    totals.documents += 1
    totals.memories += ordinals.length
    totals.words += words
    this.documentLength[document] = words
  }

  #totalsOf(scope: number): TenantTotals {
    const { tenant } = this.#source.getScope(scope)
    const known = this.#totals.get(tenant)
    if (known) return known
    const totals = { memories: 0, words: 0, windowWords: 0, documents: 0 }
    this.#totals.set(tenant, totals)
    return totals
  }

  #grow(capacity: number): void {
    this.#capacity = capacity
    this.isLive = grow(this.isLive, new Uint8Array(capacity))
    this.document = grow(this.document, new Int32Array(capacity))
    this.previous = grow(this.previous, new Int32Array(capacity))
    this.next = grow(this.next, new Int32Array(capacity))
    this.length = grow(this.length, new Int32Array(capacity))
    this.windowLength = grow(this.windowLength, new Int32Array(capacity))
    this.kind = grow(this.kind, new Uint8Array(capacity))
    this.scope = grow(this.scope, new Int32Array(capacity))
    this.time = grow(this.time, new Float64Array(capacity))
  }
}

function grow<T extends { set(from: T): void }>(from: T, to: T): T {
  to.set(from)
  return to
}
