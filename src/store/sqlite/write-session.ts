import type { MemoryContent } from '../../model/memory.ts'
import { indexTerms } from '../../text/index-terms.ts'
import { compareText, occurredMs } from '../canonical-place.ts'
import type { WriteResult } from '../memory-store.ts'
import type { Connection } from './connection.ts'
import { equalContent, hashText } from './content-key.ts'
import { canonicalOf, type Draft, type DraftPlace, Drafts, type StoredMemory } from './drafts.ts'
import type { PostingIndex, TermsOfMemory } from './posting-index.ts'
import { packKind, packRoster } from './roster.ts'
import type { Scopes } from './scopes.ts'
import { VectorMover } from './vector-mover.ts'

/**
 * One write transaction. The caller says where memories are to stand (`leaveDocument`, `stand`); `settle` then makes
 * rows, rosters, posting lists and vectors follow, touching only what differs.
 */
export class WriteSession {
  readonly drafts: Drafts
  readonly #connection: Connection
  readonly #scopes: Scopes
  readonly #postings: PostingIndex
  readonly #vectors: VectorMover
  readonly #sequence: number
  /** Documents whose places are written anew. */
  readonly #written = new Set<number>()
  /** Documents whose roster may have changed. */
  readonly #touched = new Set<number>()
  readonly #gone: TermsOfMemory[] = []
  readonly #fresh: TermsOfMemory[] = []
  #nextOrdinal: number

  constructor(connection: Connection, scopes: Scopes, postings: PostingIndex) {
    this.#connection = connection
    this.#scopes = scopes
    this.#postings = postings
    this.drafts = new Drafts(connection, scopes)
    const meta = connection.sql('SELECT value FROM meta WHERE key = ?')
    this.#sequence = Number(meta.get('sequence')?.value) + 1
    this.#nextOrdinal = Number(meta.get('next_ordinal')?.value)
    this.#vectors = new VectorMover(connection, this.#sequence)
  }

  /** Takes all memories out of a document. */
  leaveDocument(document: number): void {
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
    const added: string[] = []
    const removed: string[] = []
    for (const document of this.#written) this.#connection.sql('DELETE FROM place WHERE document = ?').run(document)
    // Ordinals first: vectors are inherited from rows that the next step removes.
    const settled = this.drafts.all().map((draft) => {
      const canonical = canonicalOf(draft)
      return { draft, canonical, ordinal: canonical ? this.#settleMemory(draft.stored, canonical) : null }
    })
    for (const { draft, canonical, ordinal } of settled) {
      if (draft.stored) this.#touched.add(draft.stored.document)
      if (canonical) this.#touched.add(canonical.document)
      if (!draft.stored && canonical) added.push(draft.id)
      if (draft.stored && !canonical) removed.push(draft.id)
      if (draft.stored && ordinal !== draft.stored.ordinal) this.#removeMemory(draft.stored)
    }
    for (const { draft, canonical, ordinal } of settled) {
      if (!canonical || ordinal === null) continue
      if (ordinal !== draft.stored?.ordinal) this.#insertMemory(ordinal, canonical)
      this.#writePlaces(draft, canonical.content, ordinal)
    }
    this.#vectors.settle()
    for (const document of this.#touched) this.#writeRoster(document)
    this.#postings.remove(this.#gone.sort((a, b) => a.ordinal - b.ordinal))
    this.#postings.add(this.#fresh)
    this.#postings.merge()
    const meta = this.#connection.sql('UPDATE meta SET value = ? WHERE key = ?')
    meta.run(this.#sequence, 'sequence')
    meta.run(this.#nextOrdinal, 'next_ordinal')
    return { added: added.sort(compareText), removed: removed.sort(compareText) }
  }

  /** Decides the ordinal of a memory: a new one when its terms or its embed text differ from what is stored. */
  #settleMemory(stored: StoredMemory | null, { content, document, place }: DraftPlace): number {
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
    if (stored.document !== document || stored.position !== place.position) {
      this.#connection
        .sql('UPDATE memory SET document = ?, position = ? WHERE ordinal = ?')
        .run(document, place.position, stored.ordinal)
    }
    return stored.ordinal
  }

  #removeMemory({ ordinal, content, path }: StoredMemory): void {
    this.#connection.sql('DELETE FROM place WHERE ordinal = ?').run(ordinal)
    this.#connection.sql('DELETE FROM memory WHERE ordinal = ?').run(ordinal)
    this.#vectors.drop(ordinal)
    this.#gone.push({ ordinal, frequencies: indexTerms(content, path).frequencies })
  }

  #updateMemory(ordinal: number, content: MemoryContent): void {
    const { category, tier, type, trust, importance, role, tool } = content
    this.#connection
      .sql(
        `UPDATE memory SET scope = ?, category = ?, tier = ?, type = ?, trust = ?, importance = ?, role = ?, tool = ?
         WHERE ordinal = ?`,
      )
      .run(
        ...[this.#scopes.numberOf(content.scope), category, tier, type, trust, importance],
        ...[role ?? null, tool ?? null, ordinal],
      )
  }

  #insertMemory(ordinal: number, { content, document, place }: DraftPlace): void {
    const { frequencies, length } = indexTerms(content, place.path)
    this.#fresh.push({ ordinal, frequencies })
    const { id, category, tier, type, trust, importance, role, speaker, tool, headerPath, text, embedText } = content
    this.#connection
      .sql(
        `INSERT INTO memory (ordinal, id, scope, category, tier, type, trust, importance, role, speaker, tool,
           header_path, text, embed_text, embed_hash, length, document, position)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(
        ...[ordinal, id, this.#scopes.numberOf(content.scope), category, tier, type, trust, importance],
        ...[role ?? null, speaker ?? null, tool ?? null, JSON.stringify(headerPath), text],
        ...[embedText, hashText(embedText), length, document, place.position],
      )
  }

  #writePlaces(draft: Draft, content: MemoryContent, ordinal: number): void {
    const before = draft.stored
    const hasChanged = before === null || before.ordinal !== ordinal || !equalContent(before.content, content)
    const insert = this.#connection.sql(
      `INSERT OR REPLACE INTO place (document, position, ordinal, start_line, end_line, occurred_at, occurred_ms,
         date_origin, session_id, turn_id, variant) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    for (const { document, place, content: own } of draft.places) {
      if (!hasChanged && !this.#written.has(document)) continue
      insert.run(
        ...[document, place.position, ordinal, place.startLine, place.endLine],
        ...[place.occurredAt ?? null, occurredMs(place), place.dateOrigin ?? null],
        ...[place.sessionId ?? null, place.turnId ?? null],
        equalContent(own, content) ? null : JSON.stringify(own),
      )
    }
  }

  #writeRoster(document: number): void {
    const rows = this.#connection
      .sql(
        `SELECT m.ordinal, m.length, m.category, m.tier, m.type, m.state, m.scope FROM place p
         JOIN memory m ON m.ordinal = p.ordinal AND m.document = p.document AND m.position = p.position
         WHERE p.document = ? ORDER BY p.position`,
      )
      .all(document)
    const times = this.#connection.sql(
      'SELECT DISTINCT occurred_ms FROM place WHERE ordinal = ? AND occurred_ms IS NOT NULL ORDER BY occurred_ms',
    )
    const members = rows.map((row) => ({
      ordinal: Number(row.ordinal),
      length: Number(row.length),
      // Safe because the columns hold values of these types since they were written.
      kind: packKind(row as unknown as Parameters<typeof packKind>[0]),
      scope: Number(row.scope),
      times: times.all(Number(row.ordinal)).map(({ occurred_ms: ms }) => Number(ms)),
    }))
    this.#connection
      .sql('INSERT OR REPLACE INTO roster (document, changed, members) VALUES (?, ?, ?)')
      .run(document, this.#sequence, packRoster(members))
  }
}
