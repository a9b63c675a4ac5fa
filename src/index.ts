export { CORRELATOR_DEFAULTS } from './correlation/correlation-options.ts'
export { type CorrelationReport, collectCorrelationReport } from './correlation/graph/correlation-report.ts'
export { formatCorrelationReport } from './correlation/graph/format-correlation-report.ts'
export { formatGraph, GRAPH_FORMATS, type GraphFormat } from './correlation/graph/format-graph.ts'
export { type SerializedGraph, toGraphology } from './correlation/graph/to-graphology.ts'
export type { EmbeddingProvider } from './embedding/embedding-provider.ts'
export { type ErrorCode, MadeleineError } from './errors.ts'
export {
  type Evaluation,
  type EvaluationOptions,
  evaluateQuestions,
} from './evaluation/evaluate-questions.ts'
export { describeGoldPlace, type GoldPlace, type LabelledQuestion } from './evaluation/labelled-question.ts'
export { type Estimate, MEASURES, type Measure, type RankingScores } from './evaluation/metrics.ts'
export {
  EVALUATION_PROFILES,
  type EvaluationProfile,
  type FoundGold,
  type GoldFate,
  type QuestionReport,
  type RecalledGold,
} from './evaluation/question-report.ts'
export type { UnresolvedPlace } from './evaluation/resolve-gold.ts'
export {
  isRecalledAsWanted,
  type MeasureEstimates,
  type ProfileDifference,
  type ProfileReport,
  type RecallReport,
} from './evaluation/summarize.ts'
export {
  type DecisionInput,
  evaluateShouldAct,
  type HeartbeatDecision,
} from './heartbeat/decide.ts'
export { HEARTBEAT_DEFAULTS } from './heartbeat/decision-options.ts'
export { type FormatHeartbeatOptions, formatHeartbeatContext } from './heartbeat/format-heartbeat-context.ts'
export { VERBOSITIES, type Verbosity } from './heartbeat/format-options.ts'
export { createState as createHeartbeatState, type HeartbeatState } from './heartbeat/heartbeat-state.ts'
export { type Enrichable, enrichWithRelatedContext, type RelatedContextOptions } from './heartbeat/related-context.ts'
export type { Completion, CompletionRequest, CompletionUsage, LanguageModel } from './language-model/language-model.ts'
export type { Clock } from './model/clock.ts'
export type {
  AddRelationshipParams,
  AskedBy,
  BuildCorrelationGraphParams,
  BuildFileGraphParams,
  Correlation,
  CorrelationGraph,
  CorrelationResult,
  Correlator,
  CorrelatorSettings,
  DecideReviewParams,
  DiscoveredLink,
  DiscoverLinksParams,
  FileGraph,
  FileLink,
  FileNode,
  FindCorrelationsParams,
  GraphEdge,
  GraphNode,
  LinkOptions,
  LinkReport,
  ListReviewsOptions,
  PredictedLink,
  RelationshipResult,
  RemoveRelationshipParams,
  ReviewedMemory,
  ReviewItem,
  TierShare,
  UnresolvedLink,
} from './model/correlation.ts'
export type { Problem } from './model/document.ts'
export type {
  DoctorOptions,
  Finding,
  GetOptions,
  GetResponse,
  IndexOptions,
  IndexProgress,
  IndexReport,
  ListedMemory,
  Madeleine,
  NamedMemory,
  RememberOptions,
  StatusOptions,
  StatusReport,
  StoreMend,
} from './model/engine.ts'
export type {
  Autonomy,
  DecisionReason,
  Heart,
  HeartbeatAnalysis,
  HeartbeatOptions,
  HeartbeatResult,
  HeartbeatSettings,
  LeftOut,
  ModelUsage,
  RecordedTick,
  RelatedContext,
  SalienceItem,
  SalienceOptions,
  SalienceReport,
  Signal,
  SignalItem,
  SignalKind,
  Urgency,
} from './model/heartbeat.ts'
export { AUTONOMIES, SIGNAL_KINDS, URGENCIES } from './model/heartbeat.ts'
export type { CharacterAccount, LedgerEntry } from './model/ledger.ts'
export type { MemoryState, MemoryType, Place, Role, Scope, Tier, Trust, Visibility } from './model/memory.ts'
export { MEMORY_TYPES, TIERS, VISIBILITIES } from './model/memory.ts'
export type {
  RecalledTurn,
  RecallItem,
  RecallRequest,
  RecallResponse,
  RecallTraceEntry,
  RecentTurn,
} from './model/recall.ts'
export type {
  CorrelationPart,
  CorrelationPartName,
  CorrelationParts,
  DanglingRelationship,
  Evidence,
  EvidenceSpan,
  MissingEnd,
  Relationship,
  RelationshipKey,
  RelationshipKind,
  RelationshipOrigin,
  RelationshipType,
  RelationshipWrite,
  Review,
  ReviewDecision,
  ReviewStatus,
} from './model/relationship.ts'
export { isSymmetric, RELATIONSHIP_KINDS, RELATIONSHIP_TYPES, REVIEW_STATUSES } from './model/relationship.ts'
export type {
  Boost,
  Calibration,
  Degraded,
  HitLink,
  SearchMode,
  SearchOptions,
  SearchProfile,
  SearchResponse,
  SearchResult,
  SignalScores,
} from './model/search.ts'
export { exportStore, importStore, type MoveOptions, type StoreExport, type StoreImport } from './move-store.ts'
export { mendStore, type OpenOptions, openMadeleine, type WorkspaceOption } from './open.ts'
export {
  DEFAULT_LIMIT,
  EVALUATION,
  IMPORT_CONCURRENCY,
  MCP_LIMITS,
  RECALL_DEADLINE_MS,
  RECALL_THRESHOLD,
  RECALL_TOKEN_BUDGET,
  RETRIEVE_RECENCY,
} from './options.ts'
export { type CleanOptions, type CleanResult, type RejectReason, searchClean } from './retrieval/clean.ts'
export { chooseNamed } from './retrieval/find-named.ts'
export type { Source } from './source/source.ts'
export type { ArchiveDigests, PartDigest } from './store/archive/archive-digests.ts'
export type { ArchiveHeader } from './store/archive/archive-file.ts'
export { ARCHIVE_PARTS, type ArchivePart } from './store/archive/archive-record.ts'
export type { MemoryStore, RelationshipStore } from './store/memory-store.ts'
