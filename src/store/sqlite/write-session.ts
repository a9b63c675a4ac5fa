import type { MemoryContent, Scope } from '../../model/memory.ts'
import { indexTerms } from '../../text/index-terms.ts'
import { compareText, occurredMs } from '../canonical-place.ts'
import { packDetail, packEmbedText, packPlace } from '../content-codec.ts'
import { equalContent } from '../content-key.ts'
import { indexVersion } from '../keyword-index/index-version.ts'
import { NONE } from '../keyword-index/layout.ts'
import type { RemovedMemory } from '../keyword-index/removed-memory.ts'
import type { RosterMember } from '../keyword-index/roster.ts'
import { firstOf, partOf } from '../keyword-index/roster-part.ts'
import type { SegmentDraft } from '../keyword-index/segment-draft.ts'
import type { WriteResult } from '../memory-store.ts'
import { otherVersionError } from '../store-errors.ts'
import {
  compareInDocument,
  type Draft,
  type DraftPlace,
  findCanonical,
  keepsOrdinal,
  type SettledDraft,
  type StoredMemory,
  stateAt,
  toRosterMember,
} from '../write-plan/draft.ts'
import { WrittenPlaces } from '../write-plan/written-places.ts'
import type { Connection } from './connection.ts'
import { dropCues, writeCues } from './cues.ts'
import { Drafts } from './drafts.ts'
import { readIndexVersion } from './index-version.ts'
import type { PostingIndex } from './posting-index.ts'
import { followSession } from './relationships/follow-session.ts'
import { SqliteRows } from './relationships/sqlite-rows.ts'
import { readRoster, writeRosterPart } from './roster-parts.ts'
import type { Names } from './rows.ts'
import { VectorMover } from './vector-mover.ts'

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
  /** What is written anew of the documents' places. */
  readonly #written = new WrittenPlaces()
  /** Parts of documents' rosters that may have changed. */
  readonly #touched = new Map<number, Set<number>>()
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
    this.leavePlaces(document, 0, Number.POSITIVE_INFINITY)
  }

  /** Takes the memories out of a document that stand at `from` or after it, and before `to`. */
  leavePlaces(document: number, from: number, to: number): DraftPlace[] {
    const left: DraftPlace[] = []
    const leave = (draft: Draft): void => {
      left.push(...this.drafts.leave(draft, document, from, to))
    }
    if (this.#written.has(document)) this.drafts.all().forEach(leave)
    this.#written.add(document, from, to)
    const end = Math.min(to, Number.MAX_SAFE_INTEGER)
    const places = this.#connection.sql(
      'SELECT ordinal FROM place WHERE document = ? AND position >= ? AND position < ?',
    )
    for (const { ordinal } of places.all(document, from, end)) leave(this.drafts.byOrdinal(Number(ordinal)))
    this.#touch(document, from)
    const parts = this.#connection.sql('SELECT part FROM roster WHERE document = ? AND part >= ? AND part <= ?')
    for (const { part } of parts.all(document, partOf(from), partOf(end))) {
      this.#touch(document, firstOf(Number(part)))
    }
    return left
  }

  /** Lets the memories of places that were left stand after all others, unless they stand in the document anyway. */
  moveToEnd(document: number, left: readonly DraftPlace[]): void {
    const row = this.#connection.sql('SELECT max(position) AS last FROM place WHERE document = ?').get(document)
    const end = Math.max(this.#written.endOf(document), Number(row?.last ?? -1) + 1)
    let position = end
    for (const one of left) {
      const draft = this.drafts.byId(one.content.id)
      if (draft.places.some((place) => place.document === document)) continue
      draft.places.push({ ...one, place: { ...one.place, position } })
      position += 1
    }
    if (position > end) this.#written.add(document, end, position)
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
    for (const { document, place } of draft.places) this.#touch(document, place.position)
    draft.places = []
  }

  /** The relationships of the store, in this transaction. */
  relationshipRows(): SqliteRows {
    return new SqliteRows({ connection: this.#connection, names: this.#names })
  }

  /** `isForgetting`: what is removed is to leave nothing behind. */
  settle({ isForgetting = false } = {}): Pick<WriteResult, 'added' | 'removed'> {
    this.#deletePlaces()
    // Ordinals first: vectors are inherited from rows that the next step removes.
    const drafts = this.drafts.all().map((draft) => this.#settleOrdinal(draft))
    for (const { stored, ordinal } of drafts) {
      if (stored && ordinal !== stored.ordinal) this.#removeMemory(stored)
    }
    const fresh = this.#postings.createDraft()
    for (const draft of drafts) this.#writeMemory(draft, fresh)
    this.#vectors.settle()
    this.#countPlaces()
    this.#writeRosters(drafts)
    this.#postings.remove(this.#gone.sort((a, b) => a.ordinal - b.ordinal))
    this.#postings.add(fresh)
    const meta = this.#connection.sql('UPDATE meta SET value = ? WHERE key = ?')
    meta.run(this.#sequence, 'sequence')
    meta.run(this.#nextOrdinal, 'next_ordinal')
    followSession(
      { connection: this.#connection, names: this.#names },
      { drafts, documents: this.#touched.keys(), isForgetting },
    )
    const idsOf = (some: SettledDraft[]): string[] => some.map(({ id }) => id).sort(compareText)
    return {
      added: idsOf(drafts.filter(({ stored, canonical }) => !stored && canonical)),
      removed: idsOf(drafts.filter(({ stored, canonical }) => stored && !canonical)),
    }
  }

  /** Makes room for what is written. */
  #deletePlaces(): void {
    const some = this.#connection.sql('DELETE FROM place WHERE document = ? AND position >= ? AND position < ?')
    for (const { document, from, to } of this.#written.ranges()) {
      const { changes } = some.run(document, from, Math.min(to, Number.MAX_SAFE_INTEGER))
      this.#written.count(document, -Number(changes))
    }
  }

  #settleOrdinal({ id, stored, places }: Draft): SettledDraft {
    const canonical = findCanonical(places)
    const ordinal = canonical ? this.#chooseOrdinal(stored, canonical) : NONE
    if (stored) this.#touch(stored.document, stored.position)
    if (canonical) this.#touch(canonical.document, canonical.place.position)
    return { id, stored, places, canonical, ordinal, length: stored?.length ?? 0, termCount: stored?.termCount ?? 0 }
  }

  #touch(document: number, position: number): void {
    const parts = this.#touched.get(document)
    if (parts) parts.add(partOf(position))
    else this.#touched.set(document, new Set([partOf(position)]))
  }

  /** Decides the ordinal of a memory: a new one when its terms or its embed text differ from what is stored. */
  #chooseOrdinal(stored: StoredMemory | null, place: DraftPlace): number {
    const { content } = place
    if (!stored || !keepsOrdinal(stored, place)) {
      const ordinal = this.#nextOrdinal++
      this.#vectors.inherit(ordinal, content.embedText, stored)
      return ordinal
    }
    if (!equalContent(stored.content, content)) this.#updateMemory(stored.ordinal, content)
    return stored.ordinal
  }

  #numberOf(scope: Scope): number {
    const { tenant, agent, project, visibility } = scope
    const key = `${tenant}\0${agent}\0${project}\0${visibility}`
    const known = this.#scopeNumbers.get(key)
    if (known !== undefined) return known
    const number = this.#names.scopes.numberOf(scope)
    this.#scopeNumbers.set(key, number)
    return number
  }

  #removeMemory({ ordinal, content, path, termCount }: StoredMemory): void {
    this.#connection.sql('DELETE FROM place WHERE ordinal = ?').run(ordinal)
    this.#connection.sql('DELETE FROM memory WHERE ordinal = ?').run(ordinal)
    dropCues(this.#connection, ordinal)
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
      const { length, termCount } = fresh.add(ordinal, canonical.content, canonical.place.path)
      draft.length = length
      draft.termCount = termCount
      this.#insertMemory(draft, canonical)
    } else {
      this.#moveMemory(draft, canonical)
      dropCues(this.#connection, ordinal)
    }
    this.#writePlaces(draft, canonical.content)
    writeCues(this.#connection, this.#names, ordinal, canonical)
  }

  #insertMemory(draft: SettledDraft, { content, document, place }: DraftPlace): void {
    const { ordinal, length, termCount, places } = draft
    this.#connection
      .sql(
        `INSERT INTO memory
           (ordinal, id, scope, importance, text, detail, embed, length, term_count, document, position, place_count, state)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(
        ...[ordinal, content.id, this.#numberOf(content.scope), content.importance, content.text],
        ...[packDetail(content), packEmbedText(content), length, termCount, document, place.position, places.length],
        stateAt(draft),
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
      const isWritten = this.#written.has(document, place.position)
      if (!hasChanged && !isWritten) continue
      if (isWritten) this.#written.count(document, 1)
      const variant = equalContent(own, content) ? null : JSON.stringify(own)
      insert.run(document, place.position, ordinal, occurredMs(place), packPlace(place), variant)
    }
  }

  #countPlaces(): void {
    const write = this.#connection.sql('UPDATE document SET memory_count = memory_count + ? WHERE id = ?')
    for (const [document, change] of this.#written.changes()) if (change !== 0) write.run(change, document)
  }

  #writeRosters(drafts: readonly SettledDraft[]): void {
    const members = new Map<number, SettledDraft[]>()
    for (const draft of drafts) {
      if (!draft.canonical) continue
      const { document } = draft.canonical
      const known = members.get(document)
      if (known) known.push(draft)
      else members.set(document, [draft])
    }
    for (const [document, parts] of this.#touched) {
      const inOrder = (members.get(document) ?? []).sort(compareInDocument)
      const write = (part: number, roster: RosterMember[]): void =>
        writeRosterPart(this.#connection, { document, part, sequence: this.#sequence, roster })
      for (const part of parts) {
        // What this session wrote as a whole it knows as a whole.
        if (!this.#written.covers(document, firstOf(part), firstOf(part + 1))) {
          write(part, readRoster(this.#connection, document, part))
        } else {
          const here = inOrder.filter(({ canonical }) => canonical && partOf(canonical.place.position) === part)
          write(
            part,
            here.map((draft) => toRosterMember(draft, (scope) => this.#numberOf(scope))),
          )
        }
      }
    }
  }
}
