import { isSymmetric, type RelationshipType } from '../model/relationship.ts'
import type { Hit } from '../model/search.ts'

/** What the source is to the target, and the target to the source, as a label says it before a place. */
const WORDS: Record<RelationshipType, { out: string; in: string }> = {
  references: { out: 'mentions', in: 'mentioned by' },
  derives_from: { out: 'inferred from', in: 'led to' },
  contradicts: { out: 'contradicts', in: 'contradicts' },
  supports: { out: 'supports', in: 'supported by' },
  generalizes: { out: 'general form of', in: 'a case of' },
  specializes: { out: 'a case of', in: 'general form of' },
  temporal_sequence: { out: 'before', in: 'after' },
  causal: { out: 'caused', in: 'caused by' },
}

/**
 * How a hit bears on another one of the block, for its label: what it contradicts, or what it was brought in for. Undefined for a hit that was
 * found by itself and contradicts none.
 */
export function describeRelation({ links = [] }: Hit, hits: readonly Hit[]): string | undefined {
  const link =
    links.find(({ relationshipType }) => isSymmetric(relationshipType)) ?? links.find(({ broughtIn }) => broughtIn)
  const other = hits.find(({ memory }) => memory.id === link?.id)
  if (!link || !other) return undefined
  const { path, startLine } = other.memory.place
  return `${WORDS[link.relationshipType][link.direction]} ${path}:${startLine}`
}
