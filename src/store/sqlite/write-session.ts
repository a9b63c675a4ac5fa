import type { MemoryContent, Scope } from '../../model/memory.ts'
import { indexTerms } from '../../text/index-terms.ts'
import { compareText, occurredMs } from '../canonical-place.ts'
import type { WriteResult } from '../memory-store.ts'
import { otherVersionError } from '../store-errors.ts'
import type { Connection } from './connection.ts'
import { equalContent } from './content-key.ts'
import { type Draft, type DraftPlace, Drafts, findCanonical, type StoredMemory } from './drafts.ts'
import { indexVersion, readIndexVersion } from './index-version.ts'
import { NONE } from './layout.ts'
import { type PostingIndex, SegmentDraft } from './posting-index.ts'
import type { RemovedMemory } from './posting-removal.ts'
import { readRoster } from './read-roster.ts'
import { packKind, packRoster, type RosterMember } from './roster.ts'
import { type Names, packDetail, packEmbedText, packPlace } from './rows.ts'
import { VectorMover } from './vector-mover.ts'

/** A draft whose outcome is decided: removed when it has no canonical place. */
interface SettledDraft extends Draft {
  canonical: DraftPlace | undefined
  ordinal: number
  /** Words, for BM25. */
  length: number
  termCount: number
}

/**
 * One write transaction. The caller says where memories are to stand (`leaveDocument`, `stand`); `settle` then makes
 * rows, rosters, posting lists and vectors follow, touching only what differs.
 */
export class WriteSession {
  readonly drafts: Drafts
  readonly #connection: Connection
  readonly #names: Names
  readonly #postings: PostingIndex
  readonly #vectors: VectorMover
  readonly #sequence: number
  /** Documents whose places are written anew. */
  readonly #written = new Set<number>()
  /** Documents whose roster may have changed. */
  readonly #touched = new Set<number>()
  readonly #gone: RemovedMemory[] = []
  readonly #scopeNumbers = new Map<string, number>()
  #nextOrdinal: number

  constructor(connection: Connection, names: Names, postings: PostingIndex) {
    this.#connection = connection
    this.#names = names
    this.#postings = postings
    this.drafts = new Drafts(connection, names)
    if (readIndexVersion(connection) !== indexVersion()) throw otherVersionError(connection.location)
    const meta = connection.sql('SELECT value FROM meta WHERE key = ?')
    this.#sequence = Number(meta.get('sequence')?.value) + 1
    this.#nextOrdinal = Number(meta.get('next_ordinal')?.value)
    this.#vectors = new VectorMover(connection, this.#sequence)
  }

  /** Takes all memories out of a document. */
  leaveDocument(document: number): void {
    if (this.#written.has(document)) {
      for (const draft of this.drafts.all()) this.drafts.leave(draft, document)
      return
    }
    this.#written.add(document)
    this.#touched.add(document)
    for (const { ordinal } of this.#connection.sql('SELECT ordinal FROM place WHERE document = ?').all(document)) {
      this.drafts.leave(this.drafts.byOrdinal(Number(ordinal)), document)
    }
  }

  /** Puts a memory at a place of a document that was left before. Says whether it stands elsewhere already. */
  stand(place: DraftPlace): { isHeldElsewhere: boolean } {
    const draft = this.drafts.byId(place.content.id)
    const isHeldElsewhere = draft.places.length > 0
    draft.places.push(place)
    return { isHeldElsewhere }
  }

  /** Takes a memory out of every document. */
  leaveEverywhere(draft: Draft): void {
    for (const { document } of draft.places) this.#touched.add(document)
    draft.places = []
  }

  settle(): Pick<WriteResult, 'added' | 'removed'> {
    for (const document of this.#written) this.#connection.sql('DELETE FROM place WHERE document = ?').run(document)
    // Ordinals first: vectors are inherited from rows that the next step removes.
    const drafts = this.drafts.all().map((draft) => this.#settleOrdinal(draft))
    for (const { stored, ordinal } of drafts) {
      if (stored && ordinal !== stored.ordinal) this.#removeMemory(stored)
    }
    const fresh = new SegmentDraft()
    for (const draft of drafts) this.#writeMemory(draft, fresh)
    this.#vectors.settle()
    this.#writeRosters(drafts)
    this.#postings.remove(this.#gone.sort((a, b) => a.ordinal - b.ordinal))
    this.#postings.add(fresh)
    const meta = this.#connection.sql('UPDATE meta SET value = ? WHERE key = ?')
    meta.run(this.#sequence, 'sequence')
    meta.run(this.#nextOrdinal, 'next_ordinal')
    const idsOf = (some: SettledDraft[]): string[] => some.map(({ id }) => id).sort(compareText)
    return {
      added: idsOf(drafts.filter(({ stored, canonical }) => !stored && canonical)),
      removed: idsOf(drafts.filter(({ stored, canonical }) => stored && !canonical)),
    }
  }

  #settleOrdinal({ id, stored, places }: Draft): SettledDraft {
    const canonical = findCanonical(places)
    const ordinal = canonical ? this.#chooseOrdinal(stored, canonical) : NONE
    if (stored) this.#touched.add(stored.document)
    if (canonical) this.#touched.add(canonical.document)
    return { id, stored, places, canonical, ordinal, length: stored?.length ?? 0, termCount: stored?.termCount ?? 0 }
  }

  /** Decides the ordinal of a memory: a new one when its terms or its embed text differ from what is stored. */
  #chooseOrdinal(stored: StoredMemory | null, { content, place }: DraftPlace): number {
    const isSameText =
      stored !== null &&
      stored.path === place.path &&
      stored.content.text === content.text &&
      stored.content.embedText === content.embedText &&
      stored.content.speaker === content.speaker &&
      stored.content.headerPath.join('\0') === content.headerPath.join('\0')
    if (!stored || !isSameText) {
      const ordinal = this.#nextOrdinal++
      this.#vectors.inherit(ordinal, content.embedText, stored)
      return ordinal
    }
    if (!equalContent(stored.content, content)) this.#updateMemory(stored.ordinal, content)
    return stored.ordinal
  }

  #numberOf(scope: Scope): number {
    const key = JSON.stringify(scope)
    const known = this.#scopeNumbers.get(key)
    if (known !== undefined) return known
    const number = this.#names.scopes.numberOf(scope)
    this.#scopeNumbers.set(key, number)
    return number
  }

  #removeMemory({ ordinal, content, path, termCount }: StoredMemory): void {
    this.#connection.sql('DELETE FROM place WHERE ordinal = ?').run(ordinal)
    this.#connection.sql('DELETE FROM memory WHERE ordinal = ?').run(ordinal)
    this.#vectors.drop(ordinal)
    this.#gone.push({ ordinal, terms: [...indexTerms(content, path).frequencies.keys()], termCount })
  }

  #updateMemory(ordinal: number, content: MemoryContent): void {
    this.#connection
      .sql('UPDATE memory SET scope = ?, importance = ?, detail = ? WHERE ordinal = ?')
      .run(this.#numberOf(content.scope), content.importance, packDetail(content), ordinal)
  }

  #writeMemory(draft: SettledDraft, fresh: SegmentDraft): void {
    const { stored, canonical, ordinal } = draft
    if (!canonical) return
    if (ordinal !== stored?.ordinal) {
      const { frequencies, length } = indexTerms(canonical.content, canonical.place.path)
      fresh.add(ordinal, frequencies)
      draft.length = length
      draft.termCount = frequencies.size
      this.#insertMemory(draft, canonical)
    } else this.#moveMemory(draft, canonical)
    this.#writePlaces(draft, canonical.content)
  }

  #insertMemory({ ordinal, length, termCount, places }: SettledDraft, { content, document, place }: DraftPlace): void {
    this.#connection
      .sql(
        `INSERT INTO memory
           (ordinal, id, scope, importance, text, detail, embed, length, term_count, document, position, place_count)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(
        ...[ordinal, content.id, this.#numberOf(content.scope), content.importance, content.text],
        ...[packDetail(content), packEmbedText(content), length, termCount, document, place.position, places.length],
      )
  }

  #moveMemory({ ordinal, stored, places }: SettledDraft, { document, place }: DraftPlace): void {
    if (stored?.document === document && stored.position === place.position && stored.placeCount === places.length) {
      return
    }
    this.#connection
      .sql('UPDATE memory SET document = ?, position = ?, place_count = ? WHERE ordinal = ?')
      .run(document, place.position, places.length, ordinal)
  }

  #writePlaces({ stored, places, ordinal }: SettledDraft, content: MemoryContent): void {
    const hasChanged = stored === null || stored.ordinal !== ordinal || !equalContent(stored.content, content)
    const insert = this.#connection.sql(
      `INSERT OR REPLACE INTO place (document, position, ordinal, occurred_ms, detail, variant)
       VALUES (?, ?, ?, ?, ?, ?)`,
    )
    for (const { document, place, content: own } of places) {
      if (!hasChanged && !this.#written.has(document)) continue
      const variant = equalContent(own, content) ? null : JSON.stringify(own)
      insert.run(document, place.position, ordinal, occurredMs(place), packPlace(place), variant)
    }
  }

  #writeRosters(drafts: readonly SettledDraft[]): void {
    const members = new Map<number, SettledDraft[]>([...this.#written].map((document) => [document, []]))
    for (const draft of drafts) if (draft.canonical) members.get(draft.canonical.document)?.push(draft)
    const write = this.#connection.sql('INSERT OR REPLACE INTO roster (document, changed, members) VALUES (?, ?, ?)')
    for (const document of this.#touched) {
      const known = members.get(document)
      const roster = known
        ? known.sort(compareInDocument).map((draft) => this.#toMember(draft))
        : readRoster(this.#connection, document)
      write.run(document, this.#sequence, packRoster(roster))
    }
  }

  #toMember({ ordinal, length, canonical, places }: SettledDraft): RosterMember {
    const content = canonical?.content
    const times = new Set(places.flatMap(({ place }) => occurredMs(place) ?? []))
    return {
      ordinal,
      length,
      kind: content ? packKind({ ...content, state: 'active' }) : 0,
      scope: content ? this.#numberOf(content.scope) : 0,
      times: [...times].sort((a, b) => a - b),
    }
  }
}

function compareInDocument(a: SettledDraft, b: SettledDraft): number {
  return (a.canonical?.place.position ?? 0) - (b.canonical?.place.position ?? 0)
}
