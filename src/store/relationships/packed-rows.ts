import {
  CORRELATION_PARTS,
  type CorrelationParts,
  type EvidenceSpan,
  RELATIONSHIP_TYPES,
  type RelationshipType,
  type ReviewDecision,
} from '../../model/relationship.ts'
import type { Anchor, KeptRelationship, KeptReview } from './kept.ts'
import { summarize } from './reviews.ts'

/** A row as a database gives it, by the names of its columns. */
type Row = Record<string, unknown>
/** What goes into a column. */
type Column = string | number | null | Uint8Array

/** The number of a type in stores. */
export function numberOfType(type: RelationshipType): number {
  return RELATIONSHIP_TYPES.indexOf(type)
}

export function typeOfNumber(number: unknown): RelationshipType {
  return RELATIONSHIP_TYPES[Number(number)] ?? 'references'
}

/** These types as bits by their numbers; all of them when none are named. */
export function maskOfTypes(types: readonly RelationshipType[] = RELATIONSHIP_TYPES): number {
  return types.reduce((mask, type) => mask | (1 << numberOfType(type)), 0)
}

type PackedSpan = [side: 0 | 1, start: number, end: number]
type PackedDetail = [
  reason: string,
  parts: Array<[number, number] | 0> | 0,
  evidence: PackedSpan[],
  metadata: object | 0,
]

/** What is only read and shown of a relationship, as JSON. */
export function packRelationship({ reason, parts, evidence, metadata }: KeptRelationship): string {
  const detail: PackedDetail = [
    reason,
    parts ? CORRELATION_PARTS.map((name) => (parts[name] ? [parts[name].value, parts[name].weight] : 0)) : 0,
    evidence.map(packSpan),
    Object.keys(metadata).length > 0 ? metadata : 0,
  ]
  return JSON.stringify(detail)
}

/** `row`: source_id, target_id and the columns of `relationship`. */
export function unpackRelationship(row: Row): KeptRelationship {
  // Safe because the column holds what packRelationship gave.
  const [reason, parts, evidence, metadata] = JSON.parse(String(row.detail)) as PackedDetail
  const finders = Number(row.found_by)
  return {
    sourceId: String(row.source_id),
    targetId: String(row.target_id),
    relationshipType: typeOfNumber(row.type),
    score: Number(row.score),
    origin: finders === 0 ? 'explicit' : 'discovered',
    finders,
    reason,
    ...(parts !== 0 && { parts: unpackParts(parts) }),
    evidence: evidence.map(unpackSpan),
    metadata: metadata === 0 ? {} : (metadata as Record<string, unknown>),
    createdMs: Number(row.created_ms),
    updatedMs: Number(row.updated_ms),
  }
}

function unpackParts(packed: Array<[number, number] | 0>): CorrelationParts {
  const parts: CorrelationParts = {}
  CORRELATION_PARTS.forEach((name, index) => {
    const pair = packed[index]
    if (pair) parts[name] = { value: pair[0], weight: pair[1] }
  })
  return parts
}

function packSpan({ side, start, end }: EvidenceSpan): PackedSpan {
  return [side === 'source' ? 0 : 1, start, end]
}

function unpackSpan([side, start, end]: PackedSpan): EvidenceSpan {
  return { side: side === 0 ? 'source' : 'target', start, end }
}

/** The columns of `review`. */
export function packReview(review: KeptReview): Column[] {
  const { id, firstId, secondId, reason, evidence, openedMs, history } = review
  const { status } = summarize(history)
  return [
    id,
    firstId,
    secondId,
    status,
    openedMs,
    JSON.stringify([reason, evidence.map(packSpan)]),
    packHistory(history),
  ]
}

export function unpackReview(row: Row): KeptReview {
  // Safe because the columns hold what packReview gave.
  const [reason, evidence] = JSON.parse(String(row.detail)) as [string, PackedSpan[]]
  return {
    id: String(row.id),
    firstId: String(row.first),
    secondId: String(row.second),
    reason,
    evidence: evidence.map(unpackSpan),
    openedMs: Number(row.opened_ms),
    history: JSON.parse(String(row.history)) as ReviewDecision[],
  }
}

function packHistory(history: readonly ReviewDecision[]): string {
  return JSON.stringify(history)
}

/** The columns of `anchor`. */
export function packAnchor({ id, scope, root, path, position, turnId, sketch, successor }: Anchor): Column[] {
  const bytes = new Uint8Array(sketch.length * 2)
  const view = new DataView(bytes.buffer)
  sketch.forEach((hash, index) => {
    view.setUint16(index * 2, hash, true)
  })
  const { tenant, agent, project, visibility } = scope
  return [
    ...[id, JSON.stringify([tenant, agent, project, visibility]), root, path, position, turnId ?? null, bytes],
    ...[successor?.id ?? null, successor?.likeness ?? null],
  ]
}

export function unpackAnchor(row: Row): Anchor {
  const bytes = row.sketch instanceof Uint8Array ? row.sketch : new Uint8Array(0)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  // Safe because the column holds what packAnchor gave.
  const [tenant, agent, project, visibility] = JSON.parse(String(row.scope)) as [
    string,
    string,
    string,
    Anchor['scope']['visibility'],
  ]
  return {
    id: String(row.id),
    scope: { tenant, agent, project, visibility },
    root: String(row.root),
    path: String(row.path),
    position: Number(row.position),
    ...(row.turn !== null && { turnId: String(row.turn) }),
    sketch: Uint16Array.from({ length: bytes.byteLength >> 1 }, (_, index) => view.getUint16(index * 2, true)),
    ...(row.successor !== null && { successor: { id: String(row.successor), likeness: Number(row.likeness) } }),
  }
}
