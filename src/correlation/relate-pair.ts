import { type CorrelationParts, type EvidenceSpan, isSymmetric, type RelationshipKey } from '../model/relationship.ts'
import { type ClassifiedRelationship, classifyRelationship } from './classify-relationship.ts'
import type { PairOutlook } from './compare-sketches.ts'
import { areAgents, type ComparedMemory } from './compared-memory.ts'
import type { Conflict } from './conflict.ts'
import { RELATIONSHIP_EVIDENCE, SAME_STATEMENT } from './correlation-options.ts'
import { type CorrelationScore, correlationScore } from './correlation-score.ts'
import { findConflict } from './find-conflict.ts'
import { findNamed, type NamedPart, namesPlainly, STATING } from './find-named-part.ts'
import { makesReferences } from './find-references.ts'
import { exchangeSides, findBothReferences, gatherEvidence, type RelationshipEvidence } from './gather-evidence.ts'
import { isWritten, type Reference } from './reference.ts'
import { isSameStatement } from './same-statement.ts'
import { readingOf } from './text-reading.ts'

/** A relationship that two texts show. */
export interface FoundRelationship extends RelationshipKey {
  score: number
  reason: string
  parts: CorrelationParts
  evidence: EvidenceSpan[]
  metadata?: { basis?: 'stated'; kind?: 'update' }
}

/** What is known of a pair beyond the texts, and how much has to be shown. */
export interface PairQuestion {
  cosine?: number
  /** The least score of what the texts do not state. */
  minScore: number
  /** Whether to look for a contradiction whatever the score. */
  seeksConflict: boolean
  /** What is known of the pair without its texts: what it leaves no room for is not looked for. A contradiction is possible where one is sought. */
  known?: Pick<PairOutlook, 'mayRefer' | 'mayReach'>
}

const NO_REFERENCES: RelationshipEvidence['references'] = { fromA: [], fromB: [] }
const ALL_POSSIBLE: Required<PairQuestion>['known'] = { mayRefer: true, mayReach: true }

/**
 * The relationships of two memories that their texts show: being alike is no relationship. What the texts state (a contradiction, a written
 * reference, a cause, a source, a confirmation) stands on its own evidence, whatever the score; what is inferred has to be strong enough.
 * Depends on the two alone, and not on their order.
 */
export function relatePair(a: ComparedMemory, b: ComparedMemory, question: PairQuestion): FoundRelationship[] {
  const { cosine, minScore, seeksConflict, known = ALL_POSSIBLE } = question
  const signals = cosine === undefined ? {} : { cosine }
  const references = known.mayRefer ? findBothReferences(a, b) : NO_REFERENCES
  const rate = (): CorrelationScore => correlationScore(a, b, { ...signals, ...countReferences(a, b, references) })
  // First what costs little: comparing all that two texts state takes long.
  const isStrong = (known.mayReach && rate().score >= minScore) || statesIt(a, b, references)
  if (!isStrong && !(seeksConflict && mayConflict(a, b, question))) return []
  const conflict = findConflict(readingOf(a), readingOf(b))
  if (!isStrong && conflict === null && references.fromA.length + references.fromB.length === 0) return []
  const { score, parts } = rate()
  const evidence = doubtConflict(a, b, gatherEvidence(a, b, { ...signals, references, conflict }))
  const there = classifyRelationship(a, b, evidence)
  const back = classifyRelationship(b, a, exchangeSides(evidence))
  return chooseDirections(a, b, { there, back, evidence })
    .filter(({ found }) => found.isStated || score >= minScore)
    .map(({ source, target, found: { type, reason, evidence: spans, metadata, isStated } }) => ({
      sourceId: source.id,
      targetId: target.id,
      relationshipType: type,
      score,
      reason,
      parts,
      evidence: spans,
      ...(isStated && { metadata: { basis: 'stated' as const, ...metadata } }),
    }))
}

/** Whether one of the texts says that it has to do with the other. */
function statesIt(a: ComparedMemory, b: ComparedMemory, { fromA, fromB }: RelationshipEvidence['references']): boolean {
  if (fromA.some(isWritten) || fromB.some(isWritten)) return true
  const isNamed = (part: NamedPart | null): boolean => part !== null && namesPlainly(part)
  return STATING.some((kind) => isNamed(findNamed(a, kind, b)) || isNamed(findNamed(b, kind, a)))
}

/**
 * A difference of statements about different things is no contradiction, nor is one between what an agent explained twice; it goes on
 * being a doubt.
 */
function doubtConflict(a: ComparedMemory, b: ComparedMemory, evidence: RelationshipEvidence): RelationshipEvidence {
  const { conflict, cosine } = evidence
  const isAgentsOwn = areAgents(a, b)
  const isDoubted = isAgentsOwn || (conflict !== null && areReadings(a, b, conflict))
  if (!conflict || (!isDoubted && isSameStatement(conflict, cosine))) return evidence
  return { ...evidence, conflict: { ...conflict, strength: Math.min(conflict.strength, RELATIONSHIP_EVIDENCE.doubt) } }
}

const OWN_TIME = /\b\d{1,2}:\d{2}\b|\b\d{4}-\d{2}-\d{2}\b/

/** Values of different times that nothing calls a change: what a log says at ten and at noon holds at ten and at noon. */
function areReadings(a: ComparedMemory, b: ComparedMemory, { kind, isUpdate }: Conflict): boolean {
  if (kind !== 'value' || isUpdate) return false
  return (a.tier === 'episodic' && b.tier === 'episodic') || (OWN_TIME.test(a.text) && OWN_TIME.test(b.text))
}

/** Texts that have hardly a word in common state nothing of the same thing. */
function mayConflict(a: ComparedMemory, b: ComparedMemory, { cosine, known }: PairQuestion): boolean {
  if (cosine !== undefined && cosine < SAME_STATEMENT.minCosine) return false
  if (known) return true
  const [first, second] = [readingOf(a).keys, readingOf(b).keys]
  let shared = 0
  for (const key of first.keys()) if (second.has(key)) shared += 1
  return shared >= RELATIONSHIP_EVIDENCE.minShared
}

/** Present where either refers to anything: else that there is no reference says nothing. */
function countReferences(
  a: ComparedMemory,
  b: ComparedMemory,
  { fromA, fromB }: RelationshipEvidence['references'],
): { references?: number } {
  const references = fromA.length + fromB.length
  return references > 0 || makesReferences(readingOf(a)) || makesReferences(readingOf(b)) ? { references } : {}
}

interface Directed {
  source: ComparedMemory
  target: ComparedMemory
  found: ClassifiedRelationship
}

/** What is found from both sides is told once where it says the same: a rule and its case, two texts that say the same. */
function chooseDirections(
  a: ComparedMemory,
  b: ComparedMemory,
  {
    there,
    back,
    evidence: { coverage, references },
  }: { there: ClassifiedRelationship | null; back: ClassifiedRelationship | null; evidence: RelationshipEvidence },
): Directed[] {
  const forth: Directed[] = there ? [{ source: a, target: b, found: there }] : []
  const reverse: Directed[] = back ? [{ source: b, target: a, found: back }] : []
  if (!there || !back) return [...forth, ...reverse]
  const isFirst = a.id < b.id
  if (there.type === 'contradicts' || back.type === 'contradicts') {
    return (isFirst ? [...forth, ...reverse] : [...reverse, ...forth])
      .filter(({ found }) => isSymmetric(found.type))
      .slice(0, 1)
  }
  if (there.type === 'generalizes' && back.type === 'specializes') return forth
  if (there.type === 'specializes' && back.type === 'generalizes') return reverse
  if (there.type === 'supports' && back.type === 'supports') {
    const isForth = coverage.ofB === coverage.ofA ? isFirst : coverage.ofB > coverage.ofA
    return isForth ? forth : reverse
  }
  // What one says to have learned from the other by its words, the other does not quote.
  if (there.type === 'derives_from' && back.type === 'references' && !namesOther(references.fromB)) return forth
  if (back.type === 'derives_from' && there.type === 'references' && !namesOther(references.fromA)) return reverse
  // Of two texts that have words or an address in common, the one that says less beside them refers to the other.
  if (
    there.type === 'references' &&
    back.type === 'references' &&
    !namesOther(references.fromA) &&
    !namesOther(references.fromB)
  ) {
    const isForth = coverage.ofA === coverage.ofB ? isFirst : coverage.ofA > coverage.ofB
    return isForth ? forth : reverse
  }
  return [...forth, ...reverse]
}

/** Whether a reference names the other memory itself. */
function namesOther(references: readonly Reference[]): boolean {
  return references.some(({ kind }) => kind !== 'quote' && kind !== 'url')
}
