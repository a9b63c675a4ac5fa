/**
 * How one memory (the source) bears on another (the target). The order is part of the file format of stores: new types are added at
 * the end.
 */
export type RelationshipType =
  | 'references'
  | 'derives_from'
  | 'contradicts'
  | 'supports'
  | 'generalizes'
  | 'specializes'
  | 'temporal_sequence'
  | 'causal'

export const RELATIONSHIP_TYPES: readonly RelationshipType[] = [
  'references',
  'derives_from',
  'contradicts',
  'supports',
  'generalizes',
  'specializes',
  'temporal_sequence',
  'causal',
]

export interface RelationshipKind {
  /** Which way it points between source and target, as it is drawn; `both` is symmetric: neither end comes first. */
  direction: 'forward' | 'backward' | 'both'
  /** In words, A being the source and B the target. */
  meaning: string
}

export const RELATIONSHIP_KINDS: Readonly<Record<RelationshipType, RelationshipKind>> = {
  references: { direction: 'forward', meaning: 'A mentions B' },
  derives_from: { direction: 'backward', meaning: 'A was inferred from B' },
  contradicts: { direction: 'both', meaning: 'A and B cannot both hold' },
  supports: { direction: 'forward', meaning: 'A is evidence for B' },
  generalizes: { direction: 'forward', meaning: 'A is the general form of B' },
  specializes: { direction: 'backward', meaning: 'A is an instance of B' },
  temporal_sequence: { direction: 'forward', meaning: 'A happened before B' },
  causal: { direction: 'forward', meaning: 'A caused B' },
}

/** Whether the relationship says the same with its ends exchanged. */
export function isSymmetric(type: RelationshipType): boolean {
  return RELATIONSHIP_KINDS[type].direction === 'both'
}

/** `explicit`: somebody said so; it cannot be rebuilt. `discovered`: found in the texts, and found again when they change. */
export type RelationshipOrigin = 'explicit' | 'discovered'

/**
 * Whether it stands on what the texts state, whatever its score: contradictions, and what discovery noted as `metadata.basis: 'stated'`.
 * The others are inferred from likeness, kinds and dates, or somebody gave them the strength that they have.
 */
export function isStated({ relationshipType, metadata }: Pick<Relationship, 'relationshipType' | 'metadata'>): boolean {
  return relationshipType === 'contradicts' || metadata.basis === 'stated'
}

/** The four parts of a correlation score. */
export type CorrelationPartName = 'semanticSimilarity' | 'coOccurrence' | 'temporalProximity' | 'crossReference'

export const CORRELATION_PARTS: readonly CorrelationPartName[] = [
  'semanticSimilarity',
  'coOccurrence',
  'temporalProximity',
  'crossReference',
]

/** The raw value of a part and its weight in the score, both in [0,1]. */
export interface CorrelationPart {
  value: number
  weight: number
}

/** The parts that apply to a pair; the others are absent, and their weights are shared over these. */
export type CorrelationParts = Partial<Record<CorrelationPartName, CorrelationPart>>

/** Where a piece of evidence stands: UTF-16 offsets in the text of one end, `end` not included. */
export interface EvidenceSpan {
  side: 'source' | 'target'
  start: number
  end: number
}

/** A piece of one end's text that speaks for the relationship. */
export interface Evidence extends EvidenceSpan {
  text: string
}

/** What makes a relationship the same one: both ends and the type. Symmetric types have the lesser id as source. */
export interface RelationshipKey {
  sourceId: string
  targetId: string
  relationshipType: RelationshipType
}

/** A relationship as it is written. */
export interface RelationshipWrite extends RelationshipKey {
  /** Strength, [0,1]. */
  score: number
  origin: RelationshipOrigin
  /** Why, in words. */
  reason?: string
  parts?: CorrelationParts
  /** Only places: the words are read off the ends' texts, so that nothing is kept of a text that changes or is forgotten. */
  evidence?: readonly EvidenceSpan[]
  /** Whatever JSON can hold. */
  metadata?: Readonly<Record<string, unknown>>
}

/** A stored relationship. */
export interface Relationship extends RelationshipKey {
  score: number
  origin: RelationshipOrigin
  reason: string
  parts?: CorrelationParts
  evidence: Evidence[]
  metadata: Record<string, unknown>
  /** ISO 8601, UTC. */
  createdAt: string
  /** When something about it last changed. */
  updatedAt: string
}

/** A relationship of which an end is not there any more, with what is known of where that end stood. */
export interface DanglingRelationship {
  relationship: Relationship
  missing: MissingEnd[]
}

export interface MissingEnd {
  id: string
  /** Where it stood when it was last seen. */
  root?: string
  path?: string
}

export type ReviewStatus = 'open' | 'confirmed' | 'dismissed'
export const REVIEW_STATUSES: readonly ReviewStatus[] = ['open', 'confirmed', 'dismissed']

/** One decision of one reviewer; kept for ever. */
export interface ReviewDecision {
  decision: 'confirmed' | 'dismissed'
  by: string
  /** ISO 8601, UTC. */
  at: string
  note?: string
}

/** A pair of memories that may contradict each other, and what people said about it. The lesser id comes first. */
export interface Review {
  id: string
  firstId: string
  secondId: string
  /** `open` until somebody decides, then the latest decision. */
  status: ReviewStatus
  /** Why it was put before people, in words. */
  reason: string
  /** `source` is the first memory, `target` the second. */
  evidence: Evidence[]
  openedAt: string
  /** Who decided last, and when. */
  by?: string
  at?: string
  /** Every decision, oldest first. */
  history: ReviewDecision[]
  /** How many different reviewers stand by either decision, each by their latest: the consensus. */
  confirmations: number
  dismissals: number
  /** Ends that are not there any more. */
  missing: MissingEnd[]
}
