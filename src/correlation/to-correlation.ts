import type { Correlation } from '../model/correlation.ts'
import type { Tier } from '../model/memory.ts'
import { type Evidence, type EvidenceSpan, isSymmetric, type Relationship } from '../model/relationship.ts'
import type { FoundRelationship } from './relate-pair.ts'

/** Both texts of a pair: of the memory that was asked about, and of the other one. */
export interface PairTexts {
  id: string
  text: string
  other: { id: string; text: string; tier: Tier }
}

/** A stored relationship as it is seen from one of its ends. */
export function toCorrelation(relationship: Relationship, id: string, otherTier: Tier): Correlation {
  const { sourceId, targetId, relationshipType, score, reason, parts, evidence, origin, metadata } = relationship
  const isTurned = isSymmetric(relationshipType) && sourceId !== id
  return {
    targetId: sourceId === id ? targetId : sourceId,
    targetType: otherTier,
    relationshipType,
    score,
    reason,
    ...(parts && { parts }),
    evidence: isTurned ? evidence.map(exchangeSide) : evidence,
    direction: sourceId === id || isTurned ? 'out' : 'in',
    origin,
    ...(Object.keys(metadata).length > 0 && { metadata }),
  }
}

/** A relationship that was found just now, with the words of its evidence. */
export function toComputed(found: FoundRelationship, { id, text, other }: PairTexts): Correlation {
  const isSource = found.sourceId === id
  const evidence = found.evidence.map((span): Evidence => {
    const from = (span.side === 'source') === isSource ? text : other.text
    return { ...span, text: from.slice(span.start, span.end) }
  })
  const isTurned = isSymmetric(found.relationshipType) && !isSource
  return {
    targetId: other.id,
    targetType: other.tier,
    relationshipType: found.relationshipType,
    score: found.score,
    reason: found.reason,
    parts: found.parts,
    evidence: isTurned ? evidence.map(exchangeSide) : evidence,
    direction: isSource || isTurned ? 'out' : 'in',
    origin: 'computed',
    ...(found.metadata && { metadata: { ...found.metadata } }),
  }
}

/** Strongest first, equal ones by memory, type and direction. */
export function compareCorrelations(
  a: Pick<Correlation, 'score' | 'targetId' | 'relationshipType' | 'direction'>,
  b: Pick<Correlation, 'score' | 'targetId' | 'relationshipType' | 'direction'>,
): number {
  const key = (one: typeof a): string => `${one.targetId}\0${one.relationshipType}\0${one.direction}`
  return b.score - a.score || (key(a) < key(b) ? -1 : Number(key(a) > key(b)))
}

/** A piece of evidence, seen from the other end. */
export function exchangeSide<Span extends EvidenceSpan>(span: Span): Span {
  return { ...span, side: span.side === 'source' ? 'target' : 'source' }
}
