import { isSymmetric, type RelationshipKey } from '../../model/relationship.ts'
import type { Degree } from '../relationship-store.ts'

/** Counts a relationship of the memory that the degree is of. */
export function addDegree(degree: Degree, { sourceId, relationshipType }: Omit<RelationshipKey, 'targetId'>): void {
  if (isSymmetric(relationshipType)) degree.mutual += 1
  else if (sourceId === degree.id) degree.outgoing += 1
  else degree.incoming += 1
}
