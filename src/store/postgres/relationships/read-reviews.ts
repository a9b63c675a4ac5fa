import type { Review } from '../../../model/relationship.ts'
import { compareText } from '../../canonical-place.ts'
import type { ReviewQuery } from '../../relationship-store.ts'
import type { KeptReview } from '../../relationships/kept.ts'
import { mayHaveSeen } from '../../relationships/may-have-seen.ts'
import { unpackReview } from '../../relationships/packed-rows.ts'
import { toMissing, toReview } from '../../relationships/to-relationship.ts'
import type { ApplyFilter } from '../apply-filter.ts'
import type { Transaction } from '../postgres-connection.ts'
import { loadRows } from './load-rows.ts'
import { readTexts } from './read-texts.ts'

const SELECT_REVIEWS = `SELECT id, first, second, opened_ms, detail, history FROM review WHERE tenant = $1
  AND ($2::text IS NULL OR status = $2) AND ($3::text[] IS NULL OR id = ANY($3))
  AND ($4::text[] IS NULL OR first = ANY($4) OR second = ANY($4))`

/** RelationshipStore.listReviews; within a read transaction. */
export async function listReviews(tx: Transaction, applyFilter: ApplyFilter, query: ReviewQuery): Promise<Review[]> {
  const { status, ids, memoryIds, limit, filter } = query
  const rows = await tx.query(SELECT_REVIEWS, [filter.viewer.tenant, status ?? null, ids ?? null, memoryIds ?? null])
  const found = rows.map(unpackReview).sort((a, b) => a.openedMs - b.openedMs || compareText(a.id, b.id))
  return (await showReviews(tx, applyFilter, found, query)).slice(0, limit)
}

/** Those of which the filter shows both ends, as callers see them. */
export async function showReviews(
  tx: Transaction,
  applyFilter: ApplyFilter,
  reviews: readonly KeptReview[],
  { filter, withMissing = false }: Pick<ReviewQuery, 'filter' | 'withMissing'>,
): Promise<Review[]> {
  if (reviews.length === 0) return []
  const { tenant } = filter.viewer
  const allowed = await applyFilter(tx, filter)
  const ends = [...new Set(reviews.flatMap(({ firstId, secondId }) => [firstId, secondId]))]
  const known = await tx.query('SELECT id, ordinal FROM memory WHERE tenant = $1 AND id = ANY($2)', [tenant, ends])
  const ordinals = new Map(known.map(({ id, ordinal }) => [String(id), Number(ordinal)]))
  const missing = ends.filter((id) => !ordinals.has(id))
  const { anchors } = await loadRows(tx, [tenant], { anchors: missing })
  const isShown = (id: string): boolean => {
    const ordinal = ordinals.get(id)
    if (ordinal !== undefined) return allowed[ordinal] === 1
    return withMissing && mayHaveSeen(filter.viewer, anchors.get(id)?.scope)
  }
  const shown = reviews.filter(({ firstId, secondId }) => isShown(firstId) && isShown(secondId))
  const quoting = shown.filter(({ evidence }) => evidence.length > 0)
  const textOf = await readTexts(
    tx,
    [tenant],
    quoting.flatMap(({ firstId, secondId }) => [firstId, secondId]),
  )
  return shown.map((review) => {
    const gone = [review.firstId, review.secondId].filter((id) => !ordinals.has(id))
    return toReview(
      review,
      textOf,
      gone.map((id) => toMissing(id, anchors.get(id))),
    )
  })
}
