import type {
  AskedBy,
  BuildCorrelationGraphParams,
  CorrelationGraph,
  CorrelationResult,
  ReviewItem,
} from '../../model/correlation.ts'
import type { Madeleine } from '../../model/engine.ts'
import { REPORT } from '../correlation-options.ts'

/** What a report is written from. */
export interface CorrelationReport {
  /** ISO 8601, UTC. */
  generatedAt: string
  graph: CorrelationGraph
  /** Of the memories that it begins with, at most REPORT.seeds of them; stored and computed ones alike. */
  correlations: CorrelationResult[]
  /** Contradictions that wait for a person, or were confirmed. */
  reviews: ReviewItem[]
  /** Where memories stand that are related and not in the graph, by id. */
  places: ReadonlyMap<string, string>
}

/** Asks an engine for what a report says. Rejects as its methods do. */
export async function collectCorrelationReport(
  engine: Pick<Madeleine, 'buildCorrelationGraph' | 'findCorrelations' | 'listReviews' | 'listMemories'>,
  params: BuildCorrelationGraphParams,
  now: Date,
): Promise<CorrelationReport> {
  const graph = await engine.buildCorrelationGraph(params)
  const asked = askedBy(params)
  const correlations: CorrelationResult[] = []
  for (const { id, type } of seedsOf(graph, params.memoryIds).slice(0, REPORT.seeds)) {
    correlations.push(
      await engine.findCorrelations({
        ...asked,
        memoryId: id,
        type,
        ...(params.minScore !== undefined && { minScore: params.minScore }),
        ...(params.relationshipTypes && { relationshipTypes: params.relationshipTypes }),
      }),
    )
  }
  const { items } = await engine.listReviews({ ...asked, status: 'all', limit: REPORT.reviews })
  return {
    generatedAt: now.toISOString(),
    graph,
    correlations,
    reviews: items.filter(({ status }) => status !== 'dismissed'),
    places: await findPlaces(engine, { graph, correlations, asked }),
  }
}

async function findPlaces(
  engine: Pick<Madeleine, 'listMemories'>,
  { graph, correlations, asked }: Pick<CorrelationReport, 'graph' | 'correlations'> & { asked: AskedBy },
): Promise<Map<string, string>> {
  const known = new Set(graph.nodes.map(({ id }) => id))
  const others = new Set(correlations.flatMap((one) => one.correlations.map(({ targetId }) => targetId)))
  const places = new Map<string, string>()
  for (const id of others) {
    if (known.has(id)) continue
    const [memory] = await engine.listMemories(id, asked)
    if (memory) places.set(id, `${memory.path}:${memory.startLine}`)
  }
  return places
}

/** The memories that a graph begins with: as they were asked for, else as the graph has them. */
export function seedsOf({ nodes }: CorrelationGraph, memoryIds: readonly string[] = []): CorrelationGraph['nodes'] {
  const first = nodes.filter(({ depth }) => depth === 0)
  const order = new Map(memoryIds.map((id, index) => [id, index]))
  return first.sort((a, b) => (order.get(a.id) ?? first.length) - (order.get(b.id) ?? first.length))
}

function askedBy({ agentId, project }: AskedBy): AskedBy {
  return { ...(agentId !== undefined && { agentId }), ...(project !== undefined && { project }) }
}
