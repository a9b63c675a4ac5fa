import type { SourceCategory, Tier } from './memory.ts'
import type {
  CorrelationParts,
  Evidence,
  Relationship,
  RelationshipOrigin,
  RelationshipType,
  ReviewStatus,
} from './relationship.ts'
import type { Degraded } from './search.ts'

/** Who asks, beside what the engine was opened with. */
export interface AskedBy {
  agentId?: string
  project?: string
}

export interface FindCorrelationsParams extends AskedBy {
  memoryId: string
  /** The tier of the memory itself; another one is an error. */
  type: Tier
  /** Default 10, range 1–1000. */
  maxResults?: number
  /** Inclusive, [0,1]. Without it, what texts state is shown whatever its score, and of the rest what reaches MIN_CORRELATION_SCORE. */
  minScore?: number
  /** Default all. */
  relationshipTypes?: readonly RelationshipType[]
}

/** How one memory bears on another, seen from the memory that was asked about. */
export interface Correlation {
  targetId: string
  targetType: Tier
  relationshipType: RelationshipType
  /** [0,1]. */
  score: number
  /** In words, naming what shows it. */
  reason: string
  /** Raw values and weights of the parts of the score; absent for what somebody stated. */
  parts?: CorrelationParts
  evidence: Evidence[]
  /** `out`: the memory that was asked about is the source; `in`: it is the target. Symmetric types are `out`. */
  direction: 'out' | 'in'
  /** `computed`: found for this question and stored nowhere. */
  origin: RelationshipOrigin | 'computed'
  metadata?: Record<string, unknown>
}

export interface CorrelationResult {
  memoryId: string
  /** Strongest first. */
  correlations: Correlation[]
  /** Before the cut to `maxResults`. */
  totalFound: number
  degraded: Degraded[]
}

export interface AddRelationshipParams extends AskedBy {
  sourceId: string
  targetId: string
  /** Default: the one that the two texts show, with its reason in the metadata. */
  relationshipType?: RelationshipType
  /** [0,1]; default 1. */
  score?: number
  /** Whatever JSON can hold; secrets are taken out. */
  metadata?: Record<string, unknown>
}

export interface RelationshipResult {
  relationship: Relationship
}

export interface RemoveRelationshipParams extends AskedBy {
  sourceId: string
  targetId: string
  /** Default: every explicit relationship between the two. */
  relationshipType?: RelationshipType
}

export interface BuildCorrelationGraphParams extends AskedBy {
  /** Where to begin. Empty: the best connected memories that the asker may see. */
  memoryIds: readonly string[]
  /** Tiers of the nodes that are reached; those that were asked for are always there. */
  includeTypes?: readonly Tier[]
  relationshipTypes?: readonly RelationshipType[]
  /** Steps from the given memories, 0–100. Default 2. */
  maxDepth?: number
  /** Inclusive, [0,1]. Default 0: whatever is stored. */
  minScore?: number
  /** Memories in the graph at most, those that were asked for always among them. Default 1000, 1–10000. */
  maxNodes?: number
  /** Suggest relationships that the graph makes likely. Default false. */
  predict?: boolean
}

export interface GraphNode {
  id: string
  type: Tier
  path: string
  header: string
  /** Steps from the nearest memory that was asked for. */
  depth: number
  /** Share of the visits of a walk that starts from the memories asked for (personalised PageRank), [0,1]; all of them add up to 1. */
  rank: number
  /** How many of its relationships were left out because it has more than are followed. */
  hiddenEdges?: number
}

export interface GraphEdge {
  sourceId: string
  targetId: string
  relationshipType: RelationshipType
  score: number
  origin: RelationshipOrigin
  reason: string
}

/** A link in a text that names no memory, or more than one. */
export interface UnresolvedLink {
  memoryId: string
  path: string
  /** What the link names, as it is written. */
  target: string
  /** Paths that it could mean; empty where there is none. */
  candidates: string[]
}

/** An edge that the graph suggests and nothing states: never stored unasked. */
export interface PredictedLink {
  sourceId: string
  targetId: string
  /** [0,1]: by what both are related to. */
  score: number
  reason: string
}

export interface TierShare {
  tier: Tier
  count: number
  /** Of the relationships that touch it, [0,1]; null where there is none. */
  averageScore: number | null
}

export interface CorrelationGraph {
  nodes: GraphNode[]
  edges: GraphEdge[]
  /** Ids of memories that were asked for and have no relationship. */
  orphans: string[]
  /** Of the memories that were asked for, or of all notes where none were. */
  unresolved: UnresolvedLink[]
  tiers: TierShare[]
  /** Where they were asked for: most likely first. */
  predicted?: PredictedLink[]
  /** Present where the graph was cut to its limit: how many nodes are left out at least. */
  leftOut?: number
}

export interface BuildFileGraphParams extends AskedBy {
  /** Only files of these paths, with whatever they are linked to. Default all. */
  paths?: readonly string[]
  /** Default notes alone. */
  source?: SourceCategory | 'all'
  /** Inclusive, [0,1]. Default 0.75. */
  minCosine?: number
}

/** A file of the view by files. */
export interface FileNode {
  root: string
  path: string
  memories: number
  /** How many of them were compared. */
  representatives: number
}

/** Two files that say alike things. */
export interface FileLink {
  a: { root: string; path: string }
  b: { root: string; path: string }
  /** Cosine of the most alike pair, [0,1]. */
  score: number
  /** What was alike, most alike first. */
  pairs: Array<{ aId: string; bId: string; cosine: number }>
}

export interface FileGraph {
  /** By root and path. */
  files: FileNode[]
  /** Most alike first. */
  links: FileLink[]
  /** Files that were asked for, or all, that are like no other. */
  orphans: Array<{ root: string; path: string }>
  degraded: Degraded[]
}

export interface DiscoverLinksParams extends AskedBy {
  /** Need not exist. */
  memoryId: string
  content: string
  type: Tier
  /** Tiers in which to look; default all. */
  searchSpace?: readonly Tier[]
}

/** A suggestion: stored nowhere. */
export type DiscoveredLink = Omit<Correlation, 'origin'>

export interface LinkOptions {
  /** Link everything anew, not only what is new or changed. */
  all?: boolean
  onProgress?: (progress: { done: number; total: number }) => void
  signal?: AbortSignal
}

/** What a run of discovery did. */
export interface LinkReport {
  /** Memories that were linked. */
  memories: number
  /** Relationships that are new or differ. */
  written: number
  /** Discovered relationships that were not found again. */
  removed: number
  /** Contradictions that were put before people. */
  reviews: number
  /** Pairs that were scored. */
  pairs: number
  /** Memories that still wait. */
  awaiting: number
  elapsedMs: number
  degraded: Degraded[]
}

/** A contradiction as a person sees it. */
export interface ReviewItem {
  id: string
  a: ReviewedMemory
  b: ReviewedMemory
  reason: string
  evidence: Evidence[]
  status: ReviewStatus
  /** Whether as many reviewers as configured stand by it: below that it is a suggestion. */
  enforced: boolean
  confirmations: number
  dismissals: number
  /** Every decision, oldest first. */
  history: Array<{ decision: 'confirmed' | 'dismissed'; by: string; at: string; note?: string }>
  openedAt: string
}

/** Where the memory is not there any more, lines are 0 and the text is empty. */
export interface ReviewedMemory {
  id: string
  path: string
  startLine: number
  endLine: number
  text: string
  occurredAt?: string
}

export interface ListReviewsOptions extends AskedBy {
  /** Default open. */
  status?: ReviewStatus | 'all'
  /** Default 50, range 1–1000. */
  limit?: number
}

export interface DecideReviewParams extends AskedBy {
  id: string
  decision: 'confirmed' | 'dismissed'
  /** Who decides. */
  by: string
  note?: string
}

/** The correlator: relationships between memories across tiers. Nothing here changes a memory. */
export interface Correlator {
  /** Stored and computed relationships of a memory alike. Rejects with NOT_FOUND for an unknown id, INVALID_OPTION for a wrong tier. */
  findCorrelations(params: FindCorrelationsParams): Promise<CorrelationResult>
  /**
   * States a relationship. Saying the same twice is one edge. Rejects with NOT_FOUND where an end is not there or not to be seen, with
   * INVALID_OPTION where no type is given and the texts show none.
   */
  addRelationship(params: AddRelationshipParams): Promise<RelationshipResult>
  /** Takes back what was stated. Rejects with NOT_FOUND where nothing was. */
  removeRelationship(params: RemoveRelationshipParams): Promise<{ removed: number }>
  buildCorrelationGraph(params: BuildCorrelationGraphParams): Promise<CorrelationGraph>
  /** Which files say alike things, by their most telling memories. Without vectors it has no links, and says so in `degraded`. */
  buildFileGraph(params?: BuildFileGraphParams): Promise<FileGraph>
  /** What a text would be linked to. Stores nothing. */
  discoverLinks(params: DiscoverLinksParams): Promise<DiscoveredLink[]>
  /** Links what is new or changed, or everything, and stores it. */
  linkMemories(options?: LinkOptions): Promise<LinkReport>
  /** Contradictions that wait for a person, or were decided. */
  listReviews(options?: ListReviewsOptions): Promise<{ items: ReviewItem[] }>
  /** Keeps a decision for ever; changes nothing else. Rejects with NOT_FOUND. */
  decideReview(params: DecideReviewParams): Promise<{ item: ReviewItem }>
}

/** What the environment calls CORRELATOR_ENABLED, MIN_CORRELATION_SCORE, MAX_LINKS_PER_MEMORY and AUTO_DISCOVER_ENABLED. */
export interface CorrelatorSettings {
  /** Default true; when off, every method rejects with DISABLED and nothing is discovered. */
  enabled?: boolean
  /** Of what is inferred; what texts state stands without. Default 0.45, [0,1]. */
  minScore?: number
  /** Strongest kept. Default 50, 1–10000. */
  maxLinks?: number
  /** Link what an index run or `remember` adds. Default true. */
  autoDiscover?: boolean
  /** Reviewers who must confirm before a relationship counts as enforced. Default 1, 1–100. */
  consensus?: number
}
