import { DEFAULT_LIMIT, MadeleineError, RETRIEVE_RECENCY, type Tier } from '../index.ts'
import { openDefaultEngine } from './default-engine.ts'

export { closeDefaultEngine as close } from './default-engine.ts'

/** As many as a search gives at most. */
const MAX_RESULTS = 100
const MS_PER_DAY = 86_400_000

export interface RetrieveParams {
  query: string
  /** How much newer counts, [0,1]: 0 not at all. Default RETRIEVE_RECENCY.weight. */
  recencyWeight?: number
  /** Default DEFAULT_LIMIT, range 1–100. */
  limit?: number
}

export interface RetrievedMemory {
  id: string
  /** Its tier. */
  type: Tier
  /** Relevance and recency together, [0,1]. */
  score: number
  snippet: string
  /** Absent where nothing dates it. */
  occurredAt?: string
}

/**
 * Memories that answer a query in the configured store, newer ones before older ones of equal relevance: a search, weighed by half-lives
 * of the tiers. Rejects with INVALID_OPTION for values out of range, and as opening the store does.
 */
export async function memory_retrieve(params: RetrieveParams): Promise<RetrievedMemory[]> {
  const { query, recencyWeight = RETRIEVE_RECENCY.weight, limit = DEFAULT_LIMIT } = params
  checkRange('recencyWeight', recencyWeight, { from: 0, to: 1 })
  if (!Number.isInteger(limit)) throw outOfRange('limit', limit, `a whole number from 1 to ${MAX_RESULTS}`)
  checkRange('limit', limit, { from: 1, to: MAX_RESULTS })
  const { engine, now } = await openDefaultEngine()
  const { results } = await engine.search(query, { limit: Math.min(MAX_RESULTS, limit * RETRIEVE_RECENCY.looked) })
  const at = now()
  return results
    .map(({ id, tier, score: relevance, snippet, occurredAt }) => ({
      id,
      type: tier,
      score: weighRecency(relevance, recencyOf(tier, occurredAt, at), recencyWeight),
      snippet,
      ...(occurredAt !== undefined && { occurredAt }),
    }))
    .sort((a, b) => b.score - a.score)
    .slice(0, limit)
}

/** Relevance as far as recency lets it count: of nothing relevant nothing is left, however new it is. All in [0,1]. */
export function weighRecency(relevance: number, recency: number, weight: number): number {
  return relevance * (1 - weight + weight * recency)
}

/** 2^(−age/half-life), by the half-life of the tier; 1 for what lies ahead, RETRIEVE_RECENCY.undated for what nothing dates. */
export function recencyOf(tier: Tier, occurredAt: string | undefined, at: Date): number {
  const ageDays = occurredAt === undefined ? Number.NaN : (at.getTime() - Date.parse(occurredAt)) / MS_PER_DAY
  if (Number.isNaN(ageDays)) return RETRIEVE_RECENCY.undated
  return 2 ** (-Math.max(0, ageDays) / RETRIEVE_RECENCY.halfLifeDays[tier])
}

function checkRange(name: string, value: number, { from, to }: { from: number; to: number }): void {
  if (!(value >= from && value <= to)) throw outOfRange(name, value, `a number from ${from} to ${to}`)
}

function outOfRange(name: string, value: unknown, allowed: string): MadeleineError {
  return new MadeleineError('INVALID_OPTION', `Cannot retrieve with ${name} ${String(value)}: it is out of range`, {
    remedy: `Give ${allowed}`,
  })
}
