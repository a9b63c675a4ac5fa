import { isSymmetric, type RelationshipKey } from '../../model/relationship.ts'
import { compareText } from '../canonical-place.ts'
import type { Degree } from '../relationship-store.ts'

/** Counts a relationship of the memory that the degree is of. */
export function addDegree(degree: Degree, { sourceId, relationshipType }: Omit<RelationshipKey, 'targetId'>): void {
  if (isSymmetric(relationshipType)) degree.mutual += 1
  else if (sourceId === degree.id) degree.outgoing += 1
  else degree.incoming += 1
}

/** RelationshipStore.listConnected over all relationships that the query lets through. */
export function listConnected(relationships: Iterable<RelationshipKey>, limit: number): Degree[] {
  const degrees = new Map<string, Degree>()
  for (const one of relationships) {
    for (const id of [one.sourceId, one.targetId]) {
      const degree = degrees.get(id) ?? { id, outgoing: 0, incoming: 0, mutual: 0 }
      addDegree(degree, one)
      degrees.set(id, degree)
    }
  }
  return [...degrees.values()].sort((a, b) => sumOf(b) - sumOf(a) || compareText(a.id, b.id)).slice(0, limit)
}

function sumOf({ outgoing, incoming, mutual }: Degree): number {
  return outgoing + incoming + mutual
}
