import { FOLLOW_LIKENESS } from '../../options.ts'
import { compareText } from '../canonical-place.ts'
import { anchorEnds, makeAnchor } from './anchors.ts'
import { toCanonical, turnEvidence } from './canonical.ts'
import type { Anchor, KeptRelationship, KeptReview, LinkedMemory, RelationshipRows } from './kept.ts'
import { likenessOf, sketchOf } from './sketch.ts'

/** What a write did to memories, as far as relationships are concerned. */
export interface MemoryChange {
  /** Ids that the store did not hold before. */
  added: readonly string[]
  /** Ids that are not there any more. */
  removed: readonly string[]
  /** Ids that stayed, of which something changed that links follow from; `reworded` are those with another text. */
  changed: readonly string[]
  reworded: readonly string[]
  /** Ids to be linked anew: those added or changed, and those that have another name or place. */
  unlinked: readonly string[]
  /** The documents that were written. `isPartial`: more of it is to come. */
  documents: Iterable<{ root: string; path: string; isPartial: boolean }>
  /** Nothing takes the place of what is removed. */
  isForgetting?: boolean
}

/**
 * Lets relationships and reviews follow what a write did to memories, in its transaction: 1 what was discovered goes with what changed,
 * and evidence with the wording · 2 the changed ones wait to be linked · 3 what cannot be rebuilt follows texts that were edited.
 */
export function followChange(rows: RelationshipRows, change: MemoryChange): void {
  const { added, removed, changed, reworded, unlinked, documents, isForgetting = false } = change
  for (const id of [...removed, ...changed]) rows.dropDiscovered(id)
  for (const id of [...removed, ...reworded]) dropEvidence(rows, id)
  rows.dropAwaiting(removed)
  rows.noteAwaiting(unlinked)
  if (rows.hasAnchors()) {
    rows.dropSuccessors(removed)
    const candidates = isForgetting ? null : new Candidates(rows, added)
    for (const document of documents) followDocument(rows, document, candidates)
  }
  rows.release(removed)
}

/** Removes all that names these memories. */
export function forgetMemories(rows: RelationshipRows, ids: readonly string[]): void {
  for (const id of ids) {
    for (const one of rows.withEnd(id)) rows.drop(one)
    for (const review of rows.reviewsWith(id)) rows.dropReview(review.id)
    rows.dropAnchor(id)
  }
  rows.dropAwaiting(ids)
  rows.dropSuccessors(ids)
  rows.release(ids)
}

/** Ids of memories that stood in a document when they were last seen, and are not there any more. */
export function findLost(rows: RelationshipRows, document: { root: string; path: string }): string[] {
  return rows
    .anchorsIn(document)
    .map(({ id }) => id)
    .filter((id) => !rows.memory(id))
}

/** The words that evidence points to are not there any more. */
function dropEvidence(rows: RelationshipRows, id: string): void {
  for (const one of rows.withEnd(id)) if (one.evidence.length > 0) rows.write({ ...one, evidence: [] })
  for (const review of rows.reviewsWith(id)) {
    if (review.evidence.length > 0) rows.writeReview({ ...review, evidence: [] })
  }
}

interface Candidate {
  memory: LinkedMemory
  sketch: Uint16Array
}

/** The new memories, looked at only where something may have to follow to them. */
class Candidates {
  readonly #rows: RelationshipRows
  readonly #added: readonly string[]
  #byDocument: Map<string, Candidate[]> | null = null

  constructor(rows: RelationshipRows, added: readonly string[]) {
    this.#rows = rows
    this.#added = added
  }

  in({ root, path }: { root: string; path: string }): readonly Candidate[] {
    this.#byDocument ??= this.#load()
    return this.#byDocument.get(`${root}\0${path}`) ?? []
  }

  #load(): Map<string, Candidate[]> {
    const byDocument = new Map<string, Candidate[]>()
    for (const id of this.#added) {
      const memory = this.#rows.memory(id)
      if (!memory) continue
      const key = `${memory.place.root}\0${memory.place.path}`
      const candidate = { memory, sketch: sketchOf(memory.content.text) }
      const known = byDocument.get(key)
      if (known) known.push(candidate)
      else byDocument.set(key, [candidate])
    }
    return byDocument
  }
}

function followDocument(
  rows: RelationshipRows,
  document: { root: string; path: string; isPartial: boolean },
  candidates: Candidates | null,
): void {
  const anchors = rows.anchorsIn(document)
  const lost = anchors.filter(({ id }) => document.isPartial || !rows.memory(id))
  if (lost.length > 0 && candidates) {
    for (const anchor of matchSuccessors(lost, candidates.in(document))) rows.writeAnchor(anchor)
  }
  for (const { id } of anchors) {
    const anchor = rows.anchor(id)
    if (!anchor) continue
    const memory = rows.memory(id)
    if (!memory) {
      if (candidates && anchor.successor && rows.memory(anchor.successor.id)) moveTo(rows, id, anchor.successor.id)
    } else if (!document.isPartial) refreshAnchor(rows, anchor, memory)
  }
}

/** Anchors with the new memory that is most like each, the most alike pairs first, no memory for two of them. */
function matchSuccessors(anchors: readonly Anchor[], candidates: readonly Candidate[]): Anchor[] {
  const pairs = anchors.flatMap((anchor) =>
    candidates.flatMap((candidate) => {
      const likeness = likenessOf(anchor.sketch, candidate.sketch)
      const isInPlace = standsInPlace(anchor, candidate.memory)
      if (likeness < (isInPlace ? FOLLOW_LIKENESS.inPlace : FOLLOW_LIKENESS.elsewhere)) return []
      if (likeness <= (anchor.successor?.likeness ?? 0)) return []
      return [{ anchor, candidate, likeness, distance: Math.abs(anchor.position - candidate.memory.place.position) }]
    }),
  )
  pairs.sort(
    (a, b) =>
      b.likeness - a.likeness ||
      a.distance - b.distance ||
      compareText(a.anchor.id, b.anchor.id) ||
      compareText(a.candidate.memory.content.id, b.candidate.memory.content.id),
  )
  const matched = new Map<string, Anchor>()
  const taken = new Set<string>()
  for (const { anchor, candidate, likeness } of pairs) {
    const { id } = candidate.memory.content
    if (matched.has(anchor.id) || taken.has(id)) continue
    matched.set(anchor.id, { ...anchor, successor: { id, likeness } })
    taken.add(id)
  }
  return [...matched.values()]
}

function standsInPlace(anchor: Anchor, { place }: LinkedMemory): boolean {
  return anchor.turnId === undefined ? place.position === anchor.position : place.turnId === anchor.turnId
}

function refreshAnchor(rows: RelationshipRows, anchor: Anchor, memory: LinkedMemory): void {
  const now = makeAnchor(memory)
  const isSame =
    anchor.successor === undefined &&
    now.root === anchor.root &&
    now.path === anchor.path &&
    now.position === anchor.position &&
    now.turnId === anchor.turnId &&
    now.sketch.join() === anchor.sketch.join()
  if (!isSame) rows.writeAnchor(now)
}

/** Moves all that cannot be rebuilt from a memory that is gone to the one that its text became. What would relate that to itself stays. */
function moveTo(rows: RelationshipRows, from: string, to: string): void {
  let isLeft = false
  for (const one of rows.withEnd(from)) isLeft = !moveRelationship(rows, one, { from, to }) || isLeft
  for (const review of rows.reviewsWith(from)) isLeft = !moveReview(rows, review, { from, to }) || isLeft
  const anchor = rows.anchor(from)
  if (!isLeft) rows.dropAnchor(from)
  else if (anchor) rows.writeAnchor(withoutSuccessor(anchor))
  anchorEnds(rows, [to])
}

function withoutSuccessor({ successor: _, ...anchor }: Anchor): Anchor {
  return anchor
}

interface Move {
  from: string
  to: string
}

function moveRelationship(rows: RelationshipRows, one: KeptRelationship, { from, to }: Move): boolean {
  const moved = toCanonical({
    ...one,
    sourceId: one.sourceId === from ? to : one.sourceId,
    targetId: one.targetId === from ? to : one.targetId,
    evidence: [],
  })
  if (moved.sourceId === moved.targetId) return false
  const known = rows.find(moved)
  rows.drop(one)
  const isNewer = known?.origin !== 'explicit' || known.updatedMs < moved.updatedMs
  if (isNewer) rows.write(moved)
  return true
}

function moveReview(rows: RelationshipRows, review: KeptReview, { from, to }: Move): boolean {
  const firstId = review.firstId === from ? to : review.firstId
  const secondId = review.secondId === from ? to : review.secondId
  if (firstId === secondId) return false
  const isTurned = compareText(firstId, secondId) > 0
  const moved: KeptReview = {
    ...review,
    firstId: isTurned ? secondId : firstId,
    secondId: isTurned ? firstId : secondId,
    evidence: isTurned ? turnEvidence(review.evidence) : review.evidence,
  }
  const known = rows.reviewOf(moved.firstId, moved.secondId)
  rows.dropReview(review.id)
  if (known) rows.dropReview(known.id)
  rows.writeReview(known ? joinReviews(known, moved) : moved)
  return true
}

/** Two reviews that have become one: the one opened first, with what was said in both. */
function joinReviews(a: KeptReview, b: KeptReview): KeptReview {
  const [first, second] = a.openedMs <= b.openedMs ? [a, b] : [b, a]
  const history = [...first.history, ...second.history].sort((x, y) => compareText(x.at, y.at))
  return { ...first, history }
}
