import { type EvidenceSpan, isSymmetric, type RelationshipKey } from '../../model/relationship.ts'
import { compareText } from '../canonical-place.ts'
import { FOUND_BY_SOURCE, FOUND_BY_TARGET, type KeptRelationship } from './kept.ts'

/** What makes two relationships the same one. */
export function keyOf({ sourceId, targetId, relationshipType }: RelationshipKey): string {
  return `${sourceId}\0${targetId}\0${relationshipType}`
}

/** The key as it is stored: of a symmetric type, the lesser id comes first. */
export function toCanonicalKey({ sourceId, targetId, relationshipType }: RelationshipKey): RelationshipKey {
  return isTurned({ sourceId, targetId, relationshipType })
    ? { sourceId: targetId, targetId: sourceId, relationshipType }
    : { sourceId, targetId, relationshipType }
}

function isTurned({ sourceId, targetId, relationshipType }: RelationshipKey): boolean {
  return isSymmetric(relationshipType) && compareText(sourceId, targetId) > 0
}

/** The relationship in the form in which it is stored, all that speaks of its ends turned with them. */
export function toCanonical(relationship: KeptRelationship): KeptRelationship {
  if (!isTurned(relationship)) return relationship
  const { finders, evidence } = relationship
  return {
    ...relationship,
    ...toCanonicalKey(relationship),
    finders: (finders & FOUND_BY_SOURCE ? FOUND_BY_TARGET : 0) | (finders & FOUND_BY_TARGET ? FOUND_BY_SOURCE : 0),
    evidence: turnEvidence(evidence),
  }
}

export function turnEvidence(evidence: readonly EvidenceSpan[]): EvidenceSpan[] {
  return evidence.map(({ side, start, end }) => ({ side: side === 'source' ? 'target' : 'source', start, end }))
}

/** Strongest first, equal ones by source, target and type. */
export function compareStrength(
  a: RelationshipKey & { score: number },
  b: RelationshipKey & { score: number },
): number {
  return (
    b.score - a.score ||
    compareText(a.sourceId, b.sourceId) ||
    compareText(a.targetId, b.targetId) ||
    compareText(a.relationshipType, b.relationshipType)
  )
}

/** The other end, seen from one of them. */
export function otherEnd({ sourceId, targetId }: RelationshipKey, id: string): string {
  return sourceId === id ? targetId : sourceId
}
