import {
  type AskedBy,
  type Correlation,
  chooseNamed,
  type Madeleine,
  type RelationshipType,
  type Tier,
} from '../index.ts'

/** What a host's tool asks of one memory. */
export interface RelatedRequest {
  /** Id, path or exact title. */
  name: string
  relationshipTypes?: readonly RelationshipType[]
  minScore?: number
  maxResults: number
  /** Also the parts of the scores and the pieces of text that speak for them. */
  explain?: boolean
  /** Which targets may be shown; default all. */
  isShown?: (path: string) => boolean
}

/** A correlation with where its other end stands, so that an agent can read it. */
export type RelatedMemory = Omit<Correlation, 'parts' | 'evidence'> &
  Partial<Pick<Correlation, 'parts' | 'evidence'>> & { path?: string; header?: string }

export interface RelatedAnswer {
  memoryId: string
  path: string
  correlations: RelatedMemory[]
  totalFound: number
  degraded: Array<{ part: string; reason: string }>
}

/**
 * How other memories bear on one, each with its place. Rejects with NOT_FOUND where nothing has the name, INVALID_OPTION where several
 * have it, DISABLED where the correlator is off.
 */
export async function findRelated(engine: Madeleine, who: AskedBy, request: RelatedRequest): Promise<RelatedAnswer> {
  const { name, relationshipTypes, minScore, maxResults, explain = false, isShown } = request
  const named = (await engine.findNamed(name, who)).filter(({ path }) => isShown?.(path) ?? true)
  const memory = chooseNamed('relate', name, named)
  const { correlations, ...found } = await engine.findCorrelations({
    ...who,
    memoryId: memory.id,
    type: memory.tier,
    maxResults,
    ...(relationshipTypes && { relationshipTypes }),
    ...(minScore !== undefined && { minScore }),
  })
  const placed: RelatedMemory[] = []
  for (const correlation of correlations) {
    const place = await placeOf(engine, who, correlation.targetId)
    if (place && isShown && !isShown(place.path)) continue
    const { parts, evidence, ...plain } = correlation
    placed.push({ ...plain, ...place, ...(explain && { evidence, ...(parts && { parts }) }) })
  }
  const hidden = correlations.length - placed.length
  return {
    memoryId: memory.id,
    path: memory.path,
    correlations: placed,
    totalFound: found.totalFound - hidden,
    degraded: found.degraded,
  }
}

async function placeOf(
  engine: Madeleine,
  who: AskedBy,
  id: string,
): Promise<{ path: string; header: string } | undefined> {
  const [memory] = await engine.findNamed(id, who)
  return memory && { path: memory.path, header: memory.header }
}

/** What a host's tool asks of the graph. */
export interface GraphRequest {
  /** Ids, paths or exact titles; none for the best connected. */
  names: readonly string[]
  maxDepth?: number
  includeTypes?: readonly Tier[]
  minScore?: number
}

/** Every id that the names stand for: of a path all that stands there. Rejects with NOT_FOUND for a name that nothing has. */
export async function idsOfNames(engine: Madeleine, who: AskedBy, names: readonly string[]): Promise<string[]> {
  const ids: string[] = []
  for (const name of names) {
    const found = await engine.findNamed(name, who)
    // Says that there is none.
    if (found.length === 0) chooseNamed('draw the graph of', name, found)
    ids.push(...found.map(({ id }) => id))
  }
  return [...new Set(ids)]
}
