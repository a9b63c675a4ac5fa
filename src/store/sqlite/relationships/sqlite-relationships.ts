import type {
  DanglingRelationship,
  Relationship,
  RelationshipKey,
  RelationshipWrite,
  Review,
  ReviewDecision,
} from '../../../model/relationship.ts'
import type { MemoryFilter, Viewer } from '../../../model/search.ts'
import type { Layout } from '../../keyword-index/layout.ts'
import type {
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
} from '../../relationship-store.ts'
import type { KeptRelationship } from '../../relationships/kept.ts'
import { openReviews } from '../../relationships/reviews.ts'
import { toRelationship } from '../../relationships/to-relationship.ts'
import { trimDiscovered } from '../../relationships/trim-discovered.ts'
import { putRelationships, removeRelationships, replaceDiscovered } from '../../relationships/write-relationships.ts'
import type { Connection } from '../connection.ts'
import type { Names } from '../rows.ts'
import { countTotals, listDangling } from './dangling.ts'
import { Neighbours } from './neighbours.ts'
import { decideReview, listReviews } from './read-reviews.ts'
import { readTexts } from './read-texts.ts'
import { SqliteRows } from './sqlite-rows.ts'

interface Parts {
  connection: Connection
  names: Names
  layout: Layout
}

/** The relationships of a SQLite store. Every method is one transaction. */
export class SqliteRelationships implements RelationshipStore {
  readonly #parts: Parts
  readonly #neighbours: Neighbours

  constructor(parts: Parts) {
    this.#parts = parts
    this.#neighbours = new Neighbours(parts)
  }

  async put(
    writes: readonly RelationshipWrite[],
    options: { now: Date; filter?: MemoryFilter },
  ): Promise<Relationship[]> {
    const isTruth = writes.some(({ origin }) => origin === 'explicit')
    return this.#write(isTruth, (rows) => this.#show(putRelationships(rows, writes, options)))
  }

  async remove(keys: readonly RelationshipKey[], { filter }: { filter?: MemoryFilter } = {}): Promise<number> {
    return this.#write(true, (rows) => removeRelationships(rows, keys, filter))
  }

  async replaceDiscovered(
    linked: ReadonlyArray<{ id: string; mark?: number }>,
    found: readonly RelationshipWrite[],
    now: Date,
  ): Promise<LinkingResult> {
    return this.#write(false, (rows) => replaceDiscovered(rows, { linked, found, now }))
  }

  async trimDiscovered(ids: readonly string[], keep: number): Promise<number> {
    return this.#write(false, (rows) => trimDiscovered(rows, ids, keep))
  }

  async list(ids: readonly string[], query: NeighbourQuery): Promise<Relationship[]> {
    return this.#read(() => this.#show(this.#neighbours.list(ids, query)))
  }

  async count(ids: readonly string[], query: NeighbourQuery): Promise<Degree[]> {
    return this.#read(() => this.#neighbours.count(ids, query))
  }

  async listConnected(query: RelationshipQuery & { limit: number }): Promise<Degree[]> {
    return this.#read(() => this.#neighbours.listConnected(query))
  }

  async page(query: RelationshipQuery & { after?: string; limit: number }): Promise<RelationshipPage> {
    return this.#read(() => {
      const { relationships, ...rest } = this.#neighbours.page(query)
      return { relationships: this.#show(relationships), ...rest }
    })
  }

  async listDangling(viewer: Viewer): Promise<DanglingRelationship[]> {
    return this.#read(() =>
      listDangling(this.#parts, viewer).map(({ kept, missing }) => ({
        relationship: toRelationship(kept, () => undefined),
        missing,
      })),
    )
  }

  async totals(): Promise<RelationshipTotals> {
    return this.#read(() => countTotals(this.#parts.connection))
  }

  async listAwaiting(limit: number): Promise<AwaitingLink[]> {
    return this.#read(() =>
      this.#parts.connection
        .sql('SELECT id, mark FROM awaiting_link ORDER BY id LIMIT ?')
        .all(limit)
        .map(({ id, mark }) => ({ id: String(id), mark: Number(mark) })),
    )
  }

  async noteAwaiting(ids: readonly string[] | 'all'): Promise<void> {
    const { connection } = this.#parts
    await this.#write(false, (rows) => {
      if (ids !== 'all') return rows.noteAwaiting([...rows.tenantsOf(ids).keys()])
      const all = connection.rows('SELECT id FROM memory')
      rows.noteAwaiting(all.map(([id]) => String(id)))
    })
  }

  async openReviews(openings: readonly ReviewOpening[], now: Date): Promise<number> {
    return this.#write(true, (rows) => openReviews(rows, openings, now))
  }

  async decide(
    reviewId: string,
    decision: Omit<ReviewDecision, 'at'>,
    options: { now: Date; filter: MemoryFilter },
  ): Promise<Review> {
    return this.#write(true, (rows) => decideReview(this.#parts, rows, { reviewId, decision, ...options }))
  }

  async listReviews(query: ReviewQuery): Promise<Review[]> {
    return this.#read(() => listReviews(this.#parts, new SqliteRows(this.#parts), query))
  }

  #read<T>(body: () => T): Promise<T> {
    return this.#parts.connection.read(body)
  }

  /** `isTruth`: what is written cannot be rebuilt. */
  #write<T>(isTruth: boolean, body: (rows: SqliteRows) => T): Promise<T> {
    return this.#parts.connection.write(() => body(new SqliteRows(this.#parts)), { isTruth })
  }

  #show(kept: readonly KeptRelationship[]): Relationship[] {
    const ends = kept.flatMap(({ evidence, sourceId, targetId }) => (evidence.length > 0 ? [sourceId, targetId] : []))
    const textOf = readTexts(this.#parts.connection, ends)
    return kept.map((one) => toRelationship(one, textOf))
  }
}
