import type { Correlator, LinkReport } from './correlation.ts'
import type { Problem } from './document.ts'
import type { Heart } from './heartbeat.ts'
import type { LedgerEntry } from './ledger.ts'
import type { MemoryState, MemoryType, Tier, Visibility } from './memory.ts'
import type { RecalledTurn, RecallRequest, RecallResponse } from './recall.ts'
import type { SearchOptions, SearchResponse } from './search.ts'

/** How far a long run is. `total` may grow while files are still being found. */
export interface IndexProgress {
  phase: 'scan' | 'index' | 'embed' | 'link'
  done: number
  total: number
  /** The document at hand, where there is one. */
  path?: string
  /** How much of a long document has been read. */
  bytes?: { done: number; total: number }
}

export interface IndexOptions {
  /** Read every document again, changed or not. Vectors of unchanged texts are kept. */
  full?: boolean
  /** Leave vectors for a later run; the text is searchable all the same. */
  skipEmbedding?: boolean
  /**
   * Only these files, by their absolute paths below the configured roots; nothing else is looked at, and nothing is taken for
   * removed. Vectors are made of whatever waits for them all the same.
   */
  only?: readonly string[]
  onProgress?: (progress: IndexProgress) => void
  signal?: AbortSignal
}

export interface IndexReport {
  documents: { total: number; added: number; changed: number; removed: number; skipped: number }
  memories: { total: number; added: number; removed: number; duplicates: number }
  /** Texts that were embedded in this run. */
  embedded: number
  /** Memories that still have no vector. */
  pending: number
  /** How many memories were related to others; absent where that is not done unasked, or waits for vectors. */
  links?: LinkReport
  elapsedMs: number
  /** What was read over or left out, and why. Those with `failed` leave the run partly done (exit 3). */
  problems: Array<Problem & { failed?: boolean }>
}

export interface RememberOptions {
  /** The caller's own id; an existing one is an error. */
  id?: string
  tier?: Tier
  type?: MemoryType
  /** ISO date or instant when it happened; default now. */
  occurredAt?: string
  sessionId?: string
  visibility?: Visibility
  agentId?: string
  project?: string
}

export interface GetOptions {
  /** First line, 1-based; for an id, the memory's first line. */
  from?: number
  /** How many lines. */
  lines?: number
  agentId?: string
  project?: string
}

export interface GetResponse {
  path: string
  root?: string
  startLine: number
  endLine: number
  /** Cleaned and redacted. Lines of a document that hold nothing to show are empty, so that line numbers match. */
  text: string
  truncated: boolean
}

/** A memory as it stands in one document. */
export interface ListedMemory {
  id: string
  path: string
  startLine: number
  endLine: number
  /** Cleaned and redacted. */
  text: string
}

/** A memory that somebody named. */
export interface NamedMemory extends ListedMemory {
  tier: Tier
  /** Headings above it, as hits show them; empty in a transcript. */
  header: string
}

export interface StatusOptions {
  /** Whose counts; default the engine's agent, without one the owner's, of the whole tenant. */
  agentId?: string
  /** Also account for every character of every document: reads all sources again, and takes about as long as that. */
  ledger?: boolean
}

export interface StatusReport {
  roots: Array<{
    path: string
    kind: string
    documents: number
    problem?: string
    /** What the paths below it look like that are read, where not all of them are. */
    pattern?: string
    /** Folders beside it whose changes matter too. */
    watch?: readonly string[]
  }>
  documents: number
  /** Documents of which an interrupted run has read a part only; absent when there are none. */
  partial?: number
  memories: number
  /** How many of them are in each state; it hides none from a search. */
  states: Record<MemoryState, number>
  pending: number
  vectors: { backend: string; identity: string | null; wanted: string | null }
  skipped: Problem[]
  store: string
  /** The replica that searches and recalls ask; absent where there is none. */
  readStore?: string
  /** Where it was asked for. */
  ledger?: LedgerEntry[]
}

export interface Finding {
  id: string
  severity: 'error' | 'warning' | 'info'
  message: string
  /** What to do, or which command to run. */
  remedy: string
  /** With `fix`: what was done about it. Absent where nothing could be. */
  fixed?: string
}

export interface DoctorOptions {
  /** Do what needs no file of the user's, no model and no decision: rebuild an index, close a file to others, clear what is stale. */
  fix?: boolean
}

/** What became of a damaged store. */
export interface StoreMend {
  /** The damaged file as it was found. */
  setAside: string
  /** What could be read of what cannot be rebuilt, one JSON object a line. */
  kept: string
  /** How much of it there is, all of it in the new store too, except memories of unknown origin. */
  memories: number
  memoriesOfUnknownOrigin: number
  forgotten: number
  accesses: number
  /** Explicit ones. */
  relationships: number
  reviews: number
  states: number
  /** What is lost, in words. */
  unread: string[]
}

/** The engine: what every front end calls. */
export interface Madeleine extends Correlator, Heart {
  /** Brings the store up to date with the sources: text first, vectors after. */
  index(options?: IndexOptions): Promise<IndexReport>
  search(query: string, options?: SearchOptions): Promise<SearchResponse>
  /** What to inject before a turn. Never rejects; ends within its deadline. */
  recall(request: RecallRequest): Promise<RecallResponse>
  /** What came of the last recalls, newest first: those of the caller's agent and project, or all for the owner. Default limit 10. */
  recentRecalls(options?: { limit?: number; agentId?: string; project?: string }): Promise<RecalledTurn[]>
  /** Text of a memory or of lines of a document, only from inside the configured sources. Rejects with NOT_FOUND. */
  get(idOrPath: string, options?: GetOptions): Promise<GetResponse>
  /** The memories of a document in order, each as it stands there, or the one that an id names. Empty where the caller sees nothing of that name. */
  listMemories(idOrPath: string, options?: { agentId?: string; project?: string }): Promise<ListedMemory[]>
  /**
   * The memories that a name stands for: an id, a path with or without lines (`path:12-20`), or an exact title (a heading, a file name).
   * Nothing is guessed: empty where nothing that the caller sees has this very name.
   */
  findNamed(name: string, options?: { agentId?: string; project?: string }): Promise<NamedMemory[]>
  /** Keeps a text that stands in no file. `redacted`: how many secrets were taken out of it. */
  remember(text: string, options?: RememberOptions): Promise<{ id: string; redacted?: number }>
  /** Removes a memory or a whole document from every index, for good. Rejects with NOT_FOUND. */
  forget(idOrPath: string, options?: { agentId?: string; project?: string }): Promise<{ forgotten: string[] }>
  /** Loads the model ahead of the first question. Only for speed: rejects only where the store cannot be read. */
  warm(): Promise<void>
  status(options?: StatusOptions): Promise<StatusReport>
  /** What is wrong, and with `fix` what was done about it. A damaged store is mended by `mendStore` instead, while nobody has it open. */
  doctor(options?: DoctorOptions): Promise<{ findings: Finding[] }>
  close(): Promise<void>
}
