import { MadeleineError } from '../../errors.ts'
import { RELATIONSHIP_TYPES, type RelationshipKey, type RelationshipWrite } from '../../model/relationship.ts'
import { RELATIONSHIP_CHARS } from '../../options.ts'

interface WriteProblem {
  index: number
  reason: string
  isMissing: boolean
}

/**
 * Refuses relationships that cannot be stored, naming each with its reason. `tenants` are those of the ends that are there and
 * may be seen: what is hidden is told in the same words as what does not exist.
 */
export function assertWritable(writes: readonly RelationshipWrite[], tenants: ReadonlyMap<string, string>): void {
  const problems = writes.flatMap((write, index): WriteProblem[] => {
    const reason = findFault(write) ?? findForeign(write, tenants)
    if (reason !== undefined) return [{ index, reason, isMissing: false }]
    const missing = [write.sourceId, write.targetId].filter((id) => !tenants.has(id))
    return missing.length === 0
      ? []
      : [{ index, reason: `there is no memory ${missing.map((id) => `"${id}"`).join(' and ')}`, isMissing: true }]
  })
  if (problems.length === 0) return
  const isMissing = problems.every((problem) => problem.isMissing)
  const list = problems.map(({ index, reason }) => `${index + 1}: ${reason}`).join('; ')
  throw new MadeleineError(
    isMissing ? 'NOT_FOUND' : 'INVALID_OPTION',
    `Cannot relate memories: ${problems.length} of ${writes.length} cannot be stored, and none was (${list})`,
    { remedy: 'Give the ids of two memories that exist, a known type and a score from 0 to 1' },
  )
}

/** What is wrong with the write itself. */
export function findFault({ score, metadata, reason, ...key }: RelationshipWrite): string | undefined {
  if (!RELATIONSHIP_TYPES.includes(key.relationshipType)) {
    return `the type "${key.relationshipType}" is none of ${RELATIONSHIP_TYPES.join(', ')}`
  }
  if (!(score >= 0 && score <= 1)) return `the score ${score} is not from 0 to 1`
  if (key.sourceId === key.targetId) return 'a memory cannot be related to itself'
  if (reason !== undefined && reason.length > RELATIONSHIP_CHARS.reason) {
    return `the reason is longer than ${RELATIONSHIP_CHARS.reason} characters`
  }
  return metadata === undefined ? undefined : findMetadataFault(metadata)
}

function findMetadataFault(metadata: unknown): string | undefined {
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) return 'the metadata is no object'
  try {
    const { length } = JSON.stringify(metadata)
    return length > RELATIONSHIP_CHARS.metadata
      ? `the metadata is longer than ${RELATIONSHIP_CHARS.metadata} characters`
      : undefined
  } catch {
    return 'the metadata cannot be written as JSON'
  }
}

function findForeign(
  { sourceId, targetId }: RelationshipKey,
  tenants: ReadonlyMap<string, string>,
): string | undefined {
  const [source, target] = [tenants.get(sourceId), tenants.get(targetId)]
  const isForeign = source !== undefined && target !== undefined && source !== target
  return isForeign ? 'its ends belong to different tenants' : undefined
}
