import type { Scope } from '../../../model/memory.ts'
import type { RelationshipKey } from '../../../model/relationship.ts'
import type { MemoryFilter } from '../../../model/search.ts'
import { compareText } from '../../canonical-place.ts'
import type { Layout } from '../../keyword-index/layout.ts'
import {
  type Anchor,
  FOUND_BY_SOURCE,
  FOUND_BY_TARGET,
  type KeptRelationship,
  type KeptReview,
  type LinkedMemory,
  type RelationshipRows,
} from '../../relationships/kept.ts'
import {
  numberOfType,
  packAnchor,
  packRelationship,
  packReview,
  unpackAnchor,
  unpackRelationship,
  unpackReview,
} from '../../relationships/packed-rows.ts'
import { toStorableText } from '../../storable-text.ts'
import type { Connection } from '../connection.ts'
import type { SqlValue } from '../database.ts'
import { Drafts } from '../drafts.ts'
import type { Names } from '../rows.ts'

/** A relationship with the ids of its ends. Append a WHERE. */
export const SELECT_RELATIONSHIP = `SELECT s.id AS source_id, t.id AS target_id, r.type, r.score, r.found_by, r.created_ms,
    r.updated_ms, r.detail
  FROM relationship r CROSS JOIN node s ON s.number = r.source CROSS JOIN node t ON t.number = r.target`

const INTO_RELATIONSHIP = `INTO relationship (source, target, type, score, found_by, created_ms, updated_ms, detail)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?)`
/** Changes nothing of an explicit one, nor of one that says the same. */
const UPSERT_DISCOVERED = `INSERT ${INTO_RELATIONSHIP}
  ON CONFLICT (source, target, type) DO UPDATE SET score = excluded.score, found_by = found_by | excluded.found_by,
    updated_ms = excluded.updated_ms, detail = excluded.detail
  WHERE found_by <> 0 AND (score <> excluded.score OR detail <> excluded.detail OR found_by <> found_by | excluded.found_by)`

export interface RelationshipParts {
  connection: Connection
  names: Names
  /** Only where filters are asked for. */
  layout?: Layout
}

/** The rows of relationships and reviews, within one transaction. */
export class SqliteRows implements RelationshipRows {
  readonly #connection: Connection
  readonly #names: Names
  readonly #layout: Layout | undefined
  /** Numbers of ids, null for those that have none. */
  readonly #numbers = new Map<string, number | null>()

  constructor({ connection, names, layout }: RelationshipParts) {
    this.#connection = connection
    this.#names = names
    this.#layout = layout
  }

  tenantsOf(ids: readonly string[], filter?: MemoryFilter): Map<string, string> {
    const rows = this.#connection.rows(
      'SELECT ordinal, id, scope FROM memory WHERE id IN (SELECT value FROM json_each(?))',
      JSON.stringify(ids.map(toStorableText)),
    )
    const allowed = filter && this.#layout ? this.#allow(this.#layout, filter) : null
    return new Map(
      rows
        .filter(([ordinal]) => allowed === null || allowed[Number(ordinal)] === 1)
        .map(([, id, scope]) => [String(id), this.#names.scopes.get(Number(scope)).tenant]),
    )
  }

  #allow(layout: Layout, filter: MemoryFilter): Uint8Array {
    layout.refresh()
    return layout.applyFilter(filter)
  }

  memory(id: string): LinkedMemory | undefined {
    const { stored, places } = new Drafts(this.#connection, this.#names).byId(id)
    if (!stored) return undefined
    const canonical = places.find(
      ({ document, place }) => document === stored.document && place.position === stored.position,
    )
    return canonical && { content: stored.content, place: canonical.place }
  }

  scopeOf(id: string): Scope | undefined {
    const row = this.#connection.sql('SELECT scope FROM memory WHERE id = ?').get(id)
    return row && this.#names.scopes.get(Number(row.scope))
  }

  find({ sourceId, targetId, relationshipType }: RelationshipKey): KeptRelationship | undefined {
    const [source, target] = [this.findNumber(sourceId), this.findNumber(targetId)]
    if (source === null || target === null) return undefined
    const row = this.#connection
      .sql(`${SELECT_RELATIONSHIP} WHERE r.source = ? AND r.target = ? AND r.type = ?`)
      .get(source, target, numberOfType(relationshipType))
    return row && unpackRelationship(row)
  }

  withEnd(id: string): KeptRelationship[] {
    const number = this.findNumber(id)
    if (number === null) return []
    return [
      ...this.#connection.sql(`${SELECT_RELATIONSHIP} WHERE r.source = ?`).all(number),
      ...this.#connection.sql(`${SELECT_RELATIONSHIP} WHERE r.target = ?`).all(number),
    ].map(unpackRelationship)
  }

  foundBy(id: string): KeptRelationship[] {
    const number = this.findNumber(id)
    if (number === null) return []
    // The index of the other side tells who found it without a look at the rows: a hub has very many.
    const sides = [
      `r.source = ? AND r.found_by & ${FOUND_BY_SOURCE}`,
      `r.target = ? AND r.found_by & ${FOUND_BY_TARGET}`,
    ]
    return sides
      .flatMap((side) => this.#connection.sql(`${SELECT_RELATIONSHIP} WHERE ${side}`).all(number))
      .map(unpackRelationship)
  }

  writeDiscovered(relationship: KeptRelationship): 'written' | 'same' | 'explicit' {
    const written = this.#connection.sql(UPSERT_DISCOVERED).run(...this.#columnsOf(relationship))
    if (Number(written.changes) > 0) return 'written'
    return this.find(relationship)?.origin === 'explicit' ? 'explicit' : 'same'
  }

  dropDiscovered(id: string): void {
    const number = this.findNumber(id)
    if (number === null) return
    this.#connection.sql('DELETE FROM relationship WHERE source = ? AND found_by <> 0').run(number)
    this.#connection.sql('DELETE FROM relationship WHERE target = ? AND found_by <> 0').run(number)
  }

  write(relationship: KeptRelationship): void {
    this.#connection.sql(`INSERT OR REPLACE ${INTO_RELATIONSHIP}`).run(...this.#columnsOf(relationship))
  }

  #columnsOf(relationship: KeptRelationship): SqlValue[] {
    const { sourceId, targetId, relationshipType, score, finders, createdMs, updatedMs } = relationship
    return [
      ...[this.#numberOf(sourceId), this.#numberOf(targetId), numberOfType(relationshipType), score, finders],
      ...[createdMs, updatedMs, packRelationship(relationship)],
    ]
  }

  drop({ sourceId, targetId, relationshipType }: RelationshipKey): void {
    const [source, target] = [this.findNumber(sourceId), this.findNumber(targetId)]
    if (source === null || target === null) return
    this.#connection
      .sql('DELETE FROM relationship WHERE source = ? AND target = ? AND type = ?')
      .run(source, target, numberOfType(relationshipType))
  }

  review(id: string): KeptReview | undefined {
    const row = this.#connection.sql('SELECT * FROM review WHERE id = ?').get(id)
    return row && unpackReview(row)
  }

  reviewOf(firstId: string, secondId: string): KeptReview | undefined {
    const row = this.#connection.sql('SELECT * FROM review WHERE first = ? AND second = ?').get(firstId, secondId)
    return row && unpackReview(row)
  }

  reviewsWith(id: string): KeptReview[] {
    const rows = this.#connection.sql('SELECT * FROM review WHERE first = ?1 OR second = ?1').all(id)
    return rows.map(unpackReview)
  }

  writeReview(review: KeptReview): void {
    this.#connection
      .sql(
        `INSERT OR REPLACE INTO review (id, first, second, status, opened_ms, detail, history)
         VALUES (?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(...packReview(review))
  }

  dropReview(id: string): void {
    this.#connection.sql('DELETE FROM review WHERE id = ?').run(id)
  }

  hasAnchors(): boolean {
    return this.#connection.sql('SELECT 1 FROM anchor LIMIT 1').get() !== undefined
  }

  anchor(id: string): Anchor | undefined {
    const row = this.#connection.sql('SELECT * FROM anchor WHERE id = ?').get(id)
    return row && unpackAnchor(row)
  }

  anchorsIn({ root, path }: { root: string; path: string }): Anchor[] {
    const rows = this.#connection.sql('SELECT * FROM anchor WHERE path = ? AND root = ?').all(path, root)
    return rows.map(unpackAnchor).sort((a, b) => compareText(a.id, b.id))
  }

  writeAnchor(anchor: Anchor): void {
    this.#connection
      .sql(
        `INSERT OR REPLACE INTO anchor (id, scope, root, path, position, turn, sketch, successor, likeness)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(...packAnchor(anchor))
  }

  dropAnchor(id: string): void {
    this.#connection.sql('DELETE FROM anchor WHERE id = ?').run(id)
  }

  dropSuccessors(ids: readonly string[]): void {
    this.#connection
      .sql('UPDATE anchor SET successor = NULL, likeness = NULL WHERE successor IN (SELECT value FROM json_each(?))')
      .run(JSON.stringify(ids))
  }

  markOf(id: string): number | undefined {
    const row = this.#connection.sql('SELECT mark FROM awaiting_link WHERE id = ?').get(id)
    return row && Number(row.mark)
  }

  noteAwaiting(ids: readonly string[]): void {
    if (ids.length === 0) return
    const row = this.#connection.sql("UPDATE meta SET value = value + 1 WHERE key = 'link_mark' RETURNING value").get()
    this.#connection
      .sql('INSERT OR REPLACE INTO awaiting_link (id, mark) SELECT value, ? FROM json_each(?)')
      .run(Number(row?.value), JSON.stringify(ids))
  }

  dropAwaiting(ids: readonly string[]): void {
    if (ids.length === 0) return
    this.#connection
      .sql('DELETE FROM awaiting_link WHERE id IN (SELECT value FROM json_each(?))')
      .run(JSON.stringify(ids))
  }

  /** An id that nothing names any more has no number. */
  release(ids: readonly string[]): void {
    const remove = this.#connection.sql(
      `DELETE FROM node WHERE number = ?1 AND NOT EXISTS (SELECT 1 FROM relationship WHERE source = ?1)
         AND NOT EXISTS (SELECT 1 FROM relationship WHERE target = ?1)`,
    )
    for (const id of ids) {
      const number = this.findNumber(id)
      if (number !== null && Number(remove.run(number).changes) > 0) this.#numbers.delete(id)
    }
  }

  /** The number by which relationships name an id; null when none does. */
  findNumber(id: string): number | null {
    const known = this.#numbers.get(id)
    if (known !== undefined) return known
    const row = this.#connection.sql('SELECT number FROM node WHERE id = ?').get(id)
    const number = row ? Number(row.number) : null
    this.#numbers.set(id, number)
    return number
  }

  #numberOf(id: string): number {
    const known = this.findNumber(id)
    if (known !== null) return known
    const row = this.#connection.sql('INSERT INTO node (id) VALUES (?) RETURNING number').get(id)
    const number = Number(row?.number)
    this.#numbers.set(id, number)
    return number
  }
}
