import type { Evidence, EvidenceSpan, MissingEnd, Relationship, Review } from '../../model/relationship.ts'
import type { Anchor, KeptRelationship, KeptReview } from './kept.ts'
import { summarize } from './reviews.ts'

/** Gives the text of a memory; undefined when it is not there. */
export type TextOf = (id: string) => string | undefined

/** A relationship as callers see it: its evidence in the words of the ends as they are now. Shares parts and metadata with `kept`. */
export function toRelationship(kept: KeptRelationship, textOf: TextOf): Relationship {
  const { sourceId, targetId, relationshipType, score, origin, reason, parts, metadata } = kept
  return {
    sourceId,
    targetId,
    relationshipType,
    score,
    origin,
    reason,
    ...(parts && { parts }),
    evidence: readEvidence(kept.evidence, [sourceId, targetId], textOf),
    metadata,
    createdAt: new Date(kept.createdMs).toISOString(),
    updatedAt: new Date(kept.updatedMs).toISOString(),
  }
}

/** A review as callers see it. `missing`: its ends that are not there. */
export function toReview(kept: KeptReview, textOf: TextOf, missing: MissingEnd[]): Review {
  const { id, firstId, secondId, reason, history } = kept
  return {
    id,
    firstId,
    secondId,
    reason,
    evidence: readEvidence(kept.evidence, [firstId, secondId], textOf),
    openedAt: new Date(kept.openedMs).toISOString(),
    history,
    ...summarize(history),
    missing,
  }
}

/** What is known of an end that is not there. */
export function toMissing(id: string, anchor: Anchor | undefined): MissingEnd {
  return { id, ...(anchor && { root: anchor.root, path: anchor.path }) }
}

function readEvidence(
  spans: readonly EvidenceSpan[],
  [source, target]: [source: string, target: string],
  textOf: TextOf,
): Evidence[] {
  return spans.flatMap(({ side, start, end }) => {
    const text = textOf(side === 'source' ? source : target)?.slice(start, end)
    return text ? [{ side, start, end, text }] : []
  })
}
