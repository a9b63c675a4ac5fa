import { MadeleineError } from '../errors.ts'
import type { DecideReviewParams, ListReviewsOptions, ReviewedMemory, ReviewItem } from '../model/correlation.ts'
import { cutGraphemes } from '../model/cut-graphemes.ts'
import type { Memory } from '../model/memory.ts'
import { REVIEW_STATUSES, type Relationship, type RelationshipOrigin, type Review } from '../model/relationship.ts'
import type { MemoryFilter } from '../model/search.ts'
import { cleanCharacters } from '../normalize/index.ts'
import type { MemoryStore } from '../store/memory-store.ts'
import { redactSecrets } from '../text/redact.ts'
import { type CorrelationContext, checkNumber, checkOneOf } from './correlation-context.ts'
import { REVIEW_LIMITS } from './correlation-options.ts'

const DECISIONS = ['confirmed', 'dismissed'] as const

/** Contradictions with both texts, for a person to look at: those that wait, or those of another status; oldest first. */
export async function listReviews(
  { store, settings, filterOf }: CorrelationContext,
  { status = 'open', limit = REVIEW_LIMITS.listed, ...asked }: ListReviewsOptions = {},
): Promise<{ items: ReviewItem[] }> {
  checkOneOf('review status', status, [...REVIEW_STATUSES, 'all'])
  checkNumber('limit', limit, { from: 1, to: 1000, isWhole: true })
  const query = { filter: filterOf(asked), limit, ...(status !== 'all' && { status }) }
  const reviews = await store.relationships.listReviews(query)
  return { items: await toItems(store, reviews, settings.consensus) }
}

/**
 * Keeps what a person decided, beside all that was decided before. Only the review changes: the memories, the relationship and
 * the order of results stay as they are.
 */
export async function decideReview(
  { store, settings, clock, filterOf }: CorrelationContext,
  { id, decision, by, note, ...asked }: DecideReviewParams,
): Promise<{ item: ReviewItem }> {
  checkOneOf('decision', decision, DECISIONS)
  const reviewer = toLine(by)
  if (reviewer === '' || reviewer.length > REVIEW_LIMITS.nameChars) {
    throw new MadeleineError(
      'INVALID_OPTION',
      `Cannot decide review "${id}": the reviewer's name is empty or too long`,
      {
        remedy: `Name who decides, in at most ${REVIEW_LIMITS.nameChars} characters`,
      },
    )
  }
  const kept = note === undefined ? '' : cutGraphemes(redactSecrets(toLine(note)).text, REVIEW_LIMITS.noteChars)
  const review = await store.relationships.decide(
    id,
    { decision, by: reviewer, ...(kept !== '' && { note: kept }) },
    { now: clock(), filter: filterOf(asked) },
  )
  const [item] = await toItems(store, [review], settings.consensus)
  if (!item) throw new Error('the store returned no review for one that was decided')
  return { item }
}

/** Pairs of memories, one of them among the given, of which somebody said that they do not contradict each other. */
export async function findDismissedPairs(
  store: MemoryStore,
  ids: readonly string[],
  filter: MemoryFilter,
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const reviews = await store.relationships.listReviews({ filter, status: 'dismissed', memoryIds: ids })
  return new Set(reviews.map(({ firstId, secondId }) => pairKey(firstId, secondId)))
}

/** Whether somebody said that what was found to be a contradiction is none. What somebody stated stands. */
export function isDismissed(
  one: Pick<Relationship, 'sourceId' | 'targetId' | 'relationshipType'> & { origin: RelationshipOrigin | 'computed' },
  dismissed: ReadonlySet<string>,
): boolean {
  const { sourceId, targetId, relationshipType, origin } = one
  return relationshipType === 'contradicts' && origin !== 'explicit' && dismissed.has(pairKey(sourceId, targetId))
}

/** The same for both orders. */
export function pairKey(a: string, b: string): string {
  return a < b ? `${a}\0${b}` : `${b}\0${a}`
}

async function toItems(store: MemoryStore, reviews: readonly Review[], consensus: number): Promise<ReviewItem[]> {
  const ids = reviews.flatMap(({ firstId, secondId }) => [firstId, secondId])
  const memories = new Map((await store.getMemories(ids)).map((memory) => [memory.id, memory]))
  return reviews.map((review) => {
    const { id, firstId, secondId, reason, evidence, status, confirmations, dismissals, history, openedAt, missing } =
      review
    const show = (end: string): ReviewedMemory => {
      const memory = memories.get(end)
      return memory ? toReviewed(memory) : toMissing(end, missing.find((one) => one.id === end)?.path)
    }
    return {
      id,
      a: show(firstId),
      b: show(secondId),
      reason,
      evidence,
      status,
      enforced: status === 'confirmed' && confirmations >= consensus,
      confirmations,
      dismissals,
      history,
      openedAt,
    }
  })
}

/** A memory that is away: a decision about it is kept for when it comes back. */
function toMissing(id: string, path = ''): ReviewedMemory {
  return { id, path, startLine: 0, endLine: 0, text: '' }
}

function toReviewed({ id, text, place }: Memory): ReviewedMemory {
  const { path, startLine, endLine, occurredAt, dateOrigin } = place
  return {
    id,
    path,
    startLine,
    endLine,
    text,
    ...(occurredAt !== undefined && dateOrigin !== 'mtime' && { occurredAt }),
  }
}

function toLine(text: string): string {
  return cleanCharacters(text).replace(/\s+/g, ' ').trim()
}
