import { ellipsize } from '../model/cut-graphemes.ts'
import type { EvidenceSpan, RelationshipType } from '../model/relationship.ts'
import { saysInGeneral, tellsOneCase } from '../text/statements/connectives.ts'
import { type ComparedMemory, instantOf, isTurn } from './compared-memory.ts'
import { RELATIONSHIP_EVIDENCE, SEQUENCE_NEARBY } from './correlation-options.ts'
import { findNamed, type NamedPart, namesPlainly } from './find-named-part.ts'
import type { RelationshipEvidence } from './gather-evidence.ts'
import { isWritten, type Reference } from './reference.ts'
import { readingOf } from './text-reading.ts'

/** A relationship from A to B that the evidence shows. */
export interface ClassifiedRelationship {
  type: RelationshipType
  /** In words: what shows it. */
  reason: string
  evidence: EvidenceSpan[]
  /** Whether the texts state it, which stands whatever the score; else it is read off their likeness, kinds and dates. */
  isStated: boolean
  /** `kind: 'update'` where one text says that it replaces what the other says. */
  metadata?: { kind: 'update' }
}

/** How a pair came about, which says how much its contradiction has to be shown. */
export interface PairOrigin {
  /**
   * Somebody set the two against each other to know how they bear on each other: then a contradiction is no rarer than anything else.
   * Default false: they were found among many, hardly any two of which contradict each other.
   */
  isAsked?: boolean
}

type Rule = (
  a: ComparedMemory,
  b: ComparedMemory,
  evidence: RelationshipEvidence,
  origin: PairOrigin,
) => ClassifiedRelationship | null

const DAY_MS = 86_400_000
const REFERENCE_NAMES: Record<Reference['kind'], string> = {
  path: 'names its file',
  link: 'links to it',
  id: 'names its id',
  quote: 'quotes it',
  url: 'has an address in common with it',
  decision: 'speaks of what was decided on its day',
}

/**
 * The type of the relationship of A to B, decided by evidence that `reason` names; null where nothing shows one. What is said of the
 * types in RELATIONSHIP_KINDS holds: `derives_from` is A inferred from B, `specializes` is A an instance of B. Directed types are found
 * from the one side only, so that both orders are asked; a contradiction is found from both. Being alike is no relationship.
 */
export function classifyRelationship(
  a: ComparedMemory,
  b: ComparedMemory,
  evidence: RelationshipEvidence,
  origin: PairOrigin = {},
): ClassifiedRelationship | null {
  for (const rule of RULES) {
    const found = rule(a, b, evidence, origin)
    if (found) return found
  }
  return null
}

const findContradiction: Rule = (_a, _b, { conflict, cosine }, { isAsked = false }) => {
  // Other words in the same place are seldom a contradiction, whoever asks.
  const isEvenOdds = isAsked && conflict?.kind !== 'wording'
  const least = isEvenOdds ? RELATIONSHIP_EVIDENCE.askedConflict : RELATIONSHIP_EVIDENCE.conflict
  if (conflict === null || conflict.strength < least) return null
  if (cosine !== undefined && cosine < RELATIONSHIP_EVIDENCE.conflictMinCosine) return null
  const [first, second] = conflict.words.map(quote)
  const reason = `${first} against ${second}: ${conflict.kind} of the same statement`
  const base = { type: 'contradicts' as const, evidence: conflict.evidence, isStated: true }
  return conflict.isUpdate
    ? { ...base, reason: `${reason}, said to have changed`, metadata: { kind: 'update' } }
    : { ...base, reason }
}

/** A caused B: A says that it led to what B tells, or B says that it came about by what A tells. */
const findCause: Rule = (a, b) => {
  const led = findNamed(a, 'effect', b)
  if (led)
    return toNamed(led, 'causal', `${quote(led.words)} in the first names what the second tells`, [
      span('source', led),
      span('target', led.target),
    ])
  const came = findNamed(b, 'cause', a)
  if (came)
    return toNamed(came, 'causal', `${quote(came.words)} in the second names what the first tells`, [
      span('target', came),
      span('source', came.target),
    ])
  return null
}

/** A was inferred from B: A says so of what B tells, or is knowledge that quotes what happened. */
const findDerivation: Rule = (a, b, { references }) => {
  const from = findNamed(a, 'source', b)
  if (from)
    return toNamed(from, 'derives_from', `${quote(from.words)} names what the other tells`, [
      span('source', from),
      span('target', from.target),
    ])
  const quoted = references.fromA.find(({ kind }) => kind === 'quote')
  if (!quoted || a.tier === 'episodic' || b.tier !== 'episodic') return null
  return toStated('derives_from', `${a.tier} knowledge that quotes what happened`, referenceSpans(quoted))
}

const findReference: Rule = (_a, _b, { references }) => {
  const [first] = references.fromA
  if (!first) return null
  const kinds = [...new Set(references.fromA.map(({ kind }) => REFERENCE_NAMES[kind]))].join(', ')
  const evidence = references.fromA.flatMap(referenceSpans)
  return (references.fromA.some(isWritten) ? toStated : toInferred)('references', kinds, evidence)
}

/** A is evidence for B: A says nearly all that B says, or says that it confirms it. */
const findSupport: Rule = (a, b, { coverage, shared, cosine, conflict }) => {
  const confirmed = findNamed(a, 'confirmation', b)
  if (confirmed)
    return toNamed(confirmed, 'supports', `${quote(confirmed.words)} names what the other states`, [
      span('source', confirmed),
      span('target', confirmed.target),
    ])
  // Only what is held to be so has evidence; rules have instances, and episodes follow each other.
  if (b.tier !== 'semantic') return null
  if (shared < RELATIONSHIP_EVIDENCE.minShared || (conflict?.strength ?? 0) >= RELATIONSHIP_EVIDENCE.doubt) return null
  const isAlike = cosine === undefined || cosine >= RELATIONSHIP_EVIDENCE.supportMinCosine
  if (!isAlike || coverage.ofB < RELATIONSHIP_EVIDENCE.supportCoverage) return null
  return toInferred('supports', `says ${Math.round(coverage.ofB * 100)} % of what the other states`, wholeTexts(a, b))
}

/** Whether A states in general what B tells of one case. */
function isGeneralFormOf(
  a: ComparedMemory,
  b: ComparedMemory,
  { shared }: RelationshipEvidence,
  coverageOfA: number,
): boolean {
  const isGeneral = a.tier === 'procedural' || (a.tier === 'semantic' && saysInGeneral(a.text))
  const isCase = b.tier === 'episodic' || (tellsOneCase(b.text) && !saysInGeneral(b.text))
  return (
    isGeneral &&
    isCase &&
    shared >= RELATIONSHIP_EVIDENCE.minShared &&
    coverageOfA >= RELATIONSHIP_EVIDENCE.generalCoverage
  )
}

const findGeneralForm: Rule = (a, b, evidence) =>
  isGeneralFormOf(a, b, evidence, evidence.coverage.ofA)
    ? toInferred(
        'generalizes',
        reasonOfForm(a, evidence, 'says in general what the other tells of one case'),
        sharedSpans(a, b, evidence),
      )
    : null

const findInstance: Rule = (a, b, evidence) =>
  isGeneralFormOf(b, a, evidence, evidence.coverage.ofB)
    ? toInferred(
        'specializes',
        reasonOfForm(b, evidence, 'tells one case of what the other says in general'),
        sharedSpans(a, b, evidence),
      )
    : null

function reasonOfForm(
  { tier }: ComparedMemory,
  { shared, sharedEntities }: RelationshipEvidence,
  words: string,
): string {
  const named = sharedEntities.slice(0, 3).map(({ key }) => key)
  return `${words} (${tier}); in common: ${named.length > 0 ? named.join(', ') : `${shared} terms`}`
}

/** A happened before B, and B goes on with it: in the same session, or of the same things and said to come after. */
const findSequence: Rule = (a, b, evidence) => {
  if (a.tier !== 'episodic' || b.tier !== 'episodic') return null
  const [first, second] = [instantOf(a), instantOf(b)]
  if (first === null || second === null || first >= second || isOrderPlain(a, b)) return null
  const days = (second - first) / DAY_MS
  if (days > RELATIONSHIP_EVIDENCE.sequenceDays || evidence.shared < RELATIONSHIP_EVIDENCE.minShared) return null
  const isSameSession = a.place.sessionId !== undefined && a.place.sessionId === b.place.sessionId
  const [then] = readingOf(b).connectives('sequence')
  const count = evidence.sharedEntities.length
  if (count === 0 || !(then || count >= RELATIONSHIP_EVIDENCE.minShared)) return null
  // That talk goes on within a day needs no telling, and the names by which people address each other tell nothing.
  if (isSameSession && second - first < DAY_MS) return null
  if (isTurn(a) && isTurn(b) && !evidence.sharedEntities.some(({ key }) => isDistinct(key))) return null
  const named = evidence.sharedEntities
    .slice(0, 3)
    .map(({ key }) => key)
    .join(', ')
  const where = isSameSession
    ? 'earlier in the same session'
    : `${days < 1 ? 'hours' : Math.round(days) === 1 ? '1 day' : `${Math.round(days)} days`} before`
  return toInferred('temporal_sequence', `${where}, about ${named}`, [
    ...entitySpans(evidence),
    ...(then ? [span('target', then)] : []),
  ])
}

/** Whether it is more than a single plain word, which in talk may be a greeting or who is spoken to. */
function isDistinct(key: string): boolean {
  return /[^\p{L}\p{M}'’]/u.test(key)
}

/** In the order of how much they say: what the texts state about each other before what is read off their kinds and dates. */
const RULES: readonly Rule[] = [
  findContradiction,
  findCause,
  findDerivation,
  findReference,
  findSupport,
  findGeneralForm,
  findInstance,
  findSequence,
]

/** Whether nothing is to be said of the order within a day: the one stands just before the other, or of one no more than the day is known. */
function isOrderPlain({ place: a }: ComparedMemory, { place: b }: ComparedMemory): boolean {
  const isNearby = a.root === b.root && a.path === b.path && Math.abs(a.position - b.position) <= SEQUENCE_NEARBY
  const isExact = a.dateOrigin === 'timestamp' && b.dateOrigin === 'timestamp'
  return (isNearby || !isExact) && a.occurredAt?.slice(0, 10) === b.occurredAt?.slice(0, 10)
}

function toStated(type: RelationshipType, reason: string, evidence: EvidenceSpan[]): ClassifiedRelationship {
  return { type, reason, evidence, isStated: true }
}

function toNamed(
  part: NamedPart,
  type: RelationshipType,
  reason: string,
  evidence: EvidenceSpan[],
): ClassifiedRelationship {
  return { type, reason, evidence, isStated: namesPlainly(part) }
}

function toInferred(type: RelationshipType, reason: string, evidence: EvidenceSpan[]): ClassifiedRelationship {
  return { type, reason, evidence, isStated: false }
}

function wholeTexts(a: ComparedMemory, b: ComparedMemory): EvidenceSpan[] {
  return [
    { side: 'source', start: 0, end: a.text.length },
    { side: 'target', start: 0, end: b.text.length },
  ]
}

/** The entities in common; texts that share ordinary words alone stand for them as a whole. */
function sharedSpans(a: ComparedMemory, b: ComparedMemory, evidence: RelationshipEvidence): EvidenceSpan[] {
  const spans = entitySpans(evidence)
  return spans.length > 0 ? spans : wholeTexts(a, b)
}

function span(side: EvidenceSpan['side'], { start, end }: { start: number; end: number }): EvidenceSpan {
  return { side, start, end }
}

function referenceSpans(reference: Reference): EvidenceSpan[] {
  return [span('source', reference), ...(reference.target ? [span('target', reference.target)] : [])]
}

function entitySpans({ sharedEntities }: RelationshipEvidence): EvidenceSpan[] {
  return sharedEntities.slice(0, 3).flatMap(({ a, b }) => [span('source', a), span('target', b)])
}

function quote(words: string): string {
  return `"${ellipsize(words.replace(/\s+/g, ' ').trim(), RELATIONSHIP_EVIDENCE.quotedChars)}"`
}
