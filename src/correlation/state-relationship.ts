import { MadeleineError } from '../errors.ts'
import type { AddRelationshipParams, RelationshipResult, RemoveRelationshipParams } from '../model/correlation.ts'
import { RELATIONSHIP_TYPES } from '../model/relationship.ts'
import type { MemoryFilter } from '../model/search.ts'
import type { MemoryStore } from '../store/memory-store.ts'
import { redactSecrets } from '../text/redact.ts'
import { type ClassifiedRelationship, classifyRelationship } from './classify-relationship.ts'
import { type CorrelationContext, checkNumber, checkOneOf } from './correlation-context.ts'
import { findVisible } from './find-correlations.ts'
import { exchangeSides, gatherEvidence } from './gather-evidence.ts'
import { toCompared } from './to-compared.ts'

/** What is stated without a score is held to be so. */
const STATED_SCORE = 1

/** Keeps what somebody states about two memories, as the type given or the one that their texts show; secrets are taken out of it. */
export async function addRelationship(
  { store, clock, filterOf }: CorrelationContext,
  params: AddRelationshipParams,
): Promise<RelationshipResult> {
  const { sourceId, targetId, relationshipType: given, score = STATED_SCORE, metadata, ...asked } = params
  if (given !== undefined) checkOneOf('relationship type', given, RELATIONSHIP_TYPES)
  checkNumber('score', score, { from: 0, to: 1 })
  const shown =
    given === undefined ? await findShown(store, { sourceId, targetId, filter: filterOf(asked) }) : undefined
  const relationshipType = given ?? shown?.type
  if (relationshipType === undefined) throw showsNothing(sourceId, targetId)
  // Whatever is no object in it stays for the store to refuse.
  const told = shown ? { reason: shown.reason, ...shown.metadata, ...metadata } : metadata
  const safe = told && (redactStrings(told) as Record<string, unknown>)
  const [relationship] = await store.relationships.put(
    [
      {
        sourceId,
        targetId,
        relationshipType,
        score,
        origin: 'explicit',
        ...(safe && { metadata: safe }),
        ...(hasReason(safe) && { reason: safe.reason }),
      },
    ],
    { now: clock(), filter: filterOf(asked) },
  )
  if (!relationship) throw new Error('the store returned no relationship for one that was written')
  return { relationship }
}

/** How the texts of two memories show that the first bears on the second, now that somebody asks about the two. */
async function findShown(
  store: MemoryStore,
  { sourceId, targetId, filter }: { sourceId: string; targetId: string; filter: MemoryFilter },
): Promise<ClassifiedRelationship | undefined> {
  const [source, target] = [await findVisible(store, sourceId, filter), await findVisible(store, targetId, filter)]
  for (const [id, memory] of [
    [sourceId, source],
    [targetId, target],
  ] as const)
    if (!memory) throw unknownEnd(id)
  if (!source || !target) return undefined
  const [a, b] = [toCompared(source), toCompared(target)]
  const evidence = gatherEvidence(a, b)
  const there = classifyRelationship(a, b, evidence, { isAsked: true })
  if (there) return there
  const back = classifyRelationship(b, a, exchangeSides(evidence), { isAsked: true })
  if (!back) return undefined
  throw new MadeleineError(
    'INVALID_OPTION',
    `Cannot tell how "${sourceId}" bears on "${targetId}": their texts show it the other way round (${back.type}: ${back.reason})`,
    { remedy: 'Exchange the two, or name the relationship' },
  )
}

function unknownEnd(id: string): MadeleineError {
  return new MadeleineError('NOT_FOUND', `Cannot relate "${id}": no memory has this id`, {
    remedy: 'Use an id from search results, or run "madeleine index" first',
  })
}

function showsNothing(sourceId: string, targetId: string): MadeleineError {
  return new MadeleineError(
    'INVALID_OPTION',
    `Cannot tell how "${sourceId}" bears on "${targetId}": their texts show no relationship`,
    { remedy: `Name one of ${RELATIONSHIP_TYPES.join(', ')}` },
  )
}

/** Takes back what was stated: of one type, or of all types between the two. */
export async function removeRelationship(
  { store, filterOf }: CorrelationContext,
  { sourceId, targetId, relationshipType, ...asked }: RemoveRelationshipParams,
): Promise<{ removed: number }> {
  if (relationshipType !== undefined) checkOneOf('relationship type', relationshipType, RELATIONSHIP_TYPES)
  const keys = (relationshipType === undefined ? RELATIONSHIP_TYPES : [relationshipType]).map((type) => ({
    sourceId,
    targetId,
    relationshipType: type,
  }))
  const filter = filterOf(asked)
  const removed = await store.relationships.remove(keys, { filter })
  if (removed > 0) return { removed }
  // A filter hides what has a missing end: what its owner may still take back is listed apart.
  const dangling = (await store.relationships.listDangling(filter.viewer)).flatMap(({ relationship, missing }) => {
    const names = (id: string): (string | undefined)[] => [id, missing.find((end) => end.id === id)?.path]
    const isMeant = [
      names(relationship.sourceId).includes(sourceId) && names(relationship.targetId).includes(targetId),
      relationshipType === undefined || relationship.relationshipType === relationshipType,
    ]
    return isMeant.every(Boolean) ? [relationship] : []
  })
  if (dangling.length > 0) return { removed: await store.relationships.remove(dangling) }
  throw new MadeleineError(
    'NOT_FOUND',
    `Cannot remove ${relationshipType === undefined ? 'relationships' : `"${relationshipType}"`} from "${sourceId}" to "${targetId}": nobody stated any`,
    { remedy: 'Only what was stated can be taken back; "madeleine correlate" shows it as stated' },
  )
}

/** A reason is shown as one, wherever relationships are shown. */
function hasReason(metadata: unknown): metadata is { reason: string } {
  return (
    typeof metadata === 'object' && metadata !== null && 'reason' in metadata && typeof metadata.reason === 'string'
  )
}

/** The value with secrets taken out of all its strings, names included; what is no plain JSON stays for the store to refuse. */
function redactStrings(value: unknown, within: readonly object[] = []): unknown {
  if (typeof value === 'string') return redactSecrets(value).text
  if (typeof value !== 'object' || value === null || within.includes(value)) return value
  const inner = [...within, value]
  if (Array.isArray(value)) return value.map((one) => redactStrings(one, inner))
  if ('toJSON' in value && typeof value.toJSON === 'function') return redactStrings(value.toJSON(), inner)
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [redactSecrets(name).text, redactNamed(name, one, inner)]),
  )
}

/** A value beside its name: "password" is what makes a secret of an ordinary word. */
function redactNamed(name: string, value: unknown, within: readonly object[]): unknown {
  if (typeof value !== 'string') return redactStrings(value, within)
  const lead = `${name}: `
  const { text } = redactSecrets(`${lead}${value}`)
  return text.startsWith(lead) ? redactSecrets(text.slice(lead.length)).text : redactSecrets(value).text
}
