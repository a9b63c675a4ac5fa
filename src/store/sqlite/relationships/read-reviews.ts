import type { Review, ReviewDecision } from '../../../model/relationship.ts'
import type { MemoryFilter } from '../../../model/search.ts'
import { compareText } from '../../canonical-place.ts'
import type { Layout } from '../../keyword-index/layout.ts'
import type { ReviewQuery } from '../../relationship-store.ts'
import type { KeptReview } from '../../relationships/kept.ts'
import { mayHaveSeen } from '../../relationships/may-have-seen.ts'
import { unpackReview } from '../../relationships/packed-rows.ts'
import { addDecision, noReviewError } from '../../relationships/reviews.ts'
import { toMissing, toReview } from '../../relationships/to-relationship.ts'
import type { Connection } from '../connection.ts'
import { readTexts } from './read-texts.ts'
import type { SqliteRows } from './sqlite-rows.ts'

interface Parts {
  connection: Connection
  layout: Layout
}

/** RelationshipStore.listReviews; within a read transaction. */
export function listReviews(parts: Parts, rows: SqliteRows, query: ReviewQuery): Review[] {
  const { status, ids, memoryIds, limit } = query
  const asked = memoryIds && new Set(memoryIds)
  const found = parts.connection
    .sql(
      `SELECT * FROM review WHERE (?1 IS NULL OR status = ?1)
         AND (?2 IS NULL OR id IN (SELECT value FROM json_each(?2))) ORDER BY opened_ms, id`,
    )
    .all(status ?? null, ids ? JSON.stringify(ids) : null)
    .map(unpackReview)
    .filter(({ firstId, secondId }) => asked === undefined || asked.has(firstId) || asked.has(secondId))
    .sort((a, b) => a.openedMs - b.openedMs || compareText(a.id, b.id))
  return showReviews(parts, rows, found, query).slice(0, limit)
}

/** RelationshipStore.decide; within a write transaction. */
export function decideReview(
  parts: Parts,
  rows: SqliteRows,
  given: { reviewId: string; decision: Omit<ReviewDecision, 'at'>; now: Date; filter: MemoryFilter },
): Review {
  const { reviewId, decision, now, filter } = given
  const review = rows.review(reviewId)
  const isShown = review && showReviews(parts, rows, [review], { filter, withMissing: true }).length > 0
  if (!isShown) throw noReviewError(reviewId)
  const decided = addDecision(rows, review, { ...decision, now })
  const [shown] = showReviews(parts, rows, [decided], { filter, withMissing: true })
  if (!shown) throw noReviewError(reviewId)
  return shown
}

/** Those of which the filter shows both ends, as callers see them. */
function showReviews(
  { connection, layout }: Parts,
  rows: SqliteRows,
  reviews: readonly KeptReview[],
  { filter, withMissing = false }: Pick<ReviewQuery, 'filter' | 'withMissing'>,
): Review[] {
  layout.refresh()
  const allowed = layout.applyFilter(filter)
  const ends = [...new Set(reviews.flatMap(({ firstId, secondId }) => [firstId, secondId]))]
  const ordinals = new Map(
    connection
      .rows('SELECT id, ordinal FROM memory WHERE id IN (SELECT value FROM json_each(?))', JSON.stringify(ends))
      .map(([id, ordinal]) => [String(id), Number(ordinal)]),
  )
  const isShown = (id: string): boolean => {
    const ordinal = ordinals.get(id)
    if (ordinal !== undefined) return allowed[ordinal] === 1
    return withMissing && mayHaveSeen(filter.viewer, rows.anchor(id)?.scope)
  }
  const shown = reviews.filter(({ firstId, secondId }) => isShown(firstId) && isShown(secondId))
  const quoting = shown.filter(({ evidence }) => evidence.length > 0)
  const textOf = readTexts(
    connection,
    quoting.flatMap(({ firstId, secondId }) => [firstId, secondId]),
  )
  return shown.map((review) => {
    const missing = [review.firstId, review.secondId].filter((id) => !ordinals.has(id))
    return toReview(
      review,
      textOf,
      missing.map((id) => toMissing(id, rows.anchor(id))),
    )
  })
}
