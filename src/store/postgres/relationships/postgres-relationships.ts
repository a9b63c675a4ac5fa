import {
  type DanglingRelationship,
  RELATIONSHIP_TYPES,
  type Relationship,
  type RelationshipKey,
  type RelationshipWrite,
  type Review,
  type ReviewDecision,
} from '../../../model/relationship.ts'
import type { MemoryFilter, Viewer } from '../../../model/search.ts'
import { compareText } from '../../canonical-place.ts'
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
import { toCanonicalKey } from '../../relationships/canonical.ts'
import type { KeptRelationship } from '../../relationships/kept.ts'
import { addDecision, noReviewError, openReviews } from '../../relationships/reviews.ts'
import { toRelationship } from '../../relationships/to-relationship.ts'
import { trimDiscovered } from '../../relationships/trim-discovered.ts'
import { putRelationships, removeRelationships, replaceDiscovered } from '../../relationships/write-relationships.ts'
import type { ApplyFilter } from '../apply-filter.ts'
import type { PostgresConnection, Transaction } from '../postgres-connection.ts'
import { queryTenants } from '../query-tenants.ts'
import { countTotals, listDangling } from './dangling.ts'
import { loadRows, type RowsWanted } from './load-rows.ts'
import type { LoadedRows } from './loaded-rows.ts'
import { Neighbours } from './neighbours.ts'
import { listReviews, showReviews } from './read-reviews.ts'
import { readTexts } from './read-texts.ts'
import { saveRows } from './save-rows.ts'

/** Ends, with how many discovered relationships they have, of those that have more than $3. */
const SELECT_CROWDED = `SELECT id FROM (
    SELECT source AS id FROM relationship WHERE tenant = $1 AND found_by <> 0 AND source = ANY($2)
    UNION ALL SELECT target FROM relationship WHERE tenant = $1 AND found_by <> 0 AND target = ANY($2)) e
  GROUP BY id HAVING count(*) > $3::int`
const SELECT_SHOWN = 'SELECT id, ordinal FROM memory WHERE tenant = $1 AND id = ANY($2)'
const SELECT_AWAITING = 'SELECT id, mark FROM awaiting_link WHERE tenant = $1 ORDER BY id LIMIT $2::int'
const SELECT_ALL_IDS = 'SELECT id, tenant FROM memory WHERE tenant = $1'
const SELECT_IDS = `${SELECT_ALL_IDS} AND id = ANY($2)`

/** The relationships of a PostgreSQL store. Every method is one transaction: it reads what the rules look at, and writes what they changed. */
export class PostgresRelationships implements RelationshipStore {
  readonly #connection: PostgresConnection
  readonly #tenants: readonly string[]
  readonly #applyFilter: ApplyFilter

  constructor(connection: PostgresConnection, applyFilter: ApplyFilter) {
    this.#connection = connection
    this.#tenants = connection.tenants
    this.#applyFilter = applyFilter
  }

  async put(
    writes: readonly RelationshipWrite[],
    options: { now: Date; filter?: MemoryFilter },
  ): Promise<Relationship[]> {
    const ends = endsOf(writes)
    const explicit = endsOf(writes.filter(({ origin }) => origin === 'explicit'))
    const wanted = { scopes: ends, memories: explicit, anchors: explicit, relationships: keysOf(writes) }
    return this.#write(wanted, async (rows, tx) => {
      await this.#noteShown(tx, rows, ends, options.filter)
      const kept = putRelationships(rows, writes, options)
      return this.#show(tx, kept)
    })
  }

  async remove(keys: readonly RelationshipKey[], { filter }: { filter?: MemoryFilter } = {}): Promise<number> {
    const ends = endsOf(keys)
    return this.#write({ memories: ends, explicitOf: ends, reviewsWith: ends, anchors: ends }, async (rows, tx) => {
      await this.#noteShown(tx, rows, ends, filter)
      return removeRelationships(rows, keys, filter)
    })
  }

  async replaceDiscovered(
    linked: ReadonlyArray<{ id: string; mark?: number }>,
    found: readonly RelationshipWrite[],
    now: Date,
  ): Promise<LinkingResult> {
    const ids = linked.map(({ id }) => id)
    const wanted = {
      scopes: [...ids, ...endsOf(found)],
      marks: linked.filter(({ mark }) => mark !== undefined).map(({ id }) => id),
      foundBy: ids,
      relationships: keysOf(found),
    }
    return this.#write(wanted, async (rows) => replaceDiscovered(rows, { linked, found, now }))
  }

  async trimDiscovered(ids: readonly string[], keep: number): Promise<number> {
    return this.#write({}, async (rows, tx) => {
      const crowded = await queryTenants(tx, this.#tenants, SELECT_CROWDED, [[...new Set(ids)], keep])
      if (crowded.length === 0) return 0
      await loadRows(tx, this.#tenants, { discoveredOf: crowded.map(({ id }) => String(id)) }, rows)
      await loadRows(tx, this.#tenants, { scopes: endsOf(rows.relationships.all()) }, rows)
      return trimDiscovered(rows, ids, keep)
    })
  }

  async list(ids: readonly string[], query: NeighbourQuery): Promise<Relationship[]> {
    return this.#read(async (tx) => this.#show(tx, await this.#neighbours(tx).list(ids, query)))
  }

  async count(ids: readonly string[], query: NeighbourQuery): Promise<Degree[]> {
    return this.#read((tx) => this.#neighbours(tx).count(ids, query))
  }

  async listConnected(query: RelationshipQuery & { limit: number }): Promise<Degree[]> {
    return this.#read((tx) => this.#neighbours(tx).listConnected(query))
  }

  async page(query: RelationshipQuery & { after?: string; limit: number }): Promise<RelationshipPage> {
    return this.#read(async (tx) => {
      const { relationships, ...rest } = await this.#neighbours(tx).page(query)
      return { relationships: await this.#show(tx, relationships), ...rest }
    })
  }

  async listDangling(viewer: Viewer): Promise<DanglingRelationship[]> {
    return this.#read((tx) => listDangling(tx, viewer))
  }

  async totals(): Promise<RelationshipTotals> {
    return this.#read((tx) => countTotals(tx, this.#tenants))
  }

  async listAwaiting(limit: number): Promise<AwaitingLink[]> {
    return this.#read(async (tx) => {
      const rows = await queryTenants(tx, this.#tenants, SELECT_AWAITING, [limit])
      return rows
        .map(({ id, mark }) => ({ id: String(id), mark: Number(mark) }))
        .sort((a, b) => compareText(a.id, b.id))
        .slice(0, limit)
    })
  }

  async noteAwaiting(ids: readonly string[] | 'all'): Promise<void> {
    await this.#write({}, async (rows, tx) => {
      const found =
        ids === 'all'
          ? await queryTenants(tx, this.#tenants, SELECT_ALL_IDS)
          : await queryTenants(tx, this.#tenants, SELECT_IDS, [[...new Set(ids)]])
      for (const { id, tenant } of found) rows.tenants.set(String(id), String(tenant))
      rows.noteAwaiting(found.map(({ id }) => String(id)))
    })
  }

  async openReviews(openings: readonly ReviewOpening[], now: Date): Promise<number> {
    const ends = openings.flatMap(({ firstId, secondId }) => [firstId, secondId])
    return this.#write({ memories: ends, anchors: ends, reviewsWith: ends }, async (rows) =>
      openReviews(rows, openings, now),
    )
  }

  async decide(
    reviewId: string,
    decision: Omit<ReviewDecision, 'at'>,
    { now, filter }: { now: Date; filter: MemoryFilter },
  ): Promise<Review> {
    return this.#write({ reviews: [reviewId] }, async (rows, tx) => {
      const review = rows.review(reviewId)
      const isShown = review && (await this.#showReviews(tx, [review], filter)).length > 0
      if (!isShown) throw noReviewError(reviewId)
      const [decided] = await this.#showReviews(tx, [addDecision(rows, review, { ...decision, now })], filter)
      if (!decided) throw noReviewError(reviewId)
      return decided
    })
  }

  async listReviews(query: ReviewQuery): Promise<Review[]> {
    return this.#read((tx) => listReviews(tx, this.#applyFilter, query))
  }

  #read<T>(body: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#connection.read(body)
  }

  /** Reads what the rules look at, lets them decide, and writes what they changed. */
  #write<T>(wanted: RowsWanted, body: (rows: LoadedRows, tx: Transaction) => Promise<T>): Promise<T> {
    return this.#connection.write(async (tx) => {
      const rows = await loadRows(tx, this.#tenants, wanted)
      const result = await body(rows, tx)
      await saveRows(tx, this.#tenants, rows)
      return result
    })
  }

  #neighbours(tx: Transaction): Neighbours {
    return new Neighbours(tx, this.#applyFilter)
  }

  /** Notes which of the memories the filter of a write shows. */
  async #noteShown(
    tx: Transaction,
    rows: LoadedRows,
    ids: readonly string[],
    filter: MemoryFilter | undefined,
  ): Promise<void> {
    if (!filter) return
    const allowed = await this.#applyFilter(tx, filter)
    const found = await tx.query(SELECT_SHOWN, [filter.viewer.tenant, [...new Set(ids)]])
    rows.shown = new Set(found.filter(({ ordinal }) => allowed[Number(ordinal)] === 1).map(({ id }) => String(id)))
  }

  #showReviews(tx: Transaction, reviews: Parameters<typeof showReviews>[2], filter: MemoryFilter): Promise<Review[]> {
    return showReviews(tx, this.#applyFilter, reviews, { filter, withMissing: true })
  }

  async #show(tx: Transaction, kept: readonly KeptRelationship[]): Promise<Relationship[]> {
    const ends = kept.flatMap(({ evidence, sourceId, targetId }) => (evidence.length > 0 ? [sourceId, targetId] : []))
    const textOf = await readTexts(tx, this.#tenants, ends)
    return kept.map((one) => toRelationship(one, textOf))
  }
}

/** As they are stored; what is of no type that there is will be refused. */
function keysOf(writes: readonly RelationshipKey[]): RelationshipKey[] {
  return writes.filter(({ relationshipType }) => RELATIONSHIP_TYPES.includes(relationshipType)).map(toCanonicalKey)
}

function endsOf(keys: readonly RelationshipKey[]): string[] {
  return [...new Set(keys.flatMap(({ sourceId, targetId }) => [sourceId, targetId]))]
}
