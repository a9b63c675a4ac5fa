import { MadeleineError } from '../../errors.ts'
import type { ReviewDecision, ReviewStatus } from '../../model/relationship.ts'
import { shortHash } from '../../text/hash.ts'
import { compareText } from '../canonical-place.ts'
import type { ReviewOpening } from '../relationship-store.ts'
import { anchorEnds } from './anchors.ts'
import { turnEvidence } from './canonical.ts'
import type { KeptReview, RelationshipRows } from './kept.ts'

/** RelationshipStore.openReviews over the rows of a store. */
export function openReviews(rows: RelationshipRows, openings: readonly ReviewOpening[], now: Date): number {
  const tenants = rows.tenantsOf([...new Set(openings.flatMap(({ firstId, secondId }) => [firstId, secondId]))])
  let opened = 0
  for (const opening of openings) {
    const review = toReview(opening, now)
    const { firstId, secondId } = review
    const tenant = tenants.get(firstId)
    if (firstId === secondId || tenant === undefined || tenant !== tenants.get(secondId)) continue
    if (rows.reviewOf(firstId, secondId)) continue
    rows.writeReview(review)
    anchorEnds(rows, [firstId, secondId])
    opened += 1
  }
  return opened
}

function toReview({ firstId, secondId, reason = '', evidence = [] }: ReviewOpening, now: Date): KeptReview {
  const isTurned = compareText(firstId, secondId) > 0
  const [first, second] = isTurned ? [secondId, firstId] : [firstId, secondId]
  return {
    id: shortHash('review', first, second, now.toISOString()),
    firstId: first,
    secondId: second,
    reason,
    evidence: isTurned ? turnEvidence(evidence) : evidence.map(({ side, start, end }) => ({ side, start, end })),
    openedMs: now.getTime(),
    history: [],
  }
}

/** RelationshipStore.decide, for a review that the caller may see. */
export function addDecision(
  rows: RelationshipRows,
  review: KeptReview,
  { decision, by, note, now }: Omit<ReviewDecision, 'at'> & { now: Date },
): KeptReview {
  if (by.trim() === '') {
    throw new MadeleineError('INVALID_OPTION', `Cannot decide review "${review.id}": nobody is named who decides`, {
      remedy: 'Name who decides',
    })
  }
  const entry = { decision, by, at: now.toISOString(), ...(note !== undefined && { note }) }
  const decided = { ...review, history: [...review.history, entry] }
  rows.writeReview(decided)
  return decided
}

export function noReviewError(id: string): MadeleineError {
  return new MadeleineError('NOT_FOUND', `Cannot decide review "${id}": there is none of this id`, {
    remedy: 'List the reviews to see their ids: "madeleine review --status all"',
  })
}

/** What the decisions come to. */
export function summarize(history: readonly ReviewDecision[]): {
  status: ReviewStatus
  by?: string
  at?: string
  confirmations: number
  dismissals: number
} {
  const latest = new Map(history.map(({ by, decision }) => [by, decision]))
  const standing = [...latest.values()]
  const last = history.at(-1)
  return {
    status: last?.decision ?? 'open',
    ...(last && { by: last.by, at: last.at }),
    confirmations: standing.filter((decision) => decision === 'confirmed').length,
    dismissals: standing.filter((decision) => decision === 'dismissed').length,
  }
}
