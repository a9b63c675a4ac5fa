import type { MemoryContent, Scope } from '../../model/memory.ts'
import { indexTerms } from '../../text/index-terms.ts'
import { compareText, occurredMs } from '../canonical-place.ts'
import { equalContent } from '../content-key.ts'
import { NONE } from '../keyword-index/layout.ts'
import type { RemovedMemory } from '../keyword-index/removed-memory.ts'
import type { RosterMember } from '../keyword-index/roster.ts'
import { firstOf, partOf } from '../keyword-index/roster-part.ts'
import type { SegmentDraft } from '../keyword-index/segment-draft.ts'
import type { WriteResult } from '../memory-store.ts'
import {
  compareInDocument,
  type Draft,
  type DraftPlace,
  findCanonical,
  keepsOrdinal,
  type SettledDraft,
  type StoredMemory,
  toRosterMember,
} from '../write-plan/draft.ts'
import { WrittenPlaces } from '../write-plan/written-places.ts'
import { dropCues } from './cues.ts'
import { DocumentRecords } from './document-records.ts'
import { Drafts, type PlaceRange } from './drafts.ts'
import { noteCuesOf, toMemoryChange } from './outcomes.ts'
import type { PostgresConnection, Transaction } from './postgres-connection.ts'
import { PostingSegments } from './posting-segments.ts'
import { followWrites } from './relationships/follow-writes.ts'
import { type RosterPart, readRosterParts, writeRosterParts } from './rosters.ts'
import { ScopeBook } from './scope-book.ts'
import { readNumbers, type TenantNumbers, writeNumbers } from './tenant-rows.ts'
import { followVectors, type TextChanges } from './vectors/follow-vectors.ts'
import {
  deleteMemories,
  deletePlaces,
  insertMemories,
  moveMemories,
  updateMemories,
  writePlaces,
} from './written-rows.ts'

export interface SessionOptions {
  connection: Pick<PostgresConnection, 'location'>
  tx: Transaction
  tenant: string
  /** IANA zone in which days that texts name are counted. */
  timeZone: string
}

/**
 * The write of one tenant within a transaction. What it looks at is loaded first; then the caller says where memories are to stand
 * (`leavePlaces`, `stand`); `settle` makes rows, rosters, posting lists, vectors, cues and relationships follow, in bulk, touching only
 * what differs.
 */
export class WriteSession {
  readonly tenant: string
  readonly tx: Transaction
  readonly drafts: Drafts
  readonly documents: DocumentRecords
  readonly #timeZone: string
  readonly #numbers: TenantNumbers
  readonly #scopes: ScopeBook
  readonly #postings: PostingSegments
  /** What is written anew of the documents' places. */
  readonly #written = new WrittenPlaces()
  /** Parts of documents' rosters that may have changed. */
  readonly #touched = new Map<number, Set<number>>()
  readonly #inherits: Array<TextChanges['inherits'][number]> = []
  readonly #updated: Array<{ ordinal: number; content: MemoryContent }> = []

  static async begin(options: SessionOptions): Promise<WriteSession> {
    return new WriteSession(options, await readNumbers(options.connection, options.tx, options.tenant))
  }

  private constructor({ tx, tenant, timeZone }: SessionOptions, numbers: TenantNumbers) {
    this.tx = tx
    this.tenant = tenant
    this.#timeZone = timeZone
    this.#numbers = numbers
    this.drafts = new Drafts(tenant)
    this.documents = new DocumentRecords(tenant, () => numbers.nextDocument++)
    this.#scopes = new ScopeBook(tenant, () => numbers.nextScope++)
    this.#postings = new PostingSegments(tx, tenant, () => numbers.nextSegment++)
  }

  /** Takes the memories out of a document that stand at `from` or after it, and before `to`; they were loaded. */
  leavePlaces(range: PlaceRange): DraftPlace[] {
    const left = this.drafts.leave(range)
    this.#written.add(range.document, range.from, range.to)
    this.#touch(range.document, range.from)
    for (const { place } of left) this.#touch(range.document, place.position)
    return left
  }

  /** Lets the memories of places that were left stand after all others, unless they stand in the document anyway. */
  moveToEnd(document: number, left: readonly DraftPlace[], lastPosition: number): void {
    const end = Math.max(this.#written.endOf(document), lastPosition + 1)
    let position = end
    for (const one of left) {
      const draft = this.drafts.byId(one.content.id)
      if (draft.places.some((place) => place.document === document)) continue
      this.drafts.stand(draft, { ...one, place: { ...one.place, position } })
      position += 1
    }
    if (position > end) this.#written.add(document, end, position)
  }

  /** Puts a memory at a place of a document that was left before. Says whether it stands elsewhere already. */
  stand(place: DraftPlace): { isHeldElsewhere: boolean } {
    const draft = this.drafts.byId(place.content.id)
    const isHeldElsewhere = draft.places.length > 0
    this.drafts.stand(draft, place)
    return { isHeldElsewhere }
  }

  /** Takes a memory out of every document. */
  leaveEverywhere(draft: Draft): void {
    for (const { document, place } of draft.places) this.#touch(document, place.position)
    draft.places = []
  }

  /** `isForgetting`: what is removed is to leave nothing behind. */
  async settle({ isForgetting = false } = {}): Promise<Pick<WriteResult, 'added' | 'removed'>> {
    const { tx, tenant } = this
    const drafts = this.drafts.all().map((draft) => this.#settleOrdinal(draft))
    const gone = drafts.flatMap(({ stored, ordinal }) => (stored && ordinal !== stored.ordinal ? [stored] : []))
    await this.#scopes.settle(tx, drafts)
    const dropped = gone.map(({ ordinal }) => ordinal)
    // First, while the rows that vectors are inherited from are there.
    await followVectors(tx, { tenant, sequence: this.#numbers.sequence, dropped, inherits: this.#inherits })
    await this.#writeRows(drafts, dropped)
    await this.documents.count(tx, this.#written.changes())
    await this.documents.save(tx)
    await this.#writeRosters(drafts)
    await this.#postings.remove(gone.map(toRemoved).sort((a, b) => a.ordinal - b.ordinal))
    await dropCues(tx, tenant, dropped)
    await noteCuesOf(tx, tenant, drafts, this.#timeZone)
    await writeNumbers(tx, tenant, this.#numbers)
    await followWrites(
      tx,
      tenant,
      await toMemoryChange(tx, tenant, { drafts, documents: this.#touched.keys(), isForgetting }),
    )
    const idsOf = (some: SettledDraft[]): string[] => some.map(({ id }) => id).sort(compareText)
    return {
      added: idsOf(drafts.filter(({ stored, canonical }) => !stored && canonical)),
      removed: idsOf(drafts.filter(({ stored, canonical }) => stored && !canonical)),
    }
  }

  /** Numbers of the documents whose memories may have changed. */
  touchedDocuments(): number[] {
    return [...this.#touched.keys()]
  }

  #settleOrdinal({ id, stored, places }: Draft): SettledDraft {
    const canonical = findCanonical(places)
    const ordinal = canonical ? this.#chooseOrdinal(stored, canonical) : NONE
    if (stored) this.#touch(stored.document, stored.position)
    if (canonical) this.#touch(canonical.document, canonical.place.position)
    return { id, stored, places, canonical, ordinal, length: stored?.length ?? 0, termCount: stored?.termCount ?? 0 }
  }

  /** Decides the ordinal of a memory: a new one when its terms or its embed text differ from what is stored. */
  #chooseOrdinal(stored: StoredMemory | null, place: DraftPlace): number {
    const { content } = place
    if (stored && keepsOrdinal(stored, place)) {
      if (!equalContent(stored.content, content)) this.#updated.push({ ordinal: stored.ordinal, content })
      return stored.ordinal
    }
    const ordinal = this.#numbers.nextOrdinal++
    const { embedText } = content
    const from = stored?.content.embedText === embedText ? stored.ordinal : null
    this.#inherits.push({ ordinal, embedText, from })
    return ordinal
  }

  #touch(document: number, position: number): void {
    const parts = this.#touched.get(document)
    if (parts) parts.add(partOf(position))
    else this.#touched.set(document, new Set([partOf(position)]))
  }

  readonly #numberOf = (scope: Scope): number => this.#scopes.numberOf(scope)

  async #writeRows(drafts: readonly SettledDraft[], dropped: readonly number[]): Promise<void> {
    const { tx, tenant } = this
    for (const { document, count } of await deletePlaces(tx, tenant, this.#written.ranges())) {
      this.#written.count(document, -count)
    }
    await deleteMemories(tx, tenant, dropped)
    const fresh = this.#postings.createDraft()
    const standing = drafts.filter(({ canonical }) => canonical)
    const isNew = ({ stored, ordinal }: SettledDraft): boolean => stored?.ordinal !== ordinal
    for (const draft of standing.filter(isNew)) addTerms(fresh, draft)
    await insertMemories(tx, tenant, standing.filter(isNew), this.#numberOf)
    await updateMemories(tx, tenant, this.#updated, this.#numberOf)
    await moveMemories(
      tx,
      tenant,
      standing.filter((draft) => !isNew(draft) && hasMoved(draft)),
    )
    await writePlaces(
      tx,
      tenant,
      standing.flatMap((draft) => this.#placesOf(draft)),
    )
    await this.#postings.add(fresh)
  }

  /** Rows of the places of a memory that are written: those in what is written anew, and all when its content changed. */
  #placesOf({ stored, places, ordinal, canonical }: SettledDraft) {
    const content = canonical?.content
    const hasChanged =
      stored === null || stored.ordinal !== ordinal || !content || !equalContent(stored.content, content)
    return places.flatMap(({ document, place, content: own }) => {
      const isWritten = this.#written.has(document, place.position)
      if (!hasChanged && !isWritten) return []
      if (isWritten) this.#written.count(document, 1)
      const variant = content && equalContent(own, content) ? null : JSON.stringify(own)
      return [{ document, ordinal, place, occurredMs: occurredMs(place), variant }]
    })
  }

  async #writeRosters(drafts: readonly SettledDraft[]): Promise<void> {
    const members = new Map<string, SettledDraft[]>()
    for (const draft of drafts) {
      if (!draft.canonical) continue
      const key = partKey({ document: draft.canonical.document, part: partOf(draft.canonical.place.position) })
      const known = members.get(key)
      if (known) known.push(draft)
      else members.set(key, [draft])
    }
    const parts = [...this.#touched].flatMap(([document, some]) => [...some].map((part) => ({ document, part })))
    // What this session wrote as a whole it knows as a whole.
    const isKnown = ({ document, part }: RosterPart): boolean =>
      this.#written.covers(document, firstOf(part), firstOf(part + 1))
    const known = parts.filter(isKnown).map((part) => ({ ...part, roster: this.#toRoster(members.get(partKey(part))) }))
    const others = await readRosterParts(
      this.tx,
      this.tenant,
      parts.filter((part) => !isKnown(part)),
    )
    await writeRosterParts(this.tx, { tenant: this.tenant, sequence: this.#numbers.sequence }, [...known, ...others])
  }

  #toRoster(drafts: SettledDraft[] = []): RosterMember[] {
    return drafts.sort(compareInDocument).map((draft) => toRosterMember(draft, this.#numberOf))
  }
}

function partKey({ document, part }: RosterPart): string {
  return `${document}:${part}`
}

function addTerms(fresh: SegmentDraft, draft: SettledDraft): void {
  if (!draft.canonical) return
  const { content, place } = draft.canonical
  const { length, termCount } = fresh.add(draft.ordinal, content, place.path)
  draft.length = length
  draft.termCount = termCount
}

function hasMoved({ stored, places, canonical }: SettledDraft): boolean {
  return (
    stored?.document !== canonical?.document ||
    stored?.position !== canonical?.place.position ||
    stored?.placeCount !== places.length
  )
}

function toRemoved({ ordinal, content, path, termCount }: StoredMemory): RemovedMemory {
  return { ordinal, terms: [...indexTerms(content, path).frequencies.keys()], termCount }
}
